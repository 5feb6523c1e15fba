package notebook

import (
	"fmt"
	"math"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
)

// Discover calls [discover.Discover] and shows a line of progress below the cell. The interrupt
// button ends the search with the best laws so far. If the settings are wrong, the cell ends with
// an error.
func Discover(t *dataset.Table, s discover.Settings) *discover.Result {
	bar := NewBar("search")
	report := s.Progress
	s.Progress = func(p discover.Progress) {
		if report != nil {
			report(p)
		}
		done := math.NaN()
		if p.Left > 0 {
			done = p.Elapsed.Seconds() / (p.Elapsed + p.Left).Seconds()
		}
		text := fmt.Sprintf("%s · %s laws", p.Stage, grouped(p.Evaluations))
		if len(p.Best.Tree.Nodes()) > 0 {
			text += " · " + p.Best.Target + " = " + p.Best.Display(4)
		}
		bar.Set(done, text)
	}
	r, err := discover.Discover(Context(), t, s)
	Check(err)
	left := ""
	if Context().Err() != nil {
		left = "interrupted: the best so far"
	}
	bar.Done(left)
	return r
}
