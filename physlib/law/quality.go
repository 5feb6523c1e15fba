package law

import "math"

// Quality returns the root mean square of the residuals and R², the fraction of the target's
// variance that a law explains. rss is the sum of the squared residuals.
func Quality(rss float64, y []float64) (rmse, r2 float64) {
	mean, tss, n := 0.0, 0.0, float64(len(y))
	for _, v := range y {
		mean += v / n
	}
	for _, v := range y {
		tss += (v - mean) * (v - mean)
	}
	return math.Sqrt(rss / n), 1 - rss/tss
}
