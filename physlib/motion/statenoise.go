package motion

import "math"

// noise returns an estimate of the standard deviation of the errors of state k, over all runs.
func (tr *Trajectories) noise(k int) float64 {
	sum := 0.0
	for _, r := range tr.Runs {
		e := Noise(tr.Time.Values[r[0]:r[1]], tr.States[k].Values[r[0]:r[1]])
		sum += e * e * float64(r[1]-r[0])
	}
	return math.Sqrt(sum / float64(tr.Rows()))
}

// rounding returns the root mean square of the rounding errors of state k. Rounded times contribute
// their errors times the derivative of the state. The estimate of the noise may be smaller, since
// it is a median, and most rows may have much smaller rounding errors than the others.
func (tr *Trajectories) rounding(k int) float64 {
	times, x := tr.Time.Values, tr.States[k].Values
	ofTime, ofState := tr.Time.Rounding(), tr.States[k].Rounding()
	squares := 0.0
	for _, r := range tr.Runs {
		for i := r[0]; i < r[1]; i++ {
			if ofState != nil {
				squares += ofState[i] * ofState[i]
			}
			before, after := max(i-1, r[0]), min(i+1, r[1]-1)
			if ofTime != nil && times[after] > times[before] {
				e := ofTime[i] * (x[after] - x[before]) / (times[after] - times[before])
				squares += e * e
			}
		}
	}
	return math.Sqrt(squares / float64(tr.Rows()))
}
