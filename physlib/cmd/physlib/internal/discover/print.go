package discover

import (
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"

	"github.com/physlib/lab/physlib/figure"
	"github.com/physlib/lab/physlib/knownform"
	"github.com/physlib/lab/physlib/law"
)

// style holds the escape sequences for emphasis on a terminal; the zero style has none.
type style struct{ strong, faint, reset string }

// sequences returns the escape sequences of s.
func (s style) sequences() []string {
	if s == (style{}) {
		return nil
	}
	return []string{s.strong, s.faint, s.reset}
}

// style returns escape sequences if out is a terminal and colours are wanted, otherwise none.
func (c *Cmd) style(out *os.File) style {
	if c.NoColor || !term.IsTerminal(int(out.Fd())) || os.Getenv("TERM") == "dumb" {
		return style{}
	}
	return style{strong: "\x1b[1;36m", faint: "\x1b[2m", reset: "\x1b[0m"}
}

// print writes the finding as text: the front, then the chosen law with its constants.
func (f finding) print(w io.Writer, s style) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", f.table.Name, f.question())
	if len(f.result.Front) > 0 {
		b.WriteString("\n")
		f.printFront(&b, s)
		if f.none() && f.result.ConstantLawBits != 0 {
			fmt.Fprintf(&b, "  bits: how many more than %s = constant takes; long formulas follow the errors\n", f.table.Target.Name)
		}
	}
	if !f.none() {
		b.WriteString("\n")
		printLaw(&b, f.result.Best, s, usual)
		for _, text := range f.functions {
			fmt.Fprintf(&b, "  %s\n", text)
		}
	}
	f.printKnownLaws(&b)
	if lines := f.guessed(); len(lines) > 0 {
		fmt.Fprintf(&b, "\nYour guesses\n%s\n", strings.Join(lines, "\n"))
	}
	if f.result.Verdict != "" {
		fmt.Fprintf(&b, "\n%s\n", f.result.Verdict)
	}
	fmt.Fprintf(&b, "%s%s candidates evaluated in %s%s\n", s.faint, grouped(f.result.Evaluations), shortDuration(f.result.Elapsed), s.reset)
	_, err := io.WriteString(w, b.String())
	return err
}

// printKnownLaws writes the laws of the catalogue that fit the table: first those with the form
// of the chosen law, then the others by rising description length.
func (f finding) printKnownLaws(b *strings.Builder) {
	for i, k := range f.result.KnownLaws {
		if i == 0 {
			b.WriteString("\nKnown laws of these forms\n")
		}
		names := strings.Join(k.Names[:min(len(k.Names), 3)], "; ")
		if !k.Alike {
			names = "the form of " + names
		}
		if n := len(k.Names); n > 3 {
			names += fmt.Sprintf("; %d more", n-3)
		}
		worse, digits := "the chosen law", chosenDigits
		if k.ExtraBits > 0 {
			digits = 6
			worse = fmt.Sprintf("%.1f bits worse", k.ExtraBits)
		}
		fmt.Fprintf(b, "  %s: %s (%s)\n", plain(k.Law, digits), names, worse)
		if u, ok := f.knownForm(k); ok {
			f.printKnownForm(b, u)
		}
	}
}

// printKnownForm writes the chosen law in the notation of the literature, and its parameters.
func (f finding) printKnownForm(b *strings.Builder, u knownform.Form) {
	in := ""
	if u.SI {
		in = ", in SI units"
	}
	fmt.Fprintf(b, "    %s: %s = %s%s\n", u.Name, f.table.Target.Name, u.Formula, in)
	for i, k := range u.Constants {
		fmt.Fprintf(b, "      %s = %s", k.Name, inUnit(estimate(k), k.Unit))
		if usual, ok := u.InUsualUnit(i); ok {
			fmt.Fprintf(b, " = %s", inUnit(estimate(usual), usual.Unit))
		}
		b.WriteByte('\n')
	}
	for _, k := range u.References {
		fmt.Fprintf(b, "      %s = %s\n", k.Name, inUnit("1", k.Unit.Name))
	}
}

// question describes the problem as text, such as: 8 rows, T [d] from a [AU].
func (f finding) question() string {
	var from []string
	for _, v := range f.table.Vars {
		from = append(from, quantity(v))
	}
	for _, k := range f.table.Consts {
		from = append(from, k.Name)
	}
	if n := len(from); n > 12 {
		from = append(from[:10], fmt.Sprintf("%d more", n-10))
	}
	text := fmt.Sprintf("%s rows, %s from %s", grouped(int64(f.table.Rows())), quantity(f.table.Target), strings.Join(from, ", "))
	if f.table.Dropped > 0 {
		rows := "rows"
		if f.table.Dropped == 1 {
			rows = "row"
		}
		text += fmt.Sprintf(" (%d %s dropped)", f.table.Dropped, rows)
	}
	return text
}

// moreBits returns, as text, how many bits longer the description of l is than that of the chosen
// law, or of a constant if there is none. It returns "" if the two cannot be compared.
func (f finding) moreBits(l law.Law) string {
	switch {
	case math.IsNaN(l.Score) || sameLaw(l, f.result.Best) || f.none() && f.result.ConstantLawBits == 0:
		return ""
	case f.none():
		return fmt.Sprintf("%+.1f", l.Score-f.result.ConstantLawBits)
	}
	return fmt.Sprintf("%+.1f", l.Score-f.result.Best.Score)
}

// unitsUsed reports whether the table has units and the search used them.
func (f finding) unitsUsed() bool { return f.table.HasUnits() && !f.settings.NoUnits }

// printFront writes the laws of Result.Front as a table, and marks the chosen law.
// For every other law, the column bits shows how many bits longer its description is. There is a
// column about units only if the search used units.
func (f finding) printFront(b *strings.Builder, s style) {
	var rows [][]string
	used := f.unitsUsed()
	add := func(row []string, units, by, law string) {
		if used {
			row = append(row, units)
		}
		if f.options.Verbose {
			row = append(row, by)
		}
		rows = append(rows, append(row, law))
	}
	add([]string{" ", "complexity", "error", "R²", "bits"}, "units", "by", "law")
	for _, l := range f.result.Front {
		mark, units, line := " ", "no", f.notation.line
		if l.UnitsOK {
			units = "ok"
		}
		if sameLaw(l, f.result.Best) {
			mark, line = "▸", f.notation.chosen
		}
		row := []string{mark, fixed(l.Complexity, 1), significant(l.RMSE, 3), law.FormatR2(l.R2), f.moreBits(l)}
		add(row, units, l.Proposer, line(l))
	}
	widths := make([]int, len(rows[0]))
	for _, r := range rows {
		for i, cell := range r {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for k, r := range rows {
		var line strings.Builder
		for i, cell := range r {
			space := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			switch i {
			case 0:
				line.WriteString(cell + space)
			case 1, 2, 3, 4: // columns of numbers, aligned to the right
				line.WriteString("  " + space + cell)
			default:
				line.WriteString("  " + cell + space)
			}
		}
		text := strings.TrimRight(line.String(), " ")
		switch {
		case k == 0:
			text = s.faint + text + s.reset
		case r[0] != " ":
			text = s.strong + text + s.reset
		}
		b.WriteString(text + "\n")
	}
}

// printLaw writes the chosen law, its constants, and its LaTeX source.
func printLaw(b *strings.Builder, l law.Law, s style, as notation) {
	for _, line := range figure.Text(l.Target, as.tree(l), l.Vars) {
		fmt.Fprintf(b, "    %s%s%s\n", s.strong, line, s.reset)
	}
	b.WriteString("\n")
	// Constants in closed form may already be numbers in the tree.
	if n := l.Tree.NumParams(); 0 < n && n <= len(l.Constants) {
		fmt.Fprintf(b, "  with %s\n", as.shape(l))
	}
	for _, k := range shownConstants(l) {
		text := fmt.Sprintf("  %s = %s", k.Name, inUnit(estimate(k), k.Unit))
		if k.Exact != "" {
			text += ", taken as " + pretty(k.Exact)
		}
		if k.Hint != "" {
			text += ", " + pretty(k.Hint) + " is as likely"
		}
		b.WriteString(text + "\n")
	}
	if l.SI != "" {
		fmt.Fprintf(b, "  in SI units  %s\n", as.si(l))
	}
	fmt.Fprintf(b, "  LaTeX  %s\n", as.latex(l))
}

// latex returns l as an equation in LaTeX.
func latex(l law.Law) string { return usual.latex(l) }

// shape formats the law with the names of its constants in place of their values.
func shape(l law.Law) string { return l.Target + " = " + withNames(l).Display(0) }

// withNames returns the law with the names of its constants in place of their values.
func withNames(l law.Law) law.Law {
	named := law.Law{Tree: l.Tree.ParamsAsVars(len(l.Vars)), Vars: slices.Clone(l.Vars)}
	for i := range l.Tree.NumParams() {
		named.Vars = append(named.Vars, l.Constants[i].Name)
	}
	return named
}

// grouped formats a count with its digits in groups of three: 1 234 567.
func grouped(n int64) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + " " + s[i:]
	}
	return s
}
