package survey

import (
	"fmt"
	"testing"
)

func TestTop(t *testing.T) {
	forms := Enumerate(devPrior(), 1, Default(1))
	for i, f := range forms[:120] {
		fmt.Printf("%d %.2f %v\n", i, f.Bits, f.Tree)
	}
}
