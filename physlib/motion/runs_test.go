package motion

import (
	"slices"
	"strings"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
)

// A column that counts the trajectories is a label: laws may not depend on it.
func TestReadNumberedRuns(t *testing.T) {
	table := func(name string, by float64) *dataset.Table {
		t := &dataset.Table{Name: "a.csv", Vars: []dataset.Column{{Name: name}, {Name: "t"}}}
		t.Target.Name = "x"
		for i := range 30 {
			at := float64(i)
			t.Vars[0].Values = append(t.Vars[0].Values, 1+by*float64(i/10))
			t.Vars[1].Values = append(t.Vars[1].Values, at) // it goes on from run to run
			t.Target.Values = append(t.Target.Values, at*at)
		}
		return t
	}
	for _, c := range []struct {
		name   string
		by     float64
		inputs []string
		runs   int
		states string
	}{
		{"run", 1, nil, 3, "x"},
		{"Trial", 1, nil, 3, "x"},
		{"mass", 1, nil, 1, "mass x"},
		{"run", 2, nil, 1, "run x"}, // no counting
		{"run", 1, []string{"run"}, 1, "x run"},
	} {
		tr, warnings, err := Read(table(c.name, c.by), Options{Inputs: c.inputs, AllRows: true})
		if err != nil {
			t.Fatal(err)
		}
		var states []string
		for _, s := range tr.States {
			states = append(states, s.Name)
		}
		if len(tr.Runs) != c.runs || strings.Join(states, " ") != c.states || len(tr.Params) > 0 {
			t.Errorf("%v: runs %v, states %q, parameters %v, warnings %q", c, tr.Runs, states, tr.Params, warnings)
		}
		if named := slices.ContainsFunc(warnings, func(w string) bool { return strings.Contains(w, "numbers") }); named != (c.runs == 3) {
			t.Errorf("%v: warnings %q", c, warnings)
		}
	}
}

// Rows written twice are left out with a warning; equal times with other values are an error.
func TestReadRepeatedRows(t *testing.T) {
	table := &dataset.Table{Name: "a.csv", Vars: []dataset.Column{{Name: "t"}}, Target: dataset.Column{Name: "x"}}
	for i := range 20 {
		for range 1 + i%2 {
			table.Vars[0].Values = append(table.Vars[0].Values, float64(i))
			table.Target.Values = append(table.Target.Values, float64(i*i))
		}
	}
	tr, warnings, err := Read(table, Options{})
	if err != nil || tr.Rows() != 20 {
		t.Fatalf("%v, %v", tr, err)
	}
	want := []string{"a.csv: rows that repeat the row before them are left out: 10, first data row 3"}
	if !slices.Equal(warnings, want) {
		t.Errorf("warnings %q, want %q", warnings, want)
	}
	table.Target.Values[2]++
	if _, _, err := Read(table, Options{}); err == nil || !strings.Contains(err.Error(), "t = 1 stands in data rows 2 and 3") {
		t.Errorf("error %v", err)
	}
}

// Of very many rows every few are used; a short run keeps more of its own.
func TestThinned(t *testing.T) {
	tr := &Trajectories{States: []dataset.Column{{Name: "x"}}, Runs: [][2]int{{0, 19960}, {19960, 20000}}}
	for i := range 20000 {
		tr.Time.Values = append(tr.Time.Values, float64(i))
		tr.States[0].Values = append(tr.States[0].Values, 2*float64(i))
	}
	thin, every := tr.thinned()
	if every != 14 || len(thin.Runs) != 2 || thin.Runs[1] != [2]int{1426, 1466} {
		t.Fatalf("every %d, runs %v", every, thin.Runs)
	}
	for i, v := range thin.Time.Values {
		if thin.States[0].Values[i] != 2*v {
			t.Fatalf("row %d: %g at %g", i, thin.States[0].Values[i], v)
		}
	}
	if again, every := thin.thinned(); every != 1 || tr.Rows() != 20000 || again != thin {
		t.Errorf("every %d of %d rows", every, thin.Rows())
	}
	few := &Trajectories{Runs: [][2]int{{0, mostRows}}}
	if same, every := few.thinned(); every != 1 || same != few {
		t.Errorf("every %d of %d rows", every, few.Rows())
	}
}
