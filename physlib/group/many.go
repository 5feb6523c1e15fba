package group

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/mdl"
)

// mostGroups is the largest number of groups that are fitted together. The time of such a fit rises
// with the square of the number of separate constants.
const mostGroups = 24

// some returns mostGroups of the groups, with their rows. It considers the half of the groups with
// the most rows, and chooses mostGroups of them at even intervals. If there are no more than
// mostGroups groups, it returns all of them.
func (g Groups) some(t *dataset.Table) (Groups, *dataset.Table) {
	if len(g.Names) <= mostGroups {
		return g, t
	}
	rows := g.Rows()
	order := make([]int, len(rows))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return len(rows[b]) - len(rows[a]) })
	large := order[:max(mostGroups, len(order)/2)]
	slices.Sort(large)
	part := Groups{Column: g.Column}
	index := map[int]int{}
	for _, at := range dataset.Evenly(len(large), mostGroups) {
		k := large[at]
		index[k] = len(part.Names)
		part.Names = append(part.Names, g.Names[k])
		if g.Values != nil {
			part.Values = append(part.Values, g.Values[k])
		}
	}
	var chosen []int
	for row, of := range g.Of {
		if k, ok := index[of]; ok {
			chosen, part.Of = append(chosen, row), append(part.Of, k)
		}
	}
	return part, t.Subset(chosen)
}

// extension extends a law that was fitted to some groups to all groups. Shared constants keep their
// values. The separate constants are fitted to the rows of each further group.
type extension struct {
	judge  *judge
	groups Groups
	table  *dataset.Table // rows of all groups
	law    Law
	// The law with numbers in place of the shared constants.
	// Its free constants are the separate ones.
	separate expr.Tree
	slots    []int // slots of the separate constants in the law
	common   []int // slots of the shared constants in the law
}

func newExtension(j *judge, g Groups, t *dataset.Table, l Law) *extension {
	e := &extension{judge: j, groups: g, table: t, law: l}
	for slot, shared := range l.Shared {
		if shared {
			e.common = append(e.common, slot)
		} else {
			e.slots = append(e.slots, slot)
		}
	}
	e.separate = e.with(l.Form.Params())
	return e
}

// with returns the law with numbers in place of the shared constants. The starting value of each
// separate constant is its median over the groups that were fitted together.
func (e *extension) with(shared []float64) expr.Tree {
	by := make([]expr.Tree, len(shared))
	for i, slot := range e.slots {
		var values []float64
		for _, l := range e.law.Groups {
			values = append(values, l.Constants[slot].Value)
		}
		slices.Sort(values)
		by[slot] = expr.C(i, values[len(values)/2])
	}
	for _, slot := range e.common {
		by[slot] = expr.Num(shared[slot])
	}
	return e.law.Form.Tree.SubstituteParams(by)
}

// extend completes the best law of res with the laws of all groups. It also sets RMSE and R² of the
// law on all rows.
func (e *extension) extend(res *Result) {
	rss, unfitted := 0.0, 0
	all := make([]law.Law, len(e.groups.Names))
	for g, rows := range e.groups.Rows() {
		if k := slices.Index(e.judge.groups.Names, e.groups.Names[g]); k >= 0 {
			all[g] = e.law.Groups[k]
		} else {
			part := e.table.Subset(rows)
			fitted := false
			if all[g], fitted = e.fitted(part); !fitted {
				unfitted++
			}
			all[g].RMSE, all[g].R2 = quality(all[g], part)
		}
		rss += all[g].RMSE * all[g].RMSE * float64(len(rows))
	}
	res.Best.Groups = all
	res.Best.Form = all[0]
	res.RMSE, res.R2 = law.Quality(rss, e.table.Target.Values)
	res.Warnings = append(res.Warnings, fmt.Sprintf("of %d groups, %d were compared; the laws of the other groups have the same form and the same shared constants", len(all), len(e.judge.groups.Names)))
	if unfitted > 0 {
		res.Warnings = append(res.Warnings, fmt.Sprintf("in %d groups the rows do not determine the separate constants; the medians of the compared groups are used", unfitted))
	}
}

// fitted returns the law of a further group, whose rows are t. If the rows do not determine the
// constants, the constants stay at the median of the other groups and have unknown errors.
func (e *extension) fitted(t *dataset.Table) (l law.Law, ok bool) {
	l = e.law.Form
	l.Constants = slices.Clone(l.Constants)
	s := e.judge.set.Scoring(t, mdl.NoForm{}).Scorer()
	model, _ := mdl.ErrorsByName(l.Errors)
	values, errors, ok := e.separate.Params(), make([]float64, len(e.slots)), len(e.slots) <= t.Rows()
	var c mdl.Score
	if ok && len(e.slots) > 0 {
		c, ok = s.Refit(s.FromColumns(e.separate), model)
		ok = ok && len(c.Params) == len(e.slots)
	}
	if ok && len(e.slots) > 0 {
		values, errors = c.Params, c.StdErr
	}
	for i, slot := range e.slots {
		l.Constants[slot].Value, l.Constants[slot].StdErr = values[i], errors[i]
	}
	l.Tree = l.Tree.WithStarts(l.Params())
	l.Cov = nil
	if ok && len(e.slots) > 0 {
		e.propagate(&l, s, c, model)
	}
	return l, ok
}

// propagate sets the covariance of a further group's constants. It uses the errors of the fit c and
// the errors of the shared constants. To find the effect of a shared constant on the separate ones,
// it moves the shared constant by its standard error and fits again.
func (e *extension) propagate(l *law.Law, s *mdl.Scorer, c mdl.Score, model mdl.Errors) {
	k, n := len(e.law.Shared), len(e.slots)
	from := e.law.Form.Cov
	if len(from) != k*k || len(c.Cov) != n*n {
		return
	}
	// Element (i, j) is the derivative of constant i with respect to the shared constant j.
	effect := mat.NewDense(k, k, nil)
	for _, slot := range e.common {
		effect.Set(slot, slot, 1)
		shared := e.law.Form.Params()
		step := math.Sqrt(from[slot*k+slot])
		shared[slot] += step
		moved, ok := s.Refit(s.FromColumns(e.with(shared).WithStarts(c.Params)), model)
		if !ok || len(moved.Params) != n || !(step > 0) || math.IsInf(step, 0) {
			continue
		}
		for i, own := range e.slots {
			effect.Set(own, slot, (moved.Params[i]-c.Params[i])/step)
		}
	}
	shared := mat.NewDense(k, k, nil)
	for _, a := range e.common {
		for _, b := range e.common {
			shared.Set(a, b, from[a*k+b])
		}
	}
	// The factor size scales the covariance of the fit. The residual variance is that of all
	// groups, since the few rows of one group determine it poorly.
	size := 1.0
	if model != mdl.Given && c.Size > 0 {
		size = l.Noise * l.Noise / (c.Size * c.Size)
	}
	var cov mat.Dense
	cov.Product(effect, shared, effect.T())
	for i, a := range e.slots {
		for o, b := range e.slots {
			cov.Set(a, b, cov.At(a, b)+size*c.Cov[i*n+o])
		}
	}
	l.Cov = slices.Clone(cov.RawMatrix().Data)
	for _, slot := range e.slots {
		l.Constants[slot].StdErr = math.Sqrt(l.Cov[slot*k+slot])
	}
}
