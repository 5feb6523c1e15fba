package backend_test

import (
	"fmt"

	"github.com/physlib/lab/physlib/backend"
)

// The pure Go backend needs no set-up.
func ExampleOpen() {
	b, used, err := backend.Open("go")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer b.Finalize()
	fmt.Println(used)
	// Output: go
}
