package discover

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/mdl"
	"github.com/physlib/lab/physlib/unit"
)

// PrepareProblem returns t as the problem that Proposers get. If all columns have units, and
// s.NoUnits is false, values are in base units in which they are near one. Otherwise values are in
// SI, or as in t in columns without a unit. Columns with very large or very small values are then
// scaled by powers of ten. Only the settings Ops, Seed, NoUnits and Noise matter.
func PrepareProblem(t *dataset.Table, s Settings) *dataset.Problem {
	return prepare(context.Background(), t, s)
}

// prepare returns a table as the problem that Proposers get. With units, values are converted to SI
// and then to the base units in which they are nearest to one. Dimensionally consistent laws keep
// their numbers in this conversion. Without units, a column that has one is still converted to SI,
// and columns with very large or very small values are scaled by powers of ten. Dates count from
// the first date.
func prepare(ctx context.Context, t *dataset.Table, s Settings) *dataset.Problem {
	p := &dataset.Problem{Ops: s.Ops, Seed: s.Seed, Units: !s.NoUnits && t.Target.HasUnit, Noise: math.NaN()}
	p.Target = quantity(ctx, t.Target)
	single := ctx.Err() == nil && roundedSingle(&p.Target, t.Target)
	for _, c := range t.Vars {
		p.Units = p.Units && c.HasUnit
		q := quantity(ctx, c)
		if single && ctx.Err() == nil {
			roundedSingle(&q, c)
		}
		if ctx.Err() == nil {
			countFrom(&q, mdl.CalendarOrigin(c)) // 0 except for dates
		}
		p.Vars = append(p.Vars, q)
	}
	for _, c := range t.Consts {
		p.Units = p.Units && c.HasUnit
		p.Vars = append(p.Vars, constant(ctx, c, t.Rows()))
	}
	if p.Units {
		markConstants(p)
		natural(p)
	} else if ctx.Err() == nil { // once ctx has ended, nothing is searched
		for i := range p.Vars {
			decimal(&p.Vars[i])
		}
		decimal(&p.Target)
	}
	p.Weights = weights(t)
	for i := range p.Weights {
		p.Weights[i] /= p.Target.Scale * p.Target.Scale
	}
	if s.Noise.Known {
		p.Noise = s.Noise.Sigma * math.Abs(p.Target.Scale) / dataset.RMS(p.Target.Values)
	}
	return p
}

// markConstants marks columns that have a unit and a single value as known constants, such as a
// column c with 299792458 m/s.
func markConstants(p *dataset.Problem) {
	for i := range p.Vars {
		v := &p.Vars[i]
		v.Const = v.Const || !v.Dim.IsZero() && slices.Min(v.Values) == slices.Max(v.Values)
	}
}

// quantity returns a column in SI, or unchanged if its unit is unknown. Once ctx has ended, it does
// not determine the rounding of the values, since this takes long in a large table.
func quantity(ctx context.Context, c dataset.Column) dataset.Quantity {
	q := dataset.Quantity{Name: c.Name, Dim: c.Unit.Dim, Known: c.HasUnit, Scale: 1}
	if c.HasUnit {
		q.Scale, q.Offset = c.Unit.Scale, c.Unit.Offset
		if q.Scale == 0 {
			q.Scale = 1
		}
	} else {
		q.Dim = unit.Dim{}
	}
	q.Values = make([]float64, len(c.Values))
	for i, v := range c.Values {
		q.Values[i] = v
		if q.Scale != 1 || q.Offset != 0 {
			q.Values[i] = q.Scale*v + q.Offset
		}
	}
	if ctx.Err() == nil {
		q.Rounding = c.Rounding()
	}
	if q.Scale != 1 {
		floats.Scale(math.Abs(q.Scale), q.Rounding)
	}
	return q
}

// constant returns a known constant as a quantity with the same value in each of the rows.
func constant(ctx context.Context, c dataset.Constant, rows int) dataset.Quantity {
	q := quantity(ctx, dataset.Column{Name: c.Name, Unit: c.Unit, HasUnit: c.HasUnit, Values: []float64{c.Value}})
	q.Const, q.Values = true, slices.Repeat(q.Values, rows)
	return q
}

// roundedSingle reports whether the values of c, the column of q, are single-precision numbers. If
// so, it sets the rounding of q to that of single precision. Variables in single precision count as
// rounded only if the target is in single precision too. Otherwise the target may have been
// calculated from the rounded values of the variables.
func roundedSingle(q *dataset.Quantity, c dataset.Column) bool {
	rounding := dataset.SinglePrecision(c.Values)
	if rounding == nil {
		return false
	}
	floats.Scale(math.Abs(q.Scale), rounding)
	q.Rounding = rounding
	return true
}

// countFrom makes the values of q count from first, which is in the column's unit: it subtracts
// first from them and from the offset.
func countFrom(q *dataset.Quantity, first float64) {
	if first == 0 {
		return
	}
	shift := q.Scale * first
	q.Offset -= shift
	floats.AddConst(-shift, q.Values)
}

// natural rescales the base units by powers of √10. The powers are chosen by least squares so that
// the logarithms of all quantities are close to zero.
func natural(p *dataset.Problem) {
	all := make([]*dataset.Quantity, 0, len(p.Vars)+1)
	for i := range p.Vars {
		all = append(all, &p.Vars[i])
	}
	all = append(all, &p.Target)
	worst := 0.0
	for _, q := range all {
		if !q.Dim.IsZero() {
			worst = max(worst, math.Abs(math.Log10(magnitude(q.Values))))
		}
	}
	if worst < nearOne {
		return
	}
	var dims [][]float64
	var logs []float64
	for _, q := range all {
		dims = append(dims, exponents(q.Dim))
		logs = append(logs, -math.Log10(magnitude(q.Values)))
	}
	l, ok := baseUnits(dims, logs, naturalRidge)
	if !ok {
		return
	}
	for _, q := range all {
		f := 0.0
		for i, e := range exponents(q.Dim) {
			// Rounding to half decades gives similar tables the same factors.
			f += e * math.Round(l[i]*2) / 2
		}
		if f != 0 {
			rescale(q, math.Pow(10, f))
		}
	}
}

// rescale multiplies a quantity by f.
func rescale(q *dataset.Quantity, f float64) {
	q.Scale *= f
	q.Offset *= f
	for i := range q.Values {
		q.Values[i] *= f
	}
	floats.Scale(math.Abs(f), q.Rounding)
}

// nearOne is the number of decades from one within which quantities keep their base units.
const nearOne = 2.5

// decimal scales a quantity with very large or very small values by a power of ten. It does not
// change a quantity with many small values and some near one, as in a decay to zero.
func decimal(q *dataset.Quantity) {
	m := magnitude(q.Values)
	if m < 1e-5 {
		m = max(m, floats.Norm(q.Values, math.Inf(1)))
	}
	if m > 1e-5 && m < 1e6 {
		return
	}
	rescale(q, math.Pow10(-int(math.Floor(math.Log10(m)))))
}
