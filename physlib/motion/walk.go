package motion

import "math"

// leastForecasts is the smallest number of forecasts that are compared with a random walk.
const leastForecasts = 8

// wanders reports whether state k moves like a random walk, so that its law in e explains nothing.
// The expected future value of a walk is the present value. The errors of this expectation are
// compared with those of forecasts by the system f, from measured states over one or several steps.
// The law must shorten the description of the errors of such forecasts by more bits than it costs.
// The test uses past values only, since a fit to windows of a walk follows parts of its steps. Laws
// that leave no more than noise are not tested, and neither are laws of the second order.
func (sr *searcher) wanders(k int, f *Field, e Equation) bool {
	if sr.d.order != 1 || e.Error <= aboveNoise*sr.scatter(k) {
		return false
	}
	longest := sr.d.ladder()
	for lag := 1; lag <= longest[len(longest)-1]; lag *= 2 {
		n, still, off := sr.forecastErrors(k, f, lag)
		if n < leastForecasts {
			break
		}
		price := e.Law.Complexity + float64(e.Law.Tree.NumParams())*math.Log2(n)/2
		if n/2*math.Log2(still/off) > price {
			return false
		}
	}
	return true
}

// forecastErrors returns the number of forecasts of state k over about lag steps, and two sums of
// their squared errors: if the state is expected to stay as it is, and if it follows f. If a
// forecast leaves the domain of f, the state is expected to stay in that case, too.
func (sr *searcher) forecastErrors(k int, f *Field, lag int) (n, still, off float64) {
	wins := sr.d.windows(lag, math.MaxInt)
	s := &trajectoryFit{starts: make([][]float64, f.states)}
	for _, w := range wins {
		for j := range s.starts {
			s.starts[j] = append(s.starts[j], sr.d.runs[w.run].x[j][w.at])
		}
	}
	for _, w := range sr.trace(f, s, wins) {
		x := sr.d.runs[w.run].x[k]
		moved, left := x[w.at+w.n]-x[w.at], x[w.at+w.n]-w.x[k][w.n]
		if left-left != 0 {
			left = moved
		}
		n, still, off = n+1, still+moved*moved, off+left*left
	}
	return n, still, off
}
