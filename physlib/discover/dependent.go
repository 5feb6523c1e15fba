package discover

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/expr/rewrite"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/mdl"
)

// searched is a table as it is searched: without columns that follow from another one.
type searched struct {
	*dataset.Table
	kept      []int              // of its columns and constants, the place of each in the whole table
	relations []rewrite.Relation // of the columns left out, between columns of the whole table
}

// independent leaves out of t each column without a unit that is A + B·another one, to its last
// digit: with T = 273 + 500·ε, a search of both would find one law in many forms. What stays is the
// one that is nearer to zero, as measured by its spread, so that powers of it can be found. The
// ranking writes laws with the other one where that is shorter.
func independent(t *dataset.Table, s Settings) searched {
	out := map[int]rewrite.Relation{}
	for j, y := range t.Vars {
		for i, x := range t.Vars[:j] {
			if _, gone := out[i]; gone || !s.NoUnits && (x.HasUnit || y.HasUnit) {
				continue
			}
			from, to := i, j
			if offCentre(y.Values) < offCentre(x.Values)-1e-9 {
				from, to = j, i
			}
			if r, ok := relation(t, from, to); ok {
				out[to] = r
				break
			}
		}
	}
	if len(out) == 0 {
		return searched{Table: t}
	}
	part := *t
	part.Vars = nil
	k := searched{Table: &part}
	for i := range len(t.Vars) + len(t.Consts) {
		if r, gone := out[i]; gone {
			k.relations = append(k.relations, r)
			continue
		}
		k.kept = append(k.kept, i)
		if i < len(t.Vars) {
			part.Vars = append(part.Vars, t.Vars[i])
		}
	}
	return k
}

// offCentre returns how far from zero v begins, in units of its spread.
func offCentre(v []float64) float64 {
	lo, hi := slices.Min(v), slices.Max(v)
	if lo <= 0 && hi >= 0 || hi == lo {
		return 0
	}
	return min(math.Abs(lo), math.Abs(hi)) / (hi - lo)
}

// relation returns column `to` of t as a linear function of column from. ok is false where it is
// none to the last digit that both are written with or to single precision, or where these digits
// are too few to tell.
func relation(t *dataset.Table, from, to int) (r rewrite.Relation, ok bool) {
	const fewest, digits = 5, 1e3 // rows, and steps of the last digit within a column's spread
	x, y := t.Vars[from].Values, t.Vars[to].Values
	dx, dy := dataset.LastPlace(x), dataset.LastPlace(y)
	wide := func(v []float64, step float64) bool { return slices.Max(v)-slices.Min(v) > digits*step }
	if len(x) < fewest || !wide(x, dx) || !wide(y, dy) {
		return r, false
	}
	a, b := stat.LinearRegression(x, y, nil, false)
	if b == 0 || math.IsNaN(a) || math.IsNaN(b) {
		return r, false
	}
	step := 0.55 * (dy + math.Abs(b)*dx)
	for i := range x {
		if single := singlePrecision * (math.Abs(y[i]) + math.Abs(b*x[i])); math.Abs(y[i]-a-b*x[i]) > max(step, single) {
			return r, false
		}
	}
	return rewrite.Relation{X: from, Y: to, A: a, B: b}, true
}

// singlePrecision is the largest relative error of a float32.
const singlePrecision = 1. / (1 << 24)

// whole writes the laws of a result over the columns of the whole table.
func (k searched) whole(all *dataset.Table, laws ...[]law.Law) {
	if len(k.relations) == 0 {
		return
	}
	names := make([]string, 0, len(all.Vars)+len(all.Consts))
	for _, c := range all.Vars {
		names = append(names, c.Name)
	}
	for _, c := range all.Consts {
		names = append(names, c.Name)
	}
	for _, list := range laws {
		for i := range list {
			l := &list[i]
			l.Tree, _ = l.Tree.MapVars(func(v int) (int, bool) { return k.kept[v], true })
			l.Vars = names
		}
	}
}

// inOther writes the first laws with columns that the search left out, where that is shorter, or as
// long and in more columns.
func (k *ranking) inOther(over func() bool) {
	if len(k.relations) == 0 {
		return
	}
	s := k.m.Scorer()
	for i, at := range k.list[:min(len(k.list), simplified)] {
		if i > 0 && over() {
			break
		}
		for _, r := range k.relations {
			for _, form := range r.Apply(at.Tree.WithStarts(at.Params)) {
				if k.length(form) > k.length(at.Tree)+oneConstant {
					continue
				}
				for _, f := range append([]expr.Tree{form}, k.withoutConstant(s, form)...) {
					k.rewrite(s, r, at, i, f)
				}
			}
		}
	}
	known := map[uint64]bool{}
	k.list = slices.DeleteFunc(k.list, func(c ranked) bool {
		h := c.Tree.Hash()
		again := known[h]
		known[h] = true
		return again
	})
}

// rewrite puts form f, which follows from law at by r, into place i of the list, where it is
// preferred to what is there and the same function as at.
func (k *ranking) rewrite(s *mdl.Scorer, r rewrite.Relation, at ranked, i int, f expr.Tree) {
	if !k.preferred(f, k.list[i].Tree) {
		return
	}
	score, ok := s.Score(f, mdl.Effort{Starts: 1, Final: true})
	c := ranked{score, at.by}
	if ok && k.preferred(c.Tree, k.list[i].Tree) && k.same(s, r, at, c) {
		c.Bits = at.Bits
		k.list[i] = c
	}
}

// same reports whether b, with the relation's other column, is the same function as a: to a
// thousandth of a's residuals, or to what the last digit of that column makes out.
func (k *ranking) same(s *mdl.Scorer, r rewrite.Relation, a, b ranked) bool {
	in := expr.Apply(expr.Add, expr.Num(r.A), expr.Apply(expr.Mul, expr.Num(r.B), expr.X(r.X)))
	exact := b.Score
	exact.Tree = exact.Tree.Substitute(r.Y, in)
	left, written, other := s.Residuals(a.Score), s.Residuals(b.Score), s.Residuals(exact)
	size, digits, apart := rms(left), floats.Distance(written, other, 2), floats.Distance(left, other, 2)
	return apart <= math.Sqrt(float64(len(left)))*size/1000+3*digits
}

// oneConstant is about what a law gets longer by a constant within a function.
const oneConstant = 6

// withoutConstant returns forms near t with a constant less, as T for T − c with a small c.
func (k *ranking) withoutConstant(s *mdl.Scorer, t expr.Tree) []expr.Tree {
	if nonlinear(t, false) == 0 {
		return nil
	}
	fitted, ok := s.Score(t, mdl.Effort{Starts: 1, Final: true})
	if !ok {
		return nil
	}
	return k.simpler(fitted)
}

// preferred reports whether a, the same function as b, is shorter, or as long and in more columns.
func (k *ranking) preferred(a, b expr.Tree) bool {
	more := a.NumParams() - b.NumParams()
	longer := k.length(a) - k.length(b)
	return more <= 0 && (longer < 0 || longer == 0 && len(a.Vars()) > len(b.Vars()))
}
