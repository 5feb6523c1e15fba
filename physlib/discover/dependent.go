package discover

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr/rewrite"
	"github.com/physlib/lab/physlib/law"
)

// reducedTable is a table without the columns that can be calculated from another column.
type reducedTable struct {
	*dataset.Table
	kept []int // position of each column and constant in the whole table
	// Each relation gives a removed column as a function of a kept one. The indices in a relation
	// are those of the whole table.
	relations []rewrite.Relation
}

// withoutDependent removes each column without a unit that equals A + B·(another column), to its
// last digit. With T = 273 + 500·ε, for example, a search with both columns would find one law in
// many forms. Of two such columns, withoutDependent keeps the one that is nearer to zero relative
// to its range, so that a search can find its powers. The ranking puts the removed column back if
// the law becomes shorter.
func withoutDependent(t *dataset.Table, s Settings) reducedTable {
	out := map[int]rewrite.Relation{}
	cols := spans(t.Vars[:min(len(t.Vars), mostRelated)])
	for j, y := range cols {
		for i, x := range cols[:j] {
			if _, gone := out[i]; gone || !x.wide || !y.wide || !s.NoUnits && (t.Vars[i].HasUnit || t.Vars[j].HasUnit) {
				continue
			}
			from, to := i, j
			if y.off < x.off-1e-9 {
				from, to = j, i
			}
			if r, ok := relation(cols, from, to); ok {
				out[to] = r
				break
			}
		}
	}
	if len(out) == 0 {
		return reducedTable{Table: t}
	}
	rest := *t
	rest.Vars = nil
	k := reducedTable{Table: &rest}
	for i := range len(t.Vars) + len(t.Consts) {
		if r, gone := out[i]; gone {
			k.relations = append(k.relations, r)
			continue
		}
		k.kept = append(k.kept, i)
		if i < len(t.Vars) {
			rest.Vars = append(rest.Vars, t.Vars[i])
		}
	}
	return k
}

// mostRelated is the largest number of columns for which all pairs are compared.
const mostRelated = 1000

// span is a column with its range and the unit of its last digit, for comparison with other
// columns.
type span struct {
	values  []float64
	low, up int     // rows of the least and the largest value
	last    float64 // unit of the last digit
	off     float64 // distance of the values from zero, in units of their range
	wide    bool    // the column has enough rows and digits to be compared
}

// spans returns the spans of the columns.
func spans(cols []dataset.Column) []span {
	// Least number of rows, and least range in units of the last digit.
	const fewest, digits = 5, 1e3
	out := make([]span, len(cols))
	for i, c := range cols {
		v := c.Values
		p := span{values: v, low: floats.MinIdx(v), up: floats.MaxIdx(v), last: dataset.LastPlace(v)}
		lo, hi := v[p.low], v[p.up]
		p.wide = len(v) >= fewest && hi-lo > digits*p.last
		if (lo > 0 || hi < 0) && hi > lo {
			p.off = min(math.Abs(lo), math.Abs(hi)) / (hi - lo)
		}
		out[i] = p
	}
	return out
}

// relation returns column `to` as a linear function of column `from`. ok is false unless the
// function holds to the last digit of both columns, or to single precision.
func relation(cols []span, from, to int) (r rewrite.Relation, ok bool) {
	x, y := cols[from], cols[to]
	b := (y.values[x.up] - y.values[x.low]) / (x.values[x.up] - x.values[x.low])
	a := y.values[x.low] - b*x.values[x.low]
	// A quick first pass checks only about 16 rows. Its tolerance is larger by the factor loose,
	// since a line through two rows is less exact than a line fitted to all rows.
	const some, loose = 16, 4
	if !x.gives(y, a, b, max(1, len(x.values)/some), loose) {
		return r, false
	}
	a, b = stat.LinearRegression(x.values, y.values, nil, false)
	if b == 0 || math.IsNaN(a) || math.IsNaN(b) || !x.gives(y, a, b, 1, 1) {
		return r, false
	}
	return rewrite.Relation{X: from, Y: to, A: a, B: b}, true
}

// gives reports whether y = a + b·x within loose times the rounding of both columns. It checks the
// rows 0, every, 2·every, ….
func (x span) gives(y span, a, b float64, every int, loose float64) bool {
	step := 0.55 * (y.last + math.Abs(b)*x.last)
	for i := 0; i < len(x.values); i += every {
		u, v := b*x.values[i], y.values[i]
		if single := singlePrecision * (math.Abs(v) + math.Abs(u)); !(math.Abs(v-a-u) <= loose*max(step, single)) {
			return false
		}
	}
	return true
}

// singlePrecision is the largest relative error of a float32.
const singlePrecision = 1. / (1 << 24)

// widened returns laws of the reduced table as laws over the columns of the whole table.
func (k reducedTable) widened(whole *dataset.Table, laws []law.Law) []law.Law {
	if len(k.relations) == 0 {
		return laws
	}
	names := whole.InputNames()
	wide := slices.Clone(laws)
	for i := range wide {
		l := &wide[i]
		l.Tree, _ = l.Tree.MapVars(func(v int) (int, bool) { return k.kept[v], true })
		l.Vars = names
	}
	return wide
}
