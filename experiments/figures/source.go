package figures

import (
	"bytes"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// source reads results for one figure and records the files that it reads.
type source struct {
	dir  string
	sums map[string]string // SHA-256 by the name of the file
	runs map[string]bool   // runs and commits named in the files
}

// missing is the error that no results file matches a pattern.
type missing struct{ pattern string }

// Error names the missing results.
func (m missing) Error() string { return "no " + m.pattern + " among the results" }

// find returns the names of the results files that match the pattern, sorted. If there are none,
// the error is missing.
func (s *source) find(pattern string) ([]string, error) {
	paths, err := filepath.Glob(filepath.Join(s.dir, pattern))
	if err != nil {
		return nil, err
	}
	if len(paths) == 0 {
		return nil, missing{pattern}
	}
	for i, p := range paths {
		paths[i] = filepath.Base(p)
	}
	slices.Sort(paths)
	return paths, nil
}

// read returns the content of a results file and records it as a source of the figure.
func (s *source) read(name string) ([]byte, error) {
	b, err := os.ReadFile(filepath.Join(s.dir, name))
	if os.IsNotExist(err) {
		return nil, missing{name}
	} else if err != nil {
		return nil, err
	}
	if s.sums == nil {
		s.sums = map[string]string{}
	}
	sum := sha256.Sum256(b)
	s.sums[name] = hex.EncodeToString(sum[:])
	return b, nil
}

// names returns the files read, sorted.
func (s *source) names() []string { return slices.Sorted(maps.Keys(s.sums)) }

// run records the name of a run, or the commit of the program that made results.
func (s *source) run(name string) {
	if name == "" {
		return
	}
	if s.runs == nil {
		s.runs = map[string]bool{}
	}
	s.runs[name] = true
}

// table is a CSV file with a header. Lines that start with "#" are comments.
type table struct {
	name   string
	header []string
	rows   [][]string
}

// table reads a CSV file, which must have the given columns.
func (s *source) table(name string, columns ...string) (table, error) {
	b, err := s.read(name)
	if err != nil {
		return table{}, err
	}
	r := csv.NewReader(bytes.NewReader(b))
	r.Comment = '#'
	all, err := r.ReadAll()
	if err != nil {
		return table{}, fmt.Errorf("%s: %w", name, err)
	}
	if len(all) == 0 {
		return table{}, fmt.Errorf("%s is empty: expected a header with the columns %s", name, strings.Join(columns, ", "))
	}
	t := table{name, all[0], all[1:]}
	for _, c := range columns {
		if !slices.Contains(t.header, c) {
			return t, fmt.Errorf("%s has no column %s; it has %s", name, c, strings.Join(t.header, ", "))
		}
	}
	if i := slices.Index(t.header, "run"); i >= 0 {
		for _, row := range t.rows {
			s.run(row[i])
		}
	}
	return t, nil
}

// text returns a cell, or "" if there is no such column.
func (t table) text(row int, column string) string {
	if i := slices.Index(t.header, column); i >= 0 {
		return t.rows[row][i]
	}
	return ""
}

// number returns a cell as a number. ok is false for an empty cell or a missing column. Any other
// text that is not a number gives an error that names file, row and column.
func (t table) number(row int, column string) (v float64, ok bool, err error) {
	text := strings.TrimSpace(t.text(row, column))
	if text == "" {
		return 0, false, nil
	}
	v, err = strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, false, fmt.Errorf("%s, row %d, column %s: %q is not a number", t.name, row+1, column, text)
	}
	return v, true, nil
}

// numbers returns cells of a row as numbers, all of which must exist.
func (t table) numbers(row int, columns ...string) ([]float64, error) {
	out := make([]float64, len(columns))
	for i, c := range columns {
		v, ok, err := t.number(row, c)
		if err != nil {
			return nil, err
		}
		if !ok {
			return nil, fmt.Errorf("%s, row %d, column %s is empty", t.name, row+1, c)
		}
		out[i] = v
	}
	return out, nil
}

// stem returns a file's name without its extension and without the part up to the first "-".
func stem(name string) string {
	_, after, _ := strings.Cut(strings.TrimSuffix(name, path.Ext(name)), "-")
	return after
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
