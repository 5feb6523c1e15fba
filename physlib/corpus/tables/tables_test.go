package tables

import (
	"strings"
	"testing"
	"testing/fstest"
)

func TestAll(t *testing.T) {
	all, err := All()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 55 {
		t.Errorf("%d tables", len(all))
	}
	for _, e := range all {
		data, _, err := e.Read()
		if err != nil {
			t.Error(err)
			continue
		}
		if data.Rows() != e.Rows {
			t.Errorf("%s: %d rows, the index says %d", e.Name, data.Rows(), e.Rows)
		}
		if (e.Class == "noise") != (e.Accepted == nil) {
			t.Errorf("%s: class %s with accepted forms %q", e.Name, e.Class, e.Accepted)
		}
		for _, row := range e.BadRows {
			if row > e.Rows {
				t.Errorf("%s: bad row %d of %d", e.Name, row, e.Rows)
			}
		}
	}
}

func TestFilesAreListed(t *testing.T) {
	all, err := All()
	if err != nil {
		t.Fatal(err)
	}
	files, err := embedded.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != len(all)+1 {
		t.Errorf("%d files for %d tables and the index", len(files), len(all))
	}
}

func TestFlags(t *testing.T) {
	f, err := parseFlags(strings.Fields("--target N --noise sN --units a=m,b=s --const=g=9.81[m/s^2]"))
	if err != nil {
		t.Fatal(err)
	}
	if f.Target != "N" || f.SigmaColumn() != "sN" || f.Units != "a=m,b=s" || f.NoUnits() || len(f.Consts) != 1 {
		t.Errorf("%+v", f)
	}
	for noise, column := range map[string]string{"": "", "auto": "", "0.5": "", "s": "s"} {
		if got := (Flags{Noise: noise}).SigmaColumn(); got != column {
			t.Errorf("noise %q: column %q, want %q", noise, got, column)
		}
	}
	if sigma, known := (Flags{Noise: "0.5"}).Sigma(); sigma != 0.5 || !known {
		t.Errorf("sigma %g, %t", sigma, known)
	}
}

func TestIndexErrors(t *testing.T) {
	const header = "file,class,rows,flags,accepted,truth,errors,bad_row,set\n"
	for text, want := range map[string]string{
		"":                                            "no tables",
		"file,class,errors\na,b,equal\n":              "no column accepted",
		header + ",x,3,,c0*x,,equal,,\n":              "no file",
		header + "a.csv,x,3,,,,equal,,\n":             "no accepted form",
		header + "a.csv,x,three,,none,,,,\n":          "rows \"three\"",
		header + "a.csv,x,3,,none,,sigma,,\n":         "errors \"sigma\"",
		header + "a.csv,x,3,,none,,equal,0,\n":        "bad_row \"0\"",
		header + "a.csv,x,3,--ops +,none,,equal,,\n":  "flag --ops",
		header + "a.csv,x,3,--target,none,,equal,,\n": "has no value",
		header + "a.csv,x,3,,c0*x,c0=two,equal,,\n":   "truth \"c0=two\"",
		header + "a.csv,x,3,,none,,equal,,secret\n":   "set \"secret\"",
		header + "a.csv,x,3,,none,,equal,,\n" + "a.csv,x,3,,none,,equal,,developed\n": "listed twice",
	} {
		_, err := read(fstest.MapFS{"index.csv": {Data: []byte(text)}}, "index.csv")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
	if _, err := Open("no-such/index.csv"); err == nil {
		t.Error("a missing index is not an error")
	}
}

func TestSelect(t *testing.T) {
	all := []Table{
		{Name: "a", Class: "noise", Set: Developed},
		{Name: "b", Class: "rational", Set: Developed},
		{Name: "c", Class: "rational", Set: HeldOut},
	}
	for _, c := range []struct {
		set, class string
		names      []string
		want       string
	}{
		{"", "", nil, "abc"}, {Developed, "", nil, "ab"}, {"", "rational", nil, "bc"}, {HeldOut, "rational", nil, "c"},
		{"", "", []string{"a", "c"}, "ac"},
	} {
		some, err := Select(all, c.set, c.class, c.names)
		if err != nil {
			t.Error(err)
		}
		got := ""
		for _, e := range some {
			got += e.Name
		}
		if got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
	if _, err := Select(all, HeldOut, "noise", nil); err == nil {
		t.Error("an empty selection is not an error")
	}
	if _, err := Select(all, "", "", []string{"d"}); err == nil || !strings.Contains(err.Error(), "a, b, c") {
		t.Errorf("error %v", err)
	}
}
