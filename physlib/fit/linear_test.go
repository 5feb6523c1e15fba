package fit

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/fit/qr"
	"gonum.org/v1/gonum/floats"
)

func TestLinearSlots(t *testing.T) {
	for _, c := range []struct {
		law  string
		want uint64
	}{
		{"x", 0},
		{"c0*x + c1", 0b11},
		{"c0 - (x - c1)/y", 0b11},
		{"-(c0*x)", 0b1},
		{"c0*exp(c1*x)", 0b01},
		{"c0*x/(c1 + x)", 0b01},
		{"c0*c1*x", 0b01}, // either one of c0 and c1
		{"c0*c0*x", 0},
		{"c0*x*(1 + c0)", 0},
		{"c0*x + sin(c0)", 0},
		{"c0*x + c0*y", 0b1},
		{"(c0 + x)*(c1 + c2*y)", 0b110}, // the pair c1 and c2
		{"(c0 + c1*x)/(1 + c2*x)", 0b011},
		{"x**c0", 0},
		{"(c0*x)**1", 0b1},
		{"sqrt(c0*x)", 0},
		{"1/(c0*x)", 0},
		{"(c0 + x)*(c1*y + exp(c2)) + c3", 0b1010},
	} {
		tree, err := expr.Parse(c.law, []string{"x", "y"})
		if err != nil {
			t.Fatal(err)
		}
		got := linearSlots(tree)
		if c.law == "c0*c1*x" && got == 0b10 {
			got = 0b01
		}
		if c.law == "(c0 + x)*(c1*y + exp(c2)) + c3" && got == 0b1001 {
			got = 0b1010
		}
		if got != c.want {
			t.Errorf("%s: %b, want %b", c.law, got, c.want)
		}
	}
}

// If all constants found are multiplied by the same number, the values of the tree change linearly
// with this number.
func FuzzLinearSlots(f *testing.F) {
	for _, s := range []string{"c0*x + c1", "c0*(x + c1)", "(c0 + x)*(c1 + c2*y)", "c0*exp(c1*x)/c2", "c0**2 + x**c1", "(c0*x)**1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, law string) {
		tree, err := expr.Parse(law, []string{"x", "y"})
		if err != nil || tree.NumParams() == 0 || tree.NumParams() > 6 || tree.Len() > 60 {
			return
		}
		set := linearSlots(tree)
		cols := [][]float64{{0.7, 1.3, 2.1}, {1.9, 0.4, 1.1}}
		p := expr.Compile(tree)
		at := func(scale float64) []float64 {
			params := make([]float64, tree.NumParams())
			for k := range params {
				params[k] = 0.5 + 0.3*float64(k)
				if set&(1<<k) != 0 {
					params[k] *= scale
				}
			}
			v := make([]float64, 3)
			p.Eval(v, cols, params)
			return v
		}
		a, b, c := at(1), at(2), at(3)
		for i := range a {
			if d := a[i] - 2*b[i] + c[i]; math.Abs(d) > 1e-9*(math.Abs(a[i])+math.Abs(b[i])+math.Abs(c[i])) {
				t.Errorf("%q: linear in %b, but %v, %v, %v", law, set, a[i], b[i], c[i])
			}
		}
	})
}

// The orthogonal factor gives the same least-squares solution as the normal equations, even if it
// is updated block by block.
func TestTriangle(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	const rows, k = 50, 4
	a := make([][]float64, k+1)
	for j := range a {
		a[j] = make([]float64, rows)
		for i := range a[j] {
			a[j][i] = rng.NormFloat64() * math.Pow(10, float64(7*j-10))
		}
	}
	gram := func(i, j int) float64 { return floats.Dot(a[i], a[j]) }
	columns := make([][]float64, k+1)
	for j := range columns {
		columns[j] = append([]float64(nil), a[j]...)
	}
	var tri qr.Triangle
	tri.Factor(columns)
	x := make([]float64, k)
	tri.Solve(x, k, k)
	for i := range k { // the residual is orthogonal to each column
		s, size := gram(i, k), math.Abs(gram(i, k))
		for j := range k {
			s -= gram(i, j) * x[j]
			size += math.Abs(gram(i, j) * x[j])
		}
		if math.Abs(s) > 1e-13*size {
			t.Errorf("column %d: %g of %g left", i, s, size)
		}
	}
	cov := make([]float64, k*k)
	tri.Covariance(cov, make([]float64, k*k), k)
	for i := range k { // cov·gram = 1
		for j := range k {
			s := 0.0
			for l := range k {
				s += cov[i*k+l] * gram(l, j)
			}
			want := 0.0
			if i == j {
				want = 1
			}
			if math.Abs(s-want)*math.Pow(10, float64(7*(i-j))) > 1e-10 {
				t.Errorf("cov·gram[%d][%d] = %g", i, j, s)
			}
		}
	}
}
