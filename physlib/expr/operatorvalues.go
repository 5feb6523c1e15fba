package expr

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// chosen returns the derivatives of min or max with respect to x and y. first reports whether the
// result is x.
func chosen(first bool, x, y float64) (dx, dy float64) {
	switch {
	case math.IsNaN(x) || math.IsNaN(y):
		return math.NaN(), math.NaN()
	case first:
		return 1, 0
	}
	return 0, 1
}

// asin and acos are accurate near ±1, while those of package math lose digits there.
func asin(x float64) float64 { return math.Atan2(x, math.Sqrt((1-x)*(1+x))) }

func acos(x float64) float64 { return 2 * math.Atan2(math.Sqrt(1-x), math.Sqrt(1+x)) }

// turn returns the number that differs from x by a multiple of 2π and is closest to the number
// near.
func turn(x, near float64) float64 { return x + 2*math.Pi*math.Round((near-x)/(2*math.Pi)) }

func nearer(near, a, b float64) float64 {
	if math.Abs(a-near) <= math.Abs(b-near) {
		return a
	}
	return b
}

// sign1 returns -1, 0 or 1.
func sign1(x float64) float64 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return x // 0 or NaN
}

// sinc returns sin(x)/x, 1 at 0.
func sinc(x float64) float64 {
	switch {
	case x == 0:
		return 1
	case math.IsInf(x, 0):
		return 0
	}
	return math.Sin(x) / x
}

// sincSlope returns the derivative of sinc. Near 0 it uses the series, because terms of the formula
// cancel there.
func sincSlope(x float64) float64 {
	switch u := x * x; {
	case u < 0.01:
		return x * (-1./3 + u*(1./30+u*(-1./840+u/45360)))
	case math.IsInf(x, 0):
		return 0
	}
	return (math.Cos(x) - math.Sin(x)/x) / x
}

// trigamma returns the derivative of the digamma function. For x < 0, it uses the reflection
// formula. At the poles 0, -1, -2, …, it is infinite.
func trigamma(x float64) float64 {
	switch {
	case math.IsNaN(x) || math.IsInf(x, -1):
		return math.NaN()
	case x <= 0 && x == math.Trunc(x):
		return math.Inf(1)
	case x < 0:
		s := math.Pi / math.Sin(math.Pi*x)
		return s*s - mathext.Zeta(2, 1-x)
	}
	return mathext.Zeta(2, x)
}
