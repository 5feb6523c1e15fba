package pursuit

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/fit"
)

// model is a sum of terms with its constants fitted.
type model struct {
	terms     []term
	tree      expr.Tree   // Σ cₖ·termₖ
	rss, bits float64     // weighted sum of squares, and length of the description
	span      [][]float64 // orthonormal rows that span the terms
	residual  []float64   // of the target
	done      bool        // was extended
	exchanged bool        // its terms were exchanged
}

func shorter(a, b *model) int { return cmp.Compare(a.bits, b.bits) }

// familiesOf is a key of a set of terms that does not depend on where their constants are.
func familiesOf(terms []term) string {
	fs := make([]uint64, len(terms))
	for i, t := range terms {
		fs[i] = t.family
	}
	slices.Sort(fs)
	var key []byte
	for _, f := range fs {
		key = binary.LittleEndian.AppendUint64(key, f)
	}
	return string(key)
}

// solver fits the constants of sums.
type solver struct{ fit.Fitter }

// iterations of the fit of inner constants.
const fitIterations = 25

// fitted returns the sum of terms with all constants fitted; nil where it has no value.
func (b *beam) fitted(terms []term) *model {
	m := &model{terms: slices.Clone(terms)}
	constants := 0
	for _, t := range terms {
		constants += 1 + t.tree.NumParams()
	}
	if constants > len(terms) && !b.refine(m) {
		return nil
	}
	rows := b.rows(m.terms)
	m.span, m.residual = b.explain(rows)
	if len(m.span) < len(terms) {
		return nil // one of them is a sum of the others
	}
	m.rss = floats.Dot(m.residual, m.residual)
	if math.IsNaN(m.rss) {
		return nil
	}
	m.tree = sum(m.terms, coefficients(rows, m.span, b.target))
	n := float64(len(b.target))
	m.bits = n/2*math.Log2(max(m.rss, Exact*Exact*b.power)) + math.Log2(n)/2*float64(constants)
	for _, t := range terms {
		m.bits += t.price
	}
	return m
}

// refine fits the inner constants of m's terms together; it reports whether there is a fit.
func (b *beam) refine(m *model) bool {
	start := make([]float64, len(m.terms))
	for i := range start {
		start[i] = 1
	}
	r, err := b.solver.Fit(sum(m.terms, start), b.X, b.Y, b.Weights, fit.Settings{Starts: 1, MaxIter: fitIterations})
	if err != nil {
		return false
	}
	slot := 0
	for i, t := range m.terms {
		k := t.tree.NumParams()
		inner := r.Params[slot+1 : slot+1+k]
		for _, c := range inner {
			if math.IsNaN(c) || math.IsInf(c, 0) {
				return false
			}
		}
		m.terms[i].tree = t.tree.WithStarts(inner)
		slot += 1 + k
	}
	return true
}

// sum is Σ coefₖ·termₖ, each coefficient before the inner constants of its term.
func sum(terms []term, coef []float64) (t expr.Tree) {
	t = expr.Num(0)
	slot := 0
	for i, part := range terms {
		k := expr.C(slot, coef[i])
		p := moved(part.tree, slot+1)
		slot += 1 + part.tree.NumParams()
		switch nodes := p.Nodes(); {
		case len(nodes) == 1 && nodes[0].Op == expr.Number: // the constant
			p = k
		case nodes[len(nodes)-1].Op == expr.Inv: // c/(K+x)
			inner, _ := expr.FromNodes(slices.Clone(nodes[:len(nodes)-1]))
			p = call(expr.Div, k, inner)
		default:
			p = call(expr.Mul, k, p)
		}
		if i == 0 {
			t = p
		} else {
			t = call(expr.Add, t, p)
		}
	}
	return t
}

// rows returns the weighted values of terms at their constants.
func (d *dictionary) rows(terms []term) [][]float64 {
	rows := make([][]float64, len(terms))
	for i, t := range terms {
		rows[i] = make([]float64, len(d.Y))
		expr.Compile(t.tree).Eval(rows[i], d.X, t.tree.Params())
		d.weigh(rows[i])
	}
	return rows
}

// explain returns an orthonormal basis of rows and what it leaves of the target. Rows in the span
// of those before give no member.
func (d *dictionary) explain(rows [][]float64) (span [][]float64, residual []float64) {
	residual = slices.Clone(d.target)
	for _, row := range rows {
		u := slices.Clone(row)
		whole := floats.Norm(u, 2)
		for range 2 {
			for _, q := range span {
				floats.AddScaled(u, -floats.Dot(q, u), q)
			}
		}
		norm := floats.Norm(u, 2)
		if !(norm > 1e-10*whole) || math.IsInf(norm, 0) {
			continue
		}
		floats.Scale(1/norm, u)
		span = append(span, u)
	}
	for range 2 {
		for _, q := range span {
			floats.AddScaled(residual, -floats.Dot(q, residual), q)
		}
	}
	return span, residual
}

// coefficients solves Σ coefᵢ·rowsᵢ = t in the span of independent rows, by back substitution.
func coefficients(rows, span [][]float64, t []float64) []float64 {
	coef := make([]float64, len(rows))
	for i := len(rows) - 1; i >= 0; i-- {
		coef[i] = floats.Dot(span[i], t)
		for k := i + 1; k < len(rows); k++ {
			coef[i] -= coef[k] * floats.Dot(span[i], rows[k])
		}
		coef[i] /= floats.Dot(span[i], rows[i])
	}
	return coef
}

// pruned drops terms from m as long as this shortens the description.
func (b *beam) pruned(m *model) *model {
	for len(m.terms) > 1 {
		var best *model
		for out := range m.terms {
			rest := slices.Delete(slices.Clone(m.terms), out, out+1)
			_, residual := b.explain(b.rows(rest))
			if b.hopeless(m, m.terms[out], floats.Dot(residual, residual)) {
				continue
			}
			if s := b.fitted(rest); s != nil && s.bits < m.bits && (best == nil || s.bits < best.bits) {
				best = s
			}
		}
		if best == nil {
			return m
		}
		m = best
		b.seen[familiesOf(m.terms)] = true
	}
	return m
}

// hopeless reports whether m without a term, which leaves rss at the same constants, is so much
// worse that new constants are not tried.
func (b *beam) hopeless(m *model, without term, rss float64) bool {
	const most = 100 // times as large after a fit of the inner constants
	n, floor := float64(len(b.target)), Exact*Exact*b.power
	saved := without.price + math.Log2(n)/2*float64(1+without.tree.NumParams())
	inner := false
	for _, t := range m.terms {
		inner = inner || t.tree.NumParams() > 0
	}
	if inner {
		rss /= most
	}
	return n/2*math.Log2(max(rss, floor)/max(m.rss, floor)) > saved
}
