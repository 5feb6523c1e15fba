package bench

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/physlib/lab/physlib/corpus"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/fit"
	"github.com/physlib/lab/physlib/law"
)

//go:embed peers/sindy.py
var sindyScript string

// SINDyOptions select the trajectories on which PySINDy runs.
type SINDyOptions struct {
	Suite   string
	IDs     []string // ids of laws or systems; nil: all
	Noise   float64  // see RecoveryOptions
	Seed    int64
	Python  string   // Python interpreter; "": python3
	Against []Record // records of Motions; those of the same data are compared with PySINDy
	Done    func(SINDyRecord)
}

// SINDyRecord holds the laws that PySINDy and physlib found for one equation from the same
// trajectories.
type SINDyRecord struct {
	Suite, ID, True string
	Noise           float64
	Seed            int64
	Reach           bool // the truth is a sum of terms in the library of PySINDy
	// The sum that the rule of peers/sindy.py selects from its grid of settings.
	Chosen string
	Exact  bool // Chosen is exact
	// Whether some sum of the grid is exact. Then the best choice of settings would find the truth.
	Best      bool
	Ours      string // the law in the record of physlib; "": there is no record
	OursExact bool
	Version   string // version of PySINDy
}

// sindyTask is the input of peers/sindy.py.
type sindyTask struct {
	Names []string      `json:"names"`
	Order int           `json:"order"`
	Times []float64     `json:"t"`
	Runs  [][][]float64 `json:"runs"` // [run][state][row]
	Noisy bool          `json:"noisy"`
}

// sindyAnswer is the output of peers/sindy.py.
type sindyAnswer struct {
	Equations []struct {
		Chosen string   `json:"chosen"`
		All    []string `json:"all"`
	} `json:"equations"`
	Terms   []string `json:"terms"`
	Version string   `json:"version"`
}

// SINDy runs PySINDy on the trajectories that Motions searches for the same suite, noise and seed.
//
// A sum found by PySINDy is refitted to clean data, even if the trajectories have no noise. It
// counts as exact if the refitted sum is the truth and none of its coefficients vanishes. A law
// found by physlib must be exact as in [Motions], and must also have no vanishing term.
func SINDy(ctx context.Context, o SINDyOptions) (out []SINDyRecord, err error) {
	systems, err := wantedMotions(o.Suite, o.IDs)
	if err != nil {
		return nil, err
	}
	p := new(python)
	if err := p.start(ctx, o.Python, sindyScript); err != nil {
		return nil, fmt.Errorf("PySINDy needs Python: %w; name one by --python", err)
	}
	defer p.close()
	r := &recovery{RecoveryOptions: RecoveryOptions{Noise: o.Noise, Seed: o.Seed}}
	for _, m := range systems {
		task, err := r.sindyTask(m)
		if err != nil {
			return out, err
		}
		a, err := p.sindy(task)
		if err != nil {
			return out, fmt.Errorf("%s: %w; for instance python3 -m venv v && v/bin/pip install pysindy==2.1.0, and --python v/bin/python", m.ID, err)
		}
		for k, q := range m.Laws {
			j, err := newJudge(q, true, r.rng(q, streamJudge))
			if err != nil {
				return out, err
			}
			s := j.sindy(a, k, task.Names)
			s.Suite, s.ID, s.True, s.Noise, s.Seed = o.Suite, q.ID, q.Law, o.Noise, o.Seed
			s.Ours, s.OursExact = j.ours(o, q, task.Names)
			out = append(out, s)
			if o.Done != nil {
				o.Done(s)
			}
		}
	}
	return out, context.Cause(ctx)
}

// wantedMotions returns the systems of a suite that ids name, by their own id or by the id of one
// of their laws. If ids is nil, it returns all systems.
func wantedMotions(suite string, ids []string) ([]corpus.Motion, error) {
	systems, err := corpus.Motions(suite)
	if err != nil {
		return nil, err
	}
	return wanted(systems, ids)
}

// sindy sends task to the process and returns the reply.
func (p *python) sindy(task *sindyTask) (a sindyAnswer, err error) {
	line, err := json.Marshal(task)
	if err != nil {
		return a, err
	}
	if err := p.exchange(string(line), &a); err != nil {
		return a, err
	}
	if len(a.Equations) != len(task.Runs[0]) {
		return a, fmt.Errorf("%d equations for %d states", len(a.Equations), len(task.Runs[0]))
	}
	return a, nil
}

// sindy compares equation k of a reply with the truth.
func (j *judge) sindy(a sindyAnswer, k int, names []string) SINDyRecord {
	e := a.Equations[k]
	exact := func(sum string) bool { return j.minimal(sum, names) }
	return SINDyRecord{Version: a.Version, Reach: j.spanned(a.Terms, names), Chosen: e.Chosen, Exact: exact(e.Chosen), Best: slices.ContainsFunc(e.All, exact)}
}

// sindyTask returns the trajectories of m as the input of peers/sindy.py.
func (r *recovery) sindyTask(m corpus.Motion) (*sindyTask, error) {
	table, err := MotionTable(m, r.Noise, r.rng(m.Laws[0], streamNoise))
	if err != nil {
		return nil, err
	}
	t := &sindyTask{Names: slices.Clone(m.States), Order: m.Order, Times: m.Times(), Noisy: r.Noise > 0}
	if m.Order == 2 {
		for _, s := range m.States {
			t.Names = append(t.Names, "d"+s+"_dt")
		}
	}
	n := len(t.Times)
	for k := range m.Starts {
		var run [][]float64
		for _, c := range append(slices.Clone(table.Vars[2:]), table.Target) {
			run = append(run, c.Values[k*n:(k+1)*n])
		}
		t.Runs = append(t.Runs, run)
	}
	return t, nil
}

// ours returns the law that the records in o.Against contain for q and the same data. It also
// returns whether the law is exact without a vanishing term.
func (j *judge) ours(o SINDyOptions, q corpus.Problem, names []string) (found string, exact bool) {
	i := slices.IndexFunc(o.Against, func(r Record) bool {
		return r.ID == q.ID && r.True == q.Law && strings.HasSuffix(r.Suite, "-ode") && r.Noise == o.Noise && r.Seed == o.Seed && r.Outliers == 0
	})
	if i < 0 {
		return "", false
	}
	r := o.Against[i]
	if t, ok := j.read(r.Found, names); ok && r.Exact {
		// Vanishing terms can be found only in a law with free constants that can be refitted.
		// Other laws stay exact.
		exact = t.NumParams() == 0 || !j.agreesRefitted(t) || !j.vanishing(t)
	}
	return r.Found, exact
}

// read parses a printed law over the columns of the problem, with its fractional numbers as free
// constants. ok is false if the law has another variable.
func (j *judge) read(text string, names []string) (expr.Tree, bool) {
	t, err := expr.Parse(text, names)
	if err != nil {
		return expr.Tree{}, false
	}
	if t, err = expr.Parse(t.Infix(names), j.vars); err != nil {
		return expr.Tree{}, false // the law has another variable
	}
	nodes := slices.Clone(t.Nodes())
	var constants []law.Constant
	for i, n := range nodes {
		if n.Op == expr.Number && n.Value != math.Trunc(n.Value) {
			nodes[i] = expr.Node{Op: expr.Param, Index: int32(len(constants)), Value: n.Value}
			constants = append(constants, law.Constant{Value: n.Value})
		}
	}
	t, ok := expr.FromNodes(nodes)
	return t, ok
}

// minimal reports whether a sum with free coefficients is the truth and has no superfluous term.
func (j *judge) minimal(sum string, names []string) bool {
	t, ok := j.read(sum, names)
	return ok && j.agreesRefitted(t) && !j.vanishing(t)
}

// vanished is a limit on the ratio of a coefficient refitted to clean data to its value before. If
// the ratio is smaller, the coefficient counts as zero.
const vanished = 1e-5

// vanishing reports whether a constant of t becomes zero when all constants are fitted to clean
// data.
func (j *judge) vanishing(t expr.Tree) bool {
	r, err := fit.Fit(t, j.clean.cols, j.clean.y, nil, fit.Settings{Starts: 1})
	if err != nil {
		return false
	}
	for i, v := range t.Params() {
		if math.Abs(r.Params[i]) < vanished*math.Abs(v) {
			return true
		}
	}
	return false
}

// spanned reports whether the truth is a linear combination of terms.
func (j *judge) spanned(terms, names []string) bool {
	var sum expr.Tree
	for _, text := range terms {
		t, err := expr.Parse(text, names)
		if err != nil {
			continue
		}
		if t, err = expr.Parse(t.Infix(names), j.vars); err != nil {
			continue // the truth has no such variable
		}
		t = expr.Apply(expr.Mul, expr.C(sum.NumParams(), 1), t)
		if sum.Len() == 0 {
			sum = t
		} else {
			sum = expr.Apply(expr.Add, sum, t)
		}
	}
	return sum.Len() > 0 && j.agreesRefitted(sum)
}
