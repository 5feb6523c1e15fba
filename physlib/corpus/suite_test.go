package corpus

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const foreign = "\ufeffid,law,output,output_si,comment,v1_name,v1_low,v1_high,v1_si,v1_sampling,v2_name,v2_low,v2_high,v2_si,v2_sampling\r\n" +
	"a 1,\"lambda*e**2\",E,kg m^2/s^2,\"x, y\",lambda,1e-13,1e26,kg,loguniform,e,1,5,m/s,\r\n" +
	"\r\n" +
	",I^2*c0,P,,,I,1,2*pi,,,c0,1,4,,Integer\r\n" +
	",,,,,,,,,,,,,,\r\n" +
	"short,sin(pi),y,1,,pi,-1,1\r\n"

func TestReadForeign(t *testing.T) {
	got, err := Read(strings.NewReader(foreign), "dir/mine.csv")
	if err != nil {
		t.Fatal(err)
	}
	want := []Problem{
		{ID: "a 1", Set: "mine", Law: "lambda*e**2", Output: "E", OutputUnit: "kg m^2/s^2", Vars: []Var{
			{"lambda", 1e-13, 1e26, "kg", "loguniform"}, {"e", 1, 5, "m/s", ""}}},
		{ID: "2", Set: "mine", Law: "I^2*c0", Output: "P", Vars: []Var{{"I", 1, 2 * math.Pi, "", ""}, {"c0", 1, 4, "", "integer"}}},
		{ID: "short", Set: "mine", Law: "sin(pi)", Output: "y", OutputUnit: "1", Vars: []Var{{"pi", -1, 1, "", ""}}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for _, p := range got {
		if _, err := p.Tree(); err != nil {
			t.Error(err)
		}
	}
	if got[0].HasUnits() != true || got[1].HasUnits() || got[2].HasUnits() {
		t.Error("HasUnits is wrong")
	}
}

// A variable has precedence over a constant with the same name.
func TestNamesOfConstants(t *testing.T) {
	for _, name := range []string{"e", "pi", "E", "I", "c", "c0", "c1", "lambda", "S", "N", "beta", "gamma", "exp0", "x_1", "log10", "sin", "phi'"} {
		p := Problem{ID: name, Law: "2*" + name, Vars: []Var{{Name: name, Low: 10, High: 11}}}
		if name == "phi'" || name == "sin" || name == "log10" {
			continue // phi' is not a name, and the others are functions; package expr tests them
		}
		law, err := p.Tree()
		if err != nil {
			t.Error(err)
		} else if vars := law.Vars(); len(vars) != 1 {
			t.Errorf("%s: the law %v has variables %v", name, law, vars)
		}
	}
}

func TestReadErrors(t *testing.T) {
	const head = "id,law,output,output_si,v1_name,v1_low,v1_high,v1_si,v1_sampling\n"
	for _, c := range []struct{ table, want string }{
		// no table
		{"", "s.csv: empty file"},
		{head, "s.csv: a header and no law"},
		{"id,name\na,b\n", "line 1, column law: no such column"},
		{"id,law\na,b\n", "line 1, column v1_name: no such column"},
		{"id,law,law,v1_name\n", "line 1, column law: there are two"},
		// cells
		{head + "a,,y,,x,1,2,,\n", "line 2, column law: empty cell"},
		{head + "a,x+*2,y,,x,1,2,,\n", "line 2, column law"},
		{head + "a,x+q,y,,x,1,2,,\n", "line 2, column law"},
		{head + "a,x+c0,y,,x,1,2,,\n", "c0 is not a variable"},
		{head + "a,x,y,,x,1,,,\n", "line 2, column v1_high: \"\" is not a finite number"},
		{head + "a,x,y,,x,one,2,,\n", "line 2, column v1_low: \"one\""},
		{head + "a,x,y,,x,1,inf,,\n", "line 2, column v1_high: \"inf\""},
		{head + "a,x,y,,x,3,2,,\n", "3 is above 2"},
		{head + "a,x,y,,x,0,2,,loguniform\n", "touches zero"},
		{head + "a,x,y,,x,1.2,1.8,,integer\n", "no whole number"},
		{head + "a,x,y,,x,1,2,,normal\n", "not one of uniform"},
		{head + "a,x,y,,x,1,2,furlongz,\n", "line 2, column v1_si"},
		{head + "a,x,y,furlongz,x,1,2,,\n", "line 2, column output_si"},
		{head + "a,x,y,,,1,2,,\n", "line 2, column v1_name: empty cell next to a range"},
		{head + "a,x,y,,,,,,\n", "line 2, column v1_name: empty cell: a has no variable"},
		{head + "a,x,y,,x,1,2,,\na,x,y,,x,1,2,,\n", "line 3, column id: \"a\" is also the id of line 2"},
		{head + "a,x,y,,x,1,2,,,,7\n", "line 2: 11 cells under 9"},
		{head + "a,\"x,y\n", "s.csv: parse error on line 2, column 8"},
	} {
		if _, err := Read(strings.NewReader(c.table), "s.csv"); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q:\n got %v\nwant %s", c.table, err, c.want)
		}
	}
	if _, err := Suite(t.TempDir()); err == nil {
		t.Error("a directory is not a suite")
	}
}

func TestSuiteFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "mine.csv")
	if err := os.WriteFile(file, []byte(foreign), 0o644); err != nil {
		t.Fatal(err)
	}
	ps, err := Suite(file)
	if err != nil || len(ps) != 3 {
		t.Errorf("Suite(%s): %d problems, %v", file, len(ps), err)
	}
}

// Read and Sample return an error for bad tables. They never panic.
func FuzzRead(f *testing.F) {
	f.Add(foreign)
	f.Add("law,v1_name,v1_low,v1_high\nx**-x,x,-1,1\n")
	f.Add("law,v2_name,v2_low,v2_high,v2_sampling,v2_si\n2*x,x,1e300,1e308,loguniform,kg m^2 s^-2\n")
	f.Add("id,law\n\"a\nb\",1\n")
	f.Fuzz(func(t *testing.T, table string) {
		ps, err := Read(strings.NewReader(table), "fuzz.csv")
		if err != nil {
			return
		}
		for _, p := range ps {
			table, err := p.Sample(3, rand.New(rand.NewPCG(1, 2)))
			if err == nil && table.Rows() != 3 {
				t.Errorf("%d rows of %+v", table.Rows(), p)
			}
		}
	})
}
