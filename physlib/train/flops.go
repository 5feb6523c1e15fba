package train

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	. "github.com/gomlx/gomlx/core/graph"
)

// reachable are the nodes on which roots depend, roots included, in the order in which they were made.
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

// contracting finds the axes that a product of matrices sums over in the text of its node: GoMLX shows them nowhere else.
var contracting = regexp.MustCompile(`lhsContractingAxes=\[([\d ]*)\]`)

// FLOPs are the floating-point operations of all products of matrices in a graph, two for each multiplication that is summed up.
// What stands inside of loops is not counted.
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

// Activations are the bytes that a program holds at most between its arguments and its results, by this rule: nodes are computed in the order
// in which they were made; what is cheap to compute again, element by element, is computed where it is read and never stored; all
// else is stored until its last reader is done. Arguments and results do not count.
func Activations(nodes []*Node) int64 {
	isRoot := map[*Node]bool{}
	for _, n := range nodes {
		isRoot[n] = true
	}
	readers := map[*Node][]*Node{}
	for _, n := range nodes {
		for _, in := range n.Inputs() {
			readers[in] = append(readers[in], n)
			delete(isRoot, in)
		}
	}
	stored := map[*Node]bool{}
	for _, n := range nodes {
		stored[n] = isStored(n, readers[n])
	}
	last := map[*Node]int{} // index of the node that reads a stored one last, directly or through what is not stored
	var touch func(n *Node, at int)
	touch = func(n *Node, at int) {
		for _, in := range n.Inputs() {
			if stored[in] {
				last[in] = max(last[in], at)
			} else {
				touch(in, at)
			}
		}
	}
	for i, n := range nodes {
		if stored[n] || isRoot[n] {
			touch(n, i)
		}
	}
	ends := make([][]*Node, len(nodes))
	for n, i := range last {
		ends[i] = append(ends[i], n)
	}
	var now, most int64
	for i, n := range nodes {
		if stored[n] && !isRoot[n] && last[n] > 0 {
			now += n.Shape().ByteSize()
			most = max(most, now)
		}
		for _, done := range ends[i] {
			now -= done.Shape().ByteSize()
		}
	}
	return most
}

// isStored tells whether the numbers of n are put into memory.
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
