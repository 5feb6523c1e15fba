package dataset

import (
	"encoding/csv"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/physlib/lab/physlib/unit"
)

var ratios = cmpopts.EquateComparable(unit.Ratio{})

func small() *Table {
	return &Table{Name: "small", Target: Column{Name: "y", Values: []float64{1, 2, 3, 4}}, Vars: []Column{{Name: "x", Values: []float64{5, 6, 7, 8}}}, Sigma: []float64{.1, .2, .3, .4}}
}

func TestSI(t *testing.T) {
	celsius, _ := unit.Parse("degC")
	c := Column{Unit: celsius, HasUnit: true, Values: []float64{0, 100}}
	if diff := cmp.Diff([]float64{273.15, 373.15}, c.SI()); diff != "" {
		t.Error(diff)
	}
	c.HasUnit = false
	if got := c.SI(); got[1] != 100 || &got[0] == &c.Values[0] {
		t.Errorf("without a unit: %v, or no copy", got)
	}
	g, err := ParseConstant("g = 981 [cm/s^2]")
	if err != nil || math.Abs(g.SI()-9.81) > 1e-15 {
		t.Errorf("g = %g, %v", g.SI(), err)
	}
}

func TestSubset(t *testing.T) {
	s := small().Subset([]int{3, 1, 1})
	want := &Table{Name: "small", Target: Column{Name: "y", Values: []float64{4, 2, 2}}, Vars: []Column{{Name: "x", Values: []float64{8, 6, 6}}}, Sigma: []float64{.4, .2, .2}}
	if diff := cmp.Diff(want, s, ratios); diff != "" {
		t.Error(diff)
	}
	if e := small().Subset(nil); e.Rows() != 0 {
		t.Errorf("subset of none has %d rows", e.Rows())
	}
}

func TestSplit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 50).Draw(t, "rows")
		frac := rapid.Float64Range(-0.5, 1.5).Draw(t, "frac")
		table := &Table{Target: Column{Values: make([]float64, n)}}
		for i := range n {
			table.Target.Values[i] = float64(i)
		}
		part, rest := table.Split(frac, rand.New(rand.NewPCG(1, 2)))
		if !slices.IsSorted(part.Target.Values) || !slices.IsSorted(rest.Target.Values) {
			t.Error("a part is out of order")
		}
		all := slices.Concat(part.Target.Values, rest.Target.Values)
		slices.Sort(all)
		if !slices.Equal(all, table.Target.Values) {
			t.Errorf("parts %v and %v", part.Target.Values, rest.Target.Values)
		}
		if n > 1 && frac > 0 && frac < 1 && (part.Rows() == 0 || rest.Rows() == 0) {
			t.Error("a part is empty")
		}
	})
	a, _ := small().Split(0.5, rand.New(rand.NewPCG(7, 7)))
	b, _ := small().Split(0.5, rand.New(rand.NewPCG(7, 7)))
	if diff := cmp.Diff(a, b, ratios); diff != "" {
		t.Errorf("equal seeds split differently: %s", diff)
	}
}

func TestAddNoise(t *testing.T) {
	const n = 20000
	table := &Table{Target: Column{Values: make([]float64, n)}}
	for i := range n {
		table.Target.Values[i] = 3e200 // the square of this value overflows
	}
	AddNoise(table, 0.1, rand.New(rand.NewPCG(1, 1)))
	sum := 0.0
	for _, v := range table.Target.Values {
		sum += (v/3e200 - 1) * (v/3e200 - 1)
	}
	if sigma := math.Sqrt(sum / n); math.Abs(sigma-0.1) > 0.002 {
		t.Errorf("noise of %g, want 0.1", sigma)
	}
	exact := small()
	AddNoise(exact, 0, rand.New(rand.NewPCG(1, 1)))
	if diff := cmp.Diff(small(), exact, ratios); diff != "" {
		t.Errorf("noise 0 changes %s", diff)
	}
}

func TestParseConstant(t *testing.T) {
	for _, c := range []struct{ in, want, err string }{
		{"c=299792458[m/s]", "c 2.99792458e+08 m s^-1", ""}, {" g = 9.80665 [m/s^2] ", "g 9.80665 m s^-2", ""}, {"k=-1.5e-3", "k -0.0015 ?", ""},
		{"n=2[1]", "n 2 1", ""},
		{"c", "", "has no ="}, {"=3", "", "is not a name"}, {"a b=3", "", "is not a name"}, {"2a=3", "", "is not a name"}, {"c=", "", "is not a number"},
		{"c=x", "", "is not a number"}, {"c=inf", "", "is not a number"}, {"c=1e999", "", "is not a number"}, {"c=3[kgg]", "", "did you mean kg?"}, {"c=3[]", "", "empty unit"}, {"c=3 m/s", "", "is not a number"},
	} {
		got, err := ParseConstant(c.in)
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("ParseConstant(%q): %v, want %q", c.in, err, c.err)
			}
			continue
		}
		dim := "?"
		if got.HasUnit {
			dim = got.Unit.Dim.String()
		}
		if s := got.Name + " " + formatG(got.Value) + " " + dim; err != nil || s != c.want {
			t.Errorf("ParseConstant(%q) = %s, %v; want %s", c.in, s, err, c.want)
		}
	}
}

// TestExamples compares every embedded table with its entry in index.csv.
func TestExamples(t *testing.T) {
	f, err := os.Open("examples/index.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(allExamples()) != len(lines)-1 || len(Examples()) != len(lines)-1-6 {
		t.Errorf("%d examples of %d tables, %d lines in index.csv", len(Examples()), len(allExamples()), len(lines)-1)
	}
	for _, line := range lines[1:] {
		table, info, err := Example(line[0])
		if err != nil {
			t.Error(err)
			continue
		}
		if formatG(float64(table.Rows())) != line[1] || table.Target.Name != line[2] || len(table.Vars) != 1 || table.Vars[0].Name != line[3] {
			t.Errorf("%s: %d rows of %s against %s, want %q", line[0], table.Rows(), table.Target.Name, table.Vars[0].Name, line[:4])
		}
		if !table.Target.HasUnit || !table.Vars[0].HasUnit {
			t.Errorf("%s: a unit is missing", line[0])
		}
		if info.Source == "" || info.Year == "" || info.Rights == "" || info.Title == "" || info.Law != line[4] {
			t.Errorf("%s: incomplete: %+v", line[0], info)
		}
	}
	if _, _, err := Example("keppler"); err == nil || !strings.Contains(err.Error(), "did you mean kepler?") {
		t.Errorf("unknown example: %v", err)
	}
}

func formatG(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

func TestRMS(t *testing.T) {
	for _, c := range []struct {
		xs   []float64
		want float64
	}{
		{nil, 0}, {[]float64{0, 0}, 0}, {[]float64{3, 4, 0, 0}, 2.5}, {[]float64{1e200, -1e200}, 1e200}, {[]float64{3e-200}, 3e-200},
		{[]float64{1, math.Inf(-1)}, math.Inf(1)},
	} {
		if got := RMS(c.xs); got != c.want && !(math.Abs(got-c.want) <= 1e-12*c.want) {
			t.Errorf("RMS(%v) = %g, want %g", c.xs, got, c.want)
		}
	}
}

// Dates and times of day can be counted from another moment, but not from each other.
func TestCountedFrom(t *testing.T) {
	day, _ := unit.Parse("d")
	for _, c := range []struct {
		since, other string
		want         float64
	}{
		{"2025-01-31", "2025-01-01", 32},
		{"2025-01-31", "2025-01-31T12:00:00Z", 1.5},
		{"10:00:00", "04:00", 2.25},
		{"10:00:00", "2025-01-01", 2},
		{"2025-01-31", "04:00", 2},
		{"", "2025-01-01", 2},
		{"2025-01-31", "", 2},
	} {
		since, _ := ParseMoment(c.since)
		other, _ := ParseMoment(c.other)
		x := Column{Name: "t", Unit: day, HasUnit: true, Values: []float64{2}, Since: since}
		if got := x.CountedFrom(other).Values[0]; got != c.want || x.Values[0] != 2 {
			t.Errorf("2 days since %q are %g since %q, want %g", c.since, got, c.other, c.want)
		}
	}
	for _, text := range []string{"2025-01-31", "2025-01-31T10:00:00.5Z", "10:00:00", "10:00:00.25"} {
		if at, ok := ParseMoment(text); !ok || FormatMoment(at) != text {
			t.Errorf("%s is read as %v, %v", text, at, ok)
		}
	}
	if _, ok := ParseMoment("5.2"); ok {
		t.Error("5.2 is read as a moment")
	}
}
