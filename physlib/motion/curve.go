package motion

const (
	// A curve through more neighbouring rows is used if it predicts the values of an input with at
	// most this share of the squared error.
	curvedShare = 0.25
	// Least number of predictions for that decision.
	leastPredicted = 8
	// Largest number of rows through which a curve passes.
	mostCurved = 6
)

// curveInputs decides which inputs follow a smooth curve between the rows. Each value is predicted
// from its neighbours, by a straight line and by polynomials through four and six rows. If an input
// jumps, has corners or errors, straight lines predict it as well.
func (d *data) curveInputs() {
	d.curved = make([]int, d.numMeasured())
	for k := d.numMeasured() - d.inputs; k < d.numMeasured(); k++ {
		d.curved[k] = 2
		for points := 4; points <= mostCurved && !d.switched(k); points += 2 {
			if n, fewer, more := d.predictions(k, points); n < leastPredicted || !(more <= curvedShare*fewer) {
				break
			}
			d.curved[k] = points
		}
	}
}

// predictions predicts the values of input k, each from the polynomial through every second of the
// neighbouring rows. It returns the number of predictions, and their squared errors with points-2
// rows and with the given number of rows.
func (d *data) predictions(k, points int) (n int, fewer, more float64) {
	for i := range d.runs {
		r := &d.runs[i]
		for row := points - 1; row < len(r.t)-points+1; row++ {
			var rows []int
			for distance := 1; distance < points; distance += 2 {
				rows = append(rows, row-distance, row+distance)
			}
			off := func(points int) float64 { return r.x[k][row] - through(r, k, row, rows[:points]...)[0] }
			fewer += off(points-2) * off(points-2)
			more += off(points) * off(points)
			n++
		}
	}
	return n, fewer, more
}

// curve returns the polynomial through the values of state k in the rows nearest to the interval
// [row, row+1]. points is the number of these rows.
func curve(r *run, k, row, points int) quintic {
	first := max(0, min(row-points/2+1, len(r.t)-points))
	var rows []int
	for i := first; i < min(first+points, len(r.t)); i++ {
		rows = append(rows, i)
	}
	return through(r, k, row, rows...)
}

// through returns the polynomial through the values of state k at rows, which are at most six. Its
// argument is the time since the row from, in units of the time to the next row.
func through(r *run, k, from int, rows ...int) (q quintic) {
	step := r.t[from+1] - r.t[from]
	at, c := make([]float64, len(rows)), make([]float64, len(rows))
	for i, row := range rows {
		at[i], c[i] = (r.t[row]-r.t[from])/step, r.x[k][row]
	}
	for order := 1; order < len(c); order++ { // divided differences, by Newton
		for i := len(c) - 1; i >= order; i-- {
			c[i] = (c[i] - c[i-1]) / (at[i] - at[i-order])
		}
	}
	for i := len(c) - 1; i >= 0; i-- { // q ← c[i] + (θ − at[i])·q
		for p := len(q) - 1; p >= 0; p-- {
			q[p] *= -at[i]
			if p > 0 {
				q[p] += q[p-1]
			}
		}
		q[0] += c[i]
	}
	return q
}
