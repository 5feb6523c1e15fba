package motion

import (
	"slices"
	"strings"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
)

// A column that counts the trajectories is a label, so laws do not depend on it.
func TestReadNumberedRuns(t *testing.T) {
	table := func(name string, by float64) *dataset.Table {
		t := &dataset.Table{Name: "a.csv", Vars: []dataset.Column{{Name: name}, {Name: "t"}}}
		t.Target.Name = "x"
		for i := range 30 {
			at := float64(i)
			t.Vars[0].Values = append(t.Vars[0].Values, 1+by*float64(i/10))
			t.Vars[1].Values = append(t.Vars[1].Values, at) // the time goes on from run to run
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
		{"no", 1, nil, 3, "x"},
		{"mass", 1, nil, 1, "mass x"},
		{"run", 2, nil, 1, "run x"}, // the values do not count up
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
		if named := slices.ContainsFunc(warnings, func(w string) bool { return strings.Contains(w, "numbers") }); named != (c.name == "no") {
			t.Errorf("%v: warnings %q", c, warnings)
		}
	}
}

// The error of a single row says "1 row is".
func TestReadOneRow(t *testing.T) {
	one := func(name string) dataset.Column { return dataset.Column{Name: name, Values: []float64{1}} }
	_, _, err := Read(&dataset.Table{Name: "a.csv", Vars: []dataset.Column{one("t")}, Target: one("x")}, Options{})
	if want := "a.csv: 1 row is too few for a law of motion"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
}

// The column that numbers the runs is not taken for the time, even if it comes first. This holds
// whether or not the option Group names the column.
func TestReadTimeAfterRuns(t *testing.T) {
	for _, c := range []struct{ first, second, group string }{
		{"run", "hours", "run"},
		{"run", "hours", ""},
		{"batch", "minutes", "batch"},
		{"batch", "elapsed", "batch"},
		{"run", "elapsed", ""},
	} {
		table := &dataset.Table{Name: "a.csv", Vars: []dataset.Column{{Name: c.first}, {Name: c.second}}, Target: dataset.Column{Name: "x"}}
		for i := range 30 {
			at := float64(i % 10)
			table.Vars[0].Values = append(table.Vars[0].Values, float64(1+i/10))
			table.Vars[1].Values = append(table.Vars[1].Values, at)
			table.Target.Values = append(table.Target.Values, at*at)
		}
		tr, _, err := Read(table, Options{Group: c.group, AllRows: true})
		if err != nil {
			t.Errorf("%+v: %v", c, err)
		} else if tr.Time.Name != c.second || len(tr.Runs) != 3 {
			t.Errorf("%+v: the time is %s, %d runs", c, tr.Time.Name, len(tr.Runs))
		}
	}
}

// A row that repeats the previous row is left out with a warning. Equal times with different values
// are an error.
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
	if _, _, err := Read(table, Options{}); err == nil || !strings.Contains(err.Error(), "t = 1 occurs in data rows 2 and 3") {
		t.Errorf("error %v", err)
	}
}

// Short runs are left out with a warning. The warning that the time goes back comes only if times
// decrease.
func TestReadShortRuns(t *testing.T) {
	for _, c := range []struct {
		name  string
		rows  []int // number of rows of each run
		group bool
		back  bool // whether the time restarts with each run
		runs  int
		want  string // part of the warning or error
	}{
		{"groups", []int{4, 4, 4}, true, false, 0, "12 rows in 3 trajectories: each of them has less than 7"},
		{"restarting groups", []int{4, 4, 4}, true, true, 0, "12 rows in 3 trajectories: each of them has less than 7"},
		{"one", []int{5}, false, false, 0, "5 rows are too few"},
		{"long and short groups", []int{30, 2, 2, 2, 2, 2}, true, true, 1, "trajectories of less than 7 rows are left out: 5"},
		{"long and short", []int{30, 2, 2, 2, 2, 2}, false, true, 1, "trajectories of less than 7 rows are left out: 5"},
		{"unsorted", []int{8, 2, 2, 2, 2, 2}, false, true, 0, "the time goes back 5 times in 18 rows, first in data row 9"},
	} {
		table := &dataset.Table{Name: "a.csv", Vars: []dataset.Column{{Name: "g"}, {Name: "t"}}, Target: dataset.Column{Name: "x"}}
		at := 0.0
		for g, n := range c.rows {
			if c.back {
				at = 0
			}
			for range n {
				table.Vars[0].Values = append(table.Vars[0].Values, float64(g*g))
				table.Vars[1].Values = append(table.Vars[1].Values, at)
				table.Target.Values = append(table.Target.Values, at*at+float64(g))
				at++
			}
		}
		o := Options{Time: "t", AllRows: true}
		if c.group {
			o.Group = "g"
		}
		tr, warnings, err := Read(table, o)
		said := strings.Join(warnings, "\n")
		if err != nil {
			said = err.Error()
		}
		if (err == nil) != (c.runs > 0) || err == nil && len(tr.Runs) != c.runs || !strings.Contains(said, c.want) {
			t.Errorf("%s: %s", c.name, said)
		}
	}
}

// Conserved quantities need no derivatives, so short runs serve as well.
func TestReadLeast(t *testing.T) {
	table := &dataset.Table{Name: "a.csv", Vars: []dataset.Column{{Name: "run"}, {Name: "t"}}, Target: dataset.Column{Name: "x"}}
	for i := range 12 {
		table.Vars[0].Values = append(table.Vars[0].Values, float64(i/4))
		table.Vars[1].Values = append(table.Vars[1].Values, float64(i%4))
		table.Target.Values = append(table.Target.Values, float64(i*i))
	}
	if _, _, err := Read(table, Options{Group: "run"}); err == nil {
		t.Error("runs of 4 rows have derivatives")
	}
	for _, group := range []string{"run", ""} {
		tr, _, err := Read(table, Options{Group: group, Least: 2})
		if err != nil || len(tr.Runs) != 3 {
			t.Errorf("group %q: %v, %v", group, tr, err)
		}
	}
}
