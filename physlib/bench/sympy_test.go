package bench

import (
	"context"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"github.com/physlib/lab/physlib/corpus"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
)

func sympyForTest(t *testing.T) *sympyJudge {
	t.Helper()
	s, err := startSymPy(context.Background())
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(s.Close)
	return s
}

func TestSymPy(t *testing.T) {
	s := sympyForTest(t)
	positive := []corpus.Var{{Name: "lambda", Low: 1, High: 5}, {Name: "e", Low: 1, High: 5}}
	across := []corpus.Var{{Name: "lambda", Low: -1, High: 5}, {Name: "e", Low: 1, High: 5}}
	small := []corpus.Var{{Name: "lambda", Low: 1e-9, High: 1e-6, Sampling: corpus.LogUniform}, {Name: "e", Low: 1, High: 5}}
	for _, c := range []struct {
		vars         []corpus.Var
		truth, found string
		want         bool
	}{
		{positive, "lambda*e/2", "0.5*e*lambda", true},
		{positive, "sqrt(lambda**2*e)", "lambda*sqrt(e)", true},
		{across, "sqrt(lambda**2*e)", "lambda*sqrt(e)", false},
		{positive, "2*sin(lambda)*cos(lambda)", "sin(2*lambda)", true},
		{positive, "exp(-lambda/e)", "1/exp(lambda/e)", true},
		{positive, "lambda/e", "lambda/e+1.5", true},       // they differ by an additive constant
		{positive, "lambda/e", "1.7*lambda/e", true},       // they differ by a factor
		{positive, "3.1416*lambda", "pi*lambda*e/e", true}, // they differ in the fourth decimal
		{positive, "lambda*e", "lambda*e+0.3*lambda", false},
		{positive, "lambda*e", "lambda+e", false},
		{positive, "lambda*e", "2", false},
		{positive, "exp(2*lambda)", "exp(2.1*lambda)", false},
		{small, "6.67e-11*lambda*e", "6.6701e-11*lambda*e", true},
		{small, "6.67e-11*lambda*e", "6.67e-11*lambda", false},
	} {
		p := corpus.Problem{ID: "q", Law: c.truth, Vars: c.vars}
		j, err := newJudge(p, false, rand.New(rand.NewPCG(1, 2)))
		if err != nil {
			t.Fatal(err)
		}
		tree, err := expr.Parse(c.found, p.Names())
		if err != nil {
			t.Fatal(err)
		}
		record := Record{}
		for _, v := range p.Vars {
			record.Variables = append(record.Variables, Variable{Name: v.Name, Low: v.Low, High: v.High})
		}
		s.judge(t.Context(), p, j, law.Law{Tree: tree, Vars: p.Names()}, &record)
		if record.SymPyExact == nil || *record.SymPyExact != c.want {
			t.Errorf("true %s, found %s: %v %s, want %v", c.truth, c.found, record.SymPyExact, record.SymPyNote, c.want)
		}
	}
}

// A query that SymPy cannot parse is undecided, and a process that ended is started again.
func TestSymPyRecovers(t *testing.T) {
	s := sympyForTest(t)
	a, err := s.query(t.Context(), sympyQuestion{True: "v0 +* 1", Found: "v0", Vars: []Variable{{Low: 1, High: 2}}})
	if err != nil || a.Exact != nil || a.Note == "" {
		t.Errorf("%+v, %v", a, err)
	}
	s.process.Process.Kill()
	time.Sleep(50 * time.Millisecond)
	if _, err := s.query(t.Context(), sympyQuestion{True: "v0", Found: "v0"}); err == nil {
		t.Error("an ended process answers")
	}
	a, err = s.query(t.Context(), sympyQuestion{True: "v0", Found: "v0", Vars: []Variable{{Low: 1, High: 2}}})
	if err != nil || a.Exact == nil || !*a.Exact {
		t.Errorf("started again: %+v, %v", a, err)
	}
}

func TestRecoverySymPy(t *testing.T) {
	sympyForTest(t)
	out := filepath.Join(t.TempDir(), "results.jsonl")
	s, err := Recovery(t.Context(), RecoveryOptions{
		Suite: suiteFile(t, threeLaws), Out: out, Rows: 100, SymPy: true,
		discover: knows(map[string]string{"fall": "0.5*g*t*t", "ohm": "R*I*1.5", "growth": "k*t"}),
	})
	if err != nil || s.Recovered != 1 || s.SymPy != 2 || s.Judged != 3 {
		t.Errorf("%+v, %v", s, err)
	}
}
