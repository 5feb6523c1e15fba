package backend

import (
	"regexp"
	"strconv"
	"strings"
)

var (
	hloShape = regexp.MustCompile(`%([\w.\-]+) = \(?\w+\[([\d,]*)\]`)
	hloDot   = regexp.MustCompile(`%[\w.\-]+ = \w+\[([\d,]*)\]\S* dot\((?:\w+\[[\d,]*\]\S* )?%([\w.\-]+), .*?lhs_contracting_dims=\{([\d,]*)\}`)
)

// ProgramFLOPs returns the number of floating-point operations in the matrix products of an
// optimized XLA program, given as text. XLA writes this text into a file *_after_optimizations.txt
// under XLA_FLAGS="--xla_dump_to=DIR --xla_dump_hlo_as_text".
func ProgramFLOPs(text string) (sum float64) {
	shapes := map[string][]int{}
	numbers := func(list string) (all []int) {
		for _, x := range strings.Split(list, ",") {
			if n, err := strconv.Atoi(x); err == nil {
				all = append(all, n)
			}
		}
		return all
	}
	for _, m := range hloShape.FindAllStringSubmatch(text, -1) {
		shapes[m[1]] = numbers(m[2])
	}
	for _, m := range hloDot.FindAllStringSubmatch(text, -1) {
		ops := 2.0
		for _, n := range numbers(m[1]) {
			ops *= float64(n)
		}
		for _, axis := range numbers(m[3]) {
			if lhs := shapes[m[2]]; axis < len(lhs) {
				ops *= float64(lhs[axis])
			}
		}
		sum += ops
	}
	return sum
}
