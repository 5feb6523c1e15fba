package discover

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/unit"
)

func parse(t *testing.T, s string, vars ...string) expr.Tree {
	t.Helper()
	tree, err := expr.Parse(s, vars)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// pendulum returns a finding about T = 2π√(l/g), with awkward names.
func pendulum(t *testing.T) finding {
	metre, second := unit.Unit{Name: "m", Dim: unit.Dim{1: unit.Rat(1, 1)}}, unit.Unit{Name: "s", Dim: unit.Dim{2: unit.Rat(1, 1)}}
	table := &dataset.Table{
		Name:   "<pendulum>.csv",
		Target: dataset.Column{Name: "T", Unit: second, HasUnit: true, Values: []float64{1.0035, 1.4192, 2.0071}},
		Vars:   []dataset.Column{{Name: "l", Unit: metre, HasUnit: true, Values: []float64{0.25, 0.5, 1}}, {Name: "<b>", Values: []float64{3, 1, 2}}},
		Consts: []dataset.Constant{{Name: "g", Value: 9.8}},
	}
	vars := []string{"l", "<b>", "g"}
	best := law.Law{
		Tree: parse(t, "c0*sqrt(x0/x2)", "x0", "x1", "x2"), Vars: vars, Target: "T", Complexity: 20, R2: 0.99999, RMSE: 0.001, UnitsOK: true,
		Constants: []law.Constant{{Name: "c0", Value: 6.2831, StdErr: 0.0007, Exact: "2*pi"}},
	}
	simple := law.Law{
		Tree: parse(t, "c0+c1*x0", "x0"), Vars: vars, Target: "T", Complexity: 10, R2: math.NaN(), RMSE: 0.1,
		Constants: []law.Constant{{Name: "c0", Value: 0.7, StdErr: math.Inf(1)}, {Name: "c1", Value: 1.3, StdErr: 0.1, Unit: "s/m"}},
	}
	return finding{
		table: table, options: &Cmd{Noise: "auto"}, began: time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC),
		result: &discover.Result{Best: best, Front: []law.Law{simple, best}, Evaluations: 1234567, Elapsed: 1500 * time.Millisecond, Verdict: "Sure."},
	}
}

func TestPrint(t *testing.T) {
	var b bytes.Buffer
	pendulum(t).print(&b, style{})
	for _, want := range []string{
		"<pendulum>.csv: 3 rows, T [s] from l [m], <b>, g\n",
		"▸        20.0  0.001  0.999990        ok     T = 2*pi*sqrt(l/g)\n",
		"c0 = 6.28310 ± 0.00070, taken as 2π\n",
		"\nSure.\n1 234 567 candidates evaluated in 1.5 s\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}

// The laws have no column about units if the search used no units. The report says nothing of them.
func TestPrintWithoutUnits(t *testing.T) {
	unused, none := pendulum(t), pendulum(t)
	unused.settings.NoUnits = true
	none.table.Target.HasUnit, none.table.Vars[0].HasUnit = false, false
	for name, f := range map[string]finding{"units not used": unused, "no units": none} {
		var b bytes.Buffer
		f.print(&b, style{})
		if want := "▸        20.0  0.001  0.999990        T = 2*pi*sqrt(l/g)\n"; !strings.Contains(b.String(), want) {
			t.Errorf("%s: no %q in\n%s", name, want, b.String())
		}
		if page := reportOf(t, f); strings.Contains(page, "<th>units</th>") || strings.Contains(page, "<span>units") {
			t.Errorf("%s: the report speaks of units", name)
		}
	}
	if page := reportOf(t, pendulum(t)); !strings.Contains(page, "<th>units</th>") || !strings.Contains(page, "<span>units") {
		t.Error("the report does not speak of units")
	}
}

// reportOf returns the HTML report of f.
func reportOf(t *testing.T, f finding) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "out.html")
	if err := f.report(path); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(page)
}

func TestReport(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.html")
	f := pendulum(t)
	if err := f.report(path); err != nil {
		t.Fatal(err)
	}
	page, _ := os.ReadFile(path)
	for _, bad := range []string{"<b>3", "<pendulum>", "<script", "ZgotmplZ"} {
		if bytes.Contains(page, []byte(bad)) {
			t.Errorf("%s stands in the page", bad)
		}
	}
	f.result = &discover.Result{} // nothing found
	if err := f.report(path); err != nil {
		t.Fatal(err)
	}
	page, _ = os.ReadFile(path)
	if !bytes.Contains(page, []byte("No law of T")) {
		t.Error("the page does not say that nothing was found")
	}
}

func TestSaveAndResume(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.json")
	f := pendulum(t)
	if err := f.save(path); err != nil {
		t.Fatal(err)
	}
	var s discover.Settings
	lost, err := (&Cmd{Resume: path}).resume(f.table, &s)
	if err != nil || len(lost) != 0 || len(s.Resume) != 2 {
		t.Fatal(err, lost, len(s.Resume))
	}
	got := s.Resume[1]
	if diff := cmp.Diff(f.result.Best.Constants, got.Constants); diff != "" || got.Complexity != 20 || !got.UnitsOK {
		t.Error(diff, got)
	}
	if got.Tree.Infix(got.Vars) != f.result.Best.Tree.Infix(f.result.Best.Vars) {
		t.Errorf("%s, want %s", got.Tree.Infix(got.Vars), f.result.Best.Tree.Infix(f.result.Best.Vars))
	}
	if s.Resume[0].Constants[0].StdErr != 0 || !math.IsNaN(s.Resume[0].R2) {
		t.Error("what is not finite does not come back as unknown")
	}

	// With other constants the indices of the columns change. A law is dropped if the table lacks
	// one of its constants.
	f.table.Consts = []dataset.Constant{{Name: "h", Value: 1}, {Name: "g", Value: 9.8}}
	s.Resume = nil
	if lost, err := (&Cmd{Resume: path}).resume(f.table, &s); err != nil || len(lost) != 0 || s.Resume[1].Tree.Infix(s.Resume[1].Vars) != "c0*sqrt(l/g)" {
		t.Error(err, lost, s.Resume)
	}
	f.table.Consts, s.Resume = nil, nil
	if lost, err := (&Cmd{Resume: path}).resume(f.table, &s); err != nil || len(lost) != 1 || len(s.Resume) != 1 {
		t.Error(err, lost, s.Resume)
	}
	f.table.Target.Values[0]++
	if _, err := (&Cmd{Resume: path}).resume(f.table, &s); err == nil || !strings.Contains(err.Error(), "another table") {
		t.Error(err)
	}
}

// Searches that end early, late, without a law or with an error each have the right exit code.
func TestRun(t *testing.T) {
	defer func(old func(context.Context, *dataset.Table, discover.Settings) (*discover.Result, error)) {
		search = old
	}(search)
	f := pendulum(t)
	for _, c := range []struct {
		name      string
		cmd       Cmd
		result    *discover.Result
		interrupt bool
		code      int
		out       string
	}{
		{"found", Cmd{Example: "kepler", Noise: "auto"}, f.result, false, 0, "2*pi*sqrt(l/g)"},
		{"nothing", Cmd{Example: "kepler", Noise: "auto"}, &discover.Result{}, false, 3, "planets.csv: 8 rows"},
		{"nothing as JSON", Cmd{Example: "kepler", Noise: "auto", JSON: true}, &discover.Result{}, false, 3, `"rows":8,"target":"T","best":null,"front":[],`},
		{"interrupted", Cmd{Example: "kepler", Noise: "auto"}, f.result, true, 130, "2*pi*sqrt(l/g)"},
	} {
		ctx, cancel := context.WithCancel(context.Background())
		search = func(context.Context, *dataset.Table, discover.Settings) (*discover.Result, error) {
			if c.interrupt {
				cancel()
			}
			return c.result, nil
		}
		out, err := os.Create(filepath.Join(t.TempDir(), "out"))
		if err != nil {
			t.Fatal(err)
		}
		err = c.cmd.run(ctx, streams{strings.NewReader(""), out, os.Stderr})
		cancel()
		got := 0
		if e, ok := err.(exit); ok {
			got = e.code
		} else if err != nil {
			got = 1
		}
		text, _ := os.ReadFile(out.Name())
		if got != c.code || !strings.Contains(string(text), c.out) {
			t.Errorf("%s: exit code %d, want %d; %v; printed\n%s", c.name, got, c.code, err, text)
		}
	}
}

func TestJSONKeys(t *testing.T) {
	var b bytes.Buffer
	if err := pendulum(t).writeJSON(&b); err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"physlib_law", "created", "table", "best", "front", "target", "rows", "verdict", "probability", "known_laws", "stopped", "seconds", "evaluations", "seed", "version"} {
		if _, ok := got[key]; !ok {
			t.Errorf("no key %s", key)
		}
	}
	if len(got) != 15 {
		t.Errorf("%d keys", len(got))
	}
}

func TestPretty(t *testing.T) {
	for exact, want := range map[string]string{
		"4*pi**2": "4π²", "1/2": "1/2", "sqrt(2)/2": "√2/2", "3/(8*pi)": "3/(8π)", "2*sqrt(pi)": "2√π", "pi**(5/2)": "π^(5/2)", "": "",
	} {
		if got := pretty(exact); got != want {
			t.Errorf("%s: %s, want %s", exact, got, want)
		}
	}
}

func TestProgressLine(t *testing.T) {
	p := discover.Progress{Stage: "joining pairs", Evaluations: 5_000_000, Elapsed: 2 * time.Second, Left: 41 * time.Second, Best: pendulum(t).result.Best}
	want := "joining pairs · 2.5 M laws/s · 41s left · T = 2*pi*sqrt(l/g)"
	if got := progressLine(p); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := truncate(want, 20); got != "joining pairs · 2.5…" {
		t.Errorf("%q", got)
	}
	if got := progressLine(discover.Progress{Stage: "reading"}); got != "reading" {
		t.Errorf("%q", got)
	}
}

// If the time is over before the search begins, the message does not judge the columns.
func TestNothingSearched(t *testing.T) {
	f := pendulum(t)
	limit := budget(8 * time.Second)
	f.options.Time = &limit
	f.settings.Time = atOnce // reading took all the time
	f.result = &discover.Result{Stopped: discover.StopTime}
	if got, want := f.nothing(), "<pendulum>.csv: reading and preparing took all of --time 8s, so nothing was searched; try --time 32s"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	f.result.Evaluations = 5
	if got := f.nothing(); !strings.Contains(got, "nothing describes T") {
		t.Errorf("after a search: %q", got)
	}
}
