package knownform_test

import (
	"fmt"
	"log"
	"strings"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/knownform"
	"github.com/physlib/lab/physlib/regression"
)

// A fit of T = c0*exp(c1*t) + c2 gives the parameters of Newton's law of cooling.
func ExampleOf() {
	table, _, err := dataset.Read(strings.NewReader("t [min],T [K]\n0,360\n10,333.1\n20,317.1\n40,301.5\n80,293.9\n"), "cup.csv", dataset.Options{})
	if err != nil {
		log.Fatal(err)
	}
	formula, err := regression.Parse("c0*exp(c1*t) + c2", table)
	if err != nil {
		log.Fatal(err)
	}
	fitted, err := regression.Fit(formula, table, regression.Settings{})
	if err != nil {
		log.Fatal(err)
	}
	usual, ok := knownform.Of(table, fitted.Law, []string{"Newton's law of cooling"})
	if !ok {
		log.Fatal("no such law")
	}
	fmt.Println(usual.Formula)
	for _, k := range usual.Constants {
		fmt.Printf("%s = %.3g\n", k.Name, k.Value)
	}
	// Output:
	// T_a + (T_0 - T_a)*exp(-t/tau)
	// T_a = 293
	// T_0 = 360
	// tau = 19.6
}
