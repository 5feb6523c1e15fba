package search

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// naive solves min ‖Σ coefᵢ colsᵢ - t‖ by QR and returns what is left, relative to ‖t‖, and the
// standard errors.
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

// joinOf asks which features of a pool, beside base, give the values of a law.
func joinOf(t *testing.T, law string, weights bool) (*join, *pool) {
	t.Helper()
	problem := sampled(t, law, "a:1:3 b:0.5:2 c:1:2", 300)
	p := poolOf(problem, 64, 400, 9)
	n := p.s.points()
	var omega []float64
	if weights {
		rng := rand.New(rand.NewPCG(9, 9))
		for range n {
			omega = append(omega, 0.2+rng.Float64())
		}
	}
	j := newJoin(p.s, p, p.s.y, [][]float64{ones(n)}, omega)
	for i := range p.nodes {
		j.add(feature{role: asTerm, atom: int32(i), pow: 2, cost: int(p.nodes[i].cost)})
	}
	return j, p
}

// columnsOf are the weighted rows of the base and the features.
func (j *join) columnsOf(feats []int32) (cols [][]float64) {
	cols = append(cols, j.base...)
	for _, f := range feats {
		v := make([]float64, j.s.points())
		j.row(v, j.feats[f])
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
				if f := int32(rng.IntN(len(j.feats))); !slices.Contains(feats, f) {
					feats = append(feats, f)
				}
			}
			coef, stderr, left := naive(t, j.columnsOf(feats), j.t)
			c := j.score(feats, j.projected([][]int32{feats}))
			if got := math.Sqrt(c.miss) * j.residual(); math.Abs(got-left) > 1e-6*left {
				t.Errorf("weights %v, features %v leave %g, want %g", weights, feats, got, left)
			}
			mine, se, ok := j.solve(feats)
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
			for name, found := range map[string][]combo{
				"pairs": j.pairs(ctx, len(j.feats), 50),
				"rect":  append(j.rect(ctx, 60, 50), j.pairs(ctx, 60, 50)...),
			} {
				best := slices.MinFunc(found, func(a, b combo) int {
					if a.miss < b.miss {
						return -1
					}
					return 1
				})
				if !j.exact(best, 1e-9) {
					t.Errorf("%s, weights %v: the best of %s leaves %.1e", law, weights, name, math.Sqrt(best.miss)*j.residual())
				}
			}
		}
	}
}

func TestJoinFindsTriples(t *testing.T) {
	j, _ := joinOf(t, "1 + 2*a*b - 5*sin(c) + 0.4*exp(a)", false)
	ctx := context.Background()
	if found := j.triples(ctx, len(j.feats), 50); len(found) == 0 || !j.exact(found[0], 1e-9) {
		t.Error("no exact triple")
	}
	pairs := j.pairs(ctx, len(j.feats), 50)
	if found := j.extend(ctx, pairs, 50); len(found) == 0 || len(found[0].feats) != 3 {
		t.Error("pairs were not extended")
	} else if found[0].miss > pairs[0].miss {
		t.Errorf("a third feature leaves more: %g, not %g", found[0].miss, pairs[0].miss)
	}
}

func TestJoinRefusesUselessFeatures(t *testing.T) {
	problem := sampled(t, "a*b", "a:-1:1 b:0.5:2", 300)
	p := poolOf(problem, 64, 50, 9)
	j := newJoin(p.s, p, p.s.y, [][]float64{p.val(0)}, nil)
	if j.add(feature{role: asTerm, atom: 0, pow: 2}) {
		t.Error("took what lies in the base")
	}
	if !j.add(feature{role: asTerm, atom: 1, pow: 2}) || j.add(feature{role: asTerm, atom: 1, pow: 2}) {
		t.Error("took a feature twice, or not at all")
	}
	if j.add(feature{role: asTerm, m: mono{3, 0}, atom: -1}) {
		t.Error("took the root of negative numbers")
	}
	if len(j.feats) != 1 || len(j.r) != 1 || j.rows.N != 1 {
		t.Errorf("holds %d features, %d correlations, %d rows", len(j.feats), len(j.r), j.rows.N)
	}
}

func TestLeastSquaresOfDependentColumns(t *testing.T) {
	x := []float64{1, 2, 3, 4, 5}
	double := []float64{2, 4, 6, 8, 10}
	coef, _, ok := leastSquares([][]float64{ones(5), x, double}, []float64{5, 8, 11, 14, 17})
	if !ok || math.Abs(coef[0]-2) > 1e-12 || math.Abs(coef[1]-3) > 1e-12 || coef[2] != 0 {
		t.Errorf("coefficients %v, %v", coef, ok)
	}
	if _, _, ok := leastSquares([][]float64{make([]float64, 5)}, x); ok {
		t.Error("a column of zeros explains something")
	}
}
