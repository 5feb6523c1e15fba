package law

import (
	"math"
	"strconv"
)

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

// nearOne is the difference from 1 below which R² is written as 1 − x.
const nearOne = 1e-6

// FormatR2 returns R² for a column of a table, with six decimals. If it is within 1e-6 of 1, it is
// written as 1 − x, where x has one digit.
func FormatR2(r2 float64) string {
	switch miss := 1 - r2; {
	case math.IsNaN(r2):
		return "–"
	case miss == 0:
		return "1"
	case miss > 0 && miss < nearOne:
		return "1 − " + strconv.FormatFloat(miss, 'g', 1, 64)
	}
	return strconv.FormatFloat(r2, 'f', 6, 64)
}

// ShortR2 returns R² for a sentence, with the given number of significant digits. There are more if
// R² would be rounded to 1, as in 0.99996. If it is within 1e-6 of 1, it is written as by FormatR2.
func ShortR2(r2 float64, digits int) string {
	if !(1-r2 >= nearOne) {
		return FormatR2(r2)
	}
	text := strconv.FormatFloat(r2, 'g', digits, 64)
	for ; text == "1"; digits++ {
		text = strconv.FormatFloat(r2, 'g', digits+1, 64)
	}
	return text
}
