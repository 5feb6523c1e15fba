package lawfile_test

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/lawfile"
)

func kepler(t testing.TB) *lawfile.File {
	t.Helper()
	table, _, err := dataset.Example("kepler")
	if err != nil {
		t.Fatal(err)
	}
	l, err := law.Parse("T = c0*a**(3/2)", []string{"a"})
	if err != nil {
		t.Fatal(err)
	}
	l.Constants[0].Value, l.Constants[0].StdErr, l.Constants[0].Unit = 365.186, 0.042, "d AU^(-3/2)"
	l.Cov, l.Errors, l.Noise, l.Dof = []float64{0.042 * 0.042}, law.ProportionalErrors, 3e-4, 7
	l.Tree = l.Tree.WithStarts(l.Params())
	best := lawfile.Law(l)
	return &lawfile.File{Version: "v1", Table: lawfile.Describe(table), Rows: 8, Stopped: "exact",
		Single: &lawfile.Single{Target: "T", Best: &best, Front: []lawfile.Law{best}, Verdict: "likely"}}
}

// A file that is written and read back has the same law, covariance, errors and table.
func TestReadsBack(t *testing.T) {
	f := kepler(t)
	for _, indent := range []bool{true, false} {
		data, err := f.Encode(indent)
		if err != nil {
			t.Fatal(err)
		}
		got, err := lawfile.Parse("law.json", data)
		if err != nil {
			t.Fatal(err)
		}
		l, err := got.Chosen("law.json")
		if err != nil || !reflect.DeepEqual(l, law.Law(*f.Best)) {
			t.Errorf("%v: %+v, want %+v", err, l, *f.Best)
		}
		if !reflect.DeepEqual(got.Table, f.Table) || got.Motion != nil || got.Format != lawfile.Format {
			t.Errorf("%+v", got)
		}
	}
}

func TestBadFiles(t *testing.T) {
	for text, want := range map[string]string{
		"a,b\n1,2":                            "is not a law file",
		"{}":                                  "no key physlib_law",
		`{"physlib_law": 2}`:                  "law file of version 2",
		`{"physlib_run": 1, "version": "v0"}`: "older physlib, v0",
		`{"physlib_law": 1}`:                  "damaged",
		`{"physlib_law": 1, "best": 3}`:       "damaged",
		`{"physlib_law": 1, "best": {"law": "x +"}}`: "damaged",
		`{"physlib_law": 1, "rows": "many"}`:         "damaged",
	} {
		_, err := lawfile.Parse("law.json", []byte(text))
		if err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "law.json ") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	if _, err := lawfile.Read(filepath.Join(t.TempDir(), "none.json")); err == nil || !strings.Contains(err.Error(), "cannot be read") {
		t.Error(err)
	}
	f := kepler(t)
	f.Best = nil
	if _, err := f.Chosen("law.json"); err == nil || !strings.Contains(err.Error(), "holds no law") {
		t.Error(err)
	}
}

// The hash depends on names, units and values. It does not depend on the name of the file, nor on
// the standard errors of the target.
func TestHash(t *testing.T) {
	table, _, err := dataset.Example("kepler")
	if err != nil {
		t.Fatal(err)
	}
	first := lawfile.Hash(table)
	table.Name = "other"
	if lawfile.Hash(table) != first {
		t.Error("the name changes it")
	}
	table.Target.Values[0]++
	if lawfile.Hash(table) == first {
		t.Error("a value does not change it")
	}
	table.Target.Values[0]--
	table.Sigma = make([]float64, table.Rows())
	if lawfile.Hash(table) != first {
		t.Error("errors change it")
	}
}

// Difference says in what respect a table differs from the table that a law file describes.
func TestDifference(t *testing.T) {
	table, _, err := dataset.Example("kepler")
	if err != nil {
		t.Fatal(err)
	}
	d := lawfile.Describe(table)
	table.Sigma = slices.Repeat([]float64{0.1}, table.Rows())
	if got := d.Difference(table); got != "" {
		t.Errorf("other errors: %q", got)
	}
	columns := *table
	columns.Vars = append(slices.Clone(table.Vars), dataset.Column{Name: "e", Values: table.Sigma})
	values := *table
	values.Target.Values = slices.Clone(table.Target.Values)
	values.Target.Values[2]++
	target := *table
	target.Target.Name = "P"
	for want, other := range map[string]*dataset.Table{
		"its target is P [d], not T [d]": &target, "its columns are a [AU], e, not a [AU]": &columns,
		"some of its values differ": &values, fmt.Sprintf("it has 3 rows, not %d", table.Rows()): table.Subset([]int{0, 1, 2}),
	} {
		if got := d.Difference(other); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// The example prints and evaluates a law that `physlib discover --save` wrote.
func ExampleRead() {
	data, _ := kepler(&testing.T{}).Encode(true)
	dir, _ := os.MkdirTemp("", "law")
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "law.json")
	if err := os.WriteFile(path, data, 0o644); err != nil {
		fmt.Println(err)
		return
	}
	f, err := lawfile.Read(path)
	if err != nil {
		fmt.Println(err)
		return
	}
	l, err := f.Chosen(path)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(l)
	fmt.Printf("Jupiter: %.0f d\n", l.Eval(5.2034))
	// Output:
	// T = 365.186*a**(3/2)
	// Jupiter: 4335 d
}
