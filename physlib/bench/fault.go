package bench

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/physlib/lab/physlib/dataset"
)

// Fault is how some rows of a table are spoilt. The zero Fault is BadTarget.
type Fault string

// The faults.
const (
	BadTarget   Fault = "target"   // the target is a gross error: anything up to ten times its RMS, of either sign
	BadVariable Fault = "variable" // one variable of a row is ten times as large, as by a slip of the decimal point
	CutOff      Fault = "cutoff"   // the largest values of the target are all the same, as where an instrument is at its limit
)

// short returns f as records have it: "" for BadTarget.
func (f Fault) short() (Fault, error) {
	switch f {
	case "", BadTarget:
		return "", nil
	case BadVariable, CutOff:
		return f, nil
	}
	return "", fmt.Errorf("fault %q: give %s, %s or %s", f, BadTarget, BadVariable, CutOff)
}

// spoil spoils so large a share of the rows of t.
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
		size := 10 * rms(y)
		for _, i := range rows {
			y[i] = size * (2*rng.Float64() - 1)
		}
	}
}

// some returns so large a share of n rows, drawn by chance.
func some(n int, share float64, rng *rand.Rand) []int {
	return rng.Perm(n)[:int(math.Ceil(share*float64(n)))]
}

// spoilStates puts gross errors, up to ten times the RMS, into one of the columns in so large a
// share of their rows.
func spoilStates(columns [][]float64, share float64, rng *rand.Rand) {
	if share == 0 {
		return
	}
	var size []float64
	for _, c := range columns {
		size = append(size, 10*rms(c))
	}
	for _, i := range some(len(columns[0]), share, rng) {
		k := rng.IntN(len(columns))
		columns[k][i] = size[k] * (2*rng.Float64() - 1)
	}
}
