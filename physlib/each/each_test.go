package each_test

import (
	"fmt"
	"testing"

	"github.com/physlib/lab/physlib/each"
)

func TestDo(t *testing.T) {
	for _, n := range []int{0, 1, 15, 16, 17, 1000} {
		seen := make([]int, n)
		each.Do(n, func(i int) { seen[i]++ })
		for i, s := range seen {
			if s != 1 {
				t.Errorf("n = %d: call %d was made %d times", n, i, s)
			}
		}
	}
}

func ExampleDo() {
	squares := make([]int, 5)
	each.Do(len(squares), func(i int) { squares[i] = i * i })
	fmt.Println(squares)
	// Output: [0 1 4 9 16]
}
