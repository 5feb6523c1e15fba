package bench

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"strings"
)

// python is a Python process that replies to each line of its input with a line of JSON.
type python struct {
	process *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	stderr  strings.Builder
}

// start runs script with args in the Python interpreter of the given name; "" is python3.
func (p *python) start(ctx context.Context, name, script string, args ...string) (err error) {
	if name == "" {
		name = "python3"
	}
	p.process = exec.CommandContext(ctx, name, append([]string{"-c", script}, args...)...)
	p.process.Stderr = &p.stderr
	if p.in, err = p.process.StdinPipe(); err != nil {
		return err
	}
	out, err := p.process.StdoutPipe()
	if err != nil {
		return err
	}
	p.out = bufio.NewReader(out)
	return p.process.Start()
}

// close ends the process by closing its input.
func (p *python) close() {
	p.in.Close()
	p.process.Wait()
}

// exchange sends a line with the question and decodes the reply into answer.
func (p *python) exchange(question string, answer any) error {
	if _, err := io.WriteString(p.in, question+"\n"); err != nil {
		return p.failed(err)
	}
	line, err := p.out.ReadBytes('\n')
	if err != nil {
		return p.failed(err)
	}
	if err := json.Unmarshal(line, answer); err != nil {
		return fmt.Errorf("the Python process answered %q: %w", line, err)
	}
	return nil
}

// failed ends the process. It returns err with the last line that the process wrote to stderr.
func (p *python) failed(err error) error {
	p.close()
	lines := strings.Split(strings.TrimSpace(p.stderr.String()), "\n")
	return fmt.Errorf("the Python process ended: %s (%w)", lines[len(lines)-1], err)
}
