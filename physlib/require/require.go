// Package require has prior knowledge about a law. It may be positive, even, odd or increasing,
// have a value at a point, or a behaviour far out or near zero.
//
// # Method
//
// A statement is checked on numbers: at the rows of the table, at values of a column across its
// range, or far beyond them. A law that breaks a statement about a value may keep it with one
// constant fewer. So [Statements.Adapted] solves the statement for a constant in which the law is
// linear, or drops one. With the value 1 at x = 0, c0 + c1*x becomes 1 + c1*x.
package require

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/physlib/lab/physlib/expr"
)

// kind is what a statement says.
type kind uint8

const (
	positive kind = iota
	negative
	even
	odd
	increasing
	decreasing
	monotone
	value // at a point
	limit // behaviour as a variable tends to something
)

// Statement is one thing that is known.
type Statement struct {
	Subject string // the function that it is about; "": the law
	Text    string

	kind  kind
	over  string     // the column
	at    float64    // value, limit
	by    expr.Tree  // value, limit: over the columns
	point []argument // value of a function at its arguments
}

// argument is a column with a value.
type argument struct {
	name string // "": the next argument of a function
	at   float64
}

// forms are how statements are written.
const forms = "write it as 'positive', 'even in x', 'increasing in x', 'x=0: 1', 'f(0)=1' or 'x->inf: 1/x'"

var (
	inColumn  = regexp.MustCompile(`^(?:([\pL_][\pL\d_]*)\s*[: ]\s*)?(even|odd|increasing|decreasing|monotone)\s+in\s+(.+)$`)
	signed    = regexp.MustCompile(`^(?:([\pL_][\pL\d_]*)\s*[: ]\s*)?(positive|negative)$`)
	tendsTo   = regexp.MustCompile(`^(?:([\pL_][\pL\d_]*)\s*:\s*)?([^\s=>-]+)\s*(?:->|→)\s*([+-]?(?:inf|infinity|∞|[\d.eE+-]+))\s*:\s*(.+)$`)
	atColumn  = regexp.MustCompile(`^(?:([\pL_][\pL\d_]*)\s*:\s*)?([^\s=:()]+)\s*=\s*([+-]?[\d.eE+-]+)\s*:\s*(.+)$`)
	ofPoint   = regexp.MustCompile(`^([\pL_][\pL\d_]*)\s*\(([^()]*)\)\s*=\s*(.+)$`)
	kindNames = map[string]kind{"positive": positive, "negative": negative, "even": even, "odd": odd,
		"increasing": increasing, "decreasing": decreasing, "monotone": monotone}
)

// Parse reads a statement about a law of target over columns, or about one of its unknown
// functions, by their names.
func Parse(text string, target string, columns []string, functions []string) (Statement, error) {
	s := Statement{Text: strings.TrimSpace(text)}
	var right string
	var err error
	switch {
	case signed.MatchString(s.Text):
		m := signed.FindStringSubmatch(s.Text)
		s.Subject, s.kind = m[1], kindNames[m[2]]
	case inColumn.MatchString(s.Text):
		m := inColumn.FindStringSubmatch(s.Text)
		s.Subject, s.kind, s.over = m[1], kindNames[m[2]], strings.TrimSpace(m[3])
	case tendsTo.MatchString(s.Text):
		m := tendsTo.FindStringSubmatch(s.Text)
		s.Subject, s.kind, s.over, right = m[1], limit, m[2], m[4]
		s.at, err = number(m[3])
	case atColumn.MatchString(s.Text):
		m := atColumn.FindStringSubmatch(s.Text)
		s.Subject, s.kind, right = m[1], value, m[4]
		var at float64
		at, err = number(m[3])
		s.point = []argument{{m[2], at}}
	case ofPoint.MatchString(s.Text):
		m := ofPoint.FindStringSubmatch(s.Text)
		s.Subject, s.kind, right = m[1], value, m[3]
		s.point, err = arguments(m[2])
	default:
		return s, fmt.Errorf("%q is no statement about a law; %s", text, forms)
	}
	if err != nil {
		return s, fmt.Errorf("%q: %w; %s", text, err, forms)
	}
	if s.Subject == target {
		s.Subject = ""
	}
	if s.Subject != "" && !slices.Contains(functions, s.Subject) {
		known := append([]string{target}, functions...)
		return s, fmt.Errorf("%q: %s is neither the target nor an unknown function; there are %s", text, s.Subject, strings.Join(known, ", "))
	}
	if s.Subject == "" || s.over != "" {
		for _, name := range append([]string{s.over}, pointNames(s.point)...) {
			if name != "" && !slices.Contains(columns, name) {
				return s, fmt.Errorf("%q: there is no column %s; the columns are %s", text, name, strings.Join(columns, ", "))
			}
		}
	}
	if right != "" {
		if s.by, err = expr.Parse(right, columns); err != nil {
			return s, fmt.Errorf("%q: %w", text, err)
		}
	}
	if s.Subject == "" && s.kind == value && slices.ContainsFunc(s.point, func(a argument) bool { return a.name == "" }) {
		return s, fmt.Errorf("%q: name the column, as in %s(x=0) = 1", text, target)
	}
	return s, nil
}

func pointNames(point []argument) (names []string) {
	for _, a := range point {
		names = append(names, a.name)
	}
	return names
}

// arguments reads "0" or "x=0, y=1".
func arguments(text string) (out []argument, err error) {
	for _, part := range strings.Split(text, ",") {
		name, v, ok := strings.Cut(part, "=")
		if !ok {
			name, v = "", part
		}
		at, err := number(strings.TrimSpace(v))
		if err != nil {
			return nil, err
		}
		out = append(out, argument{strings.TrimSpace(name), at})
	}
	return out, nil
}
