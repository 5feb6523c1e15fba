package dataset

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
)

// show formats a table as "a [AU]: 1 2 | T [d]: 3 4", with the target last.
func show(t *Table) string {
	var parts []string
	for _, c := range append(slices.Clone(t.Vars), t.Target) {
		s := c.Name
		if c.HasUnit {
			s += " [" + c.Unit.Name + "]"
		}
		parts = append(parts, s+": "+strings.Trim(fmt.Sprint(c.Values), "[]"))
	}
	return strings.Join(parts, " | ")
}

func zipped(s string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte(s))
	z.Close()
	return b.String()
}

func utf16String(s string, order binary.ByteOrder) string {
	b := make([]byte, 2)
	order.PutUint16(b, 0xfeff)
	for _, u := range utf16.Encode([]rune(s)) {
		b = binary.BigEndian.AppendUint16(b, u)
		if order == binary.ByteOrder(binary.LittleEndian) {
			b[len(b)-1], b[len(b)-2] = b[len(b)-2], b[len(b)-1]
		}
	}
	return string(b)
}

func TestRead(t *testing.T) {
	const plain = "a [AU],T [d]\n1,2\n3,4\n"
	const want = "a [AU]: 1 3 | T [d]: 2 4"
	for _, c := range []struct {
		name, in string
		options  Options
		want     string
		warnings []string
	}{
		// separators
		{"commas", plain, Options{}, want, nil},
		{"tabs", "a [AU]\tT [d]\n1\t2\n3\t4\n", Options{}, want, nil},
		{"semicolons", "a [AU]; T [d]\n1; 2\n3; 4\n", Options{}, want, nil},
		{"bars", "a [AU]|T [d]\n1|2\n3|4\n", Options{}, want, nil},
		{"spaces", "  a [AU]  T [d]\n  1 2 \n 3\t4\n", Options{}, want, nil},
		{"spaces in units", "E [kg m^2 s^-2] x y\n1 2 3\n4 5 6\n", Options{}, "E [kg m^2 s^-2]: 1 4 | x: 2 5 | y: 3 6", nil},
		{"given separator", "a,b;c\n1;2\n3;4\n", Options{Comma: ';'}, "a_b: 1 3 | c: 2 4", []string{`"a,b" is called a_b`}},
		{"sep= of Excel", "sep=;\na [AU];T [d]\n1;2\n3;4\n", Options{}, want, nil},
		{"quoted cells", "\"a [AU]\",\"T [d]\"\n\"1\",\"2\"\n3,4\n", Options{}, want, nil},
		{"quoted comma in a name", "\"a, \"\"big\"\"\",T\n1,2\n3,4\n", Options{}, "a_big: 1 3 | T: 2 4", []string{"is called a_big"}},
		{"quoted line end in a name", "\"wave\nlength [nm]\",T\n1,2\n3,4\n", Options{}, "wave_length [nm]: 1 3 | T: 2 4", []string{"is called wave_length"}},
		{"quoted name with unit", "\"wave length\" [nm],T\n1,2\n3,4\n", Options{}, "wave_length [nm]: 1 3 | T: 2 4", []string{"wave_length"}},
		// numbers
		{"decimal commas", "a;b\n1,5;2\n-3,25e2;,5\n", Options{}, "a: 1.5 -325 | b: 2 0.5", nil},
		{"decimal commas and tabs", "a\tb\n1,5\t2\n3\t4\n", Options{}, "a: 1.5 3 | b: 2 4", nil},
		{"decimal commas or thousands", "a\tb\n1,500\t2\n3\t4\n", Options{}, "a: 1.5 3 | b: 2 4", []string{"column a: commas are read as decimal signs, not as separators of thousands, so that 1,500 is 1.5; if that is wrong, give --decimal point"}},
		{"forms", "a,b\n1e-13,1.5E+26\n+3,.5\n-2.,1D3\n−4,00\n", Options{}, "a: 1e-13 3 -2 -4 | b: 1.5e+26 0.5 1000 0", nil},
		// encodings and line ends
		{"byte-order mark", "\ufeff" + plain, Options{}, want, nil},
		{"CRLF", strings.ReplaceAll(plain, "\n", "\r\n"), Options{}, want, nil},
		{"CR", strings.ReplaceAll(plain, "\n", "\r"), Options{}, want, nil},
		{"no last line end", strings.TrimSuffix(plain, "\n"), Options{}, want, nil},
		{"gzip", zipped(plain), Options{}, want, nil},
		{"gzip with byte-order mark", zipped("\ufeff" + plain), Options{}, want, nil},
		{"UTF-16 little end first", utf16String(plain, binary.LittleEndian), Options{}, want, nil},
		{"UTF-16 big end first", utf16String("θ [µm],𝜆\n1,2\n3,4\n", binary.BigEndian), Options{}, "θ [µm]: 1 3 | 𝜆: 2 4", nil},
		{"Latin-1", "d [\xb5m],T\n1,2\n3,4\n", Options{}, "d [µm]: 1 3 | T: 2 4", []string{"Latin-1"}},
		{"Unicode names", "θ [°],v₀ [m/s]\n1,2\n3,4\n", Options{}, "θ [°]: 1 3 | v₀ [m/s]: 2 4", nil},
		// comments and headers
		{"comments and empty lines", "# by Kepler\n\na [AU],T [d]\n# first\n1,2\n   \n  # \"second\n3,4\n\n", Options{}, want, nil},
		{"no header", "1,2,5\n3,4,6\n", Options{}, "x1: 1 3 | x2: 2 4 | y: 5 6", []string{"no header: the columns are called x1 to x2 and y"}},
		{"header of numpy.savetxt", "# made today\n# a [AU] T [d]\n1 2\n3 4\n", Options{}, want, nil},
		{"labels with numbers", "event,d,T\n100 m,1,2\n200 m,3,4\nmile,5,6\nrelay,7,8\n400 m,9,10\n", Options{},
			"d: 1 3 5 7 9 | T: 2 4 6 8 10", []string{"event: 3 of the first 5 cells are numbers, the others text, so it is read as text", "labels"}},
		{"units behind slashes and commas", "a / mm;C / N;T / K;\"U, m/s\"\n1;2;3;5\n3;4;4;6\n", Options{},
			"a [mm]: 1 3 | C_N: 2 4 | T [K]: 3 4 | U [m/s]: 5 6", []string{"mm, K, m/s are read as their units; write a [mm]", "called C_N"}},
		{"header and units in comments", "# t v\n# s m/s\n1 2\n3 4\n", Options{}, "t [s]: 1 3 | v [m/s]: 2 4", []string{"row 2 is read as the columns' units"}},
		{"header of numpy.savetxt, commas", "# a [AU], T [d]\n1 2\n3 4\n", Options{}, want, nil},
		{"unit in parentheses", "v (m/s),T\n1,2\n3,4\n", Options{}, "v [m/s]: 1 3 | T: 2 4", []string{"(m/s) is read as its unit"}},
		{"parentheses that are not units", "v (old),T\n1,2\n3,4\n", Options{}, "v_old: 1 3 | T: 2 4", []string{"v_old"}},
		{"unnamed index column", ",a,T\n0,1,2\nx,3,4\n", Options{}, "a: 1 3 | T: 2 4", []string{"column 1 has no name and is left out"}},
		{"separator at line ends", "a,T,\n1,2,\n3,4,\n", Options{}, "a: 1 3 | T: 2 4", []string{"column 3 has no name"}},
		{"name of digits", "2nd,T\n1,2\n3,4\n", Options{}, "x2nd: 1 3 | T: 2 4", []string{"x2nd"}},
		{"units in a second row", "a,T,n\n[AU],(d),\n1,2,5\n3,4,6\n", Options{}, "a [AU]: 1 3 | T [d]: 2 4 | n: 5 6", []string{"row 2 is read as the columns' units"}},
		{"units in a second row, plain", "a;T\nm/s^2;µs\n1;2\n3;4\n", Options{Units: "T=d"}, "a [m/s^2]: 1 3 | T [d]: 2 4", []string{"row 2"}},
		{"quantities by units", "a/AU,T / d\n1,2\n3,4\n", Options{}, want, []string{`"a/AU" is read as a in AU`, `"T / d" is read as T in d`}},
		{"one quotient only", "v/c,T\n1,2\n3,4\n", Options{}, "v_c: 1 3 | T: 2 4", []string{`"v/c" is called v_c`}},
		{"a title", "My run of May\n\na [AU],T [d]\n1,2\n3,4\n", Options{}, want, []string{`row 1, "My run of May", is read as a title`}},
		{"titles of a spreadsheet", "Run;;\nby me;;\na;b;T\n1;2;3\n3;4;5\n", Options{}, "a: 1 3 | b: 2 4 | T: 3 5", []string{`row 1, "Run", is`, `row 2, "by me", is`}},
		{"empty rows and columns of a spreadsheet", "a,T,,\n1,2,,\n3,4,,\n,,,\n,,,\n", Options{}, "a: 1 3 | T: 2 4", []string{"column 4 has no name", "column 3 has no name"}},
		{"separators at the end of rows", "a,T\n1,2,,\n3,4,\n,\n", Options{}, "a: 1 3 | T: 2 4", nil},
		{"copies", "a,T\n1,2\n1,2\n1,2\n3,4\n3,4\n3,4\n", Options{}, "a: 1 1 1 3 3 3 | T: 2 2 2 4 4 4", []string{"4 of 6 rows repeat others exactly"}},
		// options
		{"target", plain, Options{Target: "a"}, "T [d]: 2 4 | a [AU]: 1 3", nil},
		{"target as written", "wave length,T\n1,2\n3,4\n", Options{Target: "wave length"}, "T: 2 4 | wave_length: 1 3", []string{"wave_length"}},
		{"target with its unit", plain, Options{Target: "a [AU]"}, "T [d]: 2 4 | a [AU]: 1 3", nil},
		{"target as written, with its unit", "wave length [m],T\n1,2\n3,4\n", Options{Target: "wave length [m]"}, "T: 2 4 | wave_length [m]: 1 3", []string{"wave_length"}},
		{"units", "a,T [s]\n1,2\n3,4\n", Options{Units: "a=AU, T = [d]"}, want, nil},
		{"unit taken away", plain, Options{Units: "a="}, "a: 1 3 | T [d]: 2 4", nil},
		{"drop", "a,T\n1,2\nnan,3\n4,\n5,inf\nNA,1\n3,4\n", Options{Drop: true}, "a: 1 3 | T: 2 4", []string{"4 rows with missing or infinite values left out"}},
		// columns that carry no information
		{"constant column", "g,a,T\n9.81,1,2\n9.81,3,4\n", Options{}, "g: 9.81 9.81 | a: 1 3 | T: 2 4", []string{"column g is 9.81 in every row"}},
		{"equal columns", "a,b,T\n1,1,2\n3,3,4\n", Options{}, "a: 1 3 | T: 2 4", []string{"column b equals column a in every row and is left out"}},
		{"equal columns of other units", "a [m],b [s],T\n1,1,2\n3,3,4\n", Options{}, "a [m]: 1 3 | b [s]: 1 3 | T: 2 4", nil},
		{"a column equal to the target", "a,T\n1,1\n3,3\n", Options{}, "a: 1 3 | T: 1 3", []string{"column a equals the target T"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			table, warnings, err := Read(strings.NewReader(c.in), "t.csv", c.options)
			if err != nil {
				t.Fatal(err)
			}
			if got := show(table); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			if len(warnings) != len(c.warnings) {
				t.Errorf("warnings %q, want %q", warnings, c.warnings)
				return
			}
			for i, w := range warnings {
				if !strings.Contains(w, c.warnings[i]) || !strings.HasPrefix(w, "t.csv: ") || strings.Contains(w, "\n") {
					t.Errorf("warning %q, want %q", w, c.warnings[i])
				}
			}
		})
	}
}

func TestReadLateDecimalComma(t *testing.T) {
	in := "a;b\n" + strings.Repeat("1;2\n", 99) + "1,5;3\n"
	table, _, err := Read(strings.NewReader(in), "t.csv", Options{})
	if err != nil || table.Vars[0].Values[99] != 1.5 {
		t.Errorf("%v, %v", table, err)
	}
	_, _, err = Read(strings.NewReader(in+"1.5;3\n"), "t.csv", Options{})
	if err == nil || !strings.Contains(err.Error(), "row 102, column 1 (a)") || !strings.Contains(err.Error(), "decimal commas") {
		t.Error(err)
	}
}

// Each error is one clear line with file, row, column and what to try.
func TestBadInput(t *testing.T) {
	for _, c := range []struct {
		name, in string
		options  Options
		want     string
	}{
		{"empty file", "", Options{}, "t.csv: the file is empty; give a header and at least two rows"},
		{"byte-order mark only", "\ufeff", Options{}, "t.csv: the file holds no table"},
		{"comments only", "# a\n\n# b\n", Options{}, "t.csv: the file holds no table, only empty lines or comments"},
		{"header only", "a,T\n", Options{}, "t.csv: the file has a header and no rows"},
		{"one row", "a,T\n1,2\n", Options{}, "t.csv: the table has one row only"},
		{"one row is left", "a,T\n1,2\nnan,2\n", Options{Drop: true}, "t.csv: only one row is left, 1 left out"},
		{"no row is left", "a,T\nnan,2\n", Options{Drop: true}, "t.csv: no row is left: 1 row with missing"},
		{"one column", "T\n1\n2\n", Options{}, "t.csv: row 1: a table separated by commas with one column only; give at least one variable"},
		{"too few cells", "a,b,T\n1,2,3\n# c\n\n4,5\n", Options{}, "t.csv: row 5, column 3: 2 cells, the header has 3; add the missing cells"},
		{"too many cells", "a,T\n1,2\n1,2,3\n", Options{}, "t.csv: row 3, column 3: 3 cells, the header has 2; remove the extra cells"},
		{"text cell", "a,T\n1,2\n3,four\n", Options{}, `t.csv: row 3, column 2 (T): "four" is not a number; remove`},
		{"text cell far below", "a,T\n" + strings.Repeat("1,2\n", 500) + "x,2\n", Options{}, `t.csv: row 502, column 1 (a): "x" is not a number`},
		{"text after quoted line ends", "\"a\nb\",T\n1,2\n3,q\n", Options{}, `t.csv: row 4, column 2 (T): "q"`},
		{"text cell is not dropped", "a,T\n1,2\n3,four\n", Options{Drop: true}, `t.csv: row 3, column 2 (T): "four" is not a number`},
		{"unit in a cell", "a,T\n1,2 m\n3,4\n", Options{}, `t.csv: row 2, column 2 (T): "2 m" is not a number; a cell holds one number; write its unit into the header`},
		{"per cent in a cell", "a,T\n1,5%\n3,4\n", Options{}, `remove the % and give the column the unit [%]`},
		{"NaN cell", "a,T\n1,2\nNaN,3\n", Options{}, `t.csv: row 3, column 1 (a): "NaN" is not a finite number; correct it, or leave out such rows with --drop`},
		{"Inf cell", "a,T\n1,-Inf\n2,3\n", Options{}, `t.csv: row 2, column 2 (T): "-Inf" is not a finite number`},
		{"beyond float64", "a,T\n1,1e999\n2,3\n", Options{}, `t.csv: row 2, column 2 (T): "1e999" is not a finite number`},
		{"empty cell", "a,T\n1,\n2,3\n", Options{}, "t.csv: only one row is left, 1 left out; complete the table, or leave columns out with --ignore: missing are row 2, T (empty)"},
		{"underscores", "a,T\n1,1_000\n2,3\n", Options{}, `"1_000" is not a number; write 1000 without`},
		{"mixed decimal signs", "a;T\n1;1,5\n2;3.5\n", Options{}, `t.csv: row 3, column 2 (T): "3.5" is not a number; numbers have decimal commas here`},
		{"powers of ten", "a,T\n1,3×108\n2,4\n", Options{}, `write powers of ten as 3e8`},
		{"text below units", "a,T\nm,s\nm,s\n1,2\n3,4\n", Options{}, `t.csv: row 3, column 1 (a): "m" is not a number`},
		{"hexadecimal", "a,T\n1,0x1p3\n2,3\n", Options{}, `"0x1p3" is not a number`},
		{"half an exponent", "a,T\n1,2e\n2,3\n", Options{}, `"2e" is not a number`},
		{"constant target", "a,T\n1,5\n2,5\n3,5\n", Options{}, "t.csv: column 2 (T): the target is 5 in all 3 rows, so there is nothing to explain; name another target with --target"},
		{"unit without name", "[m],T\n1,5\n2,6\n", Options{}, "t.csv: row 1, column 1: \"[m]\" holds no name"},
		{"target not found", "mass,speed,T\n1,5,2\n2,6,3\n", Options{Target: "sped"}, `t.csv: target "sped" is not a column; did you mean speed? there are mass, speed, T`},
		{"target far from all", "mass,speed\n1,5\n2,6\n", Options{Target: "qqqq"}, `t.csv: target "qqqq" is not a column; there are mass, speed`},
		{"units of no column", "a,T\n1,5\n2,6\n", Options{Units: "t=d"}, `t.csv: units: "t" is not a column; did you mean T?`},
		{"units without =", "a,T\n1,5\n2,6\n", Options{Units: "d"}, `t.csv: units: "d" has no =; write them as a=AU,T=d`},
		{"unknown unit in units", "a,T\n1,5\n2,6\n", Options{Units: "a=ua"}, `t.csv: column 1 (a): units: unknown unit "ua"`},
		{"sigma missing", "a,T\n1,5\n2,6\n", Options{Sigma: "s"}, `t.csv: sigma column "s" is not a column; there are a, T`},
		{"sigma not positive", "a,T,s\n1,5,1\n2,6,0\n", Options{Sigma: "s"}, "t.csv: row 3, column 3 (s): the standard error 0 is not positive"},
		{"sigma of another dimension", "a,T [s],s [m]\n1,5,1\n2,6,1\n", Options{Sigma: "s"}, "t.csv: row 1, column 3 (s): the standard errors are in m, the target in s"},
		{"sigma is the target", "a,T\n1,5\n2,6\n", Options{Sigma: "T", Target: "T"}, "it cannot be both target and sigma"},
		{"sigma and target only", "T,s\n1,5\n2,6\n", Options{Sigma: "s"}, "no column is left besides target and sigma"},
		{"binary", "a,b\x00\x01\x02\n", Options{}, "t.csv: this is binary, not a text table; save it as CSV in UTF-8"},
		{"workbook", "PK\x03\x04....", Options{}, "t.csv: the archive is broken: "},
		{"UTF-16 without mark", "a\x00,\x00T\x00\n\x00", Options{}, "the file has a header and no rows"},
		{"broken gzip", zipped("a,T\n1,2\n3,4\n")[:20], Options{}, "t.csv: cannot be read: "},
		{"open quote", "a,\"T\n1,2\n3,4\n", Options{}, `t.csv: row 1: a quote (") is opened and never closed`},
		{"unusable separator", "a,T\n1,2\n", Options{Comma: 'é'}, "t.csv: cells cannot be separated by 'é'"},
		{"no header, ragged", "1,2\n3,4,5\n", Options{}, "t.csv: row 2, column 3: 3 cells, the first row has 2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			table, _, err := Read(strings.NewReader(c.in), "t.csv", c.options)
			var e *Error
			if table != nil || !errors.As(err, &e) {
				t.Fatalf("table %v, error %v", table, err)
			}
			if !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") || !strings.HasPrefix(err.Error(), "t.csv: ") {
				t.Errorf("got  %s\nwant %s", err, c.want)
			}
		})
	}
}

func TestSigma(t *testing.T) {
	in := "a [m],T [s],dT [ms]\n1,5,100\n2,6,200\n"
	table, _, err := Read(strings.NewReader(in), "t.csv", Options{Sigma: "dT"})
	if err != nil {
		t.Fatal(err)
	}
	if got := show(table); got != "a [m]: 1 2 | T [s]: 5 6" {
		t.Errorf("table %s", got)
	}
	if diff := cmp.Diff([]float64{0.1, 0.2}, table.Sigma); diff != "" {
		t.Errorf("sigma in the target's unit: %s", diff)
	}
}

func TestReadFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "pendulum.csv")
	if err := os.WriteFile(path, []byte("l,T\n1,2\n3,4\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if table, _, err := ReadFile(path, Options{}); err != nil || table.Rows() != 2 || table.Name != path {
		t.Errorf("%v, %v", table, err)
	}
	_, _, err := ReadFile(filepath.Join(dir, "pendulm.csv"), Options{})
	if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "no such file; did you mean "+path) {
		t.Errorf("missing file: %v", err)
	}
	if _, _, err := ReadFile(filepath.Join(dir, "none", "x.csv"), Options{}); err == nil || !strings.Contains(err.Error(), "no such file; check the path") {
		t.Errorf("missing directory: %v", err)
	}
	if _, _, err := ReadFile(dir, Options{}); err == nil || !strings.Contains(err.Error(), "this is a directory") {
		t.Errorf("directory: %v", err)
	}
}

func TestReadStdin(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func(f *os.File) { os.Stdin = f }(os.Stdin)
	os.Stdin = r
	w.WriteString("l,T\n1,2\n3,4\n")
	w.Close()
	if table, _, err := ReadFile("-", Options{}); err != nil || table.Rows() != 2 || table.Name != "stdin" {
		t.Errorf("%v, %v", table, err)
	}
}

func TestManyColumns(t *testing.T) {
	var b strings.Builder
	for i := range 200 {
		fmt.Fprintf(&b, "v%d,", i)
	}
	b.WriteString("y\n")
	for r := range 3 {
		for i := range 200 {
			fmt.Fprintf(&b, "%d,", r*i+i*i)
		}
		fmt.Fprintf(&b, "%d\n", r)
	}
	table, warnings, err := Read(strings.NewReader(b.String()), "wide.csv", Options{})
	if err != nil || len(table.Vars) != 200 || table.Vars[199].Values[2] != 2*199+199*199 {
		t.Error(err)
	}
	if len(warnings) != 1 { // only that v0 is constant
		t.Errorf("warnings %q", warnings)
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{"a [AU],T [d]\n1,2\n3,4\n", "a;b\n1,5;2\n3;4", "x y\n1 2\n3 4\n", "# a b\n1 2\n3 4\n", "1,2\n3,4\n", "\"a\nb\",c\n1,2\n3,4\n",
		"sep=;\na;b\n1;2\n3;4\n", "\xff\xfea\x00,\x00b\x00\n\x00", zipped("a,b\n1,2\n3,4\n"), "a,a\n", "a\tb\n1,234\t2\n", "a [kgg],b\n1,2\n", "\xef\xbb\xbf", "[[[,]\n1,2\n",
		"a (m),b\n1,2\n3,nan\n", "a\rb\r", "BZh9", "\"", "a,b\n1e400,2\n1e-400,3\n", "sep=,", "sep=,\n\n", "1\n2\n"} {
		f.Add([]byte(s), false)
		f.Add([]byte(s), true)
	}
	f.Fuzz(func(t *testing.T, in []byte, drop bool) {
		table, warnings, err := Read(bytes.NewReader(in), "t.csv", Options{Drop: drop})
		for _, w := range warnings {
			if strings.ContainsAny(w, "\n") {
				t.Errorf("warning of several lines: %q", w)
			}
		}
		if err != nil {
			var e *Error
			if table != nil || !errors.As(err, &e) || strings.Contains(err.Error(), "\n") {
				t.Errorf("error %q", err)
			}
			return
		}
		n := table.Rows()
		if n < 2 || len(table.Vars) == 0 {
			t.Errorf("table of %d rows, %d variables", n, len(table.Vars))
		}
		for _, c := range append(slices.Clone(table.Vars), table.Target) {
			if len(c.Values) != n || c.Name == "" {
				t.Errorf("column %q of %d rows", c.Name, len(c.Values))
			}
			for _, v := range c.Values {
				if v-v != 0 {
					t.Errorf("column %q holds %g", c.Name, v)
				}
			}
		}
	})
}

// FileRows holds the row numbers of the file, also after some rows were left out or selected.
func TestFileRows(t *testing.T) {
	table, _, err := Read(strings.NewReader("# pendulums\nl [m],T [s]\n1,2.0\n\n2,2.8\nNaN,3\n3,3.5\n4,4.0\n"), "p.csv", Options{Drop: true})
	if err != nil {
		t.Fatal(err)
	}
	if want := []int{3, 5, 7, 8}; !slices.Equal(table.FileRows, want) {
		t.Errorf("rows %v, want %v", table.FileRows, want)
	}
	if want := []int{8, 5}; !slices.Equal(table.Subset([]int{3, 1}).FileRows, want) {
		t.Errorf("of a subset rows %v, want %v", table.Subset([]int{3, 1}).FileRows, want)
	}
}
