package match

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/physlib/lab/physlib/column"
	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/search/dictionary"
	"github.com/physlib/lab/physlib/search/searchtest"
	"github.com/physlib/lab/physlib/search/view"
)

// naive solves min ‖Σ coefᵢ colsᵢ - y‖ by a QR decomposition. It returns the coefficients, their
// standard errors, and the norm of the residual relative to ‖y‖.
func naive(t *testing.T, cols [][]float64, y []float64) (coef, stderr []float64, left float64) {
	t.Helper()
	a := mat.NewDense(len(y), len(cols), nil)
	for i, c := range cols {
		a.SetCol(i, c)
	}
	var x, r mat.VecDense
	b := mat.NewVecDense(len(y), slices.Clone(y))
	if err := x.SolveVec(a, b); err != nil {
		t.Fatal(err)
	}
	r.MulVec(a, &x)
	r.SubVec(b, &r)
	var ata, inv mat.Dense
	ata.Mul(a.T(), a)
	if err := inv.Inverse(&ata); err != nil {
		t.Fatal(err)
	}
	sigma2 := mat.Dot(&r, &r) / float64(len(y)-len(cols))
	for i := range cols {
		coef = append(coef, x.AtVec(i))
		stderr = append(stderr, math.Sqrt(sigma2*inv.At(i, i)))
	}
	return coef, stderr, mat.Norm(&r, 2) / mat.Norm(b, 2)
}

// poolOf returns a pool of the given size for a problem without units.
func poolOf(t *testing.T, problem *dataset.Problem, size int) *dictionary.Pool {
	s := view.NewSpace(problem, 64, false, nil)
	p := dictionary.NewPool(s, func(op expr.Op) bool { return !op.Operator().Rare }, false)
	p.Grow(t.Context(), size, 9)
	return p
}

// joinOf returns a join whose target is the values of a law, and the pool of its features.
func joinOf(t *testing.T, law string, weights bool) (*Join, *dictionary.Pool) {
	t.Helper()
	problem := searchtest.Sampled(t, law, "a:1:3 b:0.5:2 c:1:2", 300)
	p := poolOf(t, problem, 400)
	n := p.Space.Points()
	var omega []float64
	if weights {
		rng := rand.New(rand.NewPCG(9, 9))
		for range n {
			omega = append(omega, 0.2+rng.Float64())
		}
	}
	j := New(p.Space, p, p.Space.Y, [][]float64{column.Ones(n)}, omega)
	for i := range p.Len() {
		j.Add(dictionary.Feature{Role: dictionary.Term, Expr: int32(i), Half: 2, Cost: i})
	}
	return j, p
}

// columnsOf returns the weighted columns of the base and of the features.
func (j *Join) columnsOf(feats []int32) (cols [][]float64) {
	cols = append(cols, j.Base...)
	for _, f := range feats {
		v := make([]float64, j.s.Points())
		j.Row(v, j.Features[f])
		cols = append(cols, v)
	}
	return cols
}

func TestJoinScoresAsLeastSquares(t *testing.T) {
	for _, weights := range []bool{false, true} {
		j, _ := joinOf(t, "exp(a*b/2) + c**3*sin(3*a)", weights)
		rng := rand.New(rand.NewPCG(3, 1))
		for range 60 {
			var feats []int32
			for range 1 + rng.IntN(3) {
				if f := int32(rng.IntN(len(j.Features))); !slices.Contains(feats, f) {
					feats = append(feats, f)
				}
			}
			coef, stderr, left := naive(t, j.columnsOf(feats), j.Target)
			c := j.score(feats, j.projected([][]int32{feats}))
			if got := math.Sqrt(c.Miss) * j.Residual(); math.Abs(got-left) > 1e-6*left {
				t.Errorf("weights %v, features %v leave %g, want %g", weights, feats, got, left)
			}
			mine, se, ok := j.Solve(feats)
			if !ok {
				t.Errorf("weights %v, features %v: no solution", weights, feats)
				continue
			}
			for i := range coef {
				if math.Abs(mine[i]-coef[i]) > 1e-3*stderr[i]+1e-6*math.Abs(coef[i]) || math.Abs(se[i]-stderr[i]) > 1e-4*stderr[i] {
					t.Errorf("weights %v, features %v: coefficient %d is %g ± %g, want %g ± %g", weights, feats, i, mine[i], se[i], coef[i], stderr[i])
				}
			}
		}
	}
}

func TestJoinFindsTheExactPair(t *testing.T) {
	for _, weights := range []bool{false, true} {
		for _, law := range []string{"3 + 2*a*b - 5*sin(c)", "a**2 + 0.3*exp(b)", "0.001*sqrt(c) + 1000*log(a) - 7"} {
			j, _ := joinOf(t, law, weights)
			ctx := context.Background()
			if best := j.Pairs(ctx, len(j.Features), 50)[0]; !j.Exact(best, 1e-9) {
				t.Errorf("%s, weights %v: the best pair leaves %.1e", law, weights, math.Sqrt(best.Miss)*j.Residual())
			}
		}
	}
}

func TestJoinFindsTriples(t *testing.T) {
	j, _ := joinOf(t, "1 + 2*a*b - 5*sin(c) + 0.4*exp(a)", false)
	if found := j.Triples(100, 50); len(found) == 0 || !j.Exact(found[0], 1e-9) {
		t.Error("no exact triple")
	}
}

func TestJoinExtendsPairs(t *testing.T) {
	j, _ := joinOf(t, "1 + 2*a*b - 5*sin(c) + 0.4*exp(a)", false)
	pairs := j.Pairs(t.Context(), len(j.Features), 50)
	if found := j.Extend(pairs, 50); len(found) == 0 || len(found[0].Features) != 3 || !j.Exact(found[0], 1e-9) {
		t.Error("no exact triple")
	}
}

func TestJoinRefusesUselessFeatures(t *testing.T) {
	problem := searchtest.Sampled(t, "a*b", "a:-1:1 b:0.5:2", 300)
	p := poolOf(t, problem, 50)
	j := New(p.Space, p, p.Space.Y, [][]float64{p.Values(0)}, nil)
	if j.Add(dictionary.Feature{Role: dictionary.Term, Expr: 0, Half: 2}) {
		t.Error("took what lies in the base")
	}
	if !j.Add(dictionary.Feature{Role: dictionary.Term, Expr: 1, Half: 2}) || j.Add(dictionary.Feature{Role: dictionary.Term, Expr: 1, Half: 2}) {
		t.Error("took a feature twice, or not at all")
	}
	if j.Add(dictionary.Feature{Role: dictionary.Term, Monomial: view.Monomial{3, 0}, Expr: -1}) {
		t.Error("took the root of negative numbers")
	}
	if len(j.Features) != 1 || len(j.r) != 1 || j.rows.N != 1 {
		t.Errorf("holds %d features, %d correlations, %d rows", len(j.Features), len(j.r), j.rows.N)
	}
}
