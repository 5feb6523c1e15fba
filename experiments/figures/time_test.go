package figures

import (
	"slices"
	"strings"
	"testing"

	"github.com/physlib/lab/physlib/bench"
	"github.com/physlib/lab/physlib/figure"
)

// A run counts if its data are clean, its Proposers are search and genetic programming, and it
// covers nearly all laws. A run with a network counts only where the suite has no other.
func TestTimedRuns(t *testing.T) {
	noisy, few := many("many", "noisy", 30), many("many", "few", 20)
	for i := range noisy {
		noisy[i].Noise = 0.01
	}
	plain := slices.Concat(many("many", "one", 30), noisy, few, many("many", "alone", 30, "search"),
		many("many", "net", 30, "genetic", "search", "physdiffuse"))
	net := many("net", "net", 20, "genetic", "search", "physdiffuse")
	c, _ := folder(t, map[string]string{"recovery-many.csv": recoveryTable(plain...), "recovery-net.csv": recoveryTable(net...),
		"recovery-small.csv": recoveryTable(many("small", "small", 19)...)})
	s := &source{dir: c.Results}
	runs, err := s.timedRuns()
	if err != nil || len(runs) != 2 || runs[0].run != "one" || runs[1].name() != "abc, 20 s, with network" {
		t.Fatalf("%+v, %v", runs, err)
	}
	if got := strings.Join(s.names(), " "); got != "recovery-many.csv recovery-net.csv" {
		t.Errorf("drawn from %s", got)
	}
}

// Laws are counted at their processor seconds if all have them, otherwise at the seconds of the
// wall clock. Laws that took longer than the budget are counted at the budget.
func TestTimedSeries(t *testing.T) {
	r := timedRun{suite: "many", units: true}
	for _, law := range []bench.Record{{Exact: true, Seconds: 9, CPUSeconds: 2}, {Seconds: 0.5, CPUSeconds: 0.5},
		{Exact: true, Seconds: 0.001, CPUSeconds: 0.001}, {Exact: true, Seconds: 12, CPUSeconds: 11}} {
		law.Time, law.Version = 10, "0123456789ab-dirty"
		r.records = append(r.records, law)
	}
	line := r.series()
	if !slices.Equal(line.X, []float64{0.01, 0.01, 2, 10, 10}) || !slices.Equal(line.Y, []float64{0, 1, 2, 3, 3}) || line.Dashed || line.Name != "0123456+, 10 s" {
		t.Errorf("%+v", line)
	}
	r.records[1].CPUSeconds = 0
	if line := r.series(); !slices.Equal(line.X, []float64{0.01, 0.01, 9, 10, 10}) || !line.Dashed {
		t.Errorf("by the wall clock: %+v", line)
	}
}

// Runs on random laws are added up; runs on suites are not drawn.
func TestSearchParts(t *testing.T) {
	c, _ := folder(t, results)
	s := &source{dir: c.Results}
	p, err := searchParts.draw(s)
	if err != nil {
		t.Fatal(err)
	}
	svg, err := p.SVG(figure.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"9 of 17, 2 alone", "1 of 9", "5.0", "joins 0"} {
		if !strings.Contains(string(svg), want) {
			t.Errorf("there is no %q", want)
		}
	}
	if got := sortedKeys(s.runs); !slices.Equal(got, []string{"abc", "def"}) {
		t.Errorf("of the commits %v", got)
	}
}
