package corpus

import (
	"bytes"
	"embed"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/physlib/lab/physlib/expr"
)

//go:embed feynman.csv feynman-inverted.csv classic.csv nguyen.csv textbook.csv lsr-synth.csv
//go:embed strogatz.csv motion.csv motion-more.csv motion-held-out.csv
var tables embed.FS

// Suites returns the names of the embedded suites.
func Suites() []string {
	return []string{"feynman", "bonus", "strogatz", "classic", "nguyen", "textbook", "lsr-synth", "feynman-inverted"}
}

// Suite returns the problems of the suite with the given name: one of Suites, one with trajectories
// (see Motions), or a file with a table of laws.
//
//	feynman            100 laws of AI Feynman
//	feynman-inverted   these laws solved for each of their variables
//	bonus              the 20 harder laws of AI Feynman
//	strogatz           14 right sides of equations of motion
//	nguyen, classic    13 and 101 formulas of the literature
//	textbook           the development set of this project
//	lsr-synth          66 equations of LLM-SRBench, measured along a path (see Problem.Measure)
func Suite(name string) ([]Problem, error) {
	set := strings.ToLower(name)
	// Suites with trajectories are not listed by Suites.
	if !moving(set) && !slices.Contains(Suites(), set) {
		return readFile(name)
	}
	file := set + ".csv"
	if set == "bonus" {
		file = "feynman.csv"
	}
	data, err := tables.ReadFile(file)
	if err != nil {
		return nil, err
	}
	ps, err := Read(bytes.NewReader(data), file)
	if file == "feynman.csv" {
		ps = slices.DeleteFunc(ps, func(p Problem) bool { return p.Set != set })
	}
	return ps, err
}

func readFile(name string) ([]Problem, error) {
	f, err := os.Open(name)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("suite %q: neither a file nor one of %s", name, strings.Join(Suites(), ", "))
	}
	if err != nil {
		return nil, fmt.Errorf("suite: %w", err)
	}
	defer f.Close()
	return Read(f, name)
}

// Read reads a table of laws in the form that the package comment describes. Errors contain name,
// the column, and the line of the file, where the header is line 1.
func Read(r io.Reader, name string) ([]Problem, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	cr := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(data, []byte("\ufeff"))))
	cr.FieldsPerRecord = -1
	cr.TrimLeadingSpace = true
	t := &lawTable{file: name}
	for {
		cells, err := cr.Read()
		if err == io.EOF {
			return t.finish()
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		t.line, _ = cr.FieldPos(0)
		if err := t.row(cells); err != nil {
			return nil, err
		}
	}
}

// lawTable is the state while a table of laws is read.
type lawTable struct {
	file string
	// Index of each column by its name in lower case; nil before the header is read.
	columns  map[string]int
	width    int   // number of columns in the header
	vars     []int // the numbers N of the columns vN_name, ascending
	cells    []string
	line     int
	problems []Problem
	lines    map[string]int // line in the file of each id
}

func (t *lawTable) finish() ([]Problem, error) {
	switch {
	case t.columns == nil:
		return nil, fmt.Errorf("%s: empty file: a table of laws starts with a header line such as id,law,output,v1_name,v1_low,v1_high", t.file)
	case len(t.problems) == 0:
		return nil, fmt.Errorf("%s: a header and no law", t.file)
	}
	return t.problems, nil
}

// header reads the names of the columns from the header line, and checks them.
func (t *lawTable) header() error {
	t.columns, t.width, t.lines = map[string]int{}, len(t.cells), map[string]int{}
	for i, c := range t.cells {
		name := strings.ToLower(strings.TrimSpace(c))
		if _, twice := t.columns[name]; twice && name != "" {
			return t.errorf(name, "there are two columns of this name")
		}
		t.columns[name] = i
		if v, ok := strings.CutSuffix(name, "_name"); ok && strings.HasPrefix(v, "v") {
			if n, err := strconv.Atoi(v[1:]); err == nil {
				t.vars = append(t.vars, n)
			}
		}
	}
	slices.Sort(t.vars)
	if _, ok := t.columns["law"]; !ok {
		return t.errorf("law", "no such column: the header has %s", strings.Join(t.cells, ","))
	}
	if len(t.vars) == 0 {
		return t.errorf("v1_name", "no such column: the variables of a law stand in v1_name, v1_low, v1_high, v2_name …")
	}
	return nil
}

func (t *lawTable) row(cells []string) error {
	t.cells = cells
	if t.columns == nil {
		return t.header()
	}
	if blank(cells) {
		return nil
	}
	if n := t.width; len(cells) > n && !blank(cells[n:]) {
		return fmt.Errorf("%s: line %d: %d cells under %d column names: put quotes around a cell with a comma", t.file, t.line, len(cells), n)
	}
	p, err := t.problem()
	if err != nil {
		return err
	}
	if first, twice := t.lines[p.ID]; twice {
		return t.errorf("id", "%q is also the id of line %d", p.ID, first)
	}
	t.lines[p.ID] = t.line
	t.problems = append(t.problems, p)
	return nil
}

// problem returns the current row as a problem.
func (t *lawTable) problem() (Problem, error) {
	p := Problem{
		ID: t.cell("id"), Set: t.cell("set"), Law: t.cell("law"), Title: t.cell("name"),
		Output: t.cell("output"), OutputUnit: t.cell("output_si"), Hidden: t.cell("hidden"), Path: t.cell("path"),
	}
	if p.ID == "" {
		p.ID = strconv.Itoa(len(t.problems) + 1)
	}
	if p.Set == "" {
		p.Set = strings.TrimSuffix(filepath.Base(t.file), filepath.Ext(t.file))
	}
	if p.Law == "" {
		return p, t.errorf("law", "empty cell: write the law of %s as infix", p.ID)
	}
	if _, _, err := parseUnit(p.OutputUnit); err != nil {
		return p, t.errorf("output_si", "%w", err)
	}
	for _, n := range t.vars {
		v, ok, err := t.variable(fmt.Sprintf("v%d_", n))
		if err != nil {
			return p, err
		}
		if !ok {
			continue
		}
		if slices.ContainsFunc(p.Vars, func(o Var) bool { return o.Name == v.Name }) {
			return p, t.errorf(fmt.Sprintf("v%d_name", n), "%q is the name of two variables", v.Name)
		}
		p.Vars = append(p.Vars, v)
	}
	if err := t.given(&p); err != nil {
		return p, err
	}
	if len(p.Vars) == 0 {
		return p, t.errorf("v1_name", "empty cell: %s has no variable", p.ID)
	}
	if p.Output == "" {
		p.Output = "y"
	}
	if _, err := p.Tree(); err != nil {
		return p, t.errorf("law", "%w", err)
	}
	if _, err := p.path(); err != nil {
		return p, t.errorf("path", "%w", err)
	}
	return p, nil
}

// variable returns the variable whose columns start with prefix. ok is false if the row has none.
func (t *lawTable) variable(prefix string) (v Var, ok bool, err error) {
	v = Var{Name: t.cell(prefix + "name"), Unit: t.cell(prefix + "si"), Sampling: strings.ToLower(t.cell(prefix + "sampling"))}
	if v.Name == "" {
		if t.cell(prefix+"low") != "" || t.cell(prefix+"high") != "" {
			return v, false, t.errorf(prefix+"name", "empty cell next to a range: name the variable or empty the range")
		}
		return v, false, nil
	}
	if _, _, err := parseUnit(v.Unit); err != nil {
		return v, false, t.errorf(prefix+"si", "%w", err)
	}
	if name, _, ok := strings.Cut(t.cell("given"), "="); ok && strings.TrimSpace(name) == v.Name {
		return v, true, nil
	}
	v.Low, v.High, err = t.limits(prefix)
	if err != nil {
		return v, false, err
	}
	if err := v.check(); err != nil {
		return v, false, t.errorf(prefix+"low", "%w", err)
	}
	return v, true, nil
}

// limits returns the range in the columns prefix+"low" and prefix+"high".
func (t *lawTable) limits(prefix string) (low, high float64, err error) {
	if low, err = t.number(prefix + "low"); err != nil {
		return 0, 0, err
	}
	high, err = t.number(prefix + "high")
	return low, high, err
}

// given parses the cell that says which variable of p is calculated by a law.
func (t *lawTable) given(p *Problem) (err error) {
	cell := t.cell("given")
	if cell == "" {
		return nil
	}
	name, formula, _ := strings.Cut(cell, "=")
	g := Given{Name: strings.TrimSpace(name), Law: strings.TrimSpace(formula), Result: Var{Name: p.Output, Unit: p.OutputUnit}}
	if !slices.ContainsFunc(p.Vars, func(v Var) bool { return v.Name == g.Name }) {
		return t.errorf("given", "%q is not a variable of %s: write it as F = m*a", g.Name, p.ID)
	}
	if g.Result.Low, g.Result.High, err = t.limits("output_"); err != nil {
		return err
	}
	if err := g.Result.check(); err != nil {
		return t.errorf("output_low", "%w", err)
	}
	p.Given = g
	if _, err := p.givenTree(); err != nil {
		return t.errorf("given", "%w", err)
	}
	return nil
}

// check returns an error if values cannot be drawn from the range of v.
func (v Var) check() error {
	switch {
	case v.Low > v.High:
		return fmt.Errorf("range of %s: %g is above %g: swap them", v.Name, v.Low, v.High)
	case v.Sampling != "" && v.Sampling != Uniform && v.Sampling != LogUniform && v.Sampling != Integer:
		return fmt.Errorf("sampling of %s: %q is not one of uniform, loguniform, integer", v.Name, v.Sampling)
	case v.Sampling == LogUniform && (v.Low == 0 || v.High == 0 || v.Low < 0 && v.High > 0):
		return fmt.Errorf("range of %s: loguniform from %g to %g touches zero: start above it", v.Name, v.Low, v.High)
	case v.Sampling == Integer && math.Ceil(v.Low) > math.Floor(v.High):
		return fmt.Errorf("range of %s: no whole number from %g to %g", v.Name, v.Low, v.High)
	}
	return nil
}

// number returns the value of the cell in a column, which must be a finite number or a constant
// expression.
func (t *lawTable) number(column string) (float64, error) {
	s := t.cell(column)
	x, err := strconv.ParseFloat(s, 64)
	if err != nil && s != "" {
		var e expr.Tree
		if e, err = expr.Parse(s, []string{}); err == nil && e.NumParams() == 0 {
			y := e.Values(1, nil, nil)
			x = y[0]
		}
	}
	if err != nil || s == "" || math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, t.errorf(column, "%q is not a finite number", s)
	}
	return x, nil
}

// cell returns the trimmed cell of the current row; "" if the column is missing.
func (t *lawTable) cell(column string) string {
	i, ok := t.columns[column]
	if !ok || i >= len(t.cells) {
		return ""
	}
	return strings.TrimSpace(t.cells[i])
}

// errorf returns an error for the current row and a column.
func (t *lawTable) errorf(column, format string, args ...any) error {
	return fmt.Errorf("%s: line %d, column %s: %w", t.file, t.line, column, fmt.Errorf(format, args...))
}

func blank(cells []string) bool {
	return !slices.ContainsFunc(cells, func(c string) bool { return strings.TrimSpace(c) != "" })
}
