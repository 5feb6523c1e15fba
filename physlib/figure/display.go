package figure

import (
	"fmt"
	"html"
	"slices"
	"strconv"
	"strings"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
)

// Contents are representations of a value for a notebook's cell, by MIME type. They are strings, or
// maps for JSON types. All show the same value, and the notebook chooses the richest of them.
type Contents map[string]any

// Display returns the notebook representation of x: a law.Law, a front of laws ([]law.Law or
// *law.Archive), a *dataset.Table or a [Picture]. o applies only to pictures. For any other type it
// returns an error that lists these types.
func Display(x any, o Options) (Contents, error) {
	switch x := x.(type) {
	case law.Law:
		return displayLaw(x), nil
	case *law.Archive:
		best, _ := x.Best()
		return displayFront(x.Front(), best), nil
	case []law.Law:
		return displayFront(x, leastScore(x)), nil
	case *dataset.Table:
		return displayTable(x), nil
	case Picture:
		return displayPicture(x, o)
	}
	return nil, fmt.Errorf("figure: cannot display a %T: give a law.Law, a front ([]law.Law or *law.Archive), a *dataset.Table or a figure.Picture", x)
}

func displayPicture(p Picture, o Options) (Contents, error) {
	svg, err := p.SVG(o)
	if err != nil {
		return nil, err
	}
	c := Contents{"image/svg+xml": svg, "text/plain": p.Alt}
	if spec, ok := p.VegaLite(o); ok {
		c[VegaMIME] = spec
	}
	return c, nil
}

// displayLaw returns the law as a formula, with a table of its constants.
func displayLaw(l law.Law) Contents {
	formula := leftSide(l) + " = " + l.LaTeX()
	var b strings.Builder
	b.WriteString(`<div class="physlib-law">$\displaystyle ` + html.EscapeString(formula) + `$`)
	if rows := l.Constants; len(rows) > 0 {
		b.WriteString(`<table><thead><tr><th>constant</th><th style="text-align:left">value</th><th style="text-align:left">closed form</th></tr></thead><tbody>`)
		for _, c := range rows {
			unit := c.Unit
			if unit == "1" {
				unit = ""
			}
			cells(&b, c.Name, strings.TrimSpace(law.FormatUncertain(c.Value, c.StdErr)+" "+unit), c.Exact)
		}
		b.WriteString("</tbody></table>")
	}
	fmt.Fprintf(&b, `<p>R² %s, root-mean-square error %s, %s bit`, minus(law.FormatR2(l.R2)), short(l.RMSE, 3), short(l.Complexity, 3))
	if knowUnits(l) {
		b.WriteString(", the units " + balance(l))
	}
	b.WriteString("</p></div>")
	return Contents{
		"text/html":  b.String(),
		"text/latex": "$\\displaystyle " + formula + "$",
		"text/plain": sideOf(l) + " = " + l.Display(0),
	}
}

// knowUnits reports whether laws of one table show that their balance of units is known: a constant
// has a unit, or the units of a law do not balance. In a table without units, all laws balance.
func knowUnits(laws ...law.Law) bool {
	return slices.ContainsFunc(laws, func(l law.Law) bool {
		return !l.UnitsOK || slices.ContainsFunc(l.Constants, func(c law.Constant) bool { return c.Unit != "" && c.Unit != "1" })
	})
}

// balance returns what the units of l do, if that is known.
func balance(l law.Law) string {
	if l.UnitsOK {
		return "balance"
	}
	return "do not balance"
}

// displayFront returns a table of laws. The chosen law is bold. There is a column about units if
// something is known about them.
func displayFront(laws []law.Law, chosen law.Law) Contents {
	var page, plain strings.Builder
	page.WriteString(`<table class="physlib-front"><thead><tr><th>complexity [bit]</th><th>error</th><th>R²</th>`)
	known := knowUnits(laws...)
	if known {
		page.WriteString("<th>units</th>")
	}
	page.WriteString(`<th style="text-align:left">law</th></tr></thead><tbody>`)
	mark := chosenAt(laws, chosen)
	for i, l := range laws {
		units := "ok"
		if !l.UnitsOK {
			units = "no"
		}
		row := []string{strconv.FormatFloat(l.Complexity, 'f', 1, 64), short(l.RMSE, 3), minus(law.FormatR2(l.R2))}
		if known {
			row = append(row, units)
		}
		at := " "
		if i == mark {
			at = "▸"
			page.WriteString(`<tr style="font-weight:bold">`)
		} else {
			page.WriteString("<tr>")
		}
		for _, cell := range row {
			page.WriteString("<td>" + html.EscapeString(cell) + "</td>")
		}
		page.WriteString(`<td style="text-align:left">$` + html.EscapeString(leftSide(l)+" = "+l.LaTeX()) + "$</td></tr>")
		fmt.Fprintf(&plain, "%s %10s %12s %12s  ", at, row[0], row[1], row[2])
		if known {
			fmt.Fprintf(&plain, "%-3s  ", units)
		}
		fmt.Fprintf(&plain, "%s = %s\n", sideOf(l), l.Display(0))
	}
	page.WriteString("</tbody></table>")
	return Contents{"text/html": page.String(), "text/plain": plain.String()}
}

// shownTable is the number of rows displayed at the beginning of a table, and of those at its end.
const shownTable = 5

// displayTable returns the first and the last rows of a table, with units.
func displayTable(t *dataset.Table) Contents {
	columns := append(append([]dataset.Column(nil), t.Vars...), t.Target)
	n := t.Rows()
	var page, plain strings.Builder
	page.WriteString(`<table class="physlib-table"><thead><tr>`)
	for i, c := range columns {
		page.WriteString("<th>" + html.EscapeString(c.Label()) + "</th>")
		if i > 0 {
			plain.WriteByte(',')
		}
		plain.WriteString(c.Label())
	}
	page.WriteString("</tr></thead><tbody>")
	plain.WriteByte('\n')
	for i := range n {
		if n > 2*shownTable+1 && i == shownTable {
			page.WriteString(`<tr>` + strings.Repeat("<td>⋮</td>", len(columns)) + "</tr>")
			plain.WriteString("…\n")
		}
		if n > 2*shownTable+1 && i >= shownTable && i < n-shownTable {
			continue
		}
		page.WriteString("<tr>")
		for k, c := range columns {
			v := short(c.Values[i], 6)
			page.WriteString("<td>" + v + "</td>")
			if k > 0 {
				plain.WriteByte(',')
			}
			plain.WriteString(v)
		}
		page.WriteString("</tr>")
		plain.WriteByte('\n')
	}
	fmt.Fprintf(&page, "</tbody></table><p>%s: %d rows, %s explained by %d other columns</p>", html.EscapeString(t.Name), n, html.EscapeString(t.Target.Name), len(t.Vars))
	return Contents{"text/html": page.String(), "text/plain": plain.String()}
}

// cells writes a row of an HTML table.
func cells(b *strings.Builder, name string, rest ...string) {
	b.WriteString("<tr><td>" + html.EscapeString(name) + "</td>")
	for _, r := range rest {
		b.WriteString(`<td style="text-align:left">` + html.EscapeString(r) + "</td>")
	}
	b.WriteString("</tr>")
}

// sideOf returns the left side of the equation of l as text.
func sideOf(l law.Law) string {
	if l.Target == "" {
		return "y"
	}
	return l.Target
}

// leftSide returns the left side of the equation of l in LaTeX.
func leftSide(l law.Law) string { return expr.LaTeXName(sideOf(l)) }

// leastScore returns the law with the smallest score, or the zero Law if there are no laws.
func leastScore(laws []law.Law) law.Law {
	var best law.Law
	for i, l := range laws {
		if i == 0 || l.Score < best.Score {
			best = l
		}
	}
	return best
}

// short formats v with the given number of significant digits.
func short(v float64, digits int) string {
	return minus(strconv.FormatFloat(v, 'g', digits, 64))
}
