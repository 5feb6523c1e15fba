package corpus

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/unit"
)

// checkPoints is the number of random points at which Check evaluates a law, in addition to the
// corners of its ranges.
const checkPoints = 200

// Check returns the first fault of e, as one line, or nil. An entry without faults can be parsed
// and uses all its quantities. Its dimensions balance, its values do not depend on the scales of
// units, and it is finite within its ranges.
func (e Entry) Check() error {
	tree, err := e.Tree()
	if err != nil {
		return err
	}
	if err := e.checkNames(tree); err != nil {
		return err
	}
	units, target, err := e.units()
	if err != nil {
		return err
	}
	dims := make([]unit.Dim, len(units))
	for i, u := range units {
		dims[i] = u.Dim
	}
	d, _, err := tree.Dim(dims)
	if err != nil {
		text := err.Error()
		for i := len(units) - 1; i >= 0; i-- { // the error contains x0, x1, … instead of the names
			text = strings.ReplaceAll(text, fmt.Sprintf("x%d", i), e.Quantities[i].Name)
		}
		return fmt.Errorf("dimensions: %s: correct a unit or add a parameter", text)
	}
	if d != target.Dim {
		return fmt.Errorf("dimensions: %s is [%s], but the law gives [%s]: correct a unit or add a"+
			" parameter", e.Target.Name, target.Dim, d)
	}
	return e.checkValues(tree, units, target)
}

// CheckNames returns an error with one line for each law that has the same name as another law.
func CheckNames(entries []Entry) error {
	var faults []error
	first := map[string]Entry{}
	for _, e := range entries {
		key := strings.ToLower(e.Name)
		if o, twice := first[key]; twice {
			faults = append(faults, fmt.Errorf("%s.csv:%d %s: is also the name of %s.csv:%d: "+
				"rename or remove one", e.Field, e.Line, e.Name, o.Field, o.Line))
			continue
		}
		first[key] = e
	}
	return errors.Join(faults...)
}

var plainName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*$`)

// checkNames checks the names of the quantities, and that the law uses every quantity.
func (e Entry) checkNames(tree expr.Tree) error {
	names := append(e.Names(), e.Target.Name)
	used := tree.Vars()
	variables := 0
	for i, name := range names {
		t, err := expr.Parse(name+"(1)", nil)
		switch {
		case !plainName.MatchString(name):
			return fmt.Errorf("name %q: write letters, digits and _, a letter first", name)
		case err == nil && !t.Root().Operator().Rare || name == "pi" || name == "e":
			return fmt.Errorf("name %q is a function or number: choose another, such as %s_", name, name)
		case slices.Contains(names[:i], name):
			return fmt.Errorf("name %q stands for two quantities: rename one", name)
		}
		if i == len(e.Quantities) {
			break
		}
		if !slices.Contains(used, i) {
			return fmt.Errorf("%s is not in the law: remove it", name)
		}
		if e.Quantities[i].Role == Variable {
			variables++
		}
	}
	if variables == 0 {
		return errors.New("no variable: at least one quantity must not be fixed")
	}
	return nil
}

// units returns the units of the quantities and of the target.
func (e Entry) units() (units []unit.Unit, target unit.Unit, err error) {
	parse := func(q Quantity) (unit.Unit, error) {
		u, err := unit.Parse(q.Unit)
		if err != nil {
			return u, fmt.Errorf("unit of %s: %w", q.Name, err)
		}
		if u.Offset != 0 {
			return u, fmt.Errorf("unit of %s: %s has a zero of its own: write K", q.Name, q.Unit)
		}
		return u, nil
	}
	units = make([]unit.Unit, len(e.Quantities))
	for i, q := range e.Quantities {
		if units[i], err = parse(q); err != nil {
			return nil, target, err
		}
	}
	target, err = parse(e.Target)
	return units, target, err
}

// box returns points within the ranges of e: all corners, then n random points. Each quantity has a
// column.
func (e Entry) box(n int, rng *rand.Rand) [][]float64 {
	var free []int
	for i, q := range e.Quantities {
		if q.Role != Constant {
			free = append(free, i)
		}
	}
	corners := 1 << min(len(free), 12)
	cols := make([][]float64, len(e.Quantities))
	for i, q := range e.Quantities {
		cols[i] = make([]float64, corners+n)
		for k := range cols[i] {
			switch bit := slices.Index(free, i); {
			case bit < 0:
				cols[i][k] = q.Value
			case k >= corners:
				cols[i][k] = q.Low + (q.High-q.Low)*rng.Float64()
			case k>>bit&1 == 0:
				cols[i][k] = q.Low
			default:
				cols[i][k] = q.High
			}
		}
	}
	return cols
}

// checkValues checks that the law is finite within its ranges. It also checks that the law gives
// the same value in the units of the catalogue and in SI units.
func (e Entry) checkValues(tree expr.Tree, units []unit.Unit, target unit.Unit) error {
	cols := e.box(checkPoints, rand.New(rand.NewPCG(1, 2)))
	rows := len(cols[0])
	own, si := make([]float64, rows), make([]float64, rows)
	program := expr.Compile(tree)
	program.Eval(own, cols, nil)
	for k, y := range own {
		if math.IsNaN(y) || math.IsInf(y, 0) {
			return fmt.Errorf("law is %g at %s: narrow the ranges", y, e.point(cols, k))
		}
	}
	for i, u := range units {
		for k, x := range cols[i] {
			cols[i][k] = u.ToSI(x)
		}
	}
	program.Eval(si, cols, nil)
	greatest := 0.0
	for _, y := range own {
		greatest = max(greatest, math.Abs(y))
	}
	for k, y := range own {
		in := target.FromSI(si[k])
		if math.Abs(in-y) > 1e-6*max(math.Abs(y), math.Abs(in))+1e-9*greatest {
			for i, u := range units {
				cols[i][k] = u.FromSI(cols[i][k])
			}
			return fmt.Errorf("scales of units: at %s the law gives %g %s, but %g with all "+
				"quantities in SI: use SI units", e.point(cols, k), y, e.Target.Unit, in)
		}
	}
	return nil
}

// point returns point k of cols as text.
func (e Entry) point(cols [][]float64, k int) string {
	var parts []string
	for i, q := range e.Quantities {
		if q.Role != Constant {
			parts = append(parts, fmt.Sprintf("%s=%g", q.Name, cols[i][k]))
		}
	}
	return strings.Join(parts, " ")
}
