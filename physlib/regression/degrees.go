package regression

import (
	"fmt"
	"math"
	"slices"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
)

// degrees returns a warning for each column in degrees of which l takes a sine, cosine or tangent
// as if it were in radians.
func degrees(l law.Law, t *dataset.Table) (warnings []string) {
	for _, c := range t.Vars {
		i := slices.Index(l.Vars, c.Name)
		if i < 0 || !c.Unit.IsDegree() || !radians(l.Tree, i) {
			continue
		}
		warnings = append(warnings, fmt.Sprintf("%s is in degrees, and sin, cos and tan take radians; write pi*%[1]s/180 for %[1]s", c.Name))
	}
	return warnings
}

// radians reports whether t contains a sine, cosine or tangent of variable v that nothing converts
// to radians. π, a free constant or a number of many digits may convert it.
func radians(t expr.Tree, v int) bool {
	if t.Len() == 0 {
		return false
	}
	args := t.Args()
	switch t.Root() {
	case expr.Sin, expr.Cos, expr.Tan:
		if slices.Contains(args[0].Vars(), v) && !slices.ContainsFunc(args[0].Nodes(), converts) {
			return true
		}
	}
	return slices.ContainsFunc(args, func(a expr.Tree) bool { return radians(a, v) })
}

// converts reports whether n may be a part of a factor between degrees and radians.
func converts(n expr.Node) bool {
	const simple = 24 // a multiple of all simple denominators
	return n.Op == expr.Pi || n.Op == expr.Param || n.Op == expr.Number && n.Value*simple != math.Round(n.Value*simple)
}
