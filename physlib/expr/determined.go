package expr

import (
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// determined returns t without constants that a fit cannot determine, because changes of other
// constants have the same effect on the values of t:
//
//	(c0*x + c1)/(c2*x + c3)   becomes  (c0*x + c1)/(x + c2)
//	c0*exp(c1*(c2*x + c3)**2) becomes  c0*exp(c1*(x + c2)**2)
//	c0*2**(c1*x + c2)         becomes  c0*2**(c1*x)
//
// Such a constant becomes 0 if changes of the other constants can compensate for this. Otherwise it
// becomes 1, or -1 if it is negative. If there are several such constants, the first one to be
// replaced is the one that gives the shortest tree. The starting values of the other constants are
// adjusted so that the values of t stay the same.
func (t Tree) determined() Tree {
	for {
		slots := t.NumParams()
		if slots < 2 || slices.ContainsFunc(t.nodes, func(n Node) bool { return jumps(n.Op) }) {
			return t
		}
		ways, ok := t.independent()
		if !ok || ways == slots {
			return t
		}
		next := t.withoutOne(slots, ways)
		if next.NumParams() >= slots {
			return t
		}
		t = next
	}
}

// jumps reports whether op or its derivative jumps. For such an operator, a comparison of values at
// random rows is no proof: if all rows lie on one side of the jump, |x + c|, for example, is the
// same as x + c.
func jumps(op Op) bool { return op == Abs || op == Sign || op == Min || op == Max }

// withoutOne returns the shortest tree in which one of the constants of t is a number and the
// values depend on the others in the given number of independent ways. Of several equally short
// trees, it prefers one in which the number replaces a constant factor of columns. If there is no
// such tree, it returns t.
func (t Tree) withoutOne(slots, ways int) Tree {
	shortest, found := t, false
	factors := t.factorsOfColumns()
	for _, size := range [2]float64{0, 1} {
		for slot, start := range t.Params() {
			value := size
			if start < 0 {
				value = 0 - size
			}
			with := func(t Tree) Tree {
				return t.SubstituteParam(slot, Num(value)).CompactParams().absorbParams(true)
			}
			s := with(t)
			if s.NumParams() >= slots || found && (s.Len() > shortest.Len() || s.Len() == shortest.Len() && !factors[slot]) {
				continue
			}
			if n, ok := s.independent(); !ok || n != ways {
				continue
			}
			if constants, ok := t.moved(slot, value); ok {
				shortest, found = with(t.WithStarts(constants)), true
			}
		}
	}
	return shortest
}

// factorsOfColumns reports for each slot whether its constant is multiplied with a part of t that
// contains columns but no other constants.
func (t Tree) factorsOfColumns() []bool {
	out := make([]bool, t.NumParams())
	for i, n := range t.nodes {
		if n.Op != Mul && n.Op != Div {
			continue
		}
		args := t.Subtree(i).Args()
		for k, a := range args {
			if other := args[1-k]; a.Len() == 1 && a.Root() == Param && other.NumParams() == 0 && len(other.Vars()) > 0 {
				out[a.nodes[0].Index] = true
			}
		}
	}
	return out
}

// moved returns constants with which t has the same values as with its starting values, but with
// the given value in one slot. ok is false if it doesn't find them.
func (t Tree) moved(slot int, value float64) (constants []float64, ok bool) {
	if c, ok := t.scaled(slot, value); ok {
		return c, true
	}
	s := newStart(t)
	if len(s.want) < t.NumParams()+4 {
		return nil, false
	}
	for _, logarithmic := range [2]bool{true, false} {
		if c, ok := s.move(t.Params(), slot, value, logarithmic); ok {
			return c, true
		}
	}
	return nil, false
}

// scaled is like moved for trees in which it is enough to multiply the other constants by powers of
// one number. If value is 1, this number is the constant in slot, as in c0*sqrt(c1*x + c2). If
// value is 0, it is the exponential of that constant, as in c0*2**(c1*x + c2). In such trees, the
// change of the constants that has no effect on the values is the same at all points. scaled checks
// this at two random points.
func (t Tree) scaled(slot int, value float64) (constants []float64, ok bool) {
	c := t.Params()
	if slices.Contains(c, 0) {
		return nil, false
	}
	direction := t.ineffective(slot, value == 0, 1)
	again := t.ineffective(slot, value == 0, 2)
	if direction == nil || again == nil || floats.Distance(direction, again, math.Inf(1)) > 1e-7 {
		return nil, false
	}
	along(c, slot, value, direction)
	extreme := func(v float64) bool { return v != 0 && !(math.Abs(v) > 1e-100 && math.Abs(v) < 1e100) }
	return c, !slices.ContainsFunc(c, extreme) && t.same(slot, value, direction)
}

// along changes the constants c until the one in slot has the given value. direction is the change
// that ineffective returns; along multiplies it by a suitable factor.
func along(c []float64, slot int, value float64, direction []float64) {
	by := -c[slot]
	if value != 0 {
		by = math.Log(value / c[slot])
	}
	for i, d := range direction {
		if i != slot {
			c[i] *= math.Exp(by * d)
		}
	}
	c[slot] = value
}

// same reports whether the values of t at random rows stay the same if random constants are changed
// by the function along.
func (t Tree) same(slot int, value float64, direction []float64) bool {
	cols, c := randomColumns(t), t.randomConstants(rand.New(rand.NewPCG(1, 2)))
	before, after := make([]float64, randomRows), make([]float64, randomRows)
	program := Compile(t)
	program.Eval(before, cols, c)
	along(c, slot, value, direction)
	program.Eval(after, cols, c)
	for i, v := range before {
		if math.Abs(after[i]-v) > 1e-9*math.Abs(v) {
			return false
		}
	}
	return true
}

// ineffective returns a change of the constants that has no effect on the values of t near a random
// point. The change is 1 for the constant in slot if linear is true, otherwise for the logarithm of
// this constant. For the other constants, it holds the changes of the logarithms. Of several such
// changes, it returns the smallest. It returns nil if there is none.
func (t Tree) ineffective(slot int, linear bool, seed uint64) []float64 {
	j, at := t.sensitivities(seed)
	if j == nil {
		return nil
	}
	m := mat.NewDense(len(j[0]), len(j), nil)
	size := make([]float64, len(j))
	for k, row := range j {
		if k != slot || !linear {
			floats.Scale(at[k], row)
		}
		if size[k] = floats.Norm(row, 2); size[k] == 0 {
			return nil
		}
		floats.Scale(1/size[k], row)
		m.SetCol(k, row)
	}
	var svd mat.SVD
	if !svd.Factorize(m, mat.SVDThin) {
		return nil
	}
	var v mat.Dense
	svd.VTo(&v)
	out := make([]float64, len(j))
	for k, s := range svd.Values(nil) {
		if s < ineffectual {
			floats.AddScaled(out, v.At(slot, k), mat.Col(nil, k, &v))
		}
	}
	if out[slot] < 1e-6 {
		return nil
	}
	scale := size[slot] / out[slot]
	for k := range out {
		out[k] = nearRatio(out[k] / size[k] * scale)
	}
	return out
}

// nearRatio returns the multiple of 1/12 next to v, if v differs from it only by rounding errors,
// and v otherwise.
func nearRatio(v float64) float64 {
	if r := math.Round(12*v) / 12; math.Abs(v-r) < 1e-7 {
		return r
	}
	return v
}

// independent returns the number of independent ways in which the values of t change with its
// constants. ok is false if too few of the random rows are in the domain of t.
func (t Tree) independent() (ways int, ok bool) {
	if t.NumParams() == 0 {
		return 0, true
	}
	j, _ := t.sensitivities(0)
	if j == nil {
		return 0, false
	}
	for _, row := range j {
		if size := floats.Norm(row, math.Inf(1)); size > 0 {
			floats.Scale(1/size, row)
		}
	}
	return rank(j, ineffectual), true
}

// ineffectual is the size of a singular value below which a change of the constants has no effect
// on the values, apart from rounding errors.
const ineffectual = 1e-10

// sensitivities returns in j the derivatives of t with respect to its constants: one row for each
// constant, one column for each row of data. The data and the constants at which it differentiates
// are random; at holds these constants. The columns of j are scaled. j is nil if too few of the
// random rows are in the domain of t.
func (t Tree) sensitivities(seed uint64) (j [][]float64, at []float64) {
	const tries = 3
	program, value, cols := Compile(t), make([]float64, randomRows), randomColumns(t)
	grad := matrix(t.NumParams(), randomRows)
	rng := rand.New(rand.NewPCG(2, seed))
	for range tries {
		at = t.randomConstants(rng)
		program.Grad(value, grad, cols, at)
		if j = finite(grad); len(j[0]) >= len(at)+4 {
			return j, at
		}
	}
	return nil, nil
}

const randomRows = 40

// uniform returns a random number from 0.3 to 2.3.
func uniform(rng *rand.Rand) float64 { return 0.3 + 2*rng.Float64() }

// randomConstants returns constants with random absolute values from 0.3 to 2.3, and with the signs
// of the starting values of t.
func (t Tree) randomConstants(rng *rand.Rand) []float64 {
	c := t.Params()
	for slot, p := range c {
		c[slot] = math.Copysign(uniform(rng), p)
	}
	return c
}

// randomColumns returns columns of random numbers from 0.3 to 2.3 for the variables of t.
func randomColumns(t Tree) [][]float64 {
	most := 0
	for _, n := range t.nodes {
		if n.Op == Var {
			most = max(most, int(n.Index)+1)
		}
	}
	cols := commonColumns()
	if most <= len(cols) {
		return cols[:most]
	}
	return uniformColumns(most)
}

var commonColumns = sync.OnceValue(func() [][]float64 { return uniformColumns(8) })

func uniformColumns(n int) [][]float64 {
	rng := rand.New(rand.NewPCG(4, 5))
	cols := matrix(n, randomRows)
	for _, col := range cols {
		for i := range col {
			col[i] = uniform(rng)
		}
	}
	return cols
}

// matrix returns a matrix of zeros.
func matrix(rows, columns int) [][]float64 {
	m, values := make([][]float64, rows), make([]float64, rows*columns)
	for k := range m {
		m[k] = values[k*columns : (k+1)*columns : (k+1)*columns]
	}
	return m
}

// finite returns the columns of a matrix in which all values are finite, each divided by its
// largest value. Columns of zeros are left out.
func finite(m [][]float64) [][]float64 {
	out := matrix(len(m), len(m[0]))
	n := 0
	for c := range m[0] {
		size := 0.0
		for _, row := range m {
			size = max(size, math.Abs(row[c])) // NaN if one value is
		}
		if !(size > 0 && size < 1e100) {
			continue
		}
		for k, row := range m {
			out[k][n] = row[c] / size
		}
		n++
	}
	for k := range out {
		out[k] = out[k][:n]
	}
	return out
}
