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

// File is the content of a law file.
type File struct {
	Format  int       `json:"physlib_law"`
	Version string    `json:"version"` // program that wrote the file
	Created time.Time `json:"created"` // when the search or fit began
	Table   Table     `json:"table"`
	Rows    int       `json:"rows"`

	*Single // nil for laws of motion
	*Motion // nil for a law of one target

	Fit *Fit `json:"fit,omitempty"` // set by physlib fit
	// One law with separate constants for each group of rows. If Groups is set, Best is nil.
	Groups *Groups `json:"groups,omitempty"`

	Outliers    []int   `json:"outliers,omitempty"`
	Stopped     string  `json:"stopped"`
	Seconds     float64 `json:"seconds"`
	Evaluations int64   `json:"evaluations"`
	Seed        int64   `json:"seed"`
}

// Single is the part of a file that describes the law of one target.
type Single struct {
	Target      string     `json:"target"`
	Best        *Law       `json:"best"`
	Front       []Law      `json:"front"`
	Verdict     string     `json:"verdict"`
	Probability *float64   `json:"probability"`
	Errors      string     `json:"errors,omitempty"`
	KnownLaws   []KnownLaw `json:"known_laws"`
}

// Law is a law that can be read back unchanged from its JSON.
type Law = law.Saved

// Fit describes how well a given formula fits.
type Fit struct {
	Formula  string  `json:"formula"` // the formula with the names of its constants
	Chi2     float64 `json:"chi2"`
	Nu       int     `json:"nu"`       // degrees of freedom
	Absolute bool    `json:"absolute"` // whether the errors were given
	// Probability that chi2 is at least as large by chance; null: the errors were not given.
	P       *float64 `json:"p"`
	AtBound []string `json:"at_bound,omitempty"`
	Loss    string   `json:"loss,omitempty"` // name of a robust loss; "": least squares
	// Scale of the robust loss, in units of the weighted residuals.
	FScale float64 `json:"f_scale,omitempty"`
	// Correlation matrix of the constants, row by row; null: not determined.
	Correlation []*float64 `json:"correlation,omitempty"`
	// Residual of each row of the table, in standard errors; null: not finite.
	Residuals []*float64 `json:"residuals"`
}

// Groups is one law with separate constants for each group of rows.
type Groups struct {
	// Column whose values define the groups; "": each group was a separate table.
	Column string   `json:"column"`
	Names  []string `json:"names"`
	Shared []string `json:"shared"` // constants that are equal in all groups
	Laws   []Law    `json:"laws"`   // law of each group; empty if none was found
}

// KnownLaw is a law of the catalogue that fits the table.
type KnownLaw struct {
	Names []string `json:"names"`
	Law   string   `json:"law"`
	// Number of bits by which the description of this law is longer than that of best.
	Beyond float64 `json:"bits_beyond_best"`
	// The law best, in the form of this known law; nil: best does not have this form.
	Form *KnownForm `json:"usual,omitempty"`
}

// KnownForm is a law in the form that the literature uses, with the parameters of that form.
type KnownForm struct {
	Name      string         `json:"name"`
	Formula   string         `json:"formula"` // right side of the law
	Constants []law.Constant `json:"constants"`
	SI        bool           `json:"si,omitempty"` // the formula needs the columns in SI units
	// Reference quantities of the formula, such as t_1 = 1 h.
	References []law.Constant `json:"references,omitempty"`
}

// Motion is the part of a file about laws of motion.
type Motion struct {
	Equations []Equation `json:"equations"`
	Order     int        `json:"order"`
	Time      string     `json:"time"`
	End       float64    `json:"end"` // time of the last row in the last run
	Driven    bool       `json:"driven,omitempty"`
	Runs      int        `json:"runs"`
	// True if the errors in Equation are those of integrations over whole runs. False if they are
	// those over windows of Window intervals between rows.
	Whole  bool `json:"whole_runs"`
	Window int  `json:"window"`
	// Covariance of the constants of all equations, one equation after the other; row by row.
	Covariance []*float64 `json:"covariance,omitempty"`
	// Constants with separate values in groups of runs. In the laws they are columns.
	Separate []Separate `json:"separate,omitempty"`
}

// Separate is a constant with separate values in groups of runs.
type Separate struct {
	Name   string     `json:"name"`
	Groups []string   `json:"groups"`
	Values []float64  `json:"values"`
	StdErr []*float64 `json:"stderr"` // null: unknown
}

// Equation is the law for the derivative of one state.
type Equation struct {
	State string `json:"state"`
	Rate  string `json:"rate"`
	// Null if no law was found. r2 and rmse are those of the derivative.
	Law   *Law     `json:"law"`
	Error *float64 `json:"error"` // error of the integrated state
	Noise float64  `json:"noise"` // standard deviation of the state's noise, estimated or given
	Last  float64  `json:"last"`  // value of the state in the last row of the last run
	// Derivative of the state in the last row of the last run, for equations of second order.
	Slope float64 `json:"slope"`
	Front []Law   `json:"front"` // other laws; their rmse is that of the integrated state

	// Probability that the law has the right form.
	Probability *float64 `json:"probability,omitempty"`
	Verdict     string   `json:"verdict,omitempty"`
	Rivals      []Law    `json:"rivals,omitempty"` // other laws that the errors do not exclude
}

// Table describes a table without its values.
type Table struct {
	Name      string     `json:"name"`
	SHA256    string     `json:"sha256"`
	Rows      int        `json:"rows"`
	Target    Column     `json:"target"`
	Columns   []Column   `json:"columns"`
	Constants []Constant `json:"constants,omitempty"`
}

// Column describes a column without its values.
type Column struct {
	Name string  `json:"name"`
	Unit string  `json:"unit,omitempty"` // "1": dimensionless; "": unknown
	Low  float64 `json:"low"`
	High float64 `json:"high"`
	// Moment of the value 0 in a column of dates or times of day, as dataset.FormatMoment writes
	// it; "": it is neither.
	Since string `json:"since,omitempty"`
}

// Origin returns the moment of the value 0 in a column of dates or times of day, else zero.
func (c Column) Origin() time.Time {
	at, _ := dataset.ParseMoment(c.Since)
	return at
}

// Constant is a constant that was given together with the table.
type Constant struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Unit  string  `json:"unit,omitempty"`

	StdErr float64 `json:"stderr,omitempty"`
}

// Describe returns the description of t.
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

// NewColumn returns the description of a column.
func NewColumn(c dataset.Column) Column {
	out := Column{Name: c.Name, Unit: unitOf(c)}
	if len(c.Values) > 0 {
		out.Low, out.High = slices.Min(c.Values), slices.Max(c.Values)
	}
	if !c.Since.IsZero() {
		out.Since = dataset.FormatMoment(c.Since)
	}
	return out
}

// unitOf returns the unit of a column: "1" if it is dimensionless, "" if it is unknown.
func unitOf(c dataset.Column) string {
	if !c.HasUnit {
		return ""
	}
	if name := c.UnitName(); name != "" {
		return name
	}
	return "1"
}

// Hash returns the SHA-256 of the names, units and values of a table, in hexadecimal. It does not
// depend on the name and format of the table's file. It does not depend on the standard errors of
// the target either, which are a setting of a search.
func Hash(t *dataset.Table) string { return hash(t, nil) }

// hash is like Hash, but also includes standard errors of the target.
func hash(t *dataset.Table, sigma []float64) string {
	h := sha256.New()
	column := func(c dataset.Column) {
		fmt.Fprintf(h, "%q %t %q %g %g;", c.Name, c.HasUnit, c.Unit.Dim.String(), c.Unit.Scale, c.Unit.Offset)
		binary.Write(h, binary.LittleEndian, c.Values)
	}
	column(t.Target)
	for _, v := range t.Vars {
		column(v)
	}
	binary.Write(h, binary.LittleEndian, sigma)
	return hex.EncodeToString(h.Sum(nil))
}

// Difference describes in what respect the table t differs from the table that d describes, as in
// "it has 20 rows, not 21". It returns "" if the tables are equal. They also count as equal if the
// hash in d includes standard errors.
func (d Table) Difference(t *dataset.Table) string {
	if d.SHA256 == Hash(t) || d.SHA256 == hash(t, t.Sigma) {
		return ""
	}
	names := func(columns []Column) string {
		var out []string
		for _, c := range columns {
			name := c.Name
			if c.Unit != "" {
				name += " [" + c.Unit + "]"
			}
			out = append(out, name)
		}
		return strings.Join(out, ", ")
	}
	now := Describe(t)
	target, was := names([]Column{now.Target}), names([]Column{d.Target})
	if target != was {
		return fmt.Sprintf("its target is %s, not %s", target, was)
	}
	columns, were := names(now.Columns), names(d.Columns)
	if columns != were {
		return fmt.Sprintf("its columns are %s, not %s", columns, were)
	}
	if now.Rows != d.Rows {
		return fmt.Sprintf("it has %d rows, not %d", now.Rows, d.Rows)
	}
	return "some of its values differ"
}

// Finite returns a pointer to v, or nil if v is not finite, since JSON has no NaN and no infinity.
func Finite(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

// Read reads the law file at path. Errors name the file and say what to try.
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

// cause rewrites an error of package json so that it can be understood without knowledge of Go.
func cause(err error) error {
	var e *json.UnmarshalTypeError
	if !errors.As(err, &e) {
		return err
	}
	return fmt.Errorf("its %s is a JSON %s", cmp.Or(e.Field, "content"), e.Value)
}

// Parse parses the content of a law file. Errors name the file by path.
func Parse(path string, data []byte) (*File, error) {
	var kind struct {
		Format  int    `json:"physlib_law"`
		Run     int    `json:"physlib_run"`
		Version string `json:"version"`
	}
	const give = "give a file that physlib discover or physlib fit wrote with --save"
	if err := json.Unmarshal(data, &kind); err != nil {
		return nil, fmt.Errorf("%s is not a law file: %w; %s", path, cause(err), give)
	}
	switch {
	case kind.Format == 0 && kind.Run > 0:
		return nil, fmt.Errorf("%s is a run file of an older physlib, %s; search the table again with --save", path, kind.Version)
	case kind.Format == 0:
		return nil, fmt.Errorf("%s is not a law file: it has no key physlib_law; %s", path, give)
	case kind.Format > Format || kind.Format < 0:
		return nil, fmt.Errorf("%s is a law file of version %d; this physlib reads up to version %d; use the newer physlib that wrote it: %s", path, kind.Format, Format, kind.Version)
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

// Chosen returns the law of a file. If there is none, the error says why, and names the file by
// path.
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

// Of returns the law of the group with the given name. The name "" means the law of a file without
// groups.
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

// Encode returns the file's content as JSON: in one line, or indented for people to read. It sets
// f.Format if that is 0.
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
