package motion

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
)

// A hot body cools by radiation and convection, dT/dt = 2.6 − 0.24·T − 0.0063·T⁴, measured with
// errors of 1 %. A power of 7/2 fits nearly as well. The two terms T and T⁴ are proposed in its
// place, with coefficients near the true ones.
func TestResummed(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	table := &dataset.Table{Name: "ingot.csv", Vars: []dataset.Column{{Name: "run"}, {Name: "t"}}, Target: dataset.Column{Name: "T"}}
	rate := func(T float64) float64 { return 2.6 - 0.24*T - 0.0063*T*T*T*T }
	for run, T := range []float64{8.4, 0.3} {
		const step, parts = 0.0155, 20
		for i := range 260 {
			row := []float64{float64(run), step * float64(i)}
			for k, v := range row {
				table.Vars[k].Values = append(table.Vars[k].Values, v)
			}
			table.Target.Values = append(table.Target.Values, T+0.04*rng.NormFloat64())
			for range parts {
				h := step / parts
				T += h * rate(T+h/2*rate(T))
			}
		}
	}
	tr, _, err := Read(table, Options{Group: "run"})
	if err != nil {
		t.Fatal(err)
	}
	d := tr.data(context.Background(), nil)
	sr := &searcher{tr: tr, d: d, names: []string{"T"}}
	law := mustParse("c0 + c1*T**(7/2)", "T").WithStarts([]float64{2.2, -0.017})
	wins := d.windowsOf(259)
	shot := d.shoot(sr.field([]expr.Tree{law}), wins, 1e-7, 15, nil, nil)
	law = law.WithStarts(shot.Params)
	sr.shot, sr.best = shot, []*candidate{sr.newCandidate(0, law, "")}
	g := sr.newTangent(t.Context(), sr.field([]expr.Tree{law}), shot, wins)
	if g == nil {
		t.Fatal("no tangent")
	}
	want := mustParse("c0 + c1*T**4 + c2*T", "T")
	for _, s := range sr.resummed(t.Context(), 0, g) {
		if s.Simplify().Hash() != want.Simplify().Hash() {
			continue
		}
		v := []float64{0}
		expr.Compile(s).Eval(v, [][]float64{{3}}, s.Params())
		if off := math.Abs(v[0] - rate(3)); off > 0.1 {
			t.Errorf("%s is off by %.3f at T = 3", s.Bind(s.Params()).Infix(sr.names), off)
		}
		return
	}
	t.Errorf("T and T⁴ are not among the %d laws proposed", len(sr.resummed(t.Context(), 0, g)))
}
