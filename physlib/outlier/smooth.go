package outlier

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// fitOf is a smooth function of the columns that was fitted to the target, with its residuals.
type fitOf struct {
	value []float64 // values of the function
	res   []float64 // residuals in units of the target's spread; +Inf if the target is NaN
	scale float64   // standard deviation of res, estimated from the median
	log   bool      // the target is the logarithm of y
}

// smoothest returns the fit of the target or of its logarithm with the smallest residuals. ok is
// false if there is no fit.
func smoothest(cols [][]float64, y []float64) (least fitOf, ok bool) {
	for _, x := range bases(cols) {
		for _, log := range []bool{false, true} {
			target := y
			if log {
				target = logs(y)
			}
			if f, fits := smooth(x, target); fits && (!ok || f.scale < least.scale) {
				f.log = log
				least, ok = f, true
			}
		}
	}
	return least, ok
}

// logs returns the logarithms of v, or of -v if the median is negative. The result is NaN for
// values with the other sign. logs returns nil if there are too many such values to be exceptions.
func logs(v []float64) []float64 {
	sign := math.Copysign(1, median(slices.Clone(v)))
	out, none := make([]float64, len(v)), 0
	for i, x := range v {
		if out[i] = math.Log(sign * x); math.IsNaN(out[i]) || math.IsInf(out[i], 0) {
			out[i] = math.NaN()
			none++
		}
	}
	if none > Most(len(v)) {
		return nil
	}
	return out
}

// bases returns three lists of columns: the columns that vary, their logarithms, and their ranks.
// If there are too many columns for a polynomial of first degree, it returns one list without
// columns.
func bases(cols [][]float64) (all [][][]float64) {
	if vary := varying(cols); len(vary) > 0 && len(terms(len(vary), len(cols[0]))) == 1 {
		return [][][]float64{{}}
	}
	plain, log, rank := make([][]float64, 0, len(cols)), make([][]float64, 0, len(cols)), make([][]float64, 0, len(cols))
	for _, c := range varying(cols) {
		plain, rank = append(plain, standard(c)), append(rank, ranks(c))
		if l := logs(c); l != nil && !slices.ContainsFunc(l, math.IsNaN) {
			log = append(log, standard(l))
		} else {
			log = append(log, standard(c))
		}
	}
	if len(plain) == 0 {
		return nil
	}
	return [][][]float64{plain, log, rank}
}

// varying returns the columns that have more than one value.
func varying(cols [][]float64) (out [][]float64) {
	for _, c := range cols {
		if slices.Min(c) != slices.Max(c) {
			out = append(out, c)
		}
	}
	return out
}

// standard returns c minus its median, divided by its spread, or by its largest deviation if the
// spread is 0.
func standard(c []float64) []float64 {
	m, s := median(slices.Clone(c)), Spread(c)
	out := make([]float64, len(c))
	for i, v := range c {
		out[i] = v - m
	}
	if !(s > 0) {
		s = floats.Norm(out, math.Inf(1))
	}
	floats.Scale(1/s, out)
	return out
}

// ranks returns the rank of each value, scaled to the range from -1 to 1. Equal values have equal
// ranks.
func ranks(c []float64) []float64 {
	sorted := slices.Clone(c)
	slices.Sort(sorted)
	sorted = slices.Compact(sorted)
	out := make([]float64, len(c))
	for i, v := range c {
		at, _ := slices.BinarySearch(sorted, v)
		out[i] = 2*float64(at)/float64(len(sorted)-1) - 1
	}
	return out
}

// term is the product of a column and an earlier term, whose index is in the field of. The first
// term is the constant 1.
type term struct{ of, column int }

// terms returns the terms of a polynomial in the given number of columns. Its degree is the highest
// degree, up to four, for which there are at least five rows per term.
func terms(columns, rows int) []term {
	all := []term{{}}
	from := 0 // index of the first term of the highest degree so far
	for range 4 {
		end := len(all)
		next := all
		for of := from; of < end; of++ {
			for k := all[of].column; k < columns; k++ {
				next = append(next, term{of, k})
			}
		}
		if len(next) > min(rows/5, mostTerms) {
			break
		}
		all, from = next, end
	}
	return all
}

// values stores the values of the terms in row i of the columns x in the slice into.
func values(into []float64, all []term, x [][]float64, i int) {
	into[0] = 1
	for k, t := range all[1:] {
		into[k+1] = into[t.of] * x[t.column][i]
	}
}

// smooth fits y by least absolute deviations, which are minimized by reweighted least squares. ok
// is false if y is nil or has no spread.
func smooth(x [][]float64, y []float64) (f fitOf, ok bool) {
	if y == nil {
		return f, false
	}
	known := make([]float64, 0, len(y))
	for _, v := range y {
		if !math.IsNaN(v) {
			known = append(known, v)
		}
	}
	spread := Spread(known)
	if !(spread > 0) || math.IsInf(spread, 0) {
		return f, false
	}
	n, all := len(y), terms(len(x), len(y))
	var rows [][]float64
	var target []float64
	for i := 0; i < n; i += (n-1)/mostFitted + 1 {
		if !math.IsNaN(y[i]) {
			row := make([]float64, len(all))
			values(row, all, x, i)
			rows, target = append(rows, row), append(target, y[i])
		}
	}
	beta, ok := deviations(rows, target, spread)
	if !ok {
		return f, false
	}
	row := make([]float64, len(all))
	size := make([]float64, 0, n)
	f.value, f.res = make([]float64, n), make([]float64, n)
	for i, v := range y {
		values(row, all, x, i)
		f.value[i] = floats.Dot(row, beta)
		f.res[i] = (v - f.value[i]) / spread
		if math.IsNaN(f.res[i]) {
			f.res[i] = math.Inf(1)
			continue
		}
		size = append(size, math.Abs(f.res[i]))
	}
	slices.Sort(size)
	// A fit passes exactly through as many rows as it has terms.
	size = size[min(len(all), len(size)-1):]
	f.scale = 1.4826 * size[len(size)/2]
	return f, true
}

// deviations returns the coefficients β that minimize Σ|y - row·β|. For deviations below 10⁻⁶ of
// spread, a square is used in place of the absolute value.
func deviations(rows [][]float64, y []float64, spread float64) (beta []float64, ok bool) {
	n := len(rows[0])
	beta = make([]float64, n)
	normal, right := mat.NewSymDense(n, nil), mat.NewVecDense(n, nil)
	for iteration := range iterations {
		normal.Zero()
		right.Zero()
		for i, row := range rows {
			w := 1.0
			if iteration > 0 {
				w = 1 / max(math.Abs(y[i]-floats.Dot(row, beta))/spread, 1e-6)
			}
			v := mat.NewVecDense(n, row)
			normal.SymRankOne(normal, w, v)
			right.AddScaledVec(right, w*y[i], v)
		}
		for k := range n {
			normal.SetSym(k, k, normal.At(k, k)*(1+1e-9)+1e-300)
		}
		var c mat.Cholesky
		if !c.Factorize(normal) || c.SolveVecTo(mat.NewVecDense(n, beta), right) != nil {
			return nil, false
		}
	}
	return beta, true
}

// crowded reports whether most of the given rows belong to a peak. A row belongs to a peak if its
// nearest neighbour is also among the given rows and has a residual of the same sign.
func crowded(cols [][]float64, res []float64, rows []int) bool {
	x := varying(cols)
	for k, c := range x {
		x[k] = ranks(c)
	}
	near, tested := 0, 0
	for k := 0; k < len(rows); k += len(rows)/mostExamined + 1 {
		i := rows[k]
		tested++
		at := Nearest(x, i, len(res))
		if at >= 0 && slices.Contains(rows, at) && math.Signbit(res[i]) == math.Signbit(res[at]) {
			near++
		}
	}
	return 2*near > tested
}

// Nearest returns the row that is nearest to row i, other than i itself. It considers the rows from
// 0 to rows-1. It returns -1 if no row is at a finite distance.
func Nearest(cols [][]float64, i, rows int) (at int) {
	best := math.Inf(1)
	at = -1
	for k := range rows {
		if k == i {
			continue
		}
		d := 0.0
		for _, c := range cols {
			d += (c[i] - c[k]) * (c[i] - c[k])
		}
		if d < best {
			best, at = d, k
		}
	}
	return at
}
