package mdl

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
)

// mostExponent is the largest absolute value of a fitted exponent. A power with a larger exponent
// imitates an exponential. For comparison, the laws of varistors and of metal fatigue have
// exponents of up to 50.
const mostExponent = 100

// leastRows is the least effective number of rows in which a steep power must matter. A power that
// matters in only one row imitates an outlier.
const leastRows = 1.5

// plausible reports whether the absolute values of all fitted exponents in c are at most
// mostExponent. A power whose exponent is above steep must also matter in at least leastRows rows
// (see participating).
func (s *Scorer) plausible(c Score) bool {
	nodes := c.Tree.Nodes()
	for i, n := range nodes {
		if n.Op != expr.Pow || nodes[i-1].Op != expr.Param || math.Abs(nodes[i-1].Value) <= steep {
			continue
		}
		if math.Abs(nodes[i-1].Value) > mostExponent || !(s.participating(c, int(nodes[i-1].Index)) >= leastRows) {
			return false
		}
	}
	return true
}

// participating returns the effective number of rows in which a constant of c matters, (Σv²)²/Σv⁴.
// Here v is the derivative of the law by the constant in a row, divided by the standard error of
// the row. So 1/(1 + (c0/x)**15) matters where x is near c0, although the power is largest at the
// least x.
func (s *Scorer) participating(c Score, slot int) float64 {
	const step = 1e-5
	params := slices.Clone(c.Params)
	params[slot] *= 1 + step
	values, whole := s.Values(c.Tree, params), s.Values(c.Tree, c.Params)
	for i, f := range whole {
		values[i] = (values[i] - f) / s.rowScale(c.Model, f)
	}
	scale := floats.Norm(values, math.Inf(1))
	squares, fourth := 0.0, 0.0
	for _, v := range values {
		v /= scale
		squares += v * v
		fourth += v * v * v * v
	}
	return squares * squares / fourth
}

// admissible reports whether the rows support the fitted law c. They must distinguish it from
// simpler laws that it approaches and from slower oscillations. They must also support each term of
// c.
func (s *Scorer) admissible(c Score) bool {
	t := c.Tree
	return s.resolves(t) && s.turns(t) && s.needsTerms(t) && !s.cancels(t) && s.showsPoles(t) && s.varies(t) &&
		!s.imitatesOutlier(c)
}

// imitatesOutlier reports whether c is a sum in which a term with fitted constants exceeds the
// errors in a single row. This row must lie inside the ranges of the term's columns, since at the
// end of a range the term may be a steep exponential. With a pole close to that row, for example,
// such a term fits any outlier.
func (s *Scorer) imitatesOutlier(c Score) bool {
	nodes := c.Tree.Nodes()
	terms := summands(nodes, len(nodes)-1, make([]bool, len(nodes)))
	if len(terms) < 2 {
		return false
	}
	whole := s.Values(c.Tree, c.Params)
	return slices.ContainsFunc(terms, func(term summand) bool {
		t := c.Tree.Subtree(term.end)
		if t.NumParams() == 0 || len(t.Vars()) == 0 {
			return false
		}
		at, number := 0, 0
		for i, v := range s.Values(t, c.Params) {
			if math.Abs(v) > s.sigma(&c, i, whole[i]) {
				at = i
				number++
			}
		}
		return number == 1 && !s.atEnd(at, t.Vars())
	})
}

// atEnd reports whether row i has the least or the greatest value of one of the given columns.
func (s *Scorer) atEnd(i int, vars []int) bool {
	return slices.ContainsFunc(vars, func(v int) bool {
		x := s.Cols[v]
		return x[i] == slices.Min(x) || x[i] == slices.Max(x)
	})
}

// sameValue is the relative difference below which two predictions count as the same.
const sameValue = 1e-9

// varies reports whether the rows test how t varies. If t has the same value in most rows, there
// must be at least as many other rows as t has constants. Fewer rows could be fitted whatever their
// values are: a constant with a pole at one row, for example, fits an outlier.
func (s *Scorer) varies(t expr.Tree) bool {
	v := s.Values(t, t.Params())
	middle := slices.Sorted(slices.Values(v))[len(v)/2]
	others := 0
	for _, f := range v {
		if !(math.Abs(f-middle) <= sameValue*math.Abs(middle)) {
			others++
		}
	}
	return 2*others >= len(v) || len(t.Vars()) == 0 || others >= t.NumParams()
}

// resolves reports whether the rows resolve all oscillations of t. In a column of evenly spaced
// values, or groups of values, the phase may advance by at most half a period from one value to the
// next. This must hold for at least half of the steps. A faster oscillation is the alias of a
// slower one.
func (s *Scorer) resolves(t expr.Tree) bool {
	for _, o := range t.Oscillations() {
		operand := o.Phase
		vars := operand.Vars()
		if len(vars) != 1 {
			continue
		}
		x := slices.Clone(s.Cols[vars[0]])
		slices.Sort(x)
		x = slices.Compact(x)
		if groups := centres(x); groups != nil {
			x = groups
		} else if len(x) < 4 || !dataset.Even(x, step(x)) {
			continue
		}
		cols := make([][]float64, len(s.Cols))
		cols[vars[0]] = x
		phase := operand.Values(len(x), cols, t.Params())
		fast := 0
		for k := range phase[1:] {
			if math.Abs(phase[k+1]-phase[k]) > o.Period/2 {
				fast++
			}
		}
		if 2*fast > len(phase)-1 {
			return false
		}
	}
	return true
}

// Limits for groups of values, as fractions of the distance between groups.
const (
	widestGroup = 0.15 // width of a group
	unevenGroup = 0.1  // deviation of a group's centre from even spacing
)

// centres returns the centres of the groups of rising values x, such as repeated settings that
// differ a little. It returns nil if there are fewer than four groups, or if they are not narrow
// and evenly spaced.
func centres(x []float64) (c []float64) {
	widest := 0.0 // the widest gap
	for i := 1; i < len(x); i++ {
		widest = max(widest, x[i]-x[i-1])
	}
	width, first := 0.0, 0
	for i := range x {
		if i+1 < len(x) && x[i+1]-x[i] <= widest/2 {
			continue
		}
		c = append(c, (x[first]+x[i])/2)
		width, first = max(width, x[i]-x[first]), i+1
	}
	if len(c) < 4 || len(c) == len(x) {
		return nil
	}
	distance := (c[len(c)-1] - c[0]) / float64(len(c)-1)
	if width > widestGroup*distance || !dataset.Even(c, unevenGroup*distance) {
		return nil
	}
	return c
}

// leastTurn is the least range of the phase of a fitted oscillation over the rows, in radians. If
// the phase varies less, a sine only imitates a straight line.
const leastTurn = 0.01

// turns reports whether the phase of every oscillation in t varies by at least leastTurn over the
// rows. Oscillations without fitted constants inside are not checked.
func (s *Scorer) turns(t expr.Tree) bool {
	for _, o := range t.Oscillations() {
		if o.Phase.NumParams() == 0 || len(o.Phase.Vars()) == 0 {
			continue
		}
		phase := s.Values(o.Phase, t.Params())
		if !(slices.Max(phase)-slices.Min(phase) >= leastTurn) {
			return false
		}
	}
	return true
}

// leastTerm is the least size of a term relative to the other term of its sum, if the sum has
// fitted constants. The term must have this size in at least one row. Smaller terms are artefacts
// of the fit: with a huge k, for example, k·x − 1 is the same as k·x.
const leastTerm = 1e-9

// needsTerms reports whether each sum with fitted constants needs both of its terms: in some row,
// the smaller one must be at least leastTerm times the other.
func (s *Scorer) needsTerms(t expr.Tree) bool {
	return !slices.ContainsFunc(s.compare(t), func(c comparison) bool { return c.share < leastTerm })
}

// addition is a sum or difference in a tree.
type addition struct {
	at          int // index of its node in the tree
	left, right expr.Tree
}

// additions returns the sums and differences of t.
func additions(t expr.Tree) (all []addition) {
	for i, n := range t.Nodes() {
		if n.Op == expr.Add || n.Op == expr.Sub {
			right := t.Subtree(i - 1)
			all = append(all, addition{i, t.Subtree(i - 1 - right.Len()), right})
		}
	}
	return all
}

// comparison is an addition in which one operand is smaller in magnitude than the other in all
// rows.
type comparison struct {
	addition
	// Size of the smaller operand relative to the other, in the row in which it is largest.
	share float64
	first bool // the left operand is the smaller
}

// compare returns the additions of t that have fitted constants and an operand that is smaller in
// magnitude than the other in all rows.
func (m *Data) compare(t expr.Tree) (all []comparison) {
	a, b := make([]float64, m.Rows()), make([]float64, m.Rows())
	for _, sum := range additions(t) {
		if sum.left.NumParams()+sum.right.NumParams() == 0 {
			continue
		}
		expr.Compile(sum.left).Eval(a, m.Cols, t.Params())
		expr.Compile(sum.right).Eval(b, m.Cols, t.Params())
		if share := largestRatio(b, a); share < 1 {
			all = append(all, comparison{sum, share, false})
		} else if share := largestRatio(a, b); share < 1 {
			all = append(all, comparison{sum, share, true})
		}
	}
	return all
}

// Term is an operand of a sum or difference.
type Term struct {
	Without expr.Tree // the whole tree without the term
	// Size of the term relative to the other operand, in the row in which it is largest.
	Share float64
}

// Terms returns, for each sum or difference in t with fitted constants, the operand that is smaller
// in magnitude than the other one in every row. It leaves out sums without such an operand.
func (m *Data) Terms(t expr.Tree) (all []Term) {
	for _, c := range m.compare(t) {
		middle := c.at - c.right.Len()
		if !c.first {
			all = append(all, Term{t.Splice(middle, c.at+1), c.share})
			continue
		}
		var sign []expr.Node
		if t.Nodes()[c.at].Op == expr.Sub {
			sign = []expr.Node{{Op: expr.Neg}}
		}
		all = append(all, Term{t.Splice(c.at, c.at+1, sign...).Splice(middle-c.left.Len(), middle), c.share})
	}
	return all
}

// mostCancelled limits how much two terms with fitted constants may cancel. It is the largest ratio
// of the range of a term, over the rows, to the range of the sum. If the ratios of both terms are
// larger, the law imitates a derivative by a difference of nearly equal terms. Such a sum needs
// more digits of the constants than are known.
const mostCancelled = 1e5

// cancels reports whether two terms with fitted constants cancel almost completely.
func (s *Scorer) cancels(t expr.Tree) bool {
	v := make([]float64, s.Rows())
	spread := func(part expr.Tree) float64 {
		expr.Compile(part).Eval(v, s.Cols, t.Params())
		return slices.Max(v) - slices.Min(v)
	}
	return slices.ContainsFunc(additions(t), func(a addition) bool {
		return a.left.NumParams() > 0 && a.right.NumParams() > 0 &&
			min(spread(a.left), spread(a.right)) > mostCancelled*spread(t.Subtree(a.at))
	})
}

// largestRatio returns the largest |aᵢ/bᵢ|, or NaN if one of them is undefined.
func largestRatio(a, b []float64) (most float64) {
	for i := range a {
		most = max(most, math.Abs(a[i]/b[i]))
	}
	return most
}

// Relative changes of inputs. The effect of an error is calculated with a larger change and then
// scaled down, since the effect itself would be lost in rounding.
const (
	calculation = 1e-10 // least relative rounding error of a number that was stored and converted
	scaledStep  = 1e-5  // least relative change of an input
)

// inherited returns the variance of each row's prediction that is due to rounding of its inputs.
// The inputs are rounded to the table's digits and by calculations. inherited varies one input at a
// time.
func (s *Scorer) inherited(t expr.Tree, params []float64) []float64 {
	program := expr.Compile(t)
	n := s.Rows()
	at, moved, variance := make([]float64, n), make([]float64, n), make([]float64, n)
	program.Eval(at, s.Cols, params)
	for _, v := range t.Vars() {
		cols := slices.Clone(s.Cols)
		// x holds the changed inputs, and part the ratio of the rounding error to this change
		x, part := make([]float64, n), make([]float64, n)
		for i, value := range s.Cols[v] {
			off := calculation * math.Abs(value)
			if r := s.rounding[v]; r != nil {
				off = max(off, r[i])
			}
			step := max(off, scaledStep*math.Abs(value))
			x[i], part[i] = value+step, 1
			if step > 0 {
				part[i] = off / step
			}
		}
		cols[v] = x
		program.Eval(moved, cols, params)
		for i := range variance {
			d := (moved[i] - at[i]) * part[i]
			if math.IsNaN(d) || math.IsInf(d, 0) {
				d = 0
			}
			variance[i] += d * d
		}
	}
	return variance
}
