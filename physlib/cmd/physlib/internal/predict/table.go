package predict

import (
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/physlib/lab/physlib/cmd/screen"

	"github.com/physlib/lab/physlib/cmd/physlib/internal/input"
	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/lawfile"
)

// table predicts each row of a table.
func (c *Cmd) table(f *lawfile.File, in io.Reader) ([][]string, error) {
	laws, err := c.laws(f)
	switch {
	case err != nil:
		return nil, err
	case c.Until != "" || c.Step != 0:
		return nil, c.bad("--until and --step are for laws of motion; %s holds %s", c.Law, laws[0])
	}
	cols, inputs, t, err := c.inputs(f, laws[0], in)
	if err != nil {
		return nil, err
	}
	rows := t.rows()
	of, labels, err := c.groupOf(f, laws, t, rows)
	if err != nil {
		return nil, err
	}
	bands, known := c.bands(laws, of, cols, rows)
	target := lawfile.Column{Name: f.Target} // an invariant has no unit of its own
	if f.Table.Target.Name == f.Target {
		target = f.Table.Target
	}
	var head []string
	if labels != nil {
		head = append(head, f.Groups.Column)
	}
	for _, in := range inputs {
		head = append(head, label(in.Name, in.Unit))
	}
	head = append(head, label(f.Target, target.Unit))
	if known {
		head = append(head, "confidence_low", "confidence_high", "prediction_low", "prediction_high")
	}
	out := [][]string{head}
	for i := range rows {
		var row []string
		if labels != nil {
			row = append(row, labels[i])
		}
		for _, in := range inputs {
			row = append(row, c.number(cols[slices.Index(laws[0].Vars, in.Name)][i]))
		}
		v := bands.Value[i]
		row = append(row, c.number(v))
		if known {
			row = append(row, c.number(v-bands.Confidence[i]), c.number(v+bands.Confidence[i]), c.number(v-bands.Prediction[i]), c.number(v+bands.Prediction[i]))
		}
		out = append(out, row)
	}
	c.outside(inputs, cols, laws[0])
	c.undefined(laws[0], bands.Value)
	c.compare(target, t.numbers, bands, known)
	return out, nil
}

// bands returns the values of the law of each row with their bands. known reports whether the bands
// are known.
func (c *Cmd) bands(laws []law.Law, of []int, cols [][]float64, rows int) (b law.Bands, known bool) {
	b = law.Bands{Value: make([]float64, rows), Confidence: make([]float64, rows), Prediction: make([]float64, rows)}
	known = true
	for g, l := range laws {
		var own []int
		for i := range rows {
			if of == nil || of[i] == g {
				own = append(own, i)
			}
		}
		part := make([][]float64, len(cols))
		for v, column := range cols {
			for _, i := range own {
				if column != nil {
					part[v] = append(part[v], column[i])
				}
			}
		}
		bands, err := l.Bands(part, len(own), c.Level)
		for k, i := range own {
			if err == nil {
				b.Value[i], b.Confidence[i], b.Prediction[i] = bands.Value[k], bands.Confidence[k], bands.Prediction[k]
				continue
			}
			known = false
			var at []float64
			for _, x := range l.Inputs() {
				at = append(at, part[x][k])
			}
			b.Value[i] = l.Eval(at...)
		}
	}
	if !known {
		input.Warn([]string{fmt.Sprintf("%s has no covariance of the constants, so there are no bands; fit the law to its table with physlib fit", c.Law)})
	}
	return b, known
}

// columns are the columns of the table to predict.
type columns struct {
	numbers []dataset.Column
	texts   []dataset.Category
}

// rows returns the number of rows to predict. Without a table it is 1.
func (t columns) rows() int {
	if len(t.numbers) == 0 {
		return 1
	}
	return len(t.numbers[0].Values)
}

// inputs returns the columns that the law needs, in the order of its variables. It also returns
// their entries in the file.
func (c *Cmd) inputs(f *lawfile.File, l law.Law, in io.Reader) (cols [][]float64, inputs []lawfile.Column, t columns, err error) {
	at, err := c.at(f)
	if err != nil {
		return nil, nil, t, err
	}
	inputs = inputColumns(f, l)
	var names []string
	for _, k := range inputs {
		names = append(names, k.Name)
	}
	need := strings.Join(names, ", ")
	switch {
	case c.File != "":
		var warnings []string
		if t.numbers, t.texts, warnings, err = input.Columns(c.File, c.options(), in); err != nil {
			return nil, nil, t, err
		}
		input.Warn(slices.DeleteFunc(warnings, func(w string) bool {
			return strings.Contains(w, "constant") || strings.Contains(w, "the same") || f.Groups != nil && strings.Contains(w, "text")
		}))
	case len(at) == 0 && len(inputs) > 0:
		return nil, nil, t, c.bad("nothing to predict is given; name a table with the columns %s, or --at %s=…", need, strings.Join(names, "=…,"))
	}
	for _, name := range slices.Sorted(maps.Keys(at)) {
		if !slices.Contains(names, name) {
			return nil, nil, t, c.bad("--at %s: the law %s does not depend on it; it depends on %s", name, l, need)
		}
	}
	cols = make([][]float64, len(l.Vars))
	for _, k := range inputs {
		i := slices.Index(l.Vars, k.Name)
		if c.File == "" {
			v, ok := at[k.Name]
			if !ok {
				return nil, nil, t, c.bad("--at has no value for %s; the law %s depends on %s", k.Name, l, need)
			}
			cols[i] = []float64{v}
			continue
		}
		var converted string
		if cols[i], converted, err = input.Match(k, t.numbers, c.File, c.Law); err != nil {
			return nil, nil, t, err
		}
		if converted != "" {
			input.Warn([]string{converted})
		}
	}
	for _, k := range f.Table.Constants {
		if i := slices.Index(l.Vars, k.Name); i >= 0 {
			cols[i] = slices.Repeat([]float64{k.Value}, t.rows())
		}
	}
	return cols, inputs, t, nil
}

// inputColumns returns the columns on which l depends, without the constants of the file.
func inputColumns(f *lawfile.File, l law.Law) (inputs []lawfile.Column) {
	columns := append(slices.Clone(f.Table.Columns), f.Table.Target) // an implicit law depends on the target too
	for _, x := range l.Inputs() {
		if i := slices.IndexFunc(columns, func(k lawfile.Column) bool { return k.Name == l.Vars[x] }); i >= 0 {
			inputs = append(inputs, columns[i])
		} else if !slices.ContainsFunc(f.Table.Constants, func(k lawfile.Constant) bool { return k.Name == l.Vars[x] }) {
			inputs = append(inputs, lawfile.Column{Name: l.Vars[x], Low: math.Inf(-1), High: math.Inf(1)})
		}
	}
	return inputs
}

// outside warns of rows outside the range of the data from which the law was found.
func (c *Cmd) outside(inputs []lawfile.Column, cols [][]float64, l law.Law) {
	for _, k := range inputs {
		n := 0
		values := cols[slices.Index(l.Vars, k.Name)]
		for _, v := range values {
			if v < k.Low || v > k.High {
				n++
			}
		}
		if n > 0 {
			input.Warn([]string{fmt.Sprintf("%d of %d rows have %s outside %g to %g, where the law was found: an extrapolation, for which the bands are too narrow if the form changes",
				n, len(values), k.Name, k.Low, k.High)})
		}
	}
}

// undefined warns of rows in which the law has no finite value.
func (c *Cmd) undefined(l law.Law, values []float64) {
	first := slices.IndexFunc(values, func(v float64) bool { return v-v != 0 })
	if first < 0 {
		return
	}
	n := 0
	for _, v := range values {
		if v-v != 0 {
			n++
		}
	}
	input.Warn([]string{fmt.Sprintf("%s has no finite value in %d of %d rows, the first of which is number %d: their cells are left empty", l, n, len(values), first+1)})
}

// compare writes a line with the number of measured targets within the prediction band. Rows
// without a finite value or band are not compared.
func (c *Cmd) compare(target lawfile.Column, columns []dataset.Column, b law.Bands, known bool) {
	if !known || !slices.ContainsFunc(columns, func(k dataset.Column) bool { return k.Name == target.Name }) {
		return
	}
	y, _, err := input.Match(target, columns, c.File, c.Law)
	if err != nil {
		return
	}
	unknown := slices.ContainsFunc(b.Prediction, math.IsNaN)
	within, compared, squares := 0, 0, 0.0
	for i, v := range y {
		d, band := v-b.Value[i], b.Prediction[i]
		if d-d != 0 || !unknown && math.IsInf(band, 0) {
			continue
		}
		compared++
		squares += d * d
		if math.Abs(d) <= band {
			within++
		}
	}
	if compared == 0 {
		return
	}
	rms := math.Sqrt(squares / float64(compared))
	other := ""
	if n := len(y) - compared; n > 0 {
		other = fmt.Sprintf("; rows without a finite value or band, which are not compared: %d", n)
	}
	if unknown {
		fmt.Fprintf(screen.Err, "physlib: %d measured %s, root mean square deviation from the law %.4g; the size of their errors is not known, so there is no prediction band%s\n",
			compared, target.Name, rms, other)
		return
	}
	fmt.Fprintf(screen.Err, "physlib: %d of %d measured %s are within the %g %% prediction band; root mean square deviation %.4g%s\n",
		within, compared, target.Name, 100*c.Level, rms, other)
}
