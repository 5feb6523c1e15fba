package regression_test

import (
	"fmt"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/regression"
)

// Kepler's third law is fitted to the planets, printed, and evaluated for Ceres.
func ExampleFit() {
	table, _, err := dataset.Example("kepler")
	if err != nil {
		fmt.Println(err)
		return
	}
	formula, _ := law.Parse("T = c0*a**(3/2)", table.InputNames())
	fit, err := regression.Fit(formula, table, regression.Settings{Errors: law.ProportionalErrors})
	if err != nil {
		fmt.Println(err)
		return
	}
	k := fit.Law.Constants[0]
	fmt.Println(fit.Law)
	fmt.Println("c0 =", law.FormatUncertain(k.Value, k.StdErr), "with", fit.Nu, "degrees of freedom")
	fmt.Printf("Ceres: %.0f d\n", fit.Law.Eval(2.7675))
	// Output:
	// T = 365.186*a**(3/2)
	// c0 = 365.186(42) with 7 degrees of freedom
	// Ceres: 1681 d
}

// Groups of rows share some constants and have separate values of others: an enzyme with and
// without puromycin (Bates and Watts, Nonlinear Regression Analysis, 1988, A1.3).
func ExampleGrouped() {
	conc := []float64{0.02, 0.02, 0.06, 0.06, 0.11, 0.11, 0.22, 0.22, 0.56, 0.56, 1.1, 1.1, 0.02, 0.02, 0.06, 0.06, 0.11, 0.11, 0.22, 0.22, 0.56, 0.56, 1.1}
	rate := []float64{76, 47, 97, 107, 123, 139, 159, 152, 191, 201, 207, 200, 67, 51, 84, 86, 98, 115, 131, 124, 144, 158, 160}
	table := &dataset.Table{Name: "puromycin", Vars: []dataset.Column{{Name: "c", Values: conc}}, Target: dataset.Column{Name: "v", Values: rate}}
	group := make([]int, len(rate))
	for i := 12; i < len(group); i++ {
		group[i] = 1
	}
	formula, _ := law.Parse("v = V*c/(K + c)", []string{"c"})
	both, wide, err := regression.Grouped(formula, table, group, []string{"treated", "untreated"}, []string{"K"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fit, err := regression.Fit(both, wide, regression.Settings{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, k := range fit.Law.Constants {
		fmt.Printf("%s = %s\n", k.Name, law.FormatUncertain(k.Value, k.StdErr))
	}
	// Output:
	// V of treated = 208.6(5.8)
	// V of untreated = 166.6(5.8)
	// K = 0.0580(59)
}
