package synthetic

import (
	"math"
	"slices"
	"strconv"
)

// The designs: ways to choose inputs.
const (
	gridDesign     = "grid"
	logGridDesign  = "log grid"
	randomDesign   = "random"
	repeatedDesign = "repeats"
)

// inputs returns about the given number of rows of the input columns, and their design.
func (d drawer) inputs(vars []variable, rows int) (cols [][]float64, design string) {
	part := make([]variable, len(vars))
	for i, v := range vars {
		part[i] = d.part(v)
	}
	design = []string{gridDesign, logGridDesign, randomDesign, repeatedDesign}[d.pick(4, 2, 3, 2)]
	if design == logGridDesign && !part[0].wide() {
		design = gridDesign
	}
	if design == randomDesign {
		sorted := d.chance(0.5)
		for i, v := range part {
			c := d.scattered(v, rows)
			if i == 0 && sorted {
				slices.Sort(c)
			}
			cols = append(cols, c)
		}
		return cols, design
	}
	levels := d.levels(part, rows)
	if levels == nil { // each row has its own settings, and only the first column is a grid
		cols = append(cols, d.grid(part[0], rows, design))
		for _, v := range part[1:] {
			cols = append(cols, d.scattered(v, len(cols[0])))
		}
		return d.repeated(cols, rows, design)
	}
	var grids [][]float64
	for i, v := range part {
		grids = append(grids, d.grid(v, levels[i], design))
	}
	return d.repeated(product(grids), rows, design)
}

// part returns v with a random part of its range, as an experiment might cover.
func (d drawer) part(v variable) variable {
	share := d.between(0.4, 1, false)
	start := d.Float64() * (1 - share)
	if v.wide() {
		ratio := v.high / v.low
		v.low, v.high = v.low*pow(ratio, start), v.low*pow(ratio, start+share)
		return v
	}
	size := v.high - v.low
	v.low, v.high = v.low+start*size, v.low+(start+share)*size
	return v
}

// levels returns the number of levels of each column in a full factorial design with about the
// given number of rows. For some tables it returns nil: each row then has its own settings.
func (d drawer) levels(vars []variable, rows int) []int {
	if len(vars) == 1 {
		return []int{rows}
	}
	if len(vars) > 3 || rows < 12 || d.chance(0.4) {
		return nil
	}
	levels, first := make([]int, len(vars)), rows
	for i := len(vars) - 1; i > 0; i-- {
		levels[i] = 2 + d.IntN(2)
		first /= levels[i]
	}
	levels[0] = first
	if first < 3 {
		return nil
	}
	return levels
}

// grid returns about n settings of a variable, rounded as people would choose them. There are fewer
// settings if some are equal after rounding.
func (d drawer) grid(v variable, n int, design string) []float64 {
	out := make([]float64, n)
	if design == logGridDesign && v.wide() {
		for i := range out {
			out[i] = significant(v.low*pow(v.high/v.low, float64(i)/float64(max(n-1, 1))), 2)
		}
		return slices.Compact(out)
	}
	step := roundStep((v.high - v.low) / float64(max(n-1, 1)))
	first := math.Ceil(v.low/step-1e-9) * step
	for i := range out {
		out[i] = clean(first+float64(i)*step, step)
	}
	return out
}

// scattered returns n random values of a variable, rounded to two to four significant digits.
func (d drawer) scattered(v variable, n int) []float64 {
	out := make([]float64, n)
	digits := 2 + d.IntN(3)
	for i := range out {
		out[i] = significant(d.between(v.low, v.high, v.wide()), digits)
	}
	return out
}

// repeated returns each row two or three times if the design is repeatedDesign. It then keeps fewer
// different rows.
func (d drawer) repeated(cols [][]float64, rows int, design string) ([][]float64, string) {
	if design != repeatedDesign {
		return cols, design
	}
	times := 2 + d.IntN(2)
	var pick []int
	for i := 0; i < len(cols[0]) && len(pick) < rows; i += times {
		for range times {
			pick = append(pick, i)
		}
	}
	for k, c := range cols {
		out := make([]float64, len(pick))
		for i, row := range pick {
			out[i] = c[row]
		}
		cols[k] = out
	}
	return cols, design
}

// product returns the columns of all combinations of settings. The first column changes fastest.
func product(grids [][]float64) [][]float64 {
	rows := 1
	for _, g := range grids {
		rows *= len(g)
	}
	cols := make([][]float64, len(grids))
	every := 1
	for k, g := range grids {
		cols[k] = make([]float64, rows)
		for i := range rows {
			cols[k][i] = g[i/every%len(g)]
		}
		every *= len(g)
	}
	return cols
}

// roundStep returns the largest number of the form 1, 2, 2.5 or 5 times a power of ten that is at
// most s.
func roundStep(s float64) float64 {
	p := math.Pow(10, math.Floor(math.Log10(s)))
	best := p
	for _, m := range []float64{2, 2.5, 5} {
		if m*p <= s*(1+1e-9) {
			best = m * p
		}
	}
	return best
}

// clean returns v, a multiple of half a step, without rounding errors.
func clean(v, step float64) float64 {
	return decimals(v, max(0, 2-int(math.Floor(math.Log10(step)))))
}

// significant rounds v to the given number of significant digits.
func significant(v float64, digits int) float64 {
	out, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'e', digits-1, 64), 64)
	return out
}

// decimals rounds v to n decimals, or to powers of ten if n is negative.
func decimals(v float64, n int) float64 {
	if n >= 0 {
		out, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'f', n, 64), 64)
		return out + 0 // avoids negative zero
	}
	p := math.Pow10(-n)
	return math.Round(v/p)*p + 0
}

func pow(a, b float64) float64 { return math.Pow(a, b) }
