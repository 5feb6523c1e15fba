// Package require checks prior knowledge about a law. The law may be known to be positive, even,
// odd or increasing, or to have a certain value at a point. Its behaviour at infinity or near zero
// may also be known.
//
// # Method
//
// A statement is checked numerically. The law is evaluated in the rows of the table, at values of a
// column across its range, or far beyond that range. If a law violates a statement about a value,
// a law with one constant fewer may satisfy it. So [Statements.Adapted] solves the statement for
// a constant in which the law is linear, or replaces a constant by 0 or 1. For example, if the
// value at x = 0 must be 1, c0 + c1*x becomes 1 + c1*x.
package require

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/physlib/lab/physlib/expr"
)

// kind is the property that a statement claims, such as that the law is positive.
type kind uint8

const (
	positive kind = iota
	negative
	even
	odd
	increasing
	decreasing
	monotone
	value // the value at a point
	limit // behaviour as a column approaches a value
)

// Statement is a known property of a law or of one of its functions.
type Statement struct {
	Subject string // name of the function that the statement is about; "": the whole law
	Text    string

	kind  kind
	over  string     // the column that varies; not used for positive, negative and value
	at    float64    // for limit: the value that the column over approaches
	by    expr.Tree  // for value and limit: the right side, as a function of the columns
	point []argument // for value: the arguments of the law at the point
}

// argument is a column together with its value at a point.
type argument struct {
	name string // "": an argument of a function, given by its index
	at   float64
}

// forms describes the syntax of statements in error messages.
const forms = "write it as 'positive', 'even in x', 'increasing in x', 'x=0: 1', 'f(0)=1' or 'x->inf: 1/x'"

var (
	inColumn  = regexp.MustCompile(`^(?:([\pL_][\pL\d_]*)\s*[: ]\s*)?(even|odd|increasing|decreasing|monotone)\s+in\s+(.+)$`)
	signed    = regexp.MustCompile(`^(?:([\pL_][\pL\d_]*)\s*[: ]\s*)?(positive|negative)$`)
	tendsTo   = regexp.MustCompile(`^(?:([\pL_][\pL\d_]*)\s*:\s*)?([^\s=>-]+)\s*(?:->|→)\s*([+-]?(?:(?i:inf|infinity)|∞|[\d.eE+-]+))\s*:\s*(.+)$`)
	atColumn  = regexp.MustCompile(`^(?:([\pL_][\pL\d_]*)\s*:\s*)?([^\s=:()]+)\s*=\s*([+-]?[\d.eE+-]+)\s*:\s*(.+)$`)
	ofPoint   = regexp.MustCompile(`^([\pL_][\pL\d_]*)\s*\(([^()]*)\)\s*=\s*(.+)$`)
	kindNames = map[string]kind{"positive": positive, "negative": negative, "even": even, "odd": odd,
		"increasing": increasing, "decreasing": decreasing, "monotone": monotone}
)

// Parse parses a statement about the law of a target in the given columns, or about one of its
// unknown functions.
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
		return s, fmt.Errorf("%q is not a statement about a law; %s", text, forms)
	}
	if err != nil {
		return s, fmt.Errorf("%q: %w; %s", text, err, forms)
	}
	if s.Subject == target {
		s.Subject = ""
	}
	if s.Subject != "" && !slices.Contains(functions, s.Subject) {
		known := append([]string{target}, functions...)
		return s, fmt.Errorf("%q: %s is neither the target nor an unknown function; known names are %s", text, s.Subject, strings.Join(known, ", "))
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

// arguments parses "0" or "x=0, y=1".
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
