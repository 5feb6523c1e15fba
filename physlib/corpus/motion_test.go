package corpus

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The suites of trajectories have the stated numbers of systems and laws. Each law is the rate of a
// measured state. No system is in two suites, and every start has a value for each state.
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

// A file in the form of motion.csv is a suite, too; other names are an error.
func TestMotionsOfFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "Mine.csv")
	rows := "id,system,name,output,law,order,starts,t_end,dt,v1_name,v1_low,v1_high\n" +
		"decay1,decay,Decay,dx_dt,-0.5*x,1,(2); (1),4,0.1,x,0.1,2\n"
	if err := os.WriteFile(file, []byte(rows), 0o600); err != nil {
		t.Fatal(err)
	}
	all, err := Motions(file)
	if err != nil || len(all) != 1 || len(all[0].Starts) != 2 || all[0].States[0] != "x" {
		t.Errorf("%+v, %v", all, err)
	}
	if err := os.WriteFile(file, []byte(strings.Replace(rows, ",4,", ",four,", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Motions(file); err == nil || !strings.Contains(err.Error(), "Mine.csv: line 2: t_end") {
		t.Errorf("error %v", err)
	}
	for _, name := range []string{"feynman", "missing.csv"} {
		if _, err := Motions(name); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}
