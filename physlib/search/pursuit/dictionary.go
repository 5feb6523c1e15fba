package pursuit

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/column"
	"github.com/physlib/lab/physlib/each"
	"github.com/physlib/lab/physlib/expr"
)

// Problem is a target, and the variables of the terms whose sum is to give the target.
type Problem struct {
	X       [][]float64        // variables, each with a value for every row
	Y       []float64          // target
	Weights []float64          // 1/σ² of each row up to a factor; nil: all equal
	Allowed func(expr.Op) bool // operators that may occur; nil: all but the rare ones
}

// entry is a column of the dictionary: the constant 1, an atom, or the product of two atoms.
type entry struct {
	atoms  []int32 // indices into dictionary.atoms; none: the constant 1
	price  float64
	family uint64  // the same for columns that differ only in starting values of inner constants
	inner  int     // number of inner constants
	norm   float64 // norm of the weighted values, by which the column is divided
}

// dictionary holds columns with their values, weighted and of unit norm. Columns without inner
// constants come first, then those with one, then those with two, each by rising price.
type dictionary struct {
	Problem
	root    []float64 // √weight of each row; nil: all are 1
	target  []float64 // weighted target
	atoms   []atom
	values  [][]float64 // values of the atoms
	slopes  [][]float64 // derivatives of the atoms with respect to their first inner constant
	columns []entry
	ends    [kinds]int // ends[i] is the number of columns with at most i inner constants
	slab    []float64  // [columns, rows]: weighted values of the columns, scaled to unit norm
	// [columns with one inner constant, rows]: derivatives of the columns with respect to that
	// constant, scaled like slab
	tilt []float64
}

// mostColumns holds the largest numbers of columns with no, one and two inner constants.
var mostColumns = [kinds]int{2500, 3500, 1000}

// newDictionary makes the dictionary of a problem.
func newDictionary(p Problem) *dictionary {
	d := &dictionary{Problem: p}
	if p.Weights != nil {
		d.root = column.Map(p.Weights, math.Sqrt)
	}
	d.target = d.weigh(slices.Clone(p.Y))
	curved := d.collect()
	d.values, d.slopes = make([][]float64, len(d.atoms)), make([][]float64, len(d.atoms))
	each.Do(len(d.atoms), func(i int) {
		tree := d.atoms[i].tree
		d.values[i] = make([]float64, len(p.Y))
		slopes := make([][]float64, tree.NumParams())
		for k := range slopes {
			slopes[k] = make([]float64, len(p.Y))
		}
		expr.Compile(tree).Grad(d.values[i], slopes, d.X, tree.Params())
		if len(slopes) > 0 {
			d.slopes[i] = slopes[0]
		}
	})
	d.fill(d.products(curved))
	return d
}

// weigh multiplies v by the square roots of the weights.
func (d *dictionary) weigh(v []float64) []float64 {
	if d.root != nil {
		floats.Mul(v, d.root)
	}
	return v
}

// collect makes the atoms. It returns the number of atoms without inner constants, which come
// first.
func (d *dictionary) collect() (curved int) {
	allowed := d.Allowed
	if allowed == nil {
		allowed = func(op expr.Op) bool { return !op.Operator().Rare }
	}
	var plain, bent []atom
	family := 0
	for v, x := range d.X {
		c := &collector{shape: newShape(v, x), v: v, allowed: allowed, family: &family}
		if !(c.span > 0) || math.IsInf(c.span, 0) {
			continue
		}
		c.forms(plainForms)
		c.rare(false)
		plain = append(plain, c.list...)
		c.list = nil
		c.forms(bentForms)
		c.rare(true)
		bent = append(bent, c.list...)
	}
	d.atoms = append(plain, bent...)
	return len(plain)
}

// products lists the columns by rising price. These are single atoms, products of two atoms without
// inner constants, and products of an atom with inner constants and a simple one. The atoms from
// index curved on have inner constants.
func (d *dictionary) products(curved int) []entry {
	all := []entry{{price: 1}}
	for i, a := range d.atoms {
		inner := a.tree.NumParams()
		all = append(all, entry{atoms: []int32{int32(i)}, price: a.price, family: uint64(a.family), inner: inner})
		for j, b := range d.atoms[:min(i, curved)] {
			if i >= curved && !b.simple || a.v == b.v && a.power == b.power {
				continue
			}
			all = append(all, entry{
				atoms: []int32{int32(i), int32(j)}, price: a.price + b.price + priceProduct,
				family: uint64(a.family)<<32 | uint64(b.family), inner: inner,
			})
		}
	}
	slices.SortStableFunc(all, func(a, b entry) int { return cmp.Compare(a.price, b.price) })
	return all
}

// fill keeps the columns that have finite values and differ from all earlier ones.
func (d *dictionary) fill(all []entry) {
	n := len(d.Y)
	rng := rand.New(rand.NewPCG(7, 11))
	probe := make([]float64, n)
	for i := range probe {
		probe[i] = rng.NormFloat64()
	}
	known := map[float64]bool{}
	v := make([]float64, n)
	for depth := range kinds {
		end := len(d.columns) + mostColumns[depth]
		for _, c := range all {
			if c.inner != depth || len(d.columns) == end {
				continue
			}
			d.value(v, c)
			c.norm = floats.Norm(d.weigh(v), 2)
			if !(c.norm > 0) || math.IsInf(c.norm, 0) {
				continue
			}
			floats.Scale(1/c.norm, v)
			mark := math.Round(math.Abs(floats.Dot(v, probe)) * 1e9)
			if known[mark] {
				continue
			}
			known[mark] = true
			d.columns, d.slab = append(d.columns, c), append(d.slab, v...)
			if c.inner == 1 {
				d.slope(v, c)
				d.tilt = append(d.tilt, v...)
			}
		}
		d.ends[depth] = len(d.columns)
	}
}

// value writes the values of a column to dst.
func (d *dictionary) value(dst []float64, c entry) {
	for i := range dst {
		dst[i] = 1
	}
	for _, a := range c.atoms {
		floats.Mul(dst, d.values[a])
	}
}

// slope writes to dst the weighted derivative of a column with respect to its inner constant,
// divided by the column's norm.
func (d *dictionary) slope(dst []float64, c entry) {
	copy(dst, d.slopes[c.atoms[0]])
	for _, a := range c.atoms[1:] { // only the first atom has inner constants
		floats.Mul(dst, d.values[a])
	}
	floats.Scale(1/c.norm, d.weigh(dst))
}

// tiltRow returns the derivative of column i with respect to its inner constant, as in tilt. It
// returns nil if the column has no inner constant, or two.
func (d *dictionary) tiltRow(i int) []float64 {
	if i < d.ends[0] || i >= d.ends[1] {
		return nil
	}
	n := len(d.Y)
	i -= d.ends[0]
	return d.tilt[i*n : (i+1)*n : (i+1)*n]
}

// row returns the weighted values of column i, of unit norm.
func (d *dictionary) row(i int) []float64 {
	n := len(d.Y)
	return d.slab[i*n : (i+1)*n : (i+1)*n]
}

// term is a column with the inner constants of its last fit.
type term struct {
	tree   expr.Tree
	price  float64
	family uint64
	row    []float64 // weighted values, divided by norm
	norm   float64   // norm of the weighted values
}

// bent reports whether t has inner constants.
func (t term) bent() bool { return t.tree.NumParams() > 0 }

// term returns column i as a term, with the inner constants from the grid.
func (d *dictionary) term(i int) term {
	c := d.columns[i]
	t := expr.Num(1)
	for k, a := range c.atoms {
		if k == 0 {
			t = d.atoms[a].tree
			continue
		}
		t = expr.Apply(expr.Mul, d.atoms[a].tree, t) // only the first atom has inner constants
	}
	return term{tree: t, price: c.price, family: c.family, row: d.row(i), norm: c.norm}
}
