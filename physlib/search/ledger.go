package search

import (
	_ "embed"
	"encoding/csv"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/physlib/lab/physlib/column"
	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/unit"
)

//go:embed ledger.csv
var ledgerText string

// ledger returns the table that the schedule uses: the results of all parts on random laws.
var ledger = sync.OnceValue(func() []Experience {
	l, err := ReadLedger(ledgerText)
	if err != nil {
		panic(err) // the file is embedded and tested
	}
	return l
})

// Experience is the result of each part on one random law.
type Experience struct {
	Class     Class
	Variables int  // columns of the law's table
	Noise     bool // the target has errors
	// Results by part. If a method found the law at some depth, the parts with this method at
	// greater depths have no entry.
	Tried map[Part]Trial
}

// Trial is the result of one part on one law.
type Trial struct {
	Found     bool
	Seconds   float64 // processor time in seconds
	Truncated bool    // the time limit ended the part
}

// ledgerColumns are the first columns of a ledger. The columns of the parts follow.
var ledgerColumns = []string{"class", "variables", "noise"}

// ReadLedger parses a ledger as WriteLedger formats it. Errors name the line.
func ReadLedger(text string) ([]Experience, error) {
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err == nil && (len(rows) == 0 || len(rows[0]) < len(ledgerColumns)) {
		err = errors.New("columns are missing")
	}
	if err != nil {
		return nil, fmt.Errorf("ledger: no table: %w", err)
	}
	var parts []Part
	for _, name := range rows[0][len(ledgerColumns):] {
		p, ok := ParsePart(name)
		if !ok {
			return nil, fmt.Errorf("ledger:1: there is no part %q", name)
		}
		parts = append(parts, p)
	}
	var all []Experience
	for n, row := range rows[1:] {
		e := Experience{Noise: row[2] == "true", Tried: map[Part]Trial{}}
		var ok bool
		if e.Class, ok = ParseClass(row[0]); !ok {
			return nil, fmt.Errorf("ledger:%d: there is no class %q", n+2, row[0])
		}
		if e.Variables, err = strconv.Atoi(row[1]); err != nil {
			return nil, fmt.Errorf("ledger:%d: variables: %w", n+2, err)
		}
		for i, cell := range row[len(ledgerColumns):] {
			if cell == "" {
				continue
			}
			seconds, err := strconv.ParseFloat(strings.TrimRight(cell[1:], ">"), 64)
			if err != nil {
				return nil, fmt.Errorf("ledger:%d: %v: %w", n+2, parts[i], err)
			}
			e.Tried[parts[i]] = Trial{Found: cell[0] == '+', Seconds: seconds, Truncated: strings.HasSuffix(cell, ">")}
		}
		all = append(all, e)
	}
	return all, nil
}

// WriteLedger returns a ledger as CSV, with a row for each law and a column for each part. A cell
// starts with + if the part found the law, or with - if it did not. The seconds follow, and a > if
// the time limit ended the part.
func WriteLedger(all []Experience) string {
	var b strings.Builder
	w := csv.NewWriter(&b)
	header := append([]string(nil), ledgerColumns...)
	for _, p := range Parts() {
		header = append(header, p.String())
	}
	w.Write(header) // writing to a strings.Builder does not fail
	for _, e := range all {
		row := []string{e.Class.String(), strconv.Itoa(e.Variables), strconv.FormatBool(e.Noise)}
		for _, p := range Parts() {
			row = append(row, e.Tried[p].cell())
		}
		w.Write(row)
	}
	w.Flush()
	return b.String()
}

// cell returns t as a cell of the ledger. The cell of the zero Trial is empty.
func (t Trial) cell() string {
	if t == (Trial{}) {
		return ""
	}
	sign, end := "-", ""
	if t.Found {
		sign = "+"
	}
	if t.Truncated {
		end = ">"
	}
	return fmt.Sprintf("%s%.3f%s", sign, max(t.Seconds, 0.001), end)
}

// Class says what the units of a problem reveal about its law.
type Class uint8

// The classes.
const (
	Unitless Class = iota // units are not known
	Unbound               // no product of powers of the variables has the target's dimension
	Bound                 // some product of powers of the variables has the target's dimension
)

var classes = [...]string{"unitless", "unbound", "bound"}

// String returns the name of c.
func (c Class) String() string { return classes[c] }

// ParseClass returns the class with the given name. ok is false if there is none.
func ParseClass(name string) (c Class, ok bool) {
	i := slices.Index(classes[:], name)
	return Class(max(i, 0)), i >= 0
}

// ClassOf returns the class of the problem p, which depends only on the units of p.
func ClassOf(p *dataset.Problem) Class {
	if !p.Units {
		return Unitless
	}
	var dims []unit.Dim
	for _, v := range p.Vars {
		if v.Const || !column.Constant(v.Values) {
			dims = append(dims, v.Dim)
		}
	}
	if _, ok := unit.SolveExponents(dims, p.Target.Dim); !ok {
		return Unbound
	}
	return Bound
}
