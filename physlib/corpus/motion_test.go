package corpus

import "testing"

// The suites of trajectories: how many systems and laws, each law a rate of a measured state, no
// system in both, and every start as long as the states need.
func TestMotions(t *testing.T) {
	seen := map[string]string{}
	for _, c := range []struct {
		suite         string
		systems, laws int
	}{{"motion", 22, 34}, {"motion-more", 19, 32}, {"motion-held-out", 24, 49}, {"strogatz", 7, 14}} {
		all, err := Motions(c.suite)
		if err != nil {
			t.Fatal(err)
		}
		laws := 0
		for _, m := range all {
			laws += len(m.Laws)
			if other := seen[m.ID]; other != "" {
				t.Errorf("%s is in %s and %s", m.ID, other, c.suite)
			}
			seen[m.ID] = c.suite
			for _, s := range m.Starts {
				if len(s) != m.Order*len(m.States) {
					t.Errorf("%s: start %v of %d states, order %d", m.ID, s, len(m.States), m.Order)
				}
			}
			for _, p := range m.Laws {
				if _, err := p.Tree(); err != nil {
					t.Errorf("%s: %v", p.ID, err)
				}
			}
		}
		if laws != c.laws || len(all) != c.systems {
			t.Errorf("%s: %d systems with %d laws, want %d with %d", c.suite, len(all), laws, c.systems, c.laws)
		}
	}
}
