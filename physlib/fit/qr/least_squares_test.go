package qr

import (
	"math"
	"testing"
)

func TestLeastSquaresOfDependentColumns(t *testing.T) {
	x := []float64{1, 2, 3, 4, 5}
	double := []float64{2, 4, 6, 8, 10}
	coef, _, ok := LeastSquares([][]float64{{1, 1, 1, 1, 1}, x, double}, []float64{5, 8, 11, 14, 17})
	if !ok || math.Abs(coef[0]-2) > 1e-12 || math.Abs(coef[1]-3) > 1e-12 || coef[2] != 0 {
		t.Errorf("coefficients %v, %v", coef, ok)
	}
	if _, _, ok := LeastSquares([][]float64{make([]float64, 5)}, x); ok {
		t.Error("a column of zeros explains something")
	}
}
