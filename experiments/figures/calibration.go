package figures

import (
	"fmt"

	"github.com/physlib/lab/physlib/figure"
)

var calibration = drawing{
	name:    "calibration",
	caption: "How often the chosen law is right against the probability that the verdict states, on drawn tables, with 95 % intervals (Wilson). Dashed: as often as stated.",
	command: "physlib bench calibration --tables 300 --seed 201 --time 3s --clock cpu --proposers search,genetic,forms --csv experiments/results/calibration.csv",
	draw: func(s *source) (figure.Picture, error) {
		t, err := s.table("calibration.csv", "kind", "laws", "right", "stated", "share_low", "share_high")
		if err != nil {
			return figure.Picture{}, err
		}
		bins := figure.Series{Name: "laws by probability", Dots: true, Loose: true, Hue: 1}
		for i := range t.rows {
			if t.text(i, "kind") != "bin" {
				continue
			}
			v, err := t.numbers(i, "laws", "right", "stated", "share_low", "share_high")
			if err != nil {
				return figure.Picture{}, err
			}
			laws, right := v[0], v[1]
			if laws == 0 {
				continue
			}
			if right > laws || laws < 0 || right < 0 {
				return figure.Picture{}, fmt.Errorf("%s, row %d: %g right of %g laws", t.name, i+1, right, laws)
			}
			bins.X, bins.Y = append(bins.X, 100*v[2]), append(bins.Y, 100*right/laws)
			bins.Low, bins.High = append(bins.Low, 100*v[3]), append(bins.High, 100*v[4])
			bins.Notes = append(bins.Notes, fmt.Sprintf("%g of %g laws", right, laws))
		}
		if bins.X == nil {
			return figure.Picture{}, missing{"probability in " + t.name}
		}
		even := figure.Series{Name: "as often as stated", X: []float64{0, 100}, Y: []float64{0, 100}, Dashed: true, Hue: 2}
		percent := func(label string) figure.Axis { return figure.Axis{Label: label, Low: 0, High: 102} }
		return figure.Lines([]figure.Series{bins, even}, percent("probability stated [%]"), percent("chosen law right [%]")).Sized(10, 9), nil
	},
}
