package group

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/mdl"
	"github.com/physlib/lab/physlib/survey"
)

// Limits of a survey. A survey ranks forms twice: with separate constants for each group, and with
// the same constants for all groups.
const (
	surveyShare = 0.3 // fraction of the time that a survey may take
	proposed    = 60  // number of forms that a survey takes from each ranking
)

// survey fits the most likely forms under the prior to each group, if the table has few rows. This
// may find a form that is best for all groups together, although it is not best in any single
// group.
func (j *judge) survey(ctx context.Context, s discover.Settings, res *Result) (forms []form) {
	if j.table.Rows() > survey.MostRows || s.Proposers != nil && !slices.Contains(s.Proposers, discover.Forms) {
		return nil
	}
	if s.Time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = s.Clock.WithTimeout(ctx, time.Duration(surveyShare*float64(s.Time)))
		defer cancel()
	}
	prior := survey.Catalogue().For(j.table, !s.NoUnits)
	rows := j.groups.Rows()
	slices.SortStableFunc(rows, func(a, b []int) int { return cmp.Compare(len(b), len(a)) })
	first := s.Scoring(j.table.Subset(rows[0]), prior)
	trees := slices.DeleteFunc(survey.Candidates(first, 4*s.Evaluations), func(t expr.Tree) bool { return !j.allowed(first.ToColumns(t)) })
	type sum struct {
		apart, alike float64 // bits if all constants are separate, and bits if all are shared
		groups       int
		form         float64
	}
	sums := make([]sum, len(trees))
	groups := rows[:min(len(rows), searchedAlone)]
	for _, r := range groups {
		m := s.Scoring(j.table.Subset(r), prior)
		found, fitted := m.ScoreAll(ctx, trees, len(trees), mdl.Effort{Starts: 2, Quick: true})
		res.Evaluations += int64(fitted)
		for _, f := range found {
			a := &sums[f.From]
			a.apart += f.BitsWithoutForm()
			a.alike += f.BitsWithoutForm() - f.ParamBits*float64(len(groups)-1)/float64(len(groups))
			a.groups++
			a.form = f.FormBits
		}
	}
	var whole []int // indices of the trees that were fitted to each group
	for i, a := range sums {
		if a.groups == len(groups) {
			whole = append(whole, i)
		}
	}
	seen := map[int]bool{}
	for _, bits := range []func(sum) float64{func(a sum) float64 { return a.apart }, func(a sum) float64 { return a.alike }} {
		slices.SortStableFunc(whole, func(a, b int) int {
			return cmp.Compare(mdl.FormWeight*sums[a].form+bits(sums[a]), mdl.FormWeight*sums[b].form+bits(sums[b]))
		})
		for _, i := range whole[:min(len(whole), proposed)] {
			if tree, ok := renumbered(first.ToColumns(trees[i]), j.names, j.names); ok && !seen[i] {
				seen[i] = true
				forms = append(forms, form{tree, sums[i].form, discover.Forms})
			}
		}
	}
	return forms
}
