package train

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
)

// reachable returns the nodes on which roots depend, including roots, in order of creation.
func reachable(roots []*Node) []*Node {
	seen := map[*Node]bool{}
	var all []*Node
	for left := slices.Clone(roots); len(left) > 0; {
		n := left[len(left)-1]
		left = left[:len(left)-1]
		if seen[n] {
			continue
		}
		seen[n] = true
		all = append(all, n)
		left = append(left, n.Inputs()...)
	}
	slices.SortFunc(all, func(a, b *Node) int { return cmp.Compare(a.Id(), b.Id()) })
	return all
}

// contracting matches, in the text of a matrix product's node, the axes over which the product
// sums. GoMLX does not export these axes.
var contracting = regexp.MustCompile(`lhsContractingAxes=\[([\d ]*)\]`)

// FLOPs returns the number of floating-point operations of all matrix products in a graph. A
// multiplication and an addition count as two. Products inside loops are not counted.
func FLOPs(nodes []*Node) (sum float64) {
	for _, n := range nodes {
		if n.Type() != NodeTypeDotGeneral {
			continue
		}
		ops := 2 * float64(n.Shape().Size())
		if found := contracting.FindStringSubmatch(n.String()); found != nil {
			for _, axis := range strings.Fields(found[1]) {
				if i, err := strconv.Atoi(axis); err == nil {
					ops *= float64(n.Inputs()[0].Shape().Dim(i))
				}
			}
		}
		sum += ops
	}
	return sum
}

// span is the size and lifetime of an array: first is the node that computes it, last the last node
// that reads it.
type span struct {
	size        int64
	first, last int
}

func (s span) disjoint(o span) bool { return s.last < o.first || o.last < s.first }

// Working returns an estimate of the memory of a program without its arguments, in bytes.
//
// It assumes that nodes are computed in order of creation. Elementwise results that are cheap to
// recompute are computed where they are read, and not stored. Others are stored until their last
// reader is computed. Results of the program have memory of their own. Arrays that are no longer
// needed when a result is computed may use its memory, larger arrays first. The other arrays count
// by the largest total that exists at one time.
func Working(nodes []*Node) (sum int64) {
	arrays, results := spans(nodes)
	bySize := func(a, b span) int { return cmp.Compare(b.size, a.size) }
	slices.SortStableFunc(arrays, bySize)
	slices.SortStableFunc(results, bySize)
	guests := make([][]span, len(results))
	change := make([]int64, len(nodes)+1)
	for _, a := range arrays {
		place := -1
		// Begin with the smallest result that is large enough.
		for i, r := range slices.Backward(results) {
			if a.size <= r.size && a.last < r.first && !slices.ContainsFunc(guests[i], func(g span) bool { return !g.disjoint(a) }) {
				place = i
				break
			}
		}
		if place >= 0 {
			guests[place] = append(guests[place], a)
			continue
		}
		change[a.first] += a.size
		change[a.last+1] -= a.size
	}
	var now, most int64
	for _, c := range change {
		now += c
		most = max(most, now)
	}
	for _, r := range results {
		sum += r.size
	}
	return sum + most
}

// spans returns the arrays that a program stores, and separately its results.
func spans(nodes []*Node) (arrays, results []span) {
	readers := readersOf(nodes)
	at := map[*Node]int{}
	for i, n := range nodes {
		at[n] = i
	}
	// last holds the last node that reads each node, directly or through nodes that are not stored.
	stored, last := make([]bool, len(nodes)), make([]int, len(nodes))
	for i, n := range slices.Backward(nodes) {
		stored[i], last[i] = isStored(n, readers[n]), i
		for _, r := range readers[n] {
			if k := at[r]; stored[k] {
				last[i] = max(last[i], k)
			} else {
				last[i] = max(last[i], last[k])
			}
		}
		s := span{bytesOfNode(n), i, last[i]}
		if len(readers[n]) == 0 && n.Type() != NodeTypeReshape {
			results = append(results, s)
		} else if stored[i] {
			arrays = append(arrays, s)
		}
	}
	return arrays, results
}

// bytesOfNode returns the size of the result of n. It is 0 for a node with several results, since
// each result is a node of its own.
func bytesOfNode(n *Node) int64 {
	if n.NumOutputs() != 1 || n.DType() == dtypes.InvalidDType {
		return 0
	}
	return n.Shape().ByteSize()
}

// readersOf returns the nodes that read the values of each node, also through reshapes.
func readersOf(nodes []*Node) map[*Node][]*Node {
	readers := map[*Node][]*Node{}
	for _, n := range slices.Backward(nodes) {
		for _, in := range n.Inputs() {
			if n.Type() == NodeTypeReshape {
				readers[in] = append(readers[in], readers[n]...)
			} else {
				readers[in] = append(readers[in], n)
			}
		}
	}
	return readers
}

// isStored reports whether the result of n is stored.
func isStored(n *Node, readers []*Node) bool {
	switch n.Type() {
	case NodeTypeParameter, NodeTypeConstant, NodeTypeReshape, NodeTypeIota:
		return false
	case NodeTypeDotGeneral, NodeTypeReduceSum, NodeTypeReduceMax:
		return true
	case NodeTypeExp, NodeTypeTanh, NodeTypeErf, NodeTypeLog, NodeTypeDiv, NodeTypeSqrt, NodeTypeLog1p, NodeTypeLogistic:
		return len(readers) > 1
	}
	return slices.ContainsFunc(readers, func(r *Node) bool { return r.Type() == NodeTypeDotGeneral })
}
