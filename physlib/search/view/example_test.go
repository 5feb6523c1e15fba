package view_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/search/view"
	"github.com/physlib/lab/physlib/unit"
)

// quantity returns a column of random numbers between lo and hi.
func quantity(rng *rand.Rand, name, units string, lo, hi float64) dataset.Quantity {
	q := dataset.Quantity{Name: name, Scale: 1, Values: make([]float64, 400)}
	if u, err := unit.Parse(units); units != "" && err == nil {
		q.Dim, q.Known = u.Dim, true
	}
	for i := range q.Values {
		q.Values[i] = lo + (hi-lo)*rng.Float64()
	}
	return q
}

// The period of a pendulum. The example prints a monomial with the dimension of the period, and the
// only dimensionless group, which is the amplitude.
func ExampleSpace() {
	rng := rand.New(rand.NewPCG(1, 2))
	p := &dataset.Problem{Units: true, Target: quantity(rng, "T", "s", 1, 2)}
	p.Vars = []dataset.Quantity{quantity(rng, "l", "m", 1, 2), quantity(rng, "g", "m/s^2", 5, 15), quantity(rng, "theta", "1", 0.1, 2)}
	s := view.NewSpace(p, 64, true, nil)
	fmt.Println("exponents in sixths:", s.Origin)
	fmt.Println("groups:", s.Lattice.Basis)
	// Output:
	// exponents in sixths: [3 -3 0]
	// groups: [[0 0 6]]
}

// In this law, a is only a factor, and b and c occur only as their difference.
func ExampleReduce() {
	rng := rand.New(rand.NewPCG(1, 2))
	p := &dataset.Problem{Vars: []dataset.Quantity{quantity(rng, "a", "", 1, 3), quantity(rng, "b", "", 1, 2), quantity(rng, "c", "", 3, 4), quantity(rng, "d", "", 0, 3)}}
	p.Target = dataset.Quantity{Name: "y", Scale: 1}
	for i, a := range p.Vars[0].Values {
		d := p.Vars[1].Values[i] - p.Vars[2].Values[i]
		p.Target.Values = append(p.Target.Values, a*a*(math.Sqrt(1+d*d)+math.Sin(p.Vars[3].Values[i])))
	}
	rest := view.Reduce(context.Background(), p, nil)
	last := len(rest.Problem.Vars) - 1
	fmt.Println(rest.Found, rest.Restore(expr.X(last)).Infix([]string{"a", "b", "c", "d"}))
	// Output: true (c - b)*square(a)
}
