package bench

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/physlib/lab/physlib/dataset"
)

// Fault is the kind of error that some rows of a table get. The zero Fault is BadTarget.
type Fault string

// The kinds of errors.
const (
	BadTarget Fault = "target" // the target becomes a random number within ±10 times its RMS
	// One variable of the row is multiplied by ten, like a misplaced decimal point.
	BadVariable Fault = "variable"
	// Values of the target above a limit are set to the limit, as by a saturated instrument.
	CutOff Fault = "cutoff"
)

// short returns f in the form used in records, which is "" for BadTarget. An unknown f is an error.
func (f Fault) short() (Fault, error) {
	switch f {
	case "", BadTarget:
		return "", nil
	case BadVariable, CutOff:
		return f, nil
	}
	return "", fmt.Errorf("fault %q: give %s, %s or %s", f, BadTarget, BadVariable, CutOff)
}

// spoil puts errors of the kind f into the given share of the rows of t.
func (f Fault) spoil(t *dataset.Table, share float64, rng *rand.Rand) {
	if share == 0 {
		return
	}
	y := t.Target.Values
	rows := some(t.Rows(), share, rng)
	switch f {
	case CutOff:
		limit := slices.Sorted(slices.Values(y))[len(y)-len(rows)]
		for i := range y {
			y[i] = min(y[i], limit)
		}
	case BadVariable:
		for _, i := range rows {
			t.Vars[rng.IntN(len(t.Vars))].Values[i] *= 10
		}
	default:
		size := 10 * dataset.RMS(y)
		for _, i := range rows {
			y[i] = size * (2*rng.Float64() - 1)
		}
	}
}

// some returns a random sample of the rows 0 … n-1, with the given share of them.
func some(n int, share float64, rng *rand.Rand) []int {
	return rng.Perm(n)[:int(math.Ceil(share*float64(n)))]
}

// spoilStates puts errors into the given share of the rows. In each such row, the value of one
// random column becomes a uniform random number within ±10 times the RMS of that column.
func spoilStates(columns [][]float64, share float64, rng *rand.Rand) {
	if share == 0 {
		return
	}
	var size []float64
	for _, c := range columns {
		size = append(size, 10*dataset.RMS(c))
	}
	for _, i := range some(len(columns[0]), share, rng) {
		k := rng.IntN(len(columns))
		columns[k][i] = size[k] * (2*rng.Float64() - 1)
	}
}
