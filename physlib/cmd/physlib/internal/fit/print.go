package fit

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/physlib/lab/physlib/cmd/outfile"
	"github.com/physlib/lab/physlib/cmd/physlib/internal/discover"
	"github.com/physlib/lab/physlib/figure"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/regression"
)

// text formats the fit for printing.
func (q *question) text(c *Cmd, r *regression.Result) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d rows, %s\n\n    %s\n\n", q.table.Name, q.table.Rows(), discover.Quantity(q.table.Target), discover.Shape(q.law))
	if q.group != nil {
		b.WriteString(discover.GroupTable(q.names, q.cells(r)) + "\n")
	} else {
		constants(&b, c, r)
		correlations(&b, r.Law)
	}
	b.WriteString(q.quality(r) + "\n")
	b.WriteString(q.loss(c, r) + "\n")
	b.WriteString(strip(r.Standard, q.table.Target.Name))
	q.worst(&b, r)
	if !q.law.UnitsOK {
		b.WriteString("the units do NOT balance, whatever units the constants have\n")
	}
	return b.String()
}

// constants lists each constant with its error and interval.
func constants(b *strings.Builder, c *Cmd, r *regression.Result) {
	lines := make([][2]string, len(r.Law.Constants))
	wide := 0
	for i, k := range r.Law.Constants {
		lines[i][0] = fmt.Sprintf("  %s = %s", k.Name, discover.Estimate(k))
		low, high := law.Interval(k.Value, k.StdErr, c.Level, r.Law.Dof)
		switch {
		case r.AtBound[i]:
			lines[i][1] = "at its bound"
		case math.IsInf(k.StdErr, 0) || math.IsNaN(k.StdErr):
			lines[i][1] = "not determined by the data"
		default:
			lines[i][1] = fmt.Sprintf("%g %%: %s to %s", 100*c.Level, discover.Significant(low, 6), discover.Significant(high, 6))
		}
		wide = max(wide, utf8.RuneCountInString(lines[i][0]))
	}
	for _, l := range lines {
		fmt.Fprintf(b, "%s%s   %s\n", l[0], strings.Repeat(" ", wide-utf8.RuneCountInString(l[0])), l[1])
	}
	b.WriteString("\n")
}

// correlations writes the lower triangle of the correlation matrix of the constants.
func correlations(b *strings.Builder, l law.Law) {
	corr, k := l.Correlation(), len(l.Constants)
	if k < 2 || corr == nil {
		return
	}
	wide := 7
	for _, c := range l.Constants {
		wide = max(wide, utf8.RuneCountInString(c.Name)+2)
	}
	pad := func(s string) string { return strings.Repeat(" ", max(0, wide-utf8.RuneCountInString(s))) + s }
	b.WriteString("  correlations\n  " + strings.Repeat(" ", wide))
	for _, c := range l.Constants[:k-1] {
		b.WriteString(pad(c.Name))
	}
	b.WriteString("\n")
	for i := 1; i < k; i++ {
		b.WriteString("  " + pad(l.Constants[i].Name))
		for j := range i {
			text := fmt.Sprintf("%+.3f", corr[i*k+j])
			if math.IsNaN(corr[i*k+j]) {
				text = "–"
			}
			b.WriteString(pad(text))
		}
		b.WriteString("\n")
	}
	b.WriteString("\n")
}

// quality returns the line about χ² or the size of the residuals.
func (q *question) quality(r *regression.Result) string {
	if r.Nu == 0 {
		return "  ν = 0: there are as many constants as rows, so the fit shows neither errors nor whether the formula is right"
	}
	if r.Absolute {
		text := fmt.Sprintf("  χ² = %.4g for ν = %d degrees of freedom, χ²/ν = %.3g", r.Chi2, r.Nu, r.Chi2/float64(r.Nu))
		switch p := r.P(); {
		case math.IsNaN(p):
		case p < 0.001:
			text += fmt.Sprintf(", p = %.2g: the formula or the errors are wrong", p)
		case p > 0.999:
			text += fmt.Sprintf(", p = %.4f: the errors are smaller than given", p)
		default:
			text += fmt.Sprintf(", p = %.3f", p)
		}
		return text
	}
	size := discover.InUnit(discover.Significant(r.Law.Noise, 3), q.table.Target.UnitName())
	switch r.Law.Errors {
	case law.ProportionalErrors:
		size = discover.Significant(100*r.Law.Noise, 3) + " % of " + r.Law.Target
	case law.CountingErrors:
		size = discover.Significant(r.Law.Noise, 3) + " times the root of " + r.Law.Target
	}
	return fmt.Sprintf("  χ²/ν = %.4g for ν = %d degrees of freedom: errors of %s; R² = %s", r.Chi2/float64(r.Nu), r.Nu, size, law.ShortR2(r.Law.R2, 6))
}

// lightRow is a limit on the weight of a row in a robust fit, relative to a row with residual 0.
// Rows with a smaller weight are named.
const lightRow = 0.5

// loss returns a line about the robust loss, with the rows that have a small weight. It returns ""
// if there is no robust loss.
func (q *question) loss(c *Cmd, r *regression.Result) string {
	if r.Weights == nil {
		return ""
	}
	scale := discover.Significant(r.Scale, 4)
	switch {
	case r.Absolute:
		scale += " standard errors"
	case r.Law.Errors == law.ProportionalErrors:
		scale = discover.Significant(100*r.Scale*cmp.Or(q.table.Share, 1), 4) + " % of " + r.Law.Target
	case r.Law.Errors == law.EqualErrors:
		scale = discover.InUnit(scale, q.table.Target.UnitName())
	}
	text := fmt.Sprintf("  loss %s beyond residuals of %s", c.Loss, scale)
	var light []int
	for i, w := range r.Weights {
		if w < lightRow {
			light = append(light, i)
		}
	}
	if len(light) > 0 {
		text += "; less than half the weight of others: " + q.table.RowNames(light)
	}
	return text + "\n"
}

// Size of the plot of residuals in characters.
const (
	plotWidth  = 64
	plotHeight = 7 // number of lines; it must be odd
)

// strip plots residuals, in standard errors, against the row. Each column of characters shows one
// row. If there are more rows than columns of characters, each column stands for several rows and
// shows the one with the largest residual.
func strip(z []float64, target string) string {
	most := 1.0
	for _, v := range z {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			most = max(most, math.Abs(v))
		}
	}
	most = math.Ceil(most)
	width := min(plotWidth, len(z))
	grid := make([][]rune, plotHeight)
	for i := range grid {
		grid[i] = slices.Repeat([]rune{' '}, width)
	}
	middle := plotHeight / 2
	for x := range width {
		grid[middle][x] = '─'
	}
	for i, v := range z {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			continue
		}
		y := middle - int(math.Round(v/most*float64(middle)))
		grid[y][i*width/len(z)] = '•'
	}
	var b strings.Builder
	fmt.Fprintf(&b, "  residuals of %s in standard errors, by rows\n", target)
	for y, line := range grid {
		label := ""
		switch y {
		case 0:
			label = fmt.Sprintf("%+g", most)
		case middle:
			label = "0"
		case plotHeight - 1:
			label = fmt.Sprintf("%+g", -most)
		}
		fmt.Fprintf(&b, "  %4s │%s\n", label, strings.TrimRight(string(line), " "))
	}
	return b.String()
}

// worst names the row with the largest residual.
func (q *question) worst(b *strings.Builder, r *regression.Result) {
	at, most := -1, 0.0
	for i, v := range r.Standard {
		if a := math.Abs(v); a > most && !math.IsInf(a, 0) {
			at, most = i, a
		}
	}
	if at < 0 {
		return
	}
	y := q.table.Target.Values[at]
	fmt.Fprintf(b, "  largest: %s, %s = %s where the formula gives %s, %.1f standard errors\n", q.table.RowNames([]int{at}), q.table.Target.Name,
		discover.Significant(y, 6), discover.Significant(y-r.Residuals[at], 6), most)
}

// plot writes the picture of --out.
func (q *question) plot(path string, r *regression.Result) error {
	fitted := make([]float64, len(r.Residuals))
	for i, y := range q.table.Target.Values {
		fitted[i] = y - r.Residuals[i]
	}
	picture := figure.FitResiduals(q.table.Target.Values, fitted, q.table.Target.Name, q.table.Target.UnitName())
	data, err := picture.Draw(figure.Options{Width: 2 * figure.Column, Format: strings.TrimPrefix(filepath.Ext(path), ".")})
	if err != nil {
		return err
	}
	return outfile.Write(path, data)
}
