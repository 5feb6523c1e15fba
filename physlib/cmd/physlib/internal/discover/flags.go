package discover

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/physlib/lab/physlib/cmd/physlib/internal/reading"
	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/spelling"
)

// budget is a duration such as 90s or 5m; a plain number is seconds.
type budget time.Duration

// UnmarshalText reads a budget.
func (b *budget) UnmarshalText(text []byte) error {
	s := string(text)
	d, err := time.ParseDuration(s)
	if seconds, numErr := strconv.ParseFloat(s, 64); numErr == nil {
		d, err = time.Duration(min(seconds*float64(time.Second), math.MaxInt64/2)), nil
		if math.IsNaN(seconds) {
			d = -1
		}
	}
	if err != nil || d < 0 {
		return fmt.Errorf("%q is not a duration of 0 or more; try 30s, 5m or 2h", s)
	}
	*b = budget(d)
	return nil
}

// count is a whole number of 1 or more, also written as 1e6.
type count int64

// UnmarshalText reads a count.
func (c *count) UnmarshalText(text []byte) error {
	v, err := strconv.ParseFloat(string(text), 64)
	if err != nil || v != math.Trunc(v) || v < 1 || v > 1e18 {
		return fmt.Errorf("%q is not a whole number of 1 or more; try 100000 or 1e5", text)
	}
	*c = count(v)
	return nil
}

// consts holds the known constants from all uses of a flag.
type consts []dataset.Constant

// UnmarshalText reads one more constant, NAME=VALUE or NAME=VALUE[UNIT], or a list of names of
// constants of nature.
func (c *consts) UnmarshalText(text []byte) error {
	names := strings.Split(string(text), ",")
	read := dataset.Natural
	if strings.Contains(string(text), "=") || strings.ContainsAny(string(text), "0123456789") && len(names) == 1 && !strings.ContainsAny(string(text), "_") {
		names, read = []string{string(text)}, dataset.ParseConstant
	}
	for _, name := range names {
		k, err := read(strings.TrimSpace(name))
		if err != nil {
			return err
		}
		if slices.ContainsFunc(*c, func(o dataset.Constant) bool { return o.Name == k.Name }) {
			return fmt.Errorf("%q is given twice; leave one out", k.Name)
		}
		*c = append(*c, k)
	}
	return nil
}

// ops are names of operators and functions.
type ops []string

// opNames are the names that --ops accepts: signs, functions, rare operators.
var opNames = func() []string {
	var signs, others []string
	for op, o := range expr.Operators() {
		switch {
		case len(o.Sign) > 0:
			signs = append(signs, o.Names()[0])
		case op != expr.Neg: // negation is allowed together with -
			others = append(others, o.Names()[0])
		}
	}
	return append(signs, others...)
}()

// UnmarshalText reads a list such as +,-,*,/,sqrt, or a list such as +erf,+min of operators to add
// to the usual ones.
func (o *ops) UnmarshalText(text []byte) error {
	items := strings.FieldsFunc(string(text), func(r rune) bool { return r == ',' || r == ' ' })
	more := 0
	for _, item := range items {
		if len(item) > 1 && item[0] == '+' {
			more++
		}
	}
	switch {
	case len(items) == 0:
		return fmt.Errorf("the list is empty; try some of %s", strings.Join(opNames, ","))
	case more > 0 && more < len(items):
		return fmt.Errorf("%q: write a + before all names, which adds them to the usual operators, or before none", text)
	case more > 0 && len(*o) == 0:
		*o = dataset.DefaultOps()
	}
	for _, item := range items {
		name := item
		if more > 0 {
			name = item[1:]
		}
		op, ok := expr.OperatorNamed(name)
		if op == expr.Neg {
			op = expr.Sub
		}
		if !ok {
			return fmt.Errorf("%q is not an operator; try %s", name, similarOps(name))
		}
		if name = op.Operator().Names()[0]; !slices.Contains(*o, name) {
			*o = append(*o, name)
		}
	}
	return nil
}

// similarOps returns the operator whose name is most similar to name. If none is similar, it
// returns the words "some of" and all names.
func similarOps(name string) string {
	var names []string
	for _, o := range expr.Operators() {
		names = append(names, o.Names()...)
	}
	return cmp.Or(spelling.Nearest(name, names), "some of "+strings.Join(opNames, ","))
}

// atOnce is the shortest time budget. It replaces a budget of 0, which Settings would take for the
// default.
const atOnce = time.Nanosecond

// timeLimit returns the time limit of --time. Without --time, that is the default.
func (c *Cmd) timeLimit() time.Duration {
	if c.Time == nil {
		return discover.DefaultTime
	}
	return time.Duration(*c.Time)
}

// settings checks the flags and converts them to the settings of the search.
func (c *Cmd) settings() (discover.Settings, error) {
	s := discover.Settings{Clock: c.Clock, Evaluations: int64(c.Evals), MaxComplexity: c.MaxComplexity, Seed: c.Seed, Ops: c.Ops, AllRows: c.AllRows}
	if err := c.CheckSource(c.File, c.Example); err != nil {
		return s, badFlag("%w", err)
	}
	if c.MaxComplexity < 0 || math.IsNaN(c.MaxComplexity) {
		return s, badFlag("--max-complexity %g is below 0; try --max-complexity 40", c.MaxComplexity)
	}
	switch {
	case c.Time != nil:
		s.Time = max(time.Duration(*c.Time), atOnce)
	case c.Evals > 0:
		s.Time = -1
	}
	s.NoUnits = c.noUnits()
	if _, info, err := dataset.Example(c.Example); c.Example != "" && err == nil && c.noiseColumn() == "" {
		s.Errors = discover.EqualErrors
		if info.Weights == "relative" {
			s.Errors = discover.ProportionalErrors
		}
	}
	if sigma, err := strconv.ParseFloat(c.Noise, 64); err == nil {
		if !isError(sigma) {
			return s, badFlag("--noise %s: a standard error is above 0, at least %g; leave the flag out where it is not known", c.Noise, leastError)
		}
		s.Noise = discover.Noise{Known: true, Sigma: sigma}
	}
	return s, nil
}

// noUnits reports whether the search ignores units.
func (c *Cmd) noUnits() bool { return reading.NoUnits(c.Units) }

// noiseColumn returns the column with the standard error of each row, or "" if --noise is auto or a
// number.
func (c *Cmd) noiseColumn() string {
	if _, err := strconv.ParseFloat(c.Noise, 64); err == nil || c.Noise == "auto" || c.Noise == "" {
		return ""
	}
	if _, ok := c.percent(); ok {
		return ""
	}
	return c.Noise
}

// checkReading checks the reader's flags as far as this is possible without the table.
func (c *Cmd) checkReading() error {
	if err := c.CheckReading(); err != nil {
		return badFlag("%w", err)
	}
	return nil
}
