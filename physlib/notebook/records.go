package notebook

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"strconv"
)

// Record is a row of a table of results, by column name.
type Record map[string]string

// Number returns a cell as a number, or NaN if it is not a number.
func (r Record) Number(column string) float64 {
	v, err := strconv.ParseFloat(r[column], 64)
	if err != nil {
		return math.NaN()
	}
	return v
}

// Records reads a CSV file with a header, such as those in experiments/results and the metrics.csv
// of a training run.
func Records(path string) ([]Record, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	var all []Record
	for i, line := range lines {
		if i == 0 {
			continue
		}
		r := Record{}
		for k, cell := range line {
			r[lines[0][k]] = cell
		}
		all = append(all, r)
	}
	return all, nil
}

// Numbers returns two columns of records as points of a line, without the records that lack a
// number in one of them.
func Numbers(all []Record, x, y string) (xs, ys []float64) {
	for _, r := range all {
		if a, b := r.Number(x), r.Number(y); !math.IsNaN(a) && !math.IsNaN(b) {
			xs, ys = append(xs, a), append(ys, b)
		}
	}
	return xs, ys
}
