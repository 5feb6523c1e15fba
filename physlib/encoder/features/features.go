package features

import (
	"math"
	"slices"

	"github.com/physlib/lab/physlib/unit"
)

// Table is the part of a problem that an encoder may see.
type Table struct {
	X      [][]float64 // columns
	Y      []float64
	Dims   []unit.Dim // dimensions of the columns; nil: unknown
	Target unit.Dim
	Units  bool // whether the dimensions are known; false hides them
}

// Shape says how many columns and rows the vectors have room for. The zero Shape means 6 columns
// and 32 rows.
type Shape struct {
	Cols   int // largest number of columns in X; 0: 6
	Points int // number of rows that represent the table; 0: 32
	// Leave out the results of fits and give only values and units, as in the papers. This suits
	// networks that should find everything else themselves.
	Raw    bool
	Series bool // keep the rows in the table's order, for networks that read a trajectory
}

// cols returns Cols or its default.
func (s Shape) cols() int {
	if s.Cols == 0 {
		return 6
	}
	return s.Cols
}

// points returns Points or its default.
func (s Shape) points() int {
	if s.Points == 0 {
		return 32
	}
	return s.Points
}

const (
	perCell = 6 // numbers that represent one value: sign, log, standardised, raw, sin, cos
	perRow  = 4 // numbers that represent the target: sign, log, relative, standardised
	fits    = 4 // number of linear fits; each row has their residuals
	// scalars is the number of scalars that describe a column: existence, logarithm of the rms,
	// location and spread of the values and of their logarithms, shares of negative values and of
	// whole numbers, number of columns.
	scalars     = 9
	slopes      = 4 // slopes of one column, one in each linear fit
	goodness    = 8 // for the target, the quality of each of the eight fits
	dimensions  = len(unit.Dim{})
	curvatures  = 4    // number of vectors of second-order coefficients for each column
	clip        = 5.0  // largest absolute value of a feature
	ridgeLinear = 1e-8 // ridge parameter, relative to the normalised Gram matrix
	ridgeSquare = 1e-5
)

// RowDim returns the length of a row's vector.
func (s Shape) RowDim() int {
	if s.Raw {
		return s.Slots()
	}
	return s.cols()*perCell + perRow + fits
}

// ColDim returns the length of a column's vector.
func (s Shape) ColDim() int {
	if s.Raw {
		return 1 + dimensions
	}
	c := s.cols()
	return (c + 1) + dimensions + scalars + slopes + curvatures*c + goodness + 2
}

// Slots returns the number of column vectors, which is Cols and one for the target.
func (s Shape) Slots() int { return s.cols() + 1 }

// Vectors describe a table to an encoder: one for each row, one for each column, one for the
// target. Each array holds its vectors one after another. Shape.New allocates the arrays.
type Vectors struct {
	Rows    []float32 // [points, RowDim]
	RowMask []bool    // [points]: whether the row exists
	Cols    []float32 // [Slots, ColDim]
	ColMask []bool    // [Slots]: whether the column exists
}

// New allocates vectors of shape s.
func (s Shape) New() *Vectors {
	return &Vectors{
		Rows: make([]float32, s.points()*s.RowDim()), RowMask: make([]bool, s.points()),
		Cols: make([]float32, s.Slots()*s.ColDim()), ColMask: make([]bool, s.Slots()),
	}
}

// Extract sets v, allocated by s.New, to the vectors of t. t must have 1 to s.Cols columns of equal
// length and at least one row. Rows with a value that is not finite are skipped.
func (s Shape) Extract(t *Table, v *Vectors) {
	clear(v.Rows)
	clear(v.Cols)
	clear(v.RowMask)
	clear(v.ColMask)
	rows := finiteRows(t, s.Series)
	cols := make([]column, len(t.X)+1) // the target is the last
	for i, x := range append(slices.Clone(t.X), t.Y) {
		cols[i] = newColumn(x, rows)
	}
	if s.Raw {
		s.fillRaw(t, cols, v)
		return
	}
	r := regress(cols)
	s.fillRows(cols, r, v)
	s.fillCols(t, cols, r, v)
}

// finiteRows returns the indices of the rows of t without NaN or infinity. They are sorted by the
// target and then by the columns, so that the order of the table does not matter. If series is true
// they keep their order.
func finiteRows(t *Table, series bool) []int {
	rows := make([]int, 0, len(t.Y))
	for i, y := range t.Y {
		ok := !math.IsNaN(y) && !math.IsInf(y, 0)
		for _, x := range t.X {
			ok = ok && !math.IsNaN(x[i]) && !math.IsInf(x[i], 0)
		}
		if ok {
			rows = append(rows, i)
		}
	}
	if series {
		return rows
	}
	slices.SortFunc(rows, func(a, b int) int {
		if t.Y[a] != t.Y[b] {
			if t.Y[a] < t.Y[b] {
				return -1
			}
			return 1
		}
		for _, x := range t.X {
			if x[a] != x[b] {
				if x[a] < x[b] {
					return -1
				}
				return 1
			}
		}
		return 0
	})
	return rows
}

// column is a column of the table in all forms that the vectors hold.
type column struct {
	raw, log, sign     []float64 // values; logarithms of their absolute values; their signs
	value, logs        moments
	std, stdLog        []float64 // (raw-mean)/sd, (log-mean)/sd
	rms, negative, int float64   // negative and int: shares of negative values and of whole numbers
}

type moments struct{ mean, sd float64 }

// newColumn returns the values of x in the given rows, with logarithms, signs and standardised
// forms.
func newColumn(x []float64, rows []int) column {
	n := len(rows)
	buf := make([]float64, 5*n)
	c := column{raw: buf[:n], log: buf[n : 2*n], sign: buf[2*n : 3*n], std: buf[3*n : 4*n], stdLog: buf[4*n:]}
	for i, r := range rows {
		v := x[r]
		c.raw[i] = v
		c.log[i] = math.Log(math.Max(math.Abs(v), 1e-30))
		c.rms += v * v
		switch {
		case v < 0:
			c.sign[i] = -1
			c.negative++
		case v > 0:
			c.sign[i] = 1
		}
		if v == math.Trunc(v) {
			c.int++
		}
	}
	if n > 0 {
		c.rms = math.Sqrt(c.rms / float64(n))
		c.negative /= float64(n)
		c.int /= float64(n)
	}
	c.value = standardise(c.raw, c.std)
	c.logs = standardise(c.log, c.stdLog)
	return c
}

// standardise sets z to (x-mean)/sd, or to 0 if x is constant up to rounding.
func standardise(x, z []float64) moments {
	var m moments
	n := float64(len(x))
	if n == 0 {
		return m
	}
	for _, v := range x {
		m.mean += v / n
	}
	for _, v := range x {
		m.sd += (v - m.mean) * (v - m.mean) / n
	}
	m.sd = math.Sqrt(m.sd)
	if !(m.sd > 1e-12*math.Abs(m.mean)) {
		m.sd = 0
		clear(z)
		return m
	}
	for i, v := range x {
		z[i] = (v - m.mean) / m.sd
	}
	return m
}

// fillRows sets the row vectors. If there are more rows than points, it selects evenly spaced ones
// in the order of the target.
func (s Shape) fillRows(cols []column, r *regression, v *Vectors) {
	y, n, points := &cols[len(cols)-1], len(cols[0].raw), s.points()
	for p := range min(n, points) {
		i := quantile(p, n, points)
		v.RowMask[p] = true
		out := writer{v.Rows[p*s.RowDim() : (p+1)*s.RowDim()]}
		for c := range s.cols() {
			if c >= len(cols)-1 {
				out.skip(perCell)
				continue
			}
			x := &cols[c]
			out.put(x.sign[i], x.log[i]/3, x.std[i], x.raw[i]/clip, math.Sin(x.raw[i]), math.Cos(x.raw[i]))
		}
		out.put(y.sign[i], (y.log[i]-y.logs.mean)/2, ratio(y.raw[i], y.rms), y.std[i])
		for f := range fits {
			out.put(r.residual[f][i])
		}
	}
}

// quantile returns the index, among the n sorted rows, of the row that represents point p. points
// is the number of points.
func quantile(p, n, points int) int {
	if n <= points {
		return p
	}
	return (2*p + 1) * n / (2 * points)
}

// fillRaw sets the vectors of a Raw shape. A row vector has the values of the row, with the target
// in the last element, divided by its root mean square. A column vector says whether the column
// exists, and has its unit.
func (s Shape) fillRaw(t *Table, cols []column, v *Vectors) {
	last := len(cols) - 1
	slot := func(c int) int {
		if c == last {
			return s.cols()
		}
		return c
	}
	n := len(cols[0].raw)
	for p := range min(n, s.points()) {
		i := quantile(p, n, s.points())
		v.RowMask[p] = true
		for c := range cols {
			out := writer{v.Rows[p*s.RowDim()+slot(c):]}
			if c == last {
				out.put(ratio(cols[c].raw[i], cols[c].rms))
			} else {
				out.put(cols[c].raw[i] / clip)
			}
		}
	}
	for c := range cols {
		v.ColMask[slot(c)] = true
		out := writer{v.Cols[slot(c)*s.ColDim() : (slot(c)+1)*s.ColDim()]}
		out.put(1)
		s.putUnits(&out, t, c, last)
	}
}

// fillCols sets the column vectors. That of the target is in the last slot.
func (s Shape) fillCols(t *Table, cols []column, r *regression, v *Vectors) {
	last := len(cols) - 1
	for c := range cols {
		slot := c
		if c == last {
			slot = s.cols()
		}
		v.ColMask[slot] = true
		out := writer{v.Cols[slot*s.ColDim() : (slot+1)*s.ColDim()]}
		for i := range s.cols() + 1 {
			out.put(one(i == slot))
		}
		s.putUnits(&out, t, c, last)
		x := &cols[c]
		out.put(1, math.Log(math.Max(x.rms, 1e-30))/3, ratio(x.value.mean, x.rms), ratio(x.value.sd, x.rms), x.logs.mean/3, x.logs.sd/2,
			x.negative, x.int, float64(last)/float64(s.cols()))
		if c == last {
			out.skip(slopes + curvatures*s.cols())
			for f := range goodness {
				out.put(r.goodness[f])
			}
			out.put(math.Log10(float64(len(x.raw)+1))/3, one(x.negative == 0))
			continue
		}
		for f := range slopes {
			out.put(r.slope[f][c])
		}
		for f := range curvatures {
			for k := range s.cols() {
				if k < last {
					out.put(3 * r.curvature[f][c][k])
				} else {
					out.skip(1)
				}
			}
		}
		out.skip(goodness)
		// If the law is a monomial, this number is half the exponent of the column.
		out.put(ratio(r.slope[3][c]*cols[last].logs.sd, x.logs.sd)/2, one(x.value.sd == 0))
	}
}

// putUnits appends half the exponents of the base units of column c, or zeros if they are unknown.
func (s Shape) putUnits(out *writer, t *Table, c, last int) {
	if !t.Units || t.Dims == nil {
		out.skip(dimensions)
		return
	}
	d := t.Target
	if c < last {
		d = t.Dims[c]
	}
	for _, e := range d {
		out.put(float64(e.Num()) / float64(e.Den()) / 2)
	}
}

// writer appends numbers to a vector, clipped to [-clip, clip] so that no outlier dominates.
type writer struct{ to []float32 }

// put appends values; NaN becomes 0.
func (w *writer) put(values ...float64) {
	for i, v := range values {
		if math.IsNaN(v) {
			v = 0
		}
		w.to[i] = float32(math.Min(math.Max(v, -clip), clip))
	}
	w.to = w.to[len(values):]
}

// skip leaves the next n values zero.
func (w *writer) skip(n int) { w.to = w.to[n:] }

// one returns 1 for true and 0 for false.
func one(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// ratio returns a/b, or 0 if b is 0.
func ratio(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}
