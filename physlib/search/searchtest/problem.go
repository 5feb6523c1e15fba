// Package searchtest provides problems for the tests of package search and its subpackages.
package searchtest

import (
	"errors"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/unit"
)

// Sampled returns the problem of a law. columns describes the variables as name:low:high,
// optionally with a unit, as in "a:1:3 b:-1:1:m/s". The values are uniformly distributed between
// low and high. The unit of the target follows from the law.
func Sampled(t testing.TB, law, columns string, rows int) *dataset.Problem {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	p := &dataset.Problem{Units: true}
	var names []string
	var dims []unit.Dim
	for _, c := range strings.Fields(columns) {
		parts := strings.SplitN(c, ":", 4)
		lo, err1 := strconv.ParseFloat(parts[1], 64)
		hi, err2 := strconv.ParseFloat(parts[2], 64)
		if err := errors.Join(err1, err2); err != nil {
			t.Fatal(err)
		}
		q := dataset.Quantity{Name: parts[0], Scale: 1}
		if len(parts) == 4 {
			u, err := unit.Parse(parts[3])
			if err != nil {
				t.Fatal(err)
			}
			q.Dim, q.Known = u.Dim, true
		}
		p.Units = p.Units && q.Known
		for range rows {
			q.Values = append(q.Values, lo+(hi-lo)*rng.Float64())
		}
		q.Const = lo == hi
		p.Vars, names, dims = append(p.Vars, q), append(names, q.Name), append(dims, q.Dim)
	}
	tree, err := expr.Parse(law, names)
	if err != nil {
		t.Fatal(err)
	}
	p.Target = dataset.Quantity{Name: "y", Scale: 1, Values: make([]float64, rows)}
	expr.Compile(tree).Eval(p.Target.Values, p.Cols(), nil)
	if p.Units {
		if p.Target.Dim, _, err = tree.Dim(dims); err != nil {
			t.Fatal(err)
		}
		p.Target.Known = true
	}
	return p
}

// Disturb adds Gaussian noise to the target. The standard deviation of the noise is sigma times the
// root mean square of the target.
func Disturb(p *dataset.Problem, sigma float64) {
	rng := rand.New(rand.NewPCG(3, 4))
	rms := dataset.RMS(p.Target.Values)
	for i := range p.Target.Values {
		p.Target.Values[i] += sigma * rms * rng.NormFloat64()
	}
	p.Noise = sigma
}

// Misfit returns the root mean square error of a tree on all rows, relative to the root mean square
// of the target.
func Misfit(t expr.Tree, p *dataset.Problem) float64 {
	v := t.Values(len(p.Target.Values), p.Cols(), t.Params())
	if e := floats.Distance(v, p.Target.Values, 2); !math.IsNaN(e) {
		return e / floats.Norm(p.Target.Values, 2)
	}
	return math.Inf(1)
}

// Dims returns the dimensions of units.
func Dims(t testing.TB, units ...string) (list []unit.Dim) {
	t.Helper()
	for _, u := range units {
		p, err := unit.Parse(u)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, p.Dim)
	}
	return list
}
