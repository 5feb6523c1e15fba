package corpus

import (
	"bytes"
	"embed"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/physlib/lab/physlib/expr"
)

//go:embed laws/*.csv laws/rare/*.csv
var laws embed.FS

// An Entry is a law of the catalogue: a formula that people measure and fit.
type Entry struct {
	Name string `json:"name"` // unique name of the law in its field
	Law  string `json:"law"`  // "target = expression" in infix notation
	// Name of the file that contains the law, such as "chemistry" for chemistry.csv.
	Field  string   `json:"field"`
	Source string   `json:"source"` // book with chapter, or paper
	Target Quantity `json:"target"` // left side of the law
	// All symbols of the right side; at least one is a Variable.
	Quantities []Quantity `json:"quantities"`
	Line       int        `json:"-"` // line of the law in that file
	// Rare marks laws of the folder laws/rare, which few tables obey.
	Rare bool `json:"-"`
}

// A Quantity is a symbol of a law.
type Quantity struct {
	Name, Unit string
	Role       Role
	Low, High  float64 // range of typical values of a Variable or Parameter, in Unit
	Value      float64 // value of a Constant, in Unit
}

// MarshalJSON includes the range of a Variable or Parameter, and the value of a Constant.
func (q Quantity) MarshalJSON() ([]byte, error) {
	v := struct {
		Name  string   `json:"name"`
		Unit  string   `json:"unit"`
		Role  Role     `json:"role"`
		Low   *float64 `json:"low,omitempty"`
		High  *float64 `json:"high,omitempty"`
		Value *float64 `json:"value,omitempty"`
	}{Name: q.Name, Unit: q.Unit, Role: q.Role}
	switch q.Role {
	case Variable, Parameter:
		v.Low, v.High = &q.Low, &q.High
	case Constant:
		v.Value = &q.Value
	}
	return json.Marshal(v)
}

// Role is the role of a quantity in an experiment.
type Role string

// The roles of quantities.
const (
	Target    Role = "target"    // measured, and given by the law
	Variable  Role = "variable"  // measured and varied: an input column
	Parameter Role = "parameter" // fitted: a property of the sample or apparatus
	Constant  Role = "constant"  // a constant of nature
)

// catalogue reads the embedded files once. It panics if a file is invalid, which a test rules out.
var catalogue = sync.OnceValue(func() []Entry {
	files, err := laws.ReadDir("laws")
	if err != nil {
		panic(err)
	}
	var all []Entry
	for _, f := range files {
		for _, folder := range []string{"laws", "laws/rare"} {
			data, err := laws.ReadFile(path.Join(folder, f.Name()))
			if errors.Is(err, fs.ErrNotExist) || f.IsDir() {
				continue
			}
			if err != nil {
				panic(err)
			}
			entries, err := ReadEntries(bytes.NewReader(data), f.Name())
			if err != nil {
				panic(err)
			}
			for i := range entries {
				entries[i].Rare = folder != "laws"
			}
			all = append(all, entries...)
		}
	}
	return all
})

// Catalogue returns the laws of the embedded catalogue, sorted by field. The rare laws of a field
// follow the others; otherwise the order is that of the files. The caller may change the slice, but
// not the quantities of an entry.
func Catalogue() []Entry { return slices.Clone(catalogue()) }

// entryColumns is the header of a file of the catalogue.
var entryColumns = []string{"name", "law", "quantities", "source"}

// ReadEntries reads a file of the catalogue: CSV with the columns name, law, quantities and source.
// The field of all entries is the base name of file without ".csv".
//
// Quantities are separated by semicolons, with the target first. The target is written `v [m/s]`, a
// variable with its typical range `S [mol/m^3] 0.1..50`, a parameter `K_m [mol/m^3] fixed 0.5..20`,
// and a constant of nature `k_B [J/K] = 1.380649e-23`.
//
// If rows are invalid, the error joins the errors of all of them, one line each. The entries of the
// other rows are returned as well.
func ReadEntries(r io.Reader, file string) ([]Entry, error) {
	cr := csv.NewReader(r)
	cr.FieldsPerRecord = -1
	cr.TrimLeadingSpace = true
	header, err := cr.Read()
	if err != nil {
		return nil, fmt.Errorf("%s:1: %w: start with the line %s", file, err,
			strings.Join(entryColumns, ","))
	}
	header[0] = strings.TrimPrefix(header[0], "\ufeff")
	if !slices.Equal(header, entryColumns) {
		return nil, fmt.Errorf("%s:1: header %q: write %s", file, strings.Join(header, ","),
			strings.Join(entryColumns, ","))
	}
	field := strings.TrimSuffix(path.Base(file), ".csv")
	var entries []Entry
	var faults []error
	for {
		cells, err := cr.Read()
		if err == io.EOF {
			return entries, errors.Join(faults...)
		}
		if parse := (*csv.ParseError)(nil); errors.As(err, &parse) {
			return entries, errors.Join(append(faults,
				fmt.Errorf("%s:%d: %w: write \"\" for a quote in a cell", file, parse.Line, parse.Err))...)
		} else if err != nil {
			return entries, errors.Join(append(faults, fmt.Errorf("%s: %w", file, err))...)
		}
		line, _ := cr.FieldPos(0)
		if blank(cells) {
			continue
		}
		e, err := parseEntry(cells)
		if err != nil {
			faults = append(faults, fmt.Errorf("%s:%d %s: %w", file, line, cells[0], err))
			continue
		}
		e.Field, e.Line = field, line
		entries = append(entries, e)
	}
}

func parseEntry(cells []string) (Entry, error) {
	if len(cells) != len(entryColumns) {
		return Entry{}, fmt.Errorf("%d cells: write %d, with quotes around a cell that has a comma",
			len(cells), len(entryColumns))
	}
	for i := range cells {
		if cells[i] = strings.TrimSpace(cells[i]); cells[i] == "" {
			return Entry{}, fmt.Errorf("empty cell: fill in %s", entryColumns[i])
		}
	}
	e := Entry{Name: cells[0], Law: cells[1], Source: cells[3]}
	for i, text := range strings.Split(strings.TrimRight(cells[2], "; "), ";") {
		q, err := parseQuantity(text, i == 0)
		if err != nil {
			return e, err
		}
		if q.Role == Target {
			e.Target = q
		} else {
			e.Quantities = append(e.Quantities, q)
		}
	}
	return e, nil
}

var quantityForm = regexp.MustCompile(`^\s*([^\s\[\]]+)\s*\[([^\]]*)\]\s*(.*?)\s*$`)

// parseQuantity parses one quantity in the column quantities. target reports whether it is the
// target, which is the first quantity in the column.
func parseQuantity(text string, target bool) (q Quantity, err error) {
	m := quantityForm.FindStringSubmatch(text)
	if m == nil {
		return q, fmt.Errorf("quantity %q: write name [unit] low..high", strings.TrimSpace(text))
	}
	q = Quantity{Name: m[1], Unit: strings.TrimSpace(m[2]), Role: Variable}
	rest := m[3]
	switch value, constant := strings.CutPrefix(rest, "="); {
	case target && rest != "":
		return q, fmt.Errorf("target %s: it comes first and has a unit only, not %q", q.Name, rest)
	case target:
		q.Role = Target
		return q, nil
	case constant:
		q.Role = Constant
		if q.Value, err = finite(value); err != nil {
			return q, fmt.Errorf("constant %s: %w", q.Name, err)
		}
		return q, nil
	}
	if r, fixed := strings.CutPrefix(rest, "fixed"); fixed {
		q.Role, rest = Parameter, r
	}
	low, high, ok := strings.Cut(rest, "..")
	if !ok {
		return q, fmt.Errorf("%s: %q is not a range: write low..high after the unit", q.Name, rest)
	}
	if q.Low, err = finite(low); err != nil {
		return q, fmt.Errorf("range of %s: %w", q.Name, err)
	}
	if q.High, err = finite(high); err != nil {
		return q, fmt.Errorf("range of %s: %w", q.Name, err)
	}
	if q.Low >= q.High {
		return q, fmt.Errorf("range of %s: %g is not below %g: write low..high", q.Name, q.Low, q.High)
	}
	return q, nil
}

func finite(s string) (float64, error) {
	s = strings.TrimSpace(s)
	x, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, fmt.Errorf("%q is not a number: write it as 1.5 or 2e-3", s)
	}
	return x, nil
}

// Names returns the names of the quantities, in order.
func (e Entry) Names() []string {
	names := make([]string, len(e.Quantities))
	for i, q := range e.Quantities {
		names[i] = q.Name
	}
	return names
}

// Tree returns the right side of the law, with quantity i as column i.
func (e Entry) Tree() (expr.Tree, error) {
	target, right, ok := strings.Cut(e.Law, "=")
	if target = strings.TrimSpace(target); !ok || target != e.Target.Name {
		return expr.Tree{}, fmt.Errorf("law %q: write %s = expression", e.Law, e.Target.Name)
	}
	names := e.Names()
	t, err := expr.Parse(right, names)
	if err != nil {
		return expr.Tree{}, fmt.Errorf("law %q: %w", e.Law, err)
	}
	if n := t.NumParams(); n > 0 {
		return expr.Tree{}, fmt.Errorf("law %q: c%d is not among the quantities: add it", e.Law, n-1)
	}
	return t, nil
}
