package notebook_test

import (
	"fmt"

	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/notebook"
)

// Outside of a kernel the output of a cell is printed as text.
func ExampleShow() {
	found := notebook.Discover(notebook.Example("boyle1662"), discover.Settings{Evaluations: 2000, Proposers: []string{discover.Search}})
	notebook.Show(found.Best.Target, fmt.Sprintf("R² above 0.999: %t", found.Best.R2 > 0.999))
	// Output:
	// p
	// R² above 0.999: true
}

// Columns of numbers are aligned to the right, columns of words to the left.
func ExampleColumns() {
	notebook.Show(notebook.Columns([]string{"system", "recovered"}, []string{"parr", "12"}, []string{"physmdt", "9"}))
	// Output:
	// system   recovered
	// parr            12
	// physmdt          9
}
