package dataset

import "math"

// FiniteRows returns the rows of p whose values and weight are all finite. If there are more than
// limit, it returns limit of them, evenly spaced.
func (p *Problem) FiniteRows(limit int) []int {
	var all []int
	for r, y := range p.Target.Values {
		ok := finite(y) && (p.Weights == nil || finite(p.Weights[r]))
		for _, v := range p.Vars {
			ok = ok && finite(v.Values[r])
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

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
