package motion

import (
	"math"
	"strconv"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
)

// The rounding of seven digits, also that of the times, is recognized as the error of a state.
func TestRounding(t *testing.T) {
	digits := func(v float64) float64 {
		r, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 7, 64), 64)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	const rows = 400
	tr := &Trajectories{Time: dataset.Column{Name: "t"}, States: []dataset.Column{{Name: "x"}}, Runs: [][2]int{{0, rows}}}
	squares := 0.0
	for i := range rows {
		at := digits(25 * float64(i) / (rows - 1))
		x := digits(2 * math.Sin(3*25*float64(i)/(rows-1)))
		tr.Time.Values, tr.States[0].Values = append(tr.Time.Values, at), append(tr.States[0].Values, x)
		e := x - 2*math.Sin(3*at)
		squares += e * e
	}
	want := math.Sqrt(squares / rows)
	if got := tr.rounding(0); got < want/1.5 || got > want*1.5 {
		t.Errorf("rounding errors of %.3g, want %.3g", got, want)
	}
	for i := range rows {
		tr.Time.Values[i], tr.States[0].Values[i] = float64(i)/16, 2*math.Sin(3*float64(i)/16)
	}
	if got := tr.rounding(0); got != 0 {
		t.Errorf("rounding errors of %.3g without rounding", got)
	}
}
