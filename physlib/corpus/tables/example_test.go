package tables_test

import (
	"fmt"

	"github.com/physlib/lab/physlib/corpus/tables"
)

// Tables with their accepted forms are chosen by set, class and name.
func ExampleSelect() {
	all, err := tables.All()
	if err != nil {
		fmt.Println(err)
		return
	}
	some, err := tables.Select(all, tables.Developed, "", []string{"tea"})
	if err != nil {
		fmt.Println(err)
		return
	}
	t, _, err := some[0].Read()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(some[0].Title, some[0].Accepted, t.Rows())
	// Output: Tea that cools in a room [c0+c1*exp(-c2*t)] 17
}
