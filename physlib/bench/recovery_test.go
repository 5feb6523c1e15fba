package bench

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
)

const threeLaws = `id,law,output,output_si,v1_name,v1_low,v1_high,v1_si,v2_name,v2_low,v2_high,v2_si,v2_sampling
fall,g*t**2/2,s,m,g,5,15,m/s^2,t,1e-3,1e3,s,loguniform
ohm,R*I,U,V,R,1,5,ohm,I,1,5,A,
growth,exp(k*t),n,1,k,0.1,1,1/s,t,0,3,s,
`

func suiteFile(t testing.TB, table string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "laws.csv")
	if err := os.WriteFile(name, []byte(table), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

// knows returns a discoverer that finds laws[name] in the table of that name, and no law in other
// tables.
func knows(laws map[string]string) func(context.Context, *dataset.Table, discover.Settings) (*discover.Result, error) {
	return func(ctx context.Context, t *dataset.Table, s discover.Settings) (*discover.Result, error) {
		text, ok := laws[t.Name]
		if !ok {
			return &discover.Result{Stopped: "exhausted"}, nil
		}
		var names []string
		for _, v := range t.Vars {
			names = append(names, v.Name)
		}
		tree, err := expr.Parse(text, names)
		if err != nil {
			return nil, err
		}
		l := law.Law{Tree: tree, Vars: names, Target: t.Target.Name, UnitsOK: true}
		for i, v := range tree.Params() {
			l.Constants = append(l.Constants, law.Constant{Name: fmt.Sprintf("c%d", i), Value: v})
		}
		return &discover.Result{Best: l, Front: []law.Law{l}, Stopped: "exact", Evaluations: 7}, nil
	}
}

func TestRecovery(t *testing.T) {
	out := filepath.Join(t.TempDir(), "results.jsonl")
	o := RecoveryOptions{
		Suite: suiteFile(t, threeLaws), Out: out, Rows: 200, Jobs: 2,
		discover: knows(map[string]string{"fall": "0.5*g*t*t", "ohm": "R*I*1.001"}),
	}
	s, err := Recovery(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	if s.Laws != 3 || s.Recovered != 1 || s.OnFront != 1 || len(s.Failures) != 2 {
		t.Errorf("summary %+v", s)
	}
	records, err := ReadResults(out)
	if err != nil || len(records) != 3 {
		t.Fatalf("%d records, %v", len(records), err)
	}
	for _, r := range records {
		switch r.ID {
		case "fall":
			if !r.Exact || !r.Identical || !r.FrontExact || r.R2 == nil || math.Abs(*r.R2-1) > 1e-12 || r.True != "g*t**2/2" || r.Evals != 7 {
				t.Errorf("record %+v", r)
			}
			want := []Variable{{"g", 5, 15, "m/s^2", ""}, {"t", 1e-3, 1e3, "s", "loguniform"}}
			if diff := cmp.Diff(want, r.Variables); diff != "" {
				t.Error(diff)
			}
		case "ohm":
			if r.Exact || r.R2 == nil || *r.R2 < 0.99 {
				t.Errorf("record %+v", r)
			}
		case "growth":
			if r.Exact || r.Found != "" || r.R2 != nil {
				t.Errorf("record %+v", r)
			}
		}
	}
}

// The search gets data with the requested noise and digits, and without units if they are hidden.
// Equal seeds give equal data.
func TestRecoveryData(t *testing.T) {
	data := func(o RecoveryOptions) (tables []*dataset.Table) {
		o.Suite, o.IDs, o.Rows = suiteFile(t, threeLaws), []string{"ohm"}, 4000
		o.discover = func(_ context.Context, t *dataset.Table, s discover.Settings) (*discover.Result, error) {
			tables = append(tables, t)
			return &discover.Result{}, nil
		}
		if _, err := Recovery(context.Background(), o); err != nil {
			t.Fatal(err)
		}
		return tables
	}
	clean, again, other := data(RecoveryOptions{})[0], data(RecoveryOptions{})[0], data(RecoveryOptions{Seed: 1})[0]
	if diff := cmp.Diff(clean.Target.Values, again.Target.Values); diff != "" {
		t.Error("equal seeds give other data")
	}
	if cmp.Equal(clean.Target.Values, other.Target.Values) {
		t.Error("other seeds give equal data")
	}
	if !clean.Target.HasUnit || !clean.Vars[0].HasUnit {
		t.Error("units are missing")
	}
	noisy := data(RecoveryOptions{Noise: 0.1, NoUnits: true})[0]
	if noisy.Target.HasUnit || noisy.Vars[0].HasUnit {
		t.Error("units are not taken away")
	}
	d := make([]float64, noisy.Rows())
	for i := range d {
		d[i] = noisy.Target.Values[i] - clean.Target.Values[i]
	}
	if got := dataset.RMS(d) / dataset.RMS(clean.Target.Values); math.Abs(got-0.1) > 0.01 {
		t.Errorf("noise is %g of the RMS, want 0.1", got)
	}
	rounded := data(RecoveryOptions{Digits: 4})[0]
	for _, v := range [][2][]float64{{rounded.Target.Values, clean.Target.Values}, {rounded.Vars[0].Values, clean.Vars[0].Values}} {
		far := 0.0
		for i, x := range v[0] {
			if text := strconv.FormatFloat(x, 'e', -1, 64); strings.Index(text, "e") > 5 {
				t.Fatalf("%s has more than four digits", text)
			}
			far = max(far, math.Abs(x/v[1][i]-1))
		}
		if !(far > 1e-4 && far < 5e-4) {
			t.Errorf("rounding takes %g of the values", far)
		}
	}
	differ := func(a, b []float64) (n int) {
		for i := range a {
			if a[i] != b[i] {
				n++
			}
		}
		return n
	}
	// Numbers of rows in which the target and a variable change. CutOff does not change the value
	// that is the limit.
	for fault, want := range map[Fault][2]int{"": {200, 0}, BadTarget: {200, 0}, BadVariable: {0, 200}, CutOff: {199, 0}} {
		spoilt := data(RecoveryOptions{Outliers: 0.05, Fault: fault})[0]
		got := [2]int{differ(spoilt.Target.Values, clean.Target.Values)}
		for k, c := range spoilt.Vars {
			got[1] += differ(c.Values, clean.Vars[k].Values)
		}
		if got != want {
			t.Errorf("%s: %d values of the target and variables are spoilt, want %d", fault, got, want)
		}
	}
}

func TestRecoveryResumes(t *testing.T) {
	out := filepath.Join(t.TempDir(), "results.jsonl")
	var calls atomic.Int32
	find := knows(map[string]string{"fall": "g*t**2/2", "ohm": "R*I", "growth": "exp(k*t)"})
	failing := true
	o := RecoveryOptions{Suite: suiteFile(t, threeLaws), Out: out, Rows: 100}
	o.discover = func(ctx context.Context, t *dataset.Table, s discover.Settings) (*discover.Result, error) {
		calls.Add(1)
		if failing && t.Name == "ohm" {
			panic("out of luck")
		}
		return find(ctx, t, s)
	}
	s, err := Recovery(context.Background(), o)
	if err != nil || s.Recovered != 2 || !strings.Contains(s.Failures[0].Error, "out of luck") {
		t.Fatalf("%+v, %v", s, err)
	}
	// a run killed in the middle of a line
	f, err := os.OpenFile(out, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	f.WriteString(`{"id":"half`)
	f.Close()
	failing = false
	if s, err = Recovery(context.Background(), o); err != nil || s.Recovered != 3 || s.Laws != 3 {
		t.Fatalf("resumed: %+v, %v", s, err)
	}
	if calls.Load() != 4 {
		t.Errorf("%d searches, want 3 and the failed one again", calls.Load())
	}
	if records, err := ReadResults(out); err != nil || len(records) != 4 {
		t.Errorf("%d records, %v", len(records), err)
	}
	o.Noise = 0.01 // with other options, no results are reused
	if _, err = Recovery(context.Background(), o); err != nil || calls.Load() != 7 {
		t.Errorf("%d searches, %v", calls.Load(), err)
	}
}

func TestRecoveryInterrupted(t *testing.T) {
	out := filepath.Join(t.TempDir(), "results.jsonl")
	ctx, cancel := context.WithCancel(context.Background())
	o := RecoveryOptions{Suite: suiteFile(t, threeLaws), Out: out, Rows: 100}
	find := knows(map[string]string{"fall": "g*t**2/2"})
	o.discover = func(ctx context.Context, t *dataset.Table, s discover.Settings) (*discover.Result, error) {
		if t.Name == "ohm" {
			cancel()
		}
		return find(ctx, t, s)
	}
	s, err := Recovery(ctx, o)
	if !errors.Is(err, context.Canceled) || s.Laws != 1 || s.Recovered != 1 {
		t.Errorf("%+v, %v", s, err)
	}
	if records, _ := ReadResults(out); len(records) != 1 {
		t.Errorf("%d records are kept", len(records))
	}
}

func TestRecoveryErrors(t *testing.T) {
	file := suiteFile(t, threeLaws)
	for _, c := range []struct {
		o    RecoveryOptions
		want string
	}{
		{RecoveryOptions{Suite: "nowhere.csv"}, "nowhere.csv"},
		{RecoveryOptions{Suite: file, IDs: []string{"ohn"}}, `no law "ohn": its first ids are fall, ohm`},
		{RecoveryOptions{Suite: file, Noise: -1}, "noise -1"},
		{RecoveryOptions{Suite: file, Noise: math.NaN()}, "noise NaN"},
		{RecoveryOptions{Suite: file, Digits: 18}, "18 digits"},
		{RecoveryOptions{Suite: file, Outliers: 0.5}, "outliers 0.5"},
		{RecoveryOptions{Suite: file, Outliers: 0.1, Fault: "worm"}, `fault "worm": give target, variable or cutoff`},
		{RecoveryOptions{Suite: file, Rows: -1}, "negative"},
		{RecoveryOptions{Suite: file, Out: filepath.Dir(file)}, "results"},
		{RecoveryOptions{Suite: file, Out: file}, "line 1 is no result"},
	} {
		c.o.discover = knows(nil)
		if _, err := Recovery(context.Background(), c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v, want one with %q", c.o, err, c.want)
		}
	}
	// a law that cannot be sampled fails and does not end the run
	bad := suiteFile(t, "id,law,v1_name,v1_low,v1_high\nnan,log(-x),x,1,2\nok,x,x,1,2\n")
	s, err := Recovery(context.Background(), RecoveryOptions{Suite: bad, Rows: 50, discover: knows(map[string]string{"ok": "x"})})
	if err != nil || s.Recovered != 1 || !strings.Contains(s.Failures[0].Error, "finite") {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestSummary(t *testing.T) {
	yes, no := true, false
	s := Summarize([]Record{
		{ID: "b", Seconds: 3, True: "x", Found: "y", FrontExact: true, SymPyExact: &no},
		{ID: "c", Seconds: 1, Exact: true, Identical: true, FrontExact: true, SymPyExact: &yes},
		{ID: "a", Seconds: 2, True: "x", Error: "boom\nstack"},
	})
	want := `recovered 1/3  33.3 % (95 % interval 6.1 to 79.2)
on front  2/3  66.7 %
sympy     1/2  50.0 %
seconds   median 2, nine of ten within 3
not recovered: a (boom)
  true  x
  found nothing
not recovered: b (on the front)
  true  x
  found y
`
	if diff := cmp.Diff(want, s.String()); diff != "" {
		t.Error(diff)
	}
	if s := Summarize(nil).String(); !strings.HasPrefix(s, "recovered 0/0") {
		t.Errorf("summary of nothing: %s", s)
	}
}

func TestWilson(t *testing.T) {
	for _, c := range []struct {
		k, n      int
		low, high float64
	}{ // values calculated by hand from the formula
		{0, 0, 0, 1}, {0, 10, 0, 0.27754}, {10, 10, 0.72246, 1}, {97, 100, 0.91548, 0.98975}, {5, 10, 0.23659, 0.76341},
	} {
		if low, high := Wilson(c.k, c.n); math.Abs(low-c.low) > 1e-5 || math.Abs(high-c.high) > 1e-5 {
			t.Errorf("Wilson(%d, %d) = %.5f, %.5f, want %.5f, %.5f", c.k, c.n, low, high, c.low, c.high)
		}
	}
}

func TestCompare(t *testing.T) {
	a := []Record{{ID: "1", Exact: true, Seconds: 2, True: "x"}, {ID: "2", Seconds: 2, Found: "z"}, {ID: "3"}, {ID: "4", Exact: true}}
	b := []Record{{ID: "1", Exact: true, Seconds: 1}, {ID: "1", Seconds: 1, Found: "y"}, {ID: "2", Exact: true, Seconds: 1, True: "q"}, {ID: "5"}, {ID: "4", Exact: true}}
	c := Compare(a, b)
	if c.Common != 3 || c.A != 2 || c.B != 2 || math.Abs(c.Speed-2) > 1e-12 || !cmp.Equal(c.Missing, []string{"3", "5"}) {
		t.Errorf("%+v", c)
	}
	for _, want := range []string{"only A: 1\n", "only B: 2\n", "in one run only: 3, 5"} {
		if !strings.Contains(c.String(), want) {
			t.Errorf("%q is missing in\n%s", want, c)
		}
	}
}

func TestCompareSettings(t *testing.T) {
	a := []Record{{ID: "1", Exact: true}, {ID: "1", Exact: true, Noise: 0.01}, {ID: "2", Noise: 0.01, Units: true}, {ID: "2", Noise: 0.01, Exact: true}}
	b := []Record{{ID: "1", Exact: true}, {ID: "1", Noise: 0.01}, {ID: "2", Noise: 0.01, Units: true, Exact: true}}
	c := Compare(a, b)
	if c.Common != 3 || c.A != 2 || c.B != 2 {
		t.Errorf("%+v", c)
	}
	for _, want := range []string{"only A: 1, noise 0.01, no units\n", "only B: 2, noise 0.01, units\n", "in one run only: 2, noise 0.01, no units"} {
		if !strings.Contains(c.String(), want) {
			t.Errorf("%q is missing in\n%s", want, c)
		}
	}
	// The runs differ in noise: the comparison shows its effect on each law.
	if c := Compare(a[:1], a[1:2]); c.Common != 1 || len(c.Missing) != 0 {
		t.Errorf("%+v", c)
	}
}

func TestTimeBudget(t *testing.T) {
	o := RecoveryOptions{Suite: suiteFile(t, threeLaws), Time: 3 * time.Second, Seed: 5, Rows: 10}
	o.discover = func(_ context.Context, _ *dataset.Table, s discover.Settings) (*discover.Result, error) {
		if s.Time != 3*time.Second || s.Seed != 5 {
			t.Errorf("settings %+v", s)
		}
		return &discover.Result{}, nil
	}
	if _, err := Recovery(context.Background(), o); err != nil {
		t.Fatal(err)
	}
}
