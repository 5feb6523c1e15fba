package motion

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
)

var seeds = flag.Int("seeds", 1, "number of tables of each throw in TestWeakDrag")

// throw is a ball with quadratic drag that is thrown twice.
type throw struct {
	name     string
	drag     float64     // drag coefficient per metre
	starts   [][]float64 // positions and velocities of each run
	end      float64     // duration in seconds
	velocity bool        // whether the table has velocities, too
}

// directions returns the number of directions of c.
func (c throw) directions() int { return len(c.starts[0]) / 2 }

// table returns every step-th of 300 rows of each run. Errors are 1 % of the RMS of each column.
func (c throw) table(step int, seed uint64) *dataset.Table {
	rng := rand.New(rand.NewPCG(11, seed))
	const n = 300
	m := c.directions()
	names := slices.Concat([]string{"x", "y", "z"}[3-m:], []string{"u", "v", "w"}[3-m:])
	var rates []expr.Tree
	squares := ""
	for j := range m {
		rates = append(rates, expr.X(m+j))
		squares += "+" + names[m+j] + "**2"
	}
	for j := range m {
		law := fmt.Sprintf("-%g*%s*sqrt(%s)", c.drag, names[m+j], squares[1:])
		if j == m-1 {
			law += "-9.81"
		}
		rates = append(rates, mustParse(law, names...))
	}
	at := times(n, c.end/n, 0, rng)
	shown := m
	if c.velocity {
		shown = 2 * m
	}
	cols := make([][]float64, 2+shown)
	for run, start := range c.starts {
		path := Simulate(NewField(rates, 0, false), start, at, nil)
		for i := range at {
			cols[0], cols[1] = append(cols[0], float64(run)), append(cols[1], at[i])
		}
		for j := range shown {
			cols[2+j] = append(cols[2+j], path[j]...)
		}
	}
	out := &dataset.Table{Name: c.name + ".csv"}
	var kept []int
	for i := range cols[0] {
		if i%n%step == 0 {
			kept = append(kept, i)
		}
	}
	for j, v := range cols {
		if j > 1 {
			size := 0.01 * math.Sqrt(dot(v, v)/float64(len(v)))
			for i := range v {
				v[i] += size * rng.NormFloat64()
			}
		}
		out.Vars = append(out.Vars, dataset.Column{Name: append([]string{"run", "t"}, names[:shown]...)[j], Values: v})
	}
	last := len(out.Vars) - 1
	out.Target, out.Vars = out.Vars[last], out.Vars[:last]
	return out.Subset(kept)
}

// outcome describes res: "found" if each direction has quadratic drag and no other term except
// gravity; "open" if another law has a probability below a half and the true law is its rival;
// "lost" if the true law is not among the rivals; "wrong" if another law has a higher probability.
// laws lists the laws and verdicts.
func (c throw) outcome(res *Result) (word, laws string) {
	m := c.directions()
	word = "found"
	for k, e := range res.Equations[len(res.Equations)-m:] {
		names := e.Law.Vars
		want := c.isLaw(k, names)
		ok := want(e.Law.Tree)
		switch {
		case ok:
		case e.Probability >= 0.5:
			word = "wrong"
		case word != "wrong" && !slices.ContainsFunc(e.Rivals, func(r law.Law) bool { return want(r.Tree) }):
			word = "lost"
		case word == "found":
			word = "open"
		}
		laws += fmt.Sprintf("\n      %s: %.2f %s", e.State, e.Probability, e.Law.Tree.Infix(names))
		if !ok {
			laws += " | " + e.Verdict
			for _, r := range e.Rivals {
				laws += " || " + r.Tree.Infix(names)
			}
		}
	}
	return word, laws
}

// isLaw returns a function that reports whether a law of direction k consists of gravity and
// quadratic drag, whatever their coefficients.
func (c throw) isLaw(k int, names []string) func(expr.Tree) bool {
	m := c.directions()
	first := len(names) - m
	return func(l expr.Tree) bool {
		if l.Len() == 0 {
			return false
		}
		rng := rand.New(rand.NewPCG(5, 7))
		cols := make([][]float64, len(names))
		for range 40 {
			for j := range cols {
				cols[j] = append(cols[j], 20+10*rng.NormFloat64())
			}
		}
		value := valuesOn(l, cols, l.Params())
		drag := make([]float64, len(value))
		one := slices.Repeat([]float64{1}, len(value))
		for i := range drag {
			square := 0.0
			for j := range m {
				square += cols[first+j][i] * cols[first+j][i]
			}
			drag[i] = cols[first+k][i] * math.Sqrt(square)
		}
		base := [][]float64{drag}
		if k == m-1 {
			base = append(base, one)
		}
		coefs := leastSquares(base, value)
		if coefs == nil || !(coefs[0] < 0) || slices.Contains(coefs, 0) {
			return false
		}
		rest := slices.Clone(value)
		for i, b := range base {
			subtract(rest, b, coefs[i])
		}
		return dot(rest, rest) < 1e-8*dot(value, value)
	}
}

// Gravity and quadratic drag are found for balls with weak drag, or the verdict leaves them open.
// By default, one table of each throw is searched, with every tenth row; with -short, only tables
// without velocities are searched. The flag -seeds sets the number of tables for each throw. A
// value above 1 also adds tables of all rows and of every fifth row. The case of weaker drag in
// three directions with noisy velocities is left out, since every tenth row of its table does not
// suffice. The law found in these rows has no drag.
func TestWeakDrag(t *testing.T) {
	noEngine(t)
	two := [][]float64{{0, 0, 20, 25}, {0, 0, 30, 15}}
	three := [][]float64{{0, 0, 0, 12, 14, 25}, {0, 0, 0, 25, -10, 18}}
	for _, velocity := range []bool{false, true} {
		for _, c := range []throw{
			{"two directions, 0.01/m", 0.01, two, 4, velocity},
			{"two directions, 0.003/m", 0.003, two, 4, velocity},
			{"three directions, 0.01/m", 0.01, three, 4, velocity},
			{"three directions, 0.003/m", 0.003, three, 4, velocity},
		} {
			if velocity && c.drag < 0.01 && c.directions() > 2 {
				continue
			}
			for _, step := range []int{1, 5, 10} {
				if testing.Short() && velocity || *seeds == 1 && step < 10 {
					continue
				}
				for seed := range uint64(*seeds) {
					c.try(t, step, seed)
				}
			}
		}
	}
}

// try searches for the laws of a table of c. The test fails unless the outcome is "found" or
// "open".
func (c throw) try(t *testing.T, step int, seed uint64) {
	order := 2
	if c.velocity {
		order = 1
	}
	res := discovered(t, c.table(step, seed), Options{Group: "run", Order: order})
	word, laws := c.outcome(res)
	line := fmt.Sprintf("%s, velocities %v, one row in %d, seed %d: %s, %.1f s", c.name, c.velocity, step, seed, word, res.Elapsed.Seconds())
	switch word {
	case "found":
		t.Log(line)
	case "open":
		t.Log(line + laws)
	default:
		t.Error(line + laws)
	}
}
