package synthetic_test

import (
	"fmt"

	"github.com/physlib/lab/physlib/corpus/synthetic"
)

// Table 10 of seed 1 is a pendulum, timed by a clock whose zero is off.
func ExampleDraw() {
	t, err := synthetic.Draw(1, 10)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(t.Law+":", t.Truth)
	fmt.Println(t.Form, t.Start)
	fmt.Println(t.Data.Rows(), "rows,", t.Errors, "errors")
	// Output:
	// Ball rolling in a concave dish: 2/5*sqrt(5)*sqrt(7)*pi*sqrt(0.101972*R + -0.00160095)
	// 2/5*sqrt(5)*sqrt(7)*pi*sqrt(c0*R + c1) [0.10197162129779283 -0.0016009544543753474]
	// 9 rows, proportional errors
}

func ExampleNoiseTable() {
	for i := range uint64(3) {
		t := synthetic.NoiseTable(1, i)
		fmt.Println(t.Law, t.Data.Rows(), "rows", len(t.Data.Vars), "inputs")
	}
	// Output:
	// noise, plain 15 rows 2 inputs
	// noise, units 7 rows 3 inputs
	// noise, wide 10 rows 5 inputs
}

// The laws alternate between four kinds. Those of the catalogue have a name.
func ExampleExact() {
	for i := range uint64(4) {
		l, err := synthetic.Exact(1, i, 100)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s: %s, inputs: %d\n", l.Kind, l.Name, len(l.Data.Vars))
	}
	// Output:
	// whole law: Random parasitoid equation, inputs: 4
	// random law: 1*(square(u)*(1 + v)/cube(v)), inputs: 2
	// experiment: Saturable absorption, inputs: 1
	// sum: 0.162*cos(0.681*u) - 0.329*u*v**3 - 1.71*u*abs(u) + 2.51*tanh(0.622*u), inputs: 2
}
