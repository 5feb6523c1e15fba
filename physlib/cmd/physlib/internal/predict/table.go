package predict

import (
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/physlib/lab/physlib/cmd/screen"

	"github.com/physlib/lab/physlib/cmd/physlib/internal/discover"
	"github.com/physlib/lab/physlib/cmd/physlib/internal/input"
	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/lawfile"
)

// table predicts each row of a table.
func (c *Cmd) table(f *lawfile.File, in io.Reader) ([][]string, error) {
	l, err := f.Chosen(c.Law)
	switch {
	case err != nil:
		return nil, discover.BadInput("%w", err)
	case c.Until != 0 || c.Step != 0:
		return nil, c.bad("--until and --step are for laws of motion; %s holds %s", c.Law, l)
	}
	cols, inputs, columns, err := c.inputs(f, l, in)
	if err != nil {
		return nil, err
	}
	rows := 1
	for _, in := range inputs {
		rows = len(cols[slices.Index(l.Vars, in.Name)])
	}
	bands, err := l.Bands(cols, rows, c.Level)
	known := err == nil
	if !known {
		bands.Value = make([]float64, rows)
		for i := range rows {
			var v []float64
			for _, x := range l.Inputs() {
				v = append(v, cols[x][i])
			}
			bands.Value[i] = l.Eval(v...)
		}
		input.Warn([]string{fmt.Sprintf("%s has no covariance of the constants, so there are no bands; fit the law to its table with physlib fit", c.Law)})
	}
	target := f.Table.Target
	target.Name = l.Target
	head := []string{}
	for _, in := range inputs {
		head = append(head, label(in.Name, in.Unit))
	}
	head = append(head, label(l.Target, target.Unit))
	if known {
		head = append(head, "confidence_low", "confidence_high", "prediction_low", "prediction_high")
	}
	out := [][]string{head}
	for i := range rows {
		var row []string
		for _, in := range inputs {
			row = append(row, c.number(cols[slices.Index(l.Vars, in.Name)][i]))
		}
		v := bands.Value[i]
		row = append(row, c.number(v))
		if known {
			row = append(row, c.number(v-bands.Confidence[i]), c.number(v+bands.Confidence[i]), c.number(v-bands.Prediction[i]), c.number(v+bands.Prediction[i]))
		}
		out = append(out, row)
	}
	c.outside(inputs, cols, l)
	c.compare(target, columns, bands, known)
	return out, nil
}

// inputs are the columns that the law needs, by its variables, and what the file says of them.
func (c *Cmd) inputs(f *lawfile.File, l law.Law, in io.Reader) (cols [][]float64, inputs []lawfile.Column, columns []dataset.Column, err error) {
	at, err := c.at()
	if err != nil {
		return nil, nil, nil, err
	}
	for _, x := range l.Inputs() {
		if i := slices.IndexFunc(f.Table.Columns, func(k lawfile.Column) bool { return k.Name == l.Vars[x] }); i >= 0 {
			inputs = append(inputs, f.Table.Columns[i])
		} else if !slices.ContainsFunc(f.Table.Constants, func(k lawfile.Constant) bool { return k.Name == l.Vars[x] }) {
			inputs = append(inputs, lawfile.Column{Name: l.Vars[x], Low: math.Inf(-1), High: math.Inf(1)})
		}
	}
	var names []string
	for _, k := range inputs {
		names = append(names, k.Name)
	}
	need := strings.Join(names, ", ")
	switch {
	case c.File != "":
		var warnings []string
		if columns, warnings, err = input.Columns(c.File, dataset.Options{Units: c.Units, Drop: c.Drop}, in); err != nil {
			return nil, nil, nil, err
		}
		input.Warn(slices.DeleteFunc(warnings, func(w string) bool { return strings.Contains(w, "constant") || strings.Contains(w, "the same") }))
	case len(at) == 0 && len(inputs) > 0:
		return nil, nil, nil, c.bad("nothing to predict is given; name a table with the columns %s, or --at %s=…", need, strings.Join(names, "=…,"))
	}
	for _, name := range slices.Sorted(maps.Keys(at)) {
		if !slices.Contains(names, name) {
			return nil, nil, nil, c.bad("--at %s: the law %s does not depend on it; it depends on %s", name, l, need)
		}
	}
	cols = make([][]float64, len(l.Vars))
	rows := 1
	for _, k := range inputs {
		i := slices.Index(l.Vars, k.Name)
		if c.File == "" {
			v, ok := at[k.Name]
			if !ok {
				return nil, nil, nil, c.bad("--at has no value for %s; the law %s depends on %s", k.Name, l, need)
			}
			cols[i] = []float64{v}
			continue
		}
		var converted string
		if cols[i], converted, err = input.Match(k, columns, c.File, c.Law); err != nil {
			return nil, nil, nil, err
		}
		if rows = len(cols[i]); converted != "" {
			input.Warn([]string{converted})
		}
	}
	for _, k := range f.Table.Constants {
		if i := slices.Index(l.Vars, k.Name); i >= 0 {
			cols[i] = slices.Repeat([]float64{k.Value}, rows)
		}
	}
	return cols, inputs, columns, nil
}

// outside warns of rows beyond the range of the law's table.
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

// compare says how many of the measured targets are within the prediction band.
func (c *Cmd) compare(target lawfile.Column, columns []dataset.Column, b law.Bands, known bool) {
	if !known || !slices.ContainsFunc(columns, func(k dataset.Column) bool { return k.Name == target.Name }) {
		return
	}
	y, _, err := input.Match(target, columns, c.File, c.Law)
	if err != nil {
		return
	}
	within, squares := 0, 0.0
	for i, v := range y {
		if math.Abs(v-b.Value[i]) <= b.Prediction[i] {
			within++
		}
		squares += (v - b.Value[i]) * (v - b.Value[i])
	}
	fmt.Fprintf(screen.Err, "physlib: %d of %d measured %s are within the %g %% prediction band; root mean square deviation %.4g\n",
		within, len(y), target.Name, 100*c.Level, math.Sqrt(squares/float64(len(y))))
}
