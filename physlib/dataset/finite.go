package dataset

import "github.com/physlib/lab/physlib/vec"

// FiniteRows returns the rows of p whose values and weight are all finite. If there are more than
// limit, it returns limit of them, evenly spaced.
func (p *Problem) FiniteRows(limit int) []int {
	var all []int
	for r, y := range p.Target.Values {
		ok := vec.Finite(y) && (p.Weights == nil || vec.Finite(p.Weights[r]))
		for _, v := range p.Vars {
			ok = ok && vec.Finite(v.Values[r])
		}
		if ok {
			all = append(all, r)
		}
	}
	if len(all) <= limit {
		return all
	}
	rows := make([]int, limit)
	for i := range rows {
		rows[i] = all[i*len(all)/limit]
	}
	return rows
}
