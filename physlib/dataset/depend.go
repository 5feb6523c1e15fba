package dataset

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/column"
)

// Dependent columns are searched for only in tables of at most dependColumns columns. At most
// dependRows rows of a table are used.
const (
	dependColumns = 64
	dependRows    = 512
)

// twins warns of a variable that equals the target in another unit or under another name.
func (t *reader) twins(table *Table) {
	y := table.Target
	for _, c := range table.Vars {
		if slices.Equal(c.Values, y.Values) {
			continue // redundant has warned of this variable
		}
		same := c.HasUnit && y.HasUnit && c.Unit.Dim == y.Unit.Dim
		related := stem(c.Name) == stem(y.Name)
		if !same && !related {
			continue
		}
		ratio := 0.0
		if same {
			ratio = c.Unit.Factor() / y.Unit.Factor()
		} else if k := floats.MaxIdx(column.Map(c.Values, math.Abs)); c.Values[k] != 0 {
			ratio = math.Pow(10, math.Round(math.Log10(math.Abs(y.Values[k]/c.Values[k]))))
		}
		if ratio != 0 && proportional(y.Values, c.Values, ratio) {
			t.warn("column %s is the target %s again, times %.6g: leave it out with --ignore %s", c.Name, y.Name, ratio, c.Name)
		}
	}
}

// stem returns the part of a name that columns of the same quantity share. For example, the stem of
// T_ms, T2 and T is T.
func stem(name string) string {
	name, _, _ = strings.Cut(name, "_")
	return strings.ToLower(strings.TrimRight(name, "0123456789"))
}

// proportional reports whether y is ratio times x, within the rounding of both.
func proportional(y, x []float64, ratio float64) bool {
	off := 0.51 * (LastPlace(y) + math.Abs(ratio)*LastPlace(x))
	spread := 0.0
	for i := range y {
		if math.Abs(y[i]-ratio*x[i]) > off+1e-9*math.Abs(y[i]) {
			return false
		}
		spread = max(spread, math.Abs(y[i]-y[0]))
	}
	return spread > 20*off
}

// LastPlace returns one unit in the last decimal place with which a column is written.
func LastPlace(v []float64) float64 {
	deepest := math.MinInt
	for _, x := range v[:min(len(v), dependRows)] {
		if x != 0 && x-x == 0 {
			d, e := Places(x)
			deepest = max(deepest, d-1-e)
		}
	}
	if deepest == math.MinInt {
		return 0
	}
	return math.Pow10(-min(deepest, 300))
}

// dependent warns of variables that are linear combinations of earlier variables and a constant, up
// to rounding, such as T = 273 + 500*eps. It uses modified Gram–Schmidt on centred columns.
func (t *reader) dependent(table *Table) {
	rows := table.Rows()
	if k := len(table.Vars); k < 2 || k > dependColumns || rows < 5 {
		return
	}
	var some []int
	for i := 0; i < rows; i += max(1, rows/dependRows) {
		some = append(some, i)
	}
	var basis, combos [][]float64 // orthonormal columns, each also as a combination of variables
	for j, c := range table.Vars {
		x := Pick(c.Values, some)
		mean := floats.Sum(x) / float64(len(x))
		floats.AddConst(-mean, x)
		spread := floats.Norm(x, 2)
		if !(spread > 0) || math.IsInf(spread, 0) || len(basis)+4 > len(x) {
			continue
		}
		combo := make([]float64, len(table.Vars))
		combo[j] = 1
		for range 2 { // the second pass removes rounding errors of the first pass
			for k, b := range basis {
				d := floats.Dot(b, x)
				floats.AddScaled(x, -d, b)
				floats.AddScaled(combo, -d, combos[k])
			}
		}
		rest := floats.Norm(x, 2)
		if t.depends(table, j, x, combo, spread) {
			continue
		} else if rest > 1e-9*spread {
			floats.Scale(1/rest, x)
			floats.Scale(1/rest, combo)
			basis, combos = append(basis, x), append(combos, combo)
		}
	}
}

// depends reports whether the residual of variable j, after a fit by earlier variables, is only due
// to rounding. If so, it warns.
func (t *reader) depends(table *Table, j int, residual, combo []float64, spread float64) bool {
	off := 0.0
	var terms []string
	offset := 0.0
	for k := range j + 1 {
		if combo[k] == 0 {
			continue
		}
		off += math.Abs(combo[k]) * 0.5 * LastPlace(table.Vars[k].Values)
		offset += combo[k] * floats.Sum(table.Vars[k].Values) / float64(table.Rows())
		if width := deviation(table.Vars[k].Values) * math.Abs(combo[k]); k < j && width > 1e-4*spread/math.Sqrt(float64(len(residual))) {
			terms = append(terms, fmt.Sprintf("%.4g*%s", -combo[k], table.Vars[k].Name))
		}
	}
	typical := spread / math.Sqrt(float64(len(residual)))
	if len(terms) == 0 || len(terms) > 6 || off > typical/20 {
		off = 0 // rounding is too coarse for a decision, so the dependence must be exact
	}
	if largest := floats.Norm(residual, math.Inf(1)); largest > 1.05*off+1e-10*typical || len(terms) == 0 {
		return false
	}
	text := strings.ReplaceAll(strings.Join(terms, " + "), "+ -", "- ")
	if math.Abs(offset) > 1e-6*typical {
		text = fmt.Sprintf("%.4g + %s", offset, text)
	}
	name := table.Vars[j].Name
	t.warn("column %s depends on others, %s = %s to its last digit: laws may use either; leave one out with --ignore %s", name, name, strings.ReplaceAll(text, "+ -", "- "), name)
	return true
}

func deviation(v []float64) float64 {
	mean := floats.Sum(v) / float64(len(v))
	sum := 0.0
	for _, x := range v {
		sum += (x - mean) * (x - mean)
	}
	return math.Sqrt(sum / float64(len(v)))
}
