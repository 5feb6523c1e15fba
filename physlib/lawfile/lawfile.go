package lawfile

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/law"
)

// Format is the version of the schema that this package writes.
const Format = 1

// File is a law file.
type File struct {
	Format  int       `json:"physlib_law"`
	Version string    `json:"version"`
	Created time.Time `json:"created"`
	Table   Table     `json:"table"`
	Rows    int       `json:"rows"`

	*Single // nil: laws of motion
	*Motion // nil: a law of one target

	Fit    *Fit    `json:"fit,omitempty"`    // of physlib fit
	Groups *Groups `json:"groups,omitempty"` // one law with constants for each group of rows; Best is nil

	Outliers    []int   `json:"outliers,omitempty"`
	Stopped     string  `json:"stopped"`
	Seconds     float64 `json:"seconds"`
	Evaluations int64   `json:"evaluations"`
	Seed        int64   `json:"seed"`
}

// Single is the part of a file about the law of one target.
type Single struct {
	Target      string   `json:"target"`
	Best        *Law     `json:"best"`
	Front       []Law    `json:"front"`
	Verdict     string   `json:"verdict"`
	Probability *float64 `json:"probability"`
	Errors      string   `json:"errors,omitempty"`
	Known       []Known  `json:"known_laws"`
}

// Law is a law that reads back as it was.
type Law = law.Saved

// Fit is how well a formula that was given fits.
type Fit struct {
	Formula     string    `json:"formula"` // with the names of its constants
	Chi2        float64   `json:"chi2"`
	Nu          int       `json:"nu"`       // degrees of freedom
	Absolute    bool      `json:"absolute"` // the errors were given
	P           *float64  `json:"p"`        // probability of a chi2 as large; null: the errors were not given
	AtBound     []string  `json:"at_bound,omitempty"`
	Loss        string    `json:"loss,omitempty"`        // a robust one; "": least squares
	FScale      float64   `json:"f_scale,omitempty"`     // of the loss, in weighted residuals
	Correlation []float64 `json:"correlation,omitempty"` // of the constants, by rows
	Residuals   []float64 `json:"residuals"`             // in standard errors, by rows of the table
}

// Groups is one law with constants for each group of rows.
type Groups struct {
	Column string   `json:"column"` // whose values are the groups; "": each came from a table of its own
	Names  []string `json:"names"`
	Shared []string `json:"shared"` // constants that are the same in all groups
	Laws   []Law    `json:"laws"`   // of each group; empty where nothing was found
}

// Known is a law with a name that fits the table.
type Known struct {
	Names  []string `json:"names"`
	Law    string   `json:"law"`
	Beyond float64  `json:"bits_beyond_best"` // by how many bits its description is longer than that of best
	Usual  *Usual   `json:"usual,omitempty"`  // the chosen law, if it is one of these
}

// Usual is a law as the literature writes it, with its own parameters.
type Usual struct {
	Name      string         `json:"name"`
	Formula   string         `json:"formula"` // without the left side
	Constants []law.Constant `json:"constants"`
	SI        bool           `json:"si,omitempty"` // the columns are in SI units, too
}

// Motion is the part of a file about laws of motion.
type Motion struct {
	Equations  []Equation `json:"equations"`
	Order      int        `json:"order"`
	Time       string     `json:"time"`
	End        float64    `json:"end"` // time of the last row of the last run
	Driven     bool       `json:"driven,omitempty"`
	Runs       int        `json:"runs"`
	Whole      bool       `json:"whole_runs"` // errors are of integrating whole runs, else windows
	Window     int        `json:"window"`
	Covariance []*float64 `json:"covariance,omitempty"` // of all constants, equation after equation, by rows
}

// Equation is the law of one state.
type Equation struct {
	State string   `json:"state"`
	Rate  string   `json:"rate"`
	Law   *Law     `json:"law"`   // null when nothing was found; r2 and rmse are of the derivative
	Error *float64 `json:"error"` // of the integrated state
	Noise float64  `json:"noise"` // of the state, estimated or given
	Last  float64  `json:"last"`  // the state in the last row of the last run
	Slope float64  `json:"slope"` // its derivative there, of laws of the second order
	Front []Law    `json:"front"` // rmse is that of the integrated state

	Probability *float64 `json:"probability,omitempty"` // that the law has the right form
	Verdict     string   `json:"verdict,omitempty"`
	Rivals      []Law    `json:"rivals,omitempty"` // other laws that the errors do not rule out
}

// Table is what a file says of the table.
type Table struct {
	Name      string     `json:"name"`
	SHA256    string     `json:"sha256"`
	Rows      int        `json:"rows"`
	Target    Column     `json:"target"`
	Columns   []Column   `json:"columns"`
	Constants []Constant `json:"constants,omitempty"`
}

// Column is a column without its values.
type Column struct {
	Name string  `json:"name"`
	Unit string  `json:"unit,omitempty"` // "1": dimensionless; "": not known
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// Constant is a known constant.
type Constant struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Unit  string  `json:"unit,omitempty"`

	StdErr float64 `json:"stderr,omitempty"`
}

// Describe returns what a file says of t.
func Describe(t *dataset.Table) Table {
	d := Table{Name: t.Name, SHA256: Hash(t), Rows: t.Rows(), Target: NewColumn(t.Target), Columns: []Column{}}
	for _, c := range t.Vars {
		d.Columns = append(d.Columns, NewColumn(c))
	}
	for _, k := range t.Consts {
		d.Constants = append(d.Constants, Constant{k.Name, k.Value, unitOf(dataset.Column{Unit: k.Unit, HasUnit: k.HasUnit}), k.StdErr})
	}
	return d
}

// NewColumn returns what a file says of a column.
func NewColumn(c dataset.Column) Column {
	out := Column{Name: c.Name, Unit: unitOf(c)}
	if len(c.Values) > 0 {
		out.Low, out.High = slices.Min(c.Values), slices.Max(c.Values)
	}
	return out
}

// unitOf returns the unit of a column, "1" where it is known to have none.
func unitOf(c dataset.Column) string {
	if !c.HasUnit {
		return ""
	}
	if name := c.UnitName(); name != "" {
		return name
	}
	return "1"
}

// Hash returns the SHA-256 of the data behind a law. These are names, units, values and given
// errors of a table, but not the name and format of its file.
func Hash(t *dataset.Table) string {
	h := sha256.New()
	column := func(c dataset.Column) {
		fmt.Fprintf(h, "%q %t %q %g %g;", c.Name, c.HasUnit, c.Unit.Dim.String(), c.Unit.Scale, c.Unit.Offset)
		binary.Write(h, binary.LittleEndian, c.Values)
	}
	column(t.Target)
	for _, v := range t.Vars {
		column(v)
	}
	binary.Write(h, binary.LittleEndian, t.Sigma)
	return hex.EncodeToString(h.Sum(nil))
}

// Finite returns v for JSON, which has no NaN and no infinity: nil.
func Finite(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

// Read reads a law file. Errors name the file and what to do.
func Read(path string) (*File, error) {
	if path == "-" {
		return nil, errors.New("a law is read from a file, not from standard input; give the path of a law file that --save wrote")
	}
	data, err := os.ReadFile(path)
	if err != nil {
		var p *fs.PathError
		if errors.As(err, &p) {
			err = p.Err
		}
		return nil, fmt.Errorf("%s cannot be read: %w; give a law file that --save wrote", path, err)
	}
	return Parse(path, data)
}

// cause returns what is wrong with JSON in words that need no knowledge of Go.
func cause(err error) error {
	var e *json.UnmarshalTypeError
	if !errors.As(err, &e) {
		return err
	}
	return fmt.Errorf("its %s is a JSON %s", cmp.Or(e.Field, "content"), e.Value)
}

// Parse reads a law file's content; path stands for it in errors.
func Parse(path string, data []byte) (*File, error) {
	var kind struct {
		Format  int    `json:"physlib_law"`
		Run     int    `json:"physlib_run"`
		Version string `json:"version"`
	}
	const give = "give a file that physlib discover or physlib fit wrote with --save"
	if err := json.Unmarshal(data, &kind); err != nil {
		return nil, fmt.Errorf("%s is no law file: %w; %s", path, cause(err), give)
	}
	switch {
	case kind.Format == 0 && kind.Run > 0:
		return nil, fmt.Errorf("%s is a run file of an older physlib, %s; search the table again with --save", path, kind.Version)
	case kind.Format == 0:
		return nil, fmt.Errorf("%s is no law file: it has no key physlib_law; %s", path, give)
	case kind.Format > Format || kind.Format < 0:
		return nil, fmt.Errorf("%s has version %d of the law file and this physlib reads up to %d; use the physlib that wrote it: %s", path, kind.Format, Format, kind.Version)
	}
	var f File
	if err := json.Unmarshal(data, &f); err != nil {
		return nil, fmt.Errorf("%s is a damaged law file: %w; %s", path, cause(err), give)
	}
	if f.Single == nil && f.Motion == nil {
		return nil, fmt.Errorf("%s is a damaged law file: it has neither best nor equations; %s", path, give)
	}
	return &f, nil
}

// Chosen returns the law of a file, or an error that says why there is none.
func (f *File) Chosen(path string) (law.Law, error) {
	switch {
	case f.Motion != nil && f.Single == nil:
		return law.Law{}, fmt.Errorf("%s holds laws of motion, not the law of one target", path)
	case f.Groups != nil && len(f.Groups.Laws) > 0:
		return law.Law{}, fmt.Errorf("%s holds a law for each of the groups %s; choose one with --of %s", path, strings.Join(f.Groups.Names, ", "), f.Groups.Names[0])
	case f.Best == nil || f.Best.Tree.Len() == 0:
		return law.Law{}, fmt.Errorf("%s holds no law: nothing was better than a constant; search for longer, or in more rows", path)
	}
	return law.Law(*f.Best), nil
}

// Of returns the law of a group by its name, or that of a file without groups where the name is
// empty.
func (f *File) Of(path, group string) (law.Law, error) {
	if group == "" {
		return f.Chosen(path)
	}
	if f.Groups == nil || len(f.Groups.Laws) == 0 {
		return law.Law{}, fmt.Errorf("%s has no groups; leave --of out", path)
	}
	i := slices.Index(f.Groups.Names, group)
	if i < 0 || i >= len(f.Groups.Laws) {
		return law.Law{}, fmt.Errorf("%s has no group %q; its groups are %s", path, group, strings.Join(f.Groups.Names, ", "))
	}
	return law.Law(f.Groups.Laws[i]), nil
}

// Encode returns the file's content: one line, or indented for people.
func (f *File) Encode(indent bool) ([]byte, error) {
	if f.Format == 0 {
		f.Format = Format
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if indent {
		e.SetIndent("", " ")
	}
	err := e.Encode(f)
	return b.Bytes(), err
}
