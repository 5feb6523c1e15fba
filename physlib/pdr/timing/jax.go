package timing

import (
	"bufio"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
)

// script is the Python program that a peer process runs.
//
//go:embed reference.py
var script string

// peer is a Python process that runs the recurrence in JAX on request.
type peer struct {
	process *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	stderr  strings.Builder
}

func startPeer(ctx context.Context, o Options) (*peer, error) {
	python := o.Python
	if python == "" {
		python = "python3"
	}
	p := &peer{process: exec.CommandContext(ctx, python, "-c", script, strconv.Itoa(o.Dim), strconv.Itoa(o.Rank))}
	p.process.Stderr = &p.stderr
	var err error
	if p.in, err = p.process.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.out = bufio.NewReader(out)
	if err := p.process.Start(); err != nil {
		return nil, fmt.Errorf("JAX needs Python: %w; name one by --python", err)
	}
	return p, nil
}

// call runs one form of the JAX program once. The argument what is forward, or both to run forward
// and backward.
func (p *peer) call(name string, seq int, what string) (spent, error) {
	fmt.Fprintf(p.in, "%s %d %s\n", name, seq, what)
	line, err := p.out.ReadBytes('\n')
	if err != nil {
		p.in.Close()
		p.process.Wait()
		lines := strings.Split(strings.TrimSpace(p.stderr.String()), "\n")
		return spent{}, fmt.Errorf("the Python process ended: %s (%w); it needs JAX: pip install jax", lines[len(lines)-1], err)
	}
	var answer struct{ Wall, CPU float64 }
	if err := json.Unmarshal(line, &answer); err != nil {
		return spent{}, fmt.Errorf("the Python process answered %q: %w", line, err)
	}
	return spent{answer.Wall, answer.CPU}, nil
}

func (p *peer) close() {
	if p == nil {
		return
	}
	p.in.Close()
	p.process.Wait()
}
