package accept_test

import (
	"fmt"

	"github.com/physlib/lab/physlib/bench/accept"
	"github.com/physlib/lab/physlib/corpus/tables"
	"github.com/physlib/lab/physlib/dataset"
)

// A law counts as an accepted form if constants of the form turn it into the law.
func ExampleMatch() {
	x, y := make([]float64, 12), make([]float64, 12)
	for i := range x {
		x[i] = float64(i + 1)
		y[i] = 3 * x[i] / (2 + x[i])
	}
	data := &dataset.Table{Target: dataset.Column{Name: "v", Values: y}, Vars: []dataset.Column{{Name: "S", Values: x}}}
	table, err := accept.NewTable(data, tables.Relative, nil, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	form, err := accept.ParseForm("c0*S/(c1 + S)", table.Names)
	if err != nil {
		fmt.Println(err)
		return
	}
	fitted, _ := accept.NewReference(form, table, nil)
	for _, text := range []string{"3/(1 + 2/S)", "3 - 4/S"} {
		law, err := accept.ParseLaw(text, table.Names, nil)
		if err != nil {
			fmt.Println(err)
			return
		}
		found, constants := accept.Match(law, []*accept.Reference{fitted})
		fmt.Printf("%s: %t %.3g\n", text, found != nil, constants)
	}
	// Output:
	// 3/(1 + 2/S): true [3 2]
	// 3 - 4/S: false []
}
