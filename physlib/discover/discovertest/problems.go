package discovertest

import (
	"math"
	"math/rand/v2"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/unit"
)

// pendulum returns an ordinary problem: T = 2π·√(l/g), with a mass that does not matter.
func pendulum(units bool) *dataset.Problem {
	rng := rand.New(rand.NewPCG(5, 6))
	var l, g, m, y []float64
	for range 40 {
		a, b := 0.2+2*rng.Float64(), 1+10*rng.Float64()
		l, g, m = append(l, a), append(g, b), append(m, 1+rng.Float64())
		y = append(y, 2*math.Pi*math.Sqrt(a/b))
	}
	p := &dataset.Problem{
		Vars:   []dataset.Quantity{column("l", l...), column("g", g...), column("m", m...)},
		Target: column("T", y...),
		Units:  units,
	}
	if units {
		dimension(p, second, metre, metre.Div(second).Div(second), kilogram)
	}
	return p
}

// scattered returns pendulum with a target that no law describes exactly, so that a Proposer runs
// for long.
func scattered(units bool) *dataset.Problem {
	p := pendulum(units)
	rng := rand.New(rand.NewPCG(7, 8))
	for i := range p.Target.Values {
		p.Target.Values[i] *= 1 + 0.1*rng.Float64()
	}
	p.Noise = math.NaN()
	return p
}

var (
	kilogram = unit.Powers(1)
	metre    = unit.Powers(0, 1)
	second   = unit.Powers(0, 0, 1)
)

// dimension gives the target and the columns their dimensions.
func dimension(p *dataset.Problem, target unit.Dim, vars ...unit.Dim) {
	p.Target.Dim, p.Target.Known = target, true
	for i, d := range vars {
		p.Vars[i].Dim, p.Vars[i].Known = d, true
	}
}

func column(name string, v ...float64) dataset.Quantity {
	return dataset.Quantity{Name: name, Values: v, Scale: 1}
}

func fixed(name string, v float64, rows int) dataset.Quantity {
	q := dataset.Quantity{Name: name, Const: true, Known: true, Scale: 1}
	for range rows {
		q.Values = append(q.Values, v)
	}
	return q
}

func problem(target dataset.Quantity, vars ...dataset.Quantity) *dataset.Problem {
	return &dataset.Problem{Vars: vars, Target: target}
}

type named struct {
	name    string
	problem *dataset.Problem
}

// awkward returns problems with the faults of real tables.
func awkward() []named {
	nan, inf := math.NaN(), math.Inf(1)
	nothing := problem(column("y"))
	noisy := scattered(false)
	noisy.Noise = 0.3
	weighted := problem(column("y", 1, 2, 4, 9, 17), column("a", 1, 2, 3, 4, 5))
	weighted.Weights = []float64{0, 1, 0, 1, 1}
	unknown := pendulum(false)
	unknown.Ops = []string{"sine", ""}
	none := pendulum(false)
	none.Ops = []string{}
	inconsistent := pendulum(true) // a mass from lengths and times alone
	dimension(inconsistent, kilogram, metre, second, metre.Div(second))
	dimensionless := pendulum(true)
	dimension(dimensionless, unit.Dim{}, unit.Dim{}, unit.Dim{}, unit.Dim{})
	partly := pendulum(false) // one column's unit is known
	partly.Vars[0].Dim, partly.Vars[0].Known = metre, true
	constants := pendulum(true)
	constants.Vars = append(constants.Vars, fixed("c", 299.792458, 40))
	return []named{
		// few rows, few columns
		{"zero columns", problem(column("y", 1, 2, 3))},
		{"zero rows", problem(column("y"), column("a"))},
		{"nothing at all", nothing},
		{"one row", problem(column("y", 2), column("a", 1))},
		{"two rows", problem(column("y", 2, 5), column("a", 1, 2), column("b", 3, 1))},
		{"three rows", problem(column("y", 2, 5, 10), column("a", 1, 2, 3))},
		// columns without information
		{"constant column", problem(column("y", 2, 5, 7, 11), column("a", 1, 1, 1, 1), column("b", 1, 2, 3, 5))},
		{"only constant columns", problem(column("y", 2, 5, 7), column("a", 1, 1, 1))},
		{"constant target", problem(column("y", 2, 2, 2, 2), column("a", 1, 2, 3, 4))},
		{"target of zeros", problem(column("y", 0, 0, 0, 0), column("a", 1, 2, 3, 4))},
		{"equal columns", problem(column("y", 2, 5, 7, 9), column("a", 1, 2, 3, 4), column("b", 1, 2, 3, 4))},
		{"the target among the columns", problem(column("y", 2, 5, 7, 9), column("a", 2, 5, 7, 9), column("b", 1, 2, 3, 5))},
		// cells without a value, zeros and signs
		{"NaN and Inf cells", problem(column("y", 2, 5, 7, 8, 9, 11), column("a", 1, nan, 3, 4, 5, 6), column("b", 1, 2, 4, 7, inf, 12))},
		{"all NaN", problem(column("y", 2, 4, 3), column("a", nan, nan, nan))},
		{"NaN target", problem(column("y", nan, nan, nan), column("a", 1, 2, 3))},
		{"Inf target", problem(column("y", 1, -inf, 3, inf, 7), column("a", 1, 2, 3, 4, 5))},
		{"zeros and negatives", problem(column("y", 0, -1, 4, 0, -9, 2, 0), column("a", 0, 1, -2, 3, -4, 5, 0), column("b", -1, 0, 0, 2, 1, -3, 4))},
		{"all negative", problem(column("y", -1, -4, -9, -16, -25), column("a", -1, -2, -3, -4, -5))},
		// sizes
		{"huge", problem(column("y", 1e60, 2e60, -1e60, 5e60), column("a", 1e30, 2e30, 3e30, 4e30))},
		{"tiny", problem(column("y", 1e-60, 2e-60, 7e-60, 9e-60), column("a", 1e-30, 2e-30, 5e-30, 6e-30))},
		{"many decades", problem(column("y", 1e-13, 1, 1e13, 1e26), column("a", 1e-6, 1, 1e6, 1e13), column("b", 1e13, 1, 1e-13, 1e-26))},
		// units
		{"dimensionless", dimensionless},
		{"inconsistent units", inconsistent},
		{"units of some columns", partly},
		{"units without dimensions", &dataset.Problem{Units: true, Vars: []dataset.Quantity{column("a", 1, 2, 3)}, Target: column("y", 2, 5, 7)}},
		{"a known constant", constants},
		// settings
		{"unknown noise", scattered(true)},
		{"much noise", noisy},
		{"weights of zero", weighted},
		{"unknown operators", unknown},
		{"no operators", none},
	}
}
