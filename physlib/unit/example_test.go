package unit_test

import (
	"fmt"

	"github.com/physlib/lab/physlib/unit"
)

func ExampleParse() {
	hubble, _ := unit.Parse("km/(s Mpc)")
	fmt.Println(hubble.Dim)
	fmt.Printf("70 %s = %.3g per second\n", hubble, hubble.ToSI(70))

	_, err := unit.Parse("kgg/m^3")
	fmt.Println(err)
	// Output:
	// s^-1
	// 70 km/(s Mpc) = 2.27e-18 per second
	// unknown unit "kgg" at character 1 of unit "kgg/m^3"; did you mean kg?
}

// The period of a pendulum can depend on mass, length and gravity only through T² g/l.
func ExamplePiGroups() {
	var dims []unit.Dim
	for _, s := range []string{"s", "kg", "m", "m/s^2"} { // T, m, l, g
		u, _ := unit.Parse(s)
		dims = append(dims, u.Dim)
	}
	fmt.Println(unit.PiGroups(dims))
	// Output: [[2 0 -1 1]]
}

func ExampleSolveExponents() {
	pressure, density, speed := unit.Powers(1, -1, -2), unit.Powers(1, -3), unit.Powers(0, 1, -1)
	fmt.Println(unit.SolveExponents([]unit.Dim{pressure, density}, speed))
	// Output: [1/2 -1/2] true
}

func ExampleUnit_Convert() {
	fahrenheit, _ := unit.Parse("degF")
	celsius, _ := unit.Parse("degC")
	t, err := fahrenheit.Convert(212, celsius)
	fmt.Printf("%.1f %v\n", t, err)
	// Output: 100.0 <nil>
}

func ExampleDim_Distance() {
	metre, second := unit.Powers(0, 1), unit.Powers(0, 0, 1)
	violation := metre.Distance(second)
	fmt.Printf("%g %.3f\n", violation, unit.Score(violation, 0.5))
	// Output: 2 0.368
}
