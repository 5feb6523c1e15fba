package fit

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/physlib/lab/physlib/cmd/physlib/internal/discover"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/regression"
)

// bounds reads --bounds for the constants of l. The constant c of the group G is written "c of G".
func (c *Cmd) bounds(l law.Law) (map[string]regression.Bound, error) {
	out := map[string]regression.Bound{}
	for _, item := range c.Bounds {
		low, high, ok := strings.Cut(item.Value, ":")
		b := regression.Bound{Low: math.Inf(-1), High: math.Inf(1)}
		var errLow, errHigh error
		if low != "" {
			b.Low, errLow = strconv.ParseFloat(low, 64)
		}
		if high != "" {
			b.High, errHigh = strconv.ParseFloat(high, 64)
		}
		switch {
		case !ok || errLow != nil || errHigh != nil:
			return nil, c.bad("--bounds %s=%s: write an interval as %s=0:5, 0: or :5", item.Name, item.Value, item.Name)
		case !(b.Low < b.High):
			return nil, c.bad("--bounds %s=%s allows no value between %g and %g", item.Name, item.Value, b.Low, b.High)
		}
		found := false
		for _, k := range l.Constants {
			if k.Name == item.Name || strings.HasPrefix(k.Name, item.Name+" of ") {
				out[k.Name], found = b, true
			}
		}
		if !found {
			own := slices.DeleteFunc(slices.Clone(l.Constants), func(k law.Constant) bool { return strings.Contains(k.Name, " of ") })
			return nil, c.bad("--bounds %s: the formula has no such constant; its constants are %s", item.Name, discover.ConstantNames(own))
		}
	}
	return out, nil
}

// fix applies --fix to the formula l.
func (c *Cmd) fix(l law.Law) (law.Law, error) {
	for i, item := range c.Fix {
		used := expr.Mentioned(item.Value)
		for _, earlier := range c.Fix[:i] {
			if slices.Contains(used, earlier.Name) {
				return l, c.bad("--fix %s=%s: %s is fixed itself, as %[3]s=%s; write the value of %[1]s without %[3]s",
					item.Name, item.Value, earlier.Name, earlier.Value)
			}
		}
		var err error
		if l, err = l.Fix(item.Name, item.Value); err != nil {
			return l, c.bad("--fix %s=%s: %w", item.Name, item.Value, err)
		}
	}
	return l, nil
}
