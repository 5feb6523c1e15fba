package unit

import "math/big"

// PiGroups returns a basis of the dimensionless products of quantities with the given dimensions
// (Buckingham's Π theorem). Each group is a vector with one exponent for each quantity, such that ∏
// quantity^exponent is dimensionless. There are len(dims) - rank groups, where rank is that of the
// matrix of exponents. Exponents are whole numbers without a common divisor, and the first nonzero
// one is positive. The first quantities with independent dimensions may occur in several groups.
// Every other quantity occurs in exactly one group. Groups with exponents above 32767 are omitted.
func PiGroups(dims []Dim) (groups [][]Ratio) {
	m := newElimination(dims, nil)
	for free := range dims {
		if m.pivotRow[free] >= 0 {
			continue
		}
		v := make([]*big.Rat, len(dims))
		for c := range v {
			v[c] = new(big.Rat)
			if row := m.pivotRow[c]; row >= 0 {
				v[c].Neg(m.rows[row][free])
			}
		}
		v[free].SetInt64(1)
		if g, ok := wholeVector(v); ok {
			groups = append(groups, g)
		}
	}
	return groups
}

// SolveExponents finds exponents a such that ∏ dims[i]^a[i] = target. If there are several
// solutions, it prefers those with few and small exponents. ok is false if there is none.
func SolveExponents(dims []Dim, target Dim) (exponents []Ratio, ok bool) {
	m := newElimination(dims, &target)
	last := len(dims) // index of the target's column
	for r := m.rank; r < len(m.rows); r++ {
		if m.rows[r][last].Sign() != 0 {
			return nil, false
		}
	}
	exponents = make([]Ratio, len(dims))
	for c := range dims {
		if row := m.pivotRow[c]; row >= 0 {
			if exponents[c], ok = ratioOf(m.rows[row][last]); !ok {
				return nil, false
			}
		}
	}
	shorten(exponents, PiGroups(dims))
	return exponents, true
}

// elimination is the reduced row echelon form of the 7 × len(dims) matrix of exponents.
type elimination struct {
	rows     [][]*big.Rat
	pivotRow []int // for each column: the row with its pivot, or -1
	rank     int
}

// newElimination reduces the matrix with columns dims by Gauss–Jordan elimination in exact
// fractions. If target is not nil it is the last column, without a pivot.
func newElimination(dims []Dim, target *Dim) elimination {
	columns := append([]Dim(nil), dims...)
	if target != nil {
		columns = append(columns, *target)
	}
	m := elimination{rows: make([][]*big.Rat, len(Dim{})), pivotRow: make([]int, len(dims))}
	for r := range m.rows {
		m.rows[r] = make([]*big.Rat, len(columns))
		for c, d := range columns {
			m.rows[r][c] = big.NewRat(int64(d[r].Num()), int64(d[r].Den()))
		}
	}
	for c := range dims {
		m.pivotRow[c] = -1
		for r := m.rank; r < len(m.rows); r++ {
			if m.rows[r][c].Sign() != 0 {
				m.rows[r], m.rows[m.rank] = m.rows[m.rank], m.rows[r]
				m.clear(m.rank, c)
				m.pivotRow[c] = m.rank
				m.rank++
				break
			}
		}
	}
	return m
}

// clear scales row p so that its element in column c, the pivot, is 1. It makes all other elements
// of the column zero.
func (m *elimination) clear(p, c int) {
	inverse := new(big.Rat).Inv(m.rows[p][c])
	for k := range m.rows[p] {
		m.rows[p][k].Mul(m.rows[p][k], inverse)
	}
	var product big.Rat
	for r, row := range m.rows {
		if r == p || row[c].Sign() == 0 {
			continue
		}
		factor := new(big.Rat).Set(row[c])
		for k := range row {
			row[k].Sub(row[k], product.Mul(factor, m.rows[p][k]))
		}
	}
}

// wholeVector scales v to whole numbers without a common divisor, such that the first nonzero one
// is positive. ok is false if one of the numbers is too large.
func wholeVector(v []*big.Rat) ([]Ratio, bool) {
	denominator, divisor := big.NewInt(1), new(big.Int)
	for _, x := range v {
		g := new(big.Int).GCD(nil, nil, denominator, x.Denom())
		denominator.Mul(denominator, new(big.Int).Quo(x.Denom(), g))
	}
	whole := make([]*big.Int, len(v))
	sign := 0
	for i, x := range v {
		whole[i] = new(big.Int).Mul(x.Num(), new(big.Int).Quo(denominator, x.Denom()))
		divisor.GCD(nil, nil, divisor, new(big.Int).Abs(whole[i]))
		if sign == 0 {
			sign = whole[i].Sign()
		}
	}
	if sign < 0 {
		divisor.Neg(divisor)
	}
	group := make([]Ratio, len(v))
	for i, x := range whole {
		var ok bool
		if group[i], ok = ratioOf(new(big.Rat).SetFrac(x, divisor)); !ok {
			return nil, false
		}
	}
	return group, true
}

func ratioOf(x *big.Rat) (Ratio, bool) {
	n, d := x.Num(), x.Denom()
	if !n.IsInt64() || !d.IsInt64() {
		return Ratio{}, false
	}
	r := lowest(n.Int64(), d.Int64())
	return r, int64(r.Num()) == n.Int64() && int64(r.Den()) == d.Int64()
}

// shorten adds multiples of the groups to a as long as this lowers the cost of a. Groups are
// dimensionless, so the dimension stays the same.
func shorten(a []Ratio, groups [][]Ratio) {
	for improved := true; improved; {
		improved = false
		for _, g := range groups {
			for k := range a {
				if g[k].IsZero() || a[k].IsZero() {
					continue
				}
				// The multiple of g that makes a[k] zero.
				t := lowest(-int64(a[k].Num())*int64(g[k].Den()), int64(a[k].Den())*int64(g[k].Num()))
				b := make([]Ratio, len(a))
				for i := range a {
					b[i] = a[i].Add(t.Mul(g[i]))
				}
				if cost(b) < cost(a)-1e-9 {
					copy(a, b)
					improved = true
				}
			}
		}
	}
}

// cost returns the cost of a vector of exponents. Each nonzero exponent costs 1, plus its absolute
// value, plus its denominator minus 1.
func cost(a []Ratio) float64 {
	sum := 0.0
	for _, r := range a {
		if !r.IsZero() {
			f := r.Float64()
			sum += 1 + max(f, -f) + float64(r.den)
		}
	}
	return sum
}
