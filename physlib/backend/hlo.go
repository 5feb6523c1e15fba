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

// ProgramFLOPs counts the floating-point operations of the products of matrices in an optimized
// program of XLA. With XLA_FLAGS="--xla_dump_to=DIR --xla_dump_hlo_as_text" XLA writes it into a
// file that ends in _after_optimizations.txt.
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
