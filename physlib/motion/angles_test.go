package motion

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/expr"
)

// Sines and cosines of an angle are exchanged for powers of the angle, and the reverse, also in
// products and in denominators. A lower power may be added or removed at the same time.
func TestExchangedWaves(t *testing.T) {
	names := []string{"a", "v"}
	cols := [][]float64{{-1, -0.5, 0.2, 0.7, 1.1, 1.3}, {1, 3, 2, 5, 4, 1}}
	started := func(t expr.Tree) expr.Tree { return t.WithStarts([]float64{1, -0.4, 0.7}[:t.NumParams()]) }
	for text, want := range map[string][]string{
		"c0*v + c1*v*a**2":     {"c0*v*cos(a)", "c0*v + c1*v*cos(a)"},
		"c0*a + c1*a**3 + v":   {"c0*sin(a) + v", "c0*a + c1*sin(a) + v"},
		"c0*cos(a) + c1*v":     {"c0*a**2 + c1*v", "c0 + c1*a**2 + c2*v"},
		"c0*v*sin(a)":          {"c0*v*a", "c0*v*a + c1*v*a**3"},
		"c0*a**2 + c1*v*a**3":  {"c0*cos(a) + c1*v*sin(a)"},
		"v/(c0 + c1*a**2 + v)": {"v/(c0 + c1*cos(a) + v)"},
	} {
		law := started(parse(t, text, names...))
		found := map[uint64]bool{}
		for _, e := range exchangedTwice(law, []angle{{0, expr.X(0), false}}, cols) {
			found[shape(e, cols)] = true
		}
		for _, w := range want {
			if !found[shape(started(parse(t, w, names...)), cols)] {
				t.Errorf("%s does not become %s", text, w)
			}
		}
		if found[shape(law, cols)] {
			t.Errorf("%s is an exchange of itself", text)
		}
	}
}

// steered returns two runs of a speed v and an angle a with errors of 1 %. law is the right-hand
// side of dv/dt. The runs start at the angles -swing and swing, in radians.
func steered(law string, swing float64, seed uint64) *dataset.Table {
	names := []string{"v", "a"}
	f := NewField([]expr.Tree{mustParse(law, names...), mustParse("1.2*v - 0.9*a", names...)}, 0, false)
	rng := rand.New(rand.NewPCG(21, seed))
	at := times(200, 0.06, 0, rng)
	cols := make([][]float64, 4)
	for run, start := range [][]float64{{1, -swing}, {-0.5, swing}} {
		cols[0] = append(cols[0], slices.Repeat([]float64{float64(run)}, len(at))...)
		cols[1] = append(cols[1], at...)
		for c, v := range Simulate(f, start, at, nil) {
			cols[2+c] = append(cols[2+c], v...)
		}
	}
	table := &dataset.Table{Name: "steered.csv"}
	for c, v := range cols {
		if c > 1 {
			size := 0.01 * math.Sqrt(dot(v, v)/float64(len(v)))
			for i := range v {
				v[i] += size * rng.NormFloat64()
			}
		}
		table.Vars = append(table.Vars, dataset.Column{Name: append([]string{"run", "t"}, names...)[c], Values: v})
	}
	table.Target, table.Vars = table.Vars[3], table.Vars[:3]
	return table
}

// A law is not called likely if a power of an angle fits nearly as well as its cosine.
func TestPowerOfAngleIsRival(t *testing.T) {
	noEngine(t)
	res := discovered(t, steered("3*cos(a) - 3*v", 0.5, 1), Options{Group: "run"})
	e := res.Equations[0]
	if text := e.Law.Tree.Infix(e.Law.Vars); !strings.Contains(text, "cos(a)") || e.Probability > discover.LikelyThreshold {
		t.Errorf("found %s, %s", text, e.Verdict)
	}
}

// A power of an angle in a product is replaced by a cosine if the cosine describes the trajectories
// better.
func TestPowerBecomesCosine(t *testing.T) {
	tr, _, err := Read(steered("-4*a - v**2*cos(a)", 1.8, 3), Options{Group: "run"})
	if err != nil {
		t.Fatal(err)
	}
	sr := &searcher{tr: tr, d: tr.data(t.Context(), nil), names: []string{"v", "a"}, pools: make([]pool, 2)}
	for k, text := range []string{"c0*a + c1*v**2 + c2*v**2*a**2", "c0*v + c1*a"} {
		law := mustParse(text, sr.names...).WithStarts([]float64{-4, -1, 0.5}[:2+(1-k)])
		c := sr.newCandidate(k, law, "test")
		sr.pools[k] = pool{list: []*candidate{c}, seen: map[uint64]*candidate{law.Hash(): c}}
		sr.best = append(sr.best, c)
	}
	lengths := sr.d.ladder()
	sr.windowLength = lengths[len(lengths)-1]
	sr.wins = sr.d.windowsOf(sr.windowLength)
	sr.together(t.Context(), 0, nil)
	sr.improve(t.Context(), mostImprovements)
	if text := sr.best[0].tree.Infix(sr.names); !strings.Contains(text, "cos(a)") || strings.Contains(text, "a**2") {
		t.Errorf("the law became %s", text)
	}
}
