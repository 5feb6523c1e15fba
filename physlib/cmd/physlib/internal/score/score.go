// Package score is the subcommand `physlib score`. It measures how well a given formula describes a
// table.
package score

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/physlib/lab/physlib/cmd/screen"

	"github.com/physlib/lab/physlib/cmd/outfile"
	"github.com/physlib/lab/physlib/cmd/physlib/internal/discover"
	"github.com/physlib/lab/physlib/cmd/physlib/internal/input"
	"github.com/physlib/lab/physlib/dataset"
	discovery "github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/lawfile"
	"github.com/physlib/lab/physlib/mdl"
	"github.com/physlib/lab/physlib/regression"
	"github.com/physlib/lab/physlib/survey"
	"github.com/physlib/lab/physlib/unit"
)

// Cmd is the command line of `physlib score`.
type Cmd struct {
	Formula string `arg:"" help:"Formula such as 'T = c0*a**(3/2)'. Names that are not columns are constants, which are fitted."`
	File    string `arg:"" optional:"" placeholder:"FILE" help:"Table; - is standard input."`

	input.Flags
	Law    string     `placeholder:"LAW.json" help:"Law file of the same table, to compare with the law found."`
	Of     string     `placeholder:"GROUP" help:"With --law, for laws of groups: the group whose law is compared."`
	Start  input.List `sep:"none" placeholder:"LIST" help:"Where constants start, as 'k=0.1,b=20' (default: 1, and further starts)."`
	Starts int        `default:"8" placeholder:"N" help:"Starting points that are tried (default: 8)."`
	Rows   int        `default:"5" placeholder:"N" help:"How many of the rows that fit worst are shown (default: 5)."`
	JSON   bool       `help:"Print the scores as one JSON object."`
}

// Help is shown by --help below the flags.
func (*Cmd) Help() string {
	return `Prints the description length of formula and data in bits, by which physlib discover ranks laws, and
its parts; BIC, R² and the size of the errors; whether the units balance, and if not, where; and the
rows that fit worst. For comparison, a constant target and the law of --law are scored as well, and
the formula with fitted constants for its numbers of three or more digits, if that is shorter.

Examples:

    physlib score 'T = c0*a**(3/2)' --example kepler
    physlib score 'y = A*exp(-k*t)' decay.csv --law law.json
    physlib score 'T = 365.25*a**1.5' --example kepler --json

Exit codes: 0 done, 1 bad input, 2 bad flags, 130 interrupted.`
}

// Run scores the formulas on the table and prints the scores.
func (c *Cmd) Run() error { return c.run(os.Stdin, screen.Out) }

func (c *Cmd) run(in io.Reader, out io.Writer) error {
	t, xs, warnings, err := c.Flags.Read("score", c.File, c.Formula, in)
	switch {
	case err != nil:
		return err
	case len(xs) > 0:
		return c.bad("--sigma: a score knows errors of %s only; leave those of other columns out", t.Target.Name)
	case c.Of != "" && c.Law == "":
		return c.bad("--of has no use without --law; leave it out")
	case c.Starts < 1:
		return c.bad("--starts %d is below 1; try 8", c.Starts)
	case c.Rows < 0:
		return c.bad("--rows %d is below 0", c.Rows)
	}
	input.Warn(slices.DeleteFunc(warnings, func(w string) bool { return strings.Contains(w, "constant") || strings.Contains(w, "the same") }))
	l, err := c.formula(t)
	if err != nil {
		return err
	}
	s := mdl.New(t, survey.Catalogue().For(t, true), true).Scorer() // same prior as discover
	own, err := c.scored(s, t, "formula", l)
	if err != nil {
		return err
	}
	all := []scored{own}
	if fitted, ok := c.withFittedNumbers(s, t, l); ok && fitted.Bits < own.Bits {
		all = append(all, fitted)
	}
	if c.Law != "" {
		found, err := c.found(t)
		if err != nil {
			return err
		}
		other, err := c.scored(s, t, "law of "+c.Law, found)
		if err != nil {
			return err
		}
		all = append(all, other)
	}
	all = append(all, newScored("constant", s.Constant(), t, law.Law{Target: t.Target.Name}))
	text := []byte(c.text(t, s, all))
	if c.JSON {
		text, err = json.Marshal(all)
		text = append(text, '\n')
	}
	if err == nil {
		_, err = out.Write(text)
	}
	if err != nil {
		return discover.BadInput("standard output: %w", outfile.Cause(err))
	}
	return nil
}

func (c *Cmd) bad(format string, args ...any) error {
	return discover.BadFlag("score", format, args...)
}

// formula reads the formula and the starting values of its constants.
func (c *Cmd) formula(t *dataset.Table) (law.Law, error) {
	l, err := regression.Parse(c.Formula, t)
	if err != nil {
		return l, c.bad("%w", err)
	}
	l.Target = t.Target.Name
	input.Warn(append(regression.Warnings(l, t), c.Unused(c.Formula)...))
	starts := l.Params()
	for _, item := range c.Start {
		slot := slices.IndexFunc(l.Constants, func(k law.Constant) bool { return k.Name == item.Name })
		v, err := 0.0, error(nil)
		if slot >= 0 {
			v, err = strconv.ParseFloat(item.Value, 64)
		}
		if slot < 0 || err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return l, c.bad("--start %s=%s: the formula has no such constant, or that is not a number", item.Name, item.Value)
		}
		starts[slot] = v
	}
	l.Tree = l.Tree.WithStarts(starts)
	return l, nil
}

// found returns the law in the file of --law as a law in the columns of t.
func (c *Cmd) found(t *dataset.Table) (law.Law, error) {
	f, err := lawfile.Read(c.Law)
	if err != nil {
		return law.Law{}, discover.BadInput("--law: %w", err)
	}
	l, err := f.Of(c.Law, c.Of)
	if err != nil {
		return law.Law{}, discover.BadInput("--law: %w", err)
	}
	if f.Target != t.Target.Name {
		return law.Law{}, discover.BadInput("--law: the law in %s is one for %s, but the target is %s; give a law file of the same table", c.Law, f.Target, t.Target.Name)
	}
	over, err := l.Over(t.InputNames())
	if err != nil {
		return law.Law{}, discover.BadInput("--law: %s belongs to another table, %s: %w", c.Law, f.Table.Name, err)
	}
	switch same := f.Table.Difference(t) == ""; {
	case same && c.Of != "":
		input.Warn([]string{fmt.Sprintf("the law of group %s is fitted anew to the rows of all groups; give a table of that group alone", c.Of)})
	case !same:
		input.Warn([]string{fmt.Sprintf("%s was found in another table, %s: its constants are fitted anew", c.Law, f.Table.Name)})
	}
	over.Tree = over.Tree.WithStarts(over.Params())
	return over, nil
}

// scored is a law with its scores.
type scored struct {
	What       string  `json:"what"`
	Law        string  `json:"law"`
	Bits       float64 `json:"bits"`
	Form       float64 `json:"form_bits"`
	Constants  float64 `json:"constant_bits"`
	Data       float64 `json:"data_bits"`
	BIC        float64 `json:"bic"`
	R2         float64 `json:"r2"`
	RMSE       float64 `json:"rmse"`
	Errors     string  `json:"errors"`
	Free       int     `json:"free_constants"`
	Balanced   bool    `json:"units_ok"`
	Unbalanced string  `json:"units_problem,omitempty"`

	score mdl.Score
	law   law.Law
}

// scored returns l with its scores on the table of s. Its description length is that of the
// shortest form of the function, as in discover.
func (c *Cmd) scored(s *mdl.Scorer, t *dataset.Table, what string, l law.Law) (scored, error) {
	tree, effort := s.FromColumns(l.Tree), mdl.Effort{Starts: c.Starts, Final: true, EachModel: true}
	score, ok := s.Score(tree, effort)
	if !ok {
		if k := tree.NumParams(); !s.Enough(k) {
			return scored{}, discover.BadInput("%s has %d rows, too few to score %d constants", t.Name, t.Rows(), k)
		}
		return scored{}, unscored(t, l)
	}
	if tree.Root() == expr.Param { // the law "target = constant"
		score = s.Constant()
	}
	l.Tree, l.UnitsOK = s.ToColumns(score.Tree), score.Balanced
	for i := range score.Params { // constants in closed form are already numbers in the tree
		l.Constants[i].Value, l.Constants[i].StdErr = score.Params[i], score.StdErr[i]
	}
	j := newScored(what, score, t, l)
	if form := mdl.Merged(tree); form.NumParams() == tree.NumParams() {
		if short, ok := s.Score(form, effort); ok && short.Bits < score.Bits {
			j.Bits, j.Form, j.Constants = short.Bits, mdl.FormWeight*short.FormBits+short.UnitBits, short.ParamBits
			j.Data = short.DataBits + short.ErrorBits
		}
	}
	if !score.Balanced {
		j.Unbalanced = problem(t, l)
	}
	return j, nil
}

// withFitted is the name of the score that withFittedNumbers returns.
const withFitted = "formula with fitted numbers"

// withFittedNumbers scores l with free constants in place of its numbers of three or more digits.
// Such numbers may be copied from a fitted law, and exact numbers would then cost too many bits. ok
// is false if there are none, or if the law has no score.
func (c *Cmd) withFittedNumbers(s *mdl.Scorer, t *dataset.Table, l law.Law) (j scored, ok bool) {
	var values []float64
	first := l.Tree.NumParams()
	tree := l.Tree.MapLeaves(func(_ int, n expr.Node) expr.Node {
		if n.Op != expr.Number || !hasThreeDigits(n.Value) {
			return n
		}
		slot := slices.Index(values, n.Value)
		if slot < 0 {
			slot, values = len(values), append(values, n.Value)
		}
		return expr.Node{Op: expr.Param, Index: int32(first + slot), Value: n.Value}
	})
	if len(values) == 0 {
		return j, false
	}
	l.Tree, l.Constants = tree, slices.Clone(l.Constants)
	for i := range values {
		l.Constants = append(l.Constants, law.Constant{Name: fmt.Sprintf("c%d", first+i)})
	}
	j, err := c.scored(s, t, withFitted, l)
	return j, err == nil
}

// hasThreeDigits reports whether v has three or more significant digits.
func hasThreeDigits(v float64) bool {
	mantissa, _, _ := strings.Cut(strconv.FormatFloat(math.Abs(v), 'e', -1, 64), "e")
	return len(mantissa) >= len("1.00")
}

// unscored returns the error for a law without a score. It names the first row of t in which the
// law has no finite value. If there is no such row, it says that the constants are not determined.
func unscored(t *dataset.Table, l law.Law) error {
	try := "give another formula, or leave such rows out"
	if l.Tree.NumParams() > 0 {
		try = "give --start, or another formula"
	}
	where, values := "", make([]float64, len(l.Vars))
	for i := range t.Rows() {
		for v, name := range l.Vars {
			if x := t.ValuesOf(name); x != nil {
				values[v] = x[i]
			}
		}
		if y := l.Eval(values...); y-y != 0 {
			where = "in " + t.RowNames([]int{i})
			break
		}
	}
	if where == "" {
		return discover.BadInput("%s: the data do not determine the constants of %s: one of them may follow from the others, or a term matters in one row alone; write it with fewer", t.Name, discover.Shape(l))
	}
	return discover.BadInput("%s: %s has no finite value %s; %s", t.Name, discover.Shape(l), where, try)
}

// newScored returns the scores as they are printed.
func newScored(what string, s mdl.Score, t *dataset.Table, l law.Law) scored {
	n, mean, tss := float64(t.Rows()), 0.0, 0.0
	for _, y := range t.Target.Values {
		mean += y / n
	}
	for _, y := range t.Target.Values {
		tss += (y - mean) * (y - mean)
	}
	j := scored{What: what, Law: t.Target.Name + " = " + s.Tree.Format(nil, 6), Bits: s.Bits, Form: mdl.FormWeight*s.FormBits + s.UnitBits, Constants: s.ParamBits, Data: s.DataBits + s.ErrorBits,
		R2: 1 - s.RSS/tss, RMSE: math.Sqrt(s.RSS / n), Errors: s.Model.String(), Free: len(s.Params), Balanced: s.Balanced, score: s, law: l}
	j.BIC = n*math.Log(max(s.RSS/n, 1e-300)) + float64(len(s.Params)+1)*math.Log(n)
	switch {
	case t.Share > 0:
		j.BIC = 2*math.Ln2*s.DataBits + float64(len(s.Params))*math.Log(n)
	case t.Sigma != nil: // −2 ln of the likelihood, without the terms that all laws share
		j.BIC = s.Size*s.Size*max(n-float64(len(s.Params)), 1) + float64(len(s.Params))*math.Log(n)
	}
	if l.Tree.Len() > 0 {
		j.Law = discover.Plain(l)
	}
	return j
}

// problem returns a text that says at which operation the units of a law do not balance.
func problem(t *dataset.Table, l law.Law) string {
	var dims []unit.Dim
	for _, name := range l.Vars {
		d := unit.Dim{}
		for _, c := range t.Vars {
			if c.Name == name {
				d = c.Unit.Dim
			}
		}
		for _, k := range t.Consts {
			if k.Name == name {
				d = k.Unit.Dim
			}
		}
		dims = append(dims, d)
	}
	d, _, err := l.Tree.Dim(dims)
	if err == nil {
		return fmt.Sprintf("the formula is in %s, %s in %s", d, t.Target.Name, t.Target.Unit.Dim)
	}
	text := err.Error() // the error calls the columns x0, x1, …
	for i := len(l.Vars) - 1; i >= 0; i-- {
		text = strings.ReplaceAll(text, expr.X(i).String(), l.Vars[i])
	}
	return text
}

// text formats the table of scores for printing.
func (c *Cmd) text(t *dataset.Table, s *mdl.Scorer, all []scored) string {
	var b strings.Builder
	own := all[0]
	fmt.Fprintf(&b, "%s: %d rows, %s\n\n    %s\n", t.Name, t.Rows(), discover.Quantity(t.Target), own.Law)
	for _, k := range own.law.Constants {
		fmt.Fprintf(&b, "    %s = %s\n", k.Name, discover.Estimate(k))
	}
	fmt.Fprintf(&b, "\n  %10s %8s %10s %8s %10s %10s %10s\n", "bits", "form", "constants", "data", "BIC", "R²", "RMSE")
	for _, j := range all {
		fmt.Fprintf(&b, "  %10.1f %8.1f %10.1f %8.1f %10.1f %10s %10.4g  %s\n", j.Bits, j.Form, j.Constants, j.Data, j.BIC, law.FormatR2(j.R2), j.RMSE, j.What)
	}
	b.WriteString("\n")
	if all[1].What == withFitted {
		b.WriteString("the numbers of the formula count as exact; fitted: those of three or more digits\n")
	}
	for _, j := range all[1:] {
		switch d := j.Bits - own.Bits; {
		case math.Abs(d) < 0.05:
			fmt.Fprintf(&b, "as good as the %s, %s\n", j.What, j.Law)
		case d > 0:
			fmt.Fprintf(&b, "%.1f bits better than the %s, %s\n", d, j.What, j.Law)
		default:
			fmt.Fprintf(&b, "%.1f bits worse than the %s, %s\n", -d, j.What, j.Law)
		}
	}
	fmt.Fprintf(&b, "errors taken as %s\n", own.Errors)
	switch {
	case !s.HasUnits():
		b.WriteString("no units are known\n")
	case own.Balanced:
		b.WriteString(discovery.Balance(own.law, t) + "\n")
	default:
		fmt.Fprintf(&b, "the units do NOT balance: %s\n", own.Unbalanced)
		if all[1].What == withFitted && all[1].Balanced {
			b.WriteString("with fitted numbers, which may have units, they balance\n")
		}
	}
	c.worst(&b, t, s, own)
	return b.String()
}

// worst lists the rows with the largest residuals, in standard errors.
func (c *Cmd) worst(b *strings.Builder, t *dataset.Table, s *mdl.Scorer, own scored) {
	res, z := s.Residuals(own.score), s.Standardized(own.score)
	for i := range z {
		if math.IsNaN(z[i]) {
			z[i] = 0
		}
	}
	order := make([]int, len(z))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(math.Abs(z[b]), math.Abs(z[a])) })
	if c.Rows > 0 {
		b.WriteString("\nrows that fit worst\n")
	}
	for _, i := range order[:min(c.Rows, len(order))] {
		var at []string
		for _, v := range own.law.Inputs() {
			if x := t.ValuesOf(own.law.Vars[v]); x != nil {
				at = append(at, fmt.Sprintf("%s = %.6g", own.law.Vars[v], x[i]))
			}
		}
		y := t.Target.Values[i]
		fmt.Fprintf(b, "  %s: %s = %.6g where the formula gives %.6g, %+.1f standard errors", t.RowNames([]int{i}), t.Target.Name, y, y-res[i], z[i])
		if len(at) > 0 {
			b.WriteString(", at " + strings.Join(at, ", "))
		}
		b.WriteByte('\n')
	}
}
