package bench

import (
	"bufio"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/physlib/lab/physlib/corpus"
	"github.com/physlib/lab/physlib/law"
)

//go:embed srbench.py
var sympyScript string

// Time limit for SymPy to simplify a pair of laws, and additional time in which its process must
// reply.
const (
	sympyLimit = 30 * time.Second
	sympyGrace = 10 * time.Second
)

// sympyJudge queries a Python process for verdicts by SRBench's rules, one at a time. If the
// process hangs, it starts another.
type sympyJudge struct {
	mu      sync.Mutex
	process *exec.Cmd // nil after a failure; the next query starts another process
	in      io.WriteCloser
	out     *bufio.Reader
}

type sympyQuestion struct {
	True    string     `json:"true"`
	Found   string     `json:"found"`
	Vars    []Variable `json:"vars"`
	Seconds float64    `json:"seconds"`
}

type sympyAnswer struct {
	Exact *bool  `json:"exact"`
	Note  string `json:"note"`
}

// startSymPy starts the process, so that a missing Python or SymPy is an error before the first
// search.
func startSymPy(ctx context.Context) (*sympyJudge, error) {
	s := &sympyJudge{}
	return s, s.start(ctx)
}

func (s *sympyJudge) start(ctx context.Context) error {
	p := exec.Command("python3", "-c", sympyScript)
	var stderr strings.Builder
	p.Stderr = &stderr
	in, err := p.StdinPipe()
	if err != nil {
		return err
	}
	out, err := p.StdoutPipe()
	if err != nil {
		return err
	}
	if err := p.Start(); err != nil {
		return fmt.Errorf("sympy: %w: install python3 or leave --sympy out", err)
	}
	s.process, s.in, s.out = p, in, bufio.NewReader(out)
	var hello struct{ SymPy string }
	if err := s.read(ctx, time.Minute, &hello); err != nil {
		lines := strings.Split(strings.TrimSpace(stderr.String()), "\n")
		return fmt.Errorf("sympy: %s: pip install sympy, or leave --sympy out", lines[len(lines)-1])
	}
	return nil
}

// read reads one reply. It kills a process that does not reply within the limit.
func (s *sympyJudge) read(ctx context.Context, limit time.Duration, answer any) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	p := s.process
	stop := context.AfterFunc(ctx, func() { p.Process.Kill() })
	defer stop()
	line, err := s.out.ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, answer)
	}
	if err != nil {
		s.end()
	}
	return err
}

// query returns the verdict on a pair of laws.
func (s *sympyJudge) query(ctx context.Context, q sympyQuestion) (sympyAnswer, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.process == nil {
		if err := s.start(ctx); err != nil {
			return sympyAnswer{}, err
		}
	}
	q.Seconds = sympyLimit.Seconds()
	line, err := json.Marshal(q)
	if err != nil {
		return sympyAnswer{}, err
	}
	var a sympyAnswer
	if _, err = s.in.Write(append(line, '\n')); err != nil {
		s.end()
	} else {
		err = s.read(ctx, sympyLimit+sympyGrace, &a)
	}
	if err != nil {
		return a, fmt.Errorf("no answer of SymPy: %w", err)
	}
	return a, nil
}

// judge sets the verdict on l in record. The laws are sent with the variables v0, v1, …, since a
// variable may have a reserved name such as lambda.
func (s *sympyJudge) judge(ctx context.Context, p corpus.Problem, j *judge, l law.Law, record *Record) {
	names := make([]string, len(p.Vars))
	for i := range names {
		names[i] = fmt.Sprintf("v%d", i)
	}
	found, ok := j.printed(l)
	if !ok {
		record.SymPyNote = "the law does not read back, or has a variable that is not a column"
		return
	}
	a, err := s.query(ctx, sympyQuestion{True: j.truth.SymPy(names), Found: found.SymPy(names), Vars: record.Variables})
	if err != nil {
		record.SymPyNote = err.Error()
		return
	}
	record.SymPyExact, record.SymPyNote = a.Exact, a.Note
}

func (s *sympyJudge) end() {
	if s.process == nil {
		return
	}
	s.in.Close()
	s.process.Process.Kill()
	s.process.Wait()
	s.process = nil
}

// Close ends the process.
func (s *sympyJudge) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.end()
}
