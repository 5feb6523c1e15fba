package search

import (
	"testing"

	"github.com/physlib/lab/physlib/search/searchtest"
)

// This law is found only because the variables are reduced by symmetries.
func TestSymmetricLaw(t *testing.T) {
	p := searchtest.Sampled(t, "m/((a - b)**2 + (c - d)**2 + (e - f)**2)", "m:1:2 a:3:4 b:1:2 c:3:4 d:1:2 e:3:4 f:1:2", 400)
	best, left := closest(&Search{Depth: 1}, p)
	if left > 1e-9 {
		t.Errorf("the residual of the best law is %.1e: %s", left, best)
	}
}

// Symmetries are found even if the table has too few rows to fit a polynomial.
func TestSymmetricFewRows(t *testing.T) {
	p := searchtest.Sampled(t, "d*sin(k*a*x/d)/(k*a*x)", "d:1:3 k:1:3 a:1:2 x:1:2", 50)
	joins := []Part{{View: ReducedVariables, Method: Joins}}
	best, left := closest(&Search{Only: joins}, p)
	if left > 1e-9 {
		t.Errorf("the residual of the best law is %.1e: %s", left, best)
	}
}
