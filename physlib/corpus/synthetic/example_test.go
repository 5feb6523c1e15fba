package synthetic_test

import (
	"fmt"

	"github.com/physlib/lab/physlib/corpus/synthetic"
)

// Table 10 of seed 1 is the period of a floating cylinder in liquids of different densities.
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
	// Bobbing of a floating cylinder: 13.3932/sqrt(rho)
	// c0/sqrt(rho) [13.39315993926607]
	// 28 rows, equal errors
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
	// whole law: Species-area curve (Lomolino), inputs: 4
	// random law: 1*(square(u)*(1 + v)/cube(v)), inputs: 2
	// experiment: Relaxation oscillation frequency of a laser, inputs: 1
	// sum: 0.162*cos(0.681*u) - 0.329*u*v**3 - 1.71*u*abs(u) + 2.51*tanh(0.622*u), inputs: 2
}
