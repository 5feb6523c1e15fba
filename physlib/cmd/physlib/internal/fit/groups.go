package fit

import (
	"math"

	"github.com/physlib/lab/physlib/cmd/physlib/internal/discover"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/lawfile"
	"github.com/physlib/lab/physlib/regression"
)

// slots returns, for each constant of the formula, the index of its value for group g in the list
// of all fitted constants.
func (q *question) slots(r *regression.Result, g int) (at []int) {
	place := map[string]int{}
	for i, k := range r.Law.Constants {
		place[k.Name] = i
	}
	for _, k := range q.law.Constants {
		i, own := place[k.Name+" of "+q.names[g]]
		if !own {
			i = place[k.Name]
		}
		at = append(at, i)
	}
	return at
}

// cells returns the constants as a table. Each row contains a name, and then one value for all
// groups or one value for each group.
func (q *question) cells(r *regression.Result) (rows [][]string) {
	for slot, k := range q.law.Constants {
		row := []string{k.Name}
		for g := range q.names {
			fitted := r.Law.Constants[q.slots(r, g)[slot]]
			row = append(row, discover.Estimate(fitted))
			if fitted.Name == k.Name { // all groups share this constant
				break
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// byGroup returns the law of each group, for the law file.
func (q *question) byGroup(r *regression.Result) *lawfile.Groups {
	out := &lawfile.Groups{Column: q.groups.Column, Names: q.groups.Names, Shared: append([]string{}, q.shared...), Laws: []lawfile.Law{}}
	n := len(r.Law.Constants)
	for g := range q.names {
		at := q.slots(r, g)
		l := r.Law
		l.Vars, l.Constants, l.Cov = q.law.Vars, nil, nil
		for slot, i := range at {
			k := r.Law.Constants[i]
			k.Name = q.law.Constants[slot].Name
			if math.IsNaN(k.StdErr) || math.IsInf(k.StdErr, 0) {
				k.StdErr = 0
			}
			l.Constants = append(l.Constants, k)
			for _, o := range at {
				if len(r.Law.Cov) == n*n {
					l.Cov = append(l.Cov, r.Law.Cov[i*n+o])
				}
			}
		}
		l.Tree = q.law.Tree.WithStarts(law.Law{Tree: q.law.Tree, Constants: l.Constants}.Params())
		out.Laws = append(out.Laws, lawfile.Law(l))
	}
	return out
}
