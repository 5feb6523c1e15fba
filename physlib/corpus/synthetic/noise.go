package synthetic

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/physlib/lab/physlib/unit"
)

// noises are the kinds of tables without a law. In all of them the target is independent of the
// inputs.
var noises = []struct {
	name    string
	columns [2]int // least and largest number of inputs
	rows    [2]int
	units   bool
	repeats bool
	digits  int // number of significant digits of the target; 0: random, 2 to 5
	target  func(d drawer) func() float64
}{
	{name: "plain", columns: [2]int{1, 2}, rows: [2]int{6, 40}, target: drawer.normal},
	{name: "units", columns: [2]int{1, 3}, rows: [2]int{6, 60}, units: true, target: drawer.normal},
	{name: "wide", columns: [2]int{4, 5}, rows: [2]int{8, 30}, target: drawer.normal},
	{name: "heavy-tailed", columns: [2]int{1, 3}, rows: [2]int{8, 50}, target: drawer.student},
	{name: "counts", columns: [2]int{1, 3}, rows: [2]int{8, 50}, target: drawer.poisson},
	{name: "rounded", columns: [2]int{1, 3}, rows: [2]int{8, 40}, digits: 2, target: drawer.normal},
	{name: "repeated inputs", columns: [2]int{1, 2}, rows: [2]int{9, 40}, repeats: true, target: drawer.normal},
	{name: "constant", columns: [2]int{1, 3}, rows: [2]int{6, 50}, units: true, target: drawer.constant},
	{name: "decades", columns: [2]int{1, 4}, rows: [2]int{8, 50}, units: true, target: drawer.factors},
	{name: "shares", columns: [2]int{1, 4}, rows: [2]int{6, 50}, target: drawer.uniform},
}

func (d drawer) normal() func() float64 {
	mean, sigma := d.between(-2, 5, false), d.between(0.5, 3, true)
	return func() float64 { return mean + sigma*d.NormFloat64() }
}

func (d drawer) student() func() float64 {
	t := distuv.StudentsT{Sigma: d.between(0.1, 10, true), Nu: 2, Src: d.Rand}
	return t.Rand
}

func (d drawer) poisson() func() float64 {
	p := distuv.Poisson{Lambda: d.between(3, 300, true), Src: d.Rand}
	return p.Rand
}

func (d drawer) constant() func() float64 {
	mean, level := d.between(0.01, 1e4, true), d.between(1e-3, 0.1, true)
	return func() float64 { return mean * (1 + level*d.NormFloat64()) }
}

func (d drawer) factors() func() float64 {
	mean, width := d.between(0.1, 100, true), d.between(0.5, 2.5, false)
	return func() float64 { return mean * math.Exp(width*d.NormFloat64()) }
}

func (d drawer) uniform() func() float64 {
	high := d.between(1, 100, true)
	return func() float64 { return d.between(0, high, false) }
}

// noiseColumns are the possible inputs of tables of noise, with the ranges of their values.
var noiseColumns = []struct {
	name, unit string
	low, high  float64
}{
	{"t", "s", 0, 60}, {"T", "K", 280, 360}, {"m", "kg", 0.05, 2}, {"x", "m", 0, 1.5},
	{"p", "Pa", 9e4, 1.1e5}, {"U", "V", 0, 12}, {"f", "Hz", 20, 2e4}, {"dose", "mg", 0.5, 50},
}

var noiseTargets = []struct{ name, unit string }{{"y", "m"}, {"I", "A"}, {"F", "N"}, {"v", "m/s"}, {"R", "ohm"}}

// noise returns a table of the given kind, an index of noises.
func (d drawer) noise(kind int, name string) Table {
	n := noises[kind]
	rows := d.rows(n.rows[0], n.rows[1])
	var vars []variable
	for _, i := range d.Perm(len(noiseColumns))[:n.columns[0]+d.IntN(n.columns[1]-n.columns[0]+1)] {
		c := noiseColumns[i]
		u, _ := unit.Parse(c.unit) // the units are valid
		vars = append(vars, variable{column{c.name, u}, c.low, c.high})
	}
	cols, _ := d.inputs(vars, rows)
	if n.repeats {
		cols, _ = d.repeated(cols, rows, repeatedDesign)
	}
	for len(cols[0]) < n.rows[0] { // draw again, since some designs give fewer rows
		cols, _ = d.inputs(vars, rows)
	}
	c := noiseTargets[d.IntN(len(noiseTargets))]
	u, _ := unit.Parse(c.unit)
	if n.name == "counts" {
		c.name, u = "N", unit.Unit{}
	}
	l := law{vars: vars, target: column{c.name, u}}
	t := Table{Law: "noise, " + n.name, Field: Noise, Design: n.name}
	t.Data = l.columns(cols, d.independent(n.target(d), n.digits, len(cols[0])))
	t.Data.Name = name
	if !n.units {
		withoutUnits(t.Data)
	}
	return t
}

// independent returns rounded values from draw that are not all equal.
func (d drawer) independent(draw func() float64, digits, rows int) []float64 {
	if digits == 0 {
		digits = 2 + d.IntN(4)
	}
	y := make([]float64, rows)
	for {
		largest := 0.0
		for i := range y {
			y[i] = draw()
			largest = max(largest, math.Abs(y[i]))
		}
		fixed := middle(y) >= 10*math.Pow10(exponent(largest)+1-digits)
		for i, v := range y {
			if fixed {
				y[i] = decimals(v, digits-1-exponent(largest))
			} else {
				y[i] = significant(v, digits)
			}
		}
		if distinct(y) > 1 {
			return y
		}
	}
}
