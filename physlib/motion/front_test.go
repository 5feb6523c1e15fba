package motion

import (
	"math"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
)

// Laws of the front that were scored over windows of another length have no comparable score.
func TestFrontScores(t *testing.T) {
	x := cosine(100, 30, 0.01)
	tr, _, err := Read(&dataset.Table{Name: "a.csv", Vars: []dataset.Column{x.Time}, Target: x.States[0]}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	sr := &searcher{tr: tr, d: tr.data(t.Context(), nil), names: []string{"x"}, windowLength: 48, pools: make([]pool, 1)}
	for i, text := range []string{"c0", "c0*x", "c0*x + c1*x**2"} {
		c := sr.newCandidate(0, parse(t, text, "x").WithStarts([]float64{0.1, 0.1}), stepwiseName)
		c.windowLength, c.joint = []int{12, 48, 48}[i], 100
		c.shot = &trajectoryFit{Params: []float64{0.1, 0.1}, StdErr: []float64{1, 1}, RSS: []float64{1e5 / float64(i+1)}, Rows: 100, dof: 90, live: 1}
		sr.pools[0].list = append(sr.pools[0].list, c)
	}
	sr.best = []*candidate{sr.pools[0].list[1]}
	sr.shot = sr.best[0].shot
	front := sr.front(0)
	if len(front) != 3 {
		t.Fatalf("%d laws", len(front))
	}
	for i, l := range front {
		if same := sr.pools[0].list[i].windowLength == sr.windowLength; math.IsNaN(l.Score) == same {
			t.Errorf("%s: score %g", l.Tree.Infix([]string{"x"}), l.Score)
		}
	}
}

// The front has no law that is worse than the mean, and no second form of the chosen law.
func TestFrontUseful(t *testing.T) {
	sr := fitted(t, circuit(380), Options{Inputs: []string{"u"}}, "-0.6*i - 0.909*(vc - u)", "i/0.46")
	for _, text := range []string{"-3*sin(i - u)", "-0.1*i", "-0.6*i - 0.909*vc + 0.909*u", "-0.6*i - 0.909*(vc - u) + 0.00001*i**3", "i"} {
		c := sr.newCandidate(0, mustParse(text, sr.names...), stepwiseName)
		trial := append([]*candidate{c}, sr.best[1:]...)
		shot, score := sr.evaluate(trial, nil, nil)
		sr.note(0, c, shot, score)
		sr.pools[0].list = append(sr.pools[0].list, c)
	}
	sr.pools[0].list = append(sr.pools[0].list, sr.best[0])
	var texts []string
	for _, l := range sr.front(0) {
		texts = append(texts, l.Infix())
		if l.R2 < 0 {
			t.Errorf("%s has R² = %.3g", l.Infix(), l.R2)
		}
	}
	if len(texts) == 0 || texts[len(texts)-1] != sr.best[0].tree.Infix(sr.names) {
		t.Errorf("front %q", texts)
	}
}
