package discover

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/outlier"
)

// fewLaws is how many must have been tried for a law to be called very likely by its distance from
// the next.
const fewLaws = 30

// verdict says in a line how sure the law is, and why.
func (r *run) verdict(res *Result) string {
	if res.Best.Tree.Len() == 0 && res.Evaluations == 0 && r.stopped != "exhausted" {
		return "no law: the search was over before it had tried any"
	}
	if res.Best.Tree.Len() == 0 {
		return "no law: nothing explains " + r.t.Target.Name + " better than a constant, its own description paid"
	}
	b := res.Best
	rel := b.RMSE / rms(r.t.Target.Values)
	var why []string
	var sure string
	switch free := b.Tree.NumParams(); {
	case rel < 1e-9 && 1-b.R2 < resolved*resolved && r.t.Rows() >= 2*free+4:
		sure = "as good as certain"
		why = append(why, "the residuals are rounding errors")
	case r.t.Rows() < 3*(free+1):
		sure = "a guess"
		why = append(why, fmt.Sprintf("only %d rows, free constants: %d", r.t.Rows(), free))
	default:
		margin := r.margin(res)
		rows, missing := "", false
		if !r.digits { // else some rows are only written more coarsely than others
			rows, missing = structure(r.t, r.s.places, r.residuals(b))
		}
		cut := r.stopped == "time" || r.stopped == "interrupted" || r.stopped == "evaluations"
		switch {
		case margin > 7 && missing:
			sure = "incomplete"
		case margin > 20 && rows == "" && !cut && res.Evaluations >= fewLaws:
			sure = "very likely"
		case margin > 7:
			sure = "likely"
		default:
			sure = "one of several"
		}
		why = append(why, fmt.Sprintf("the next different law is %.0f bits worse", margin))
		if r.digits {
			why = append(why, "what it leaves is the rounding of the table")
		}
		if res.Evaluations < fewLaws {
			why = append(why, fmt.Sprintf("only %d laws were tried", res.Evaluations))
		}
		if cut {
			why = append(why, "the search was not at its end")
		}
		if rows != "" {
			why = append(why, rows)
		}
		if missing {
			why = append(why, "what it leaves is alike at neighbouring points, so something is missing")
		}
		why = append(why, fmt.Sprintf("R² = %.4g", b.R2))
	}
	if r.j.anyDim {
		if b.UnitsOK {
			why = append(why, "the units balance")
		} else {
			why = append(why, "the units do NOT balance")
		}
	}
	if r.relative {
		why = append(why, "errors taken as proportional to "+r.t.Target.Name)
	}
	return sure + ": " + strings.Join(why, "; ")
}

// margin is by how many bits the best law beats the next of those weighed in the end that is not
// the same with other constants, or in other words.
func (r *run) margin(res *Result) float64 {
	m, best := math.Inf(1), formHash(res.Best.Tree)
	left := r.residuals(res.Best)
	for _, l := range res.Finalists {
		if d := l.Score - res.Best.Score; d < m && formHash(l.Tree) != best && !alike(r.residuals(l), left) {
			m = d
		}
	}
	if math.IsInf(m, 1) {
		return 99
	}
	return m
}

// alike reports whether two laws leave the same, except for a thousandth of it.
func alike(a, b []float64) bool {
	far, size := 0.0, 0.0
	for i := range a {
		far += (a[i] - b[i]) * (a[i] - b[i])
		size += b[i] * b[i]
	}
	return far <= 1e-6*size
}

// formHash is the hash of t with free constants in place of all its numbers.
func formHash(t expr.Tree) uint64 {
	nodes := append([]expr.Node(nil), t.Canonical().Nodes()...)
	free := int32(0)
	for i, n := range nodes {
		switch n.Op {
		case expr.Number, expr.Pi, expr.Euler, expr.Param:
			nodes[i] = expr.Node{Op: expr.Param, Index: free, Value: 1.5}
			free++
		}
	}
	s, _ := expr.FromNodes(nodes)
	return s.AbsorbParams().Hash()
}

// structure says what the law leaves that noise would not: rows that stand out, "" for none, and
// residuals that are alike at neighbouring points.
func structure(t *dataset.Table, places []int, res []float64) (rows string, missing bool) {
	n := t.Rows()
	if n < 10 {
		return "", false
	}
	out := outlier.Beyond(res, 0)
	if places != nil && t.FileRows == nil && len(places) == n {
		for k, i := range out {
			out[k] = places[i]
		}
	}
	switch k := len(out); {
	case k == 1:
		rows = t.RowNames(out) + " stands out and may be an error"
	case k > 1 && k <= 5 && 10*k <= n+9:
		rows = t.RowNames(out) + " stand out and may be errors"
	}
	cols := columns(t)
	at := slices.Clone(res[:0])
	picked, seen := make([][]float64, len(cols)), map[float64]bool{}
	for i := 0; i < n; i += (n-1)/1000 + 1 {
		if seen[res[i]] { // a copy of another row
			continue
		}
		seen[res[i]] = true
		at = append(at, res[i])
		for k := range cols {
			picked[k] = append(picked[k], cols[k][i])
		}
	}
	if len(at) < 10 { // the others leave the same, as where all leave nothing
		return rows, false
	}
	return rows, neighbours(standardised(picked), at) > 2.5
}

// residuals are what the law leaves in each row, in standard errors where these are known.
func (r *run) residuals(l law.Law) []float64 {
	v := view{t: r.t, cols: columns(r.t), sigma: r.t.Sigma}
	return v.residuals(l.Tree.WithStarts(l.Params()))
}
