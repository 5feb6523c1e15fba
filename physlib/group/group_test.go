package group_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/group"
	"github.com/physlib/lab/physlib/law"
)

// puromycin is a data set of the program R with the reaction rates of an enzyme (Treloar 1974).
const puromycin = `state,conc,rate
treated,0.02,76
treated,0.02,47
treated,0.06,97
treated,0.06,107
treated,0.11,123
treated,0.11,139
treated,0.22,159
treated,0.22,152
treated,0.56,191
treated,0.56,201
treated,1.1,207
treated,1.1,200
untreated,0.02,67
untreated,0.02,51
untreated,0.06,84
untreated,0.06,86
untreated,0.11,98
untreated,0.11,115
untreated,0.22,131
untreated,0.22,124
untreated,0.56,144
untreated,0.56,158
untreated,1.1,160
`

func read(t testing.TB, text, column string) (group.Groups, *dataset.Table) {
	t.Helper()
	table, _, err := dataset.Read(strings.NewReader(text), "table.csv", dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	g, rest, err := group.ByColumn(table, column)
	if err != nil {
		t.Fatal(err)
	}
	return g, rest
}

// The two states of the enzyme share the Michaelis constant and have different maximum velocities
// (Bates and Watts, Nonlinear Regression Analysis, 1988, A1.3).
func TestPuromycin(t *testing.T) {
	g, table := read(t, puromycin, "state")
	l, err := law.Parse("rate = V*conc/(K + conc)", []string{"conc"})
	if err != nil {
		t.Fatal(err)
	}
	shared, err := group.Decide(l, table, g, true)
	if err != nil || fmt.Sprint(shared) != "[K]" {
		t.Errorf("shared: %v, %v, want K", shared, err)
	}
	r, err := group.Discover(context.Background(), table, g, group.Settings{Search: discover.Settings{Evaluations: 1000, Time: -1}})
	if err != nil {
		t.Fatal(err)
	}
	t.Log(r.Best.Form, r.Best.Shared, r.Switch, r.Verdict)
	at := func(g int) float64 { return r.Best.Groups[g].Eval(0.3) }
	if math.Abs(at(0)-174.8) > 3 || math.Abs(at(1)-139.6) > 3 {
		t.Errorf("at 0.3: %g and %g, want 174.8 and 139.6", at(0), at(1))
	}
	if n, k := len(r.Best.Groups[0].Cov), len(r.Best.Shared); n != k*k {
		t.Errorf("covariance of %d entries for %d constants", n, k)
	}
}

// Groups that do not differ share all constants.
func TestSame(t *testing.T) {
	var b strings.Builder
	b.WriteString("run,x,y\n")
	for i := range 24 {
		x := 0.5 + 0.25*float64(i)
		fmt.Fprintf(&b, "%d,%g,%.4f\n", i%3, x, 3*x*x+0.02*math.Sin(float64(7*i*i)))
	}
	g, table := read(t, b.String(), "run")
	r, err := group.Discover(context.Background(), table, g, group.Settings{Search: discover.Settings{Evaluations: 1000, Time: -1}})
	if err != nil {
		t.Fatal(err)
	}
	for slot, shared := range r.Best.Shared {
		if !shared {
			t.Errorf("constant %d of %v has a value for each group; %v", slot, r.Best.Form, r.Switch)
		}
	}
}

func TestByColumn(t *testing.T) {
	for _, c := range []struct{ text, column, want string }{
		{"state,x,y\na,1,2\nb,2,3\na,3,4\nb,4,5\n", "stat", "did you mean state?"},
		{"state,x,y\na,1,2\na,2,3\na,3,4\na,4,5\n", "state", "groups need two values"},
		{"state,x,y\na,1,2\na,2,3\na,3,4\nb,4,5\n", "state", "group b of column state has one row"},
		{"x,z,y\n1,5,2\n2,6,3\n3,7,4\n4,8,5\n", "x", "4 different values in 4 rows"},
		{"x,z,y\n1,5,2\n2,6,3\n3,7,4\n4,8,5\n", "y", "is the target"},
		{"state,x,y\na,1,2\n,2,3\na,3,4\nb,4,5\nb,5,5\n", "state", "is empty in row"},
	} {
		table, _, err := dataset.Read(strings.NewReader(c.text), "table.csv", dataset.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err = group.ByColumn(table, c.column); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.column, err, c.want)
		}
	}
}

// Tables in different units are joined in the units of the first table. The standard errors are
// converted as well.
func TestJoinUnits(t *testing.T) {
	var tables []*dataset.Table
	for _, text := range []string{"x [m],y [m],e [m]\n1,2,0.1\n2,3,0.2\n", "x [cm],y [cm],e [mm]\n100,200,100\n300,400,50\n"} {
		table, _, err := dataset.Read(strings.NewReader(text), "table.csv", dataset.Options{Target: "y", Sigma: "e"})
		if err != nil {
			t.Fatal(err)
		}
		tables = append(tables, table)
	}
	_, joined, err := group.Join(tables, []string{"a", "b"})
	if err != nil {
		t.Fatal(err)
	}
	for what, got := range map[string][]float64{"1 2 1 3": joined.Vars[0].Values, "2 3 2 4": joined.Target.Values, "0.1 0.2 0.1 0.05": joined.Sigma} {
		if text := strings.Trim(fmt.Sprintf("%.4g", got), "[]"); text != what {
			t.Errorf("%s, want %s", text, what)
		}
	}
	if tables[0].Target.Values[0] != 2 || len(tables[0].Sigma) != 2 {
		t.Error("the first table was changed")
	}
}
