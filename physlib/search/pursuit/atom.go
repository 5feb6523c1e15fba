package pursuit

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/physlib/lab/physlib/expr"
)

// atom is a function of one variable. The free constants of its tree start at one of the values
// of a grid.
type atom struct {
	tree   expr.Tree
	family int     // the same for atoms that differ in where their constants start
	v      int     // index into Problem.X
	price  float64 // bits, its constants not included
	power  bool    // a power of the variable
	degree int     // of a whole power of the variable; 0: it is none
	simple bool    // may multiply an atom with inner constants
	reach  float64 // how far its inner constant may be from where it starts; 0: as far as that is from zero
}

// Bits of operations on a variable, which itself costs priceVariable. They order the dictionary
// and are of the size of those in package law.
const (
	priceVariable = 2
	pricePower    = 2 // the square
	priceAbs      = 2
	priceFunction = 4
	priceRare     = 6 // tanh, and functions of functions
	priceProduct  = 2
)

// shape describes the values of a variable, as far as the choice of functions depends on them.
type shape struct {
	x        expr.Tree
	u        expr.Tree // |x|, or x where that is the same
	signed   bool      // x changes sign
	positive bool      // no value is zero or below
	low      float64   // least value
	high     float64   // greatest value
	span     float64   // high - low
	typical  float64   // median of |x|; more where most rows are at rest near zero
	largest  float64   // greatest |x|
	steps    int       // frequencies along x that the rows resolve
	places   []place   // where steps and bells start
	halves   []float64 // |x| where 1/(K+xⁿ) may fall to a half
}

func newShape(v int, values []float64) shape {
	sizes := make([]float64, len(values))
	for i, x := range values {
		sizes[i] = math.Abs(x)
	}
	slices.Sort(sizes)
	s := shape{low: slices.Min(values), high: slices.Max(values), largest: sizes[len(sizes)-1]}
	s.typical = max(sizes[len(sizes)/2], s.largest/restShare)
	s.span = s.high - s.low
	s.halves = []float64{sizes[len(sizes)/10], s.typical, math.Sqrt(s.typical * s.largest), s.largest, 3 * s.largest}
	s.signed, s.positive = s.low < 0 && s.high > 0, s.low > 0
	s.x, s.u = expr.X(v), expr.X(v)
	if s.low < 0 {
		s.u = call(expr.Abs, s.x)
	}
	s.steps = min(mostFrequencies, len(values)/4)
	s.places = placesOf(values)
	return s
}

// restShare is how far the median of |x| may be below the greatest to be typical of its size.
const restShare = 20

// mostFrequencies is the size of the grid of frequencies for the sine of a variable.
const mostFrequencies = 48

func call(op expr.Op, args ...expr.Tree) expr.Tree { return expr.Apply(op, args...) }

func power(x expr.Tree, p float64) expr.Tree {
	switch p {
	case 1:
		return x
	case 2:
		return call(expr.Square, x)
	case 3:
		return call(expr.Cube, x)
	case 0.5:
		return call(expr.Sqrt, x)
	case -1:
		return call(expr.Inv, x)
	}
	return call(expr.Pow, x, expr.Num(p))
}

// collector gathers the atoms of one variable.
type collector struct {
	shape
	v       int
	allowed func(expr.Op) bool
	family  *int
	list    []atom
}

// add adds an atom of a new family.
func (c *collector) add(price float64, t expr.Tree) *atom {
	*c.family++
	return c.again(price, t)
}

// again adds an atom of the family at hand, or returns one that counts for nothing where an
// operator is not allowed.
func (c *collector) again(price float64, t expr.Tree) *atom {
	for _, n := range t.Nodes() {
		if n.Op.Arity() > 0 && !c.allowed(n.Op) {
			return new(atom)
		}
	}
	c.list = append(c.list, atom{tree: t, family: *c.family, v: c.v, price: priceVariable + price})
	return &c.list[len(c.list)-1]
}

// powers adds the powers of the variable.
func (c *collector) powers() {
	for i, p := range []float64{1, 2, 3, 4} {
		a := c.add(float64(i)*pricePower, power(c.x, p))
		a.power, a.simple, a.degree = true, p < 3, int(p)
	}
	absolute := 0.0
	if c.low < 0 {
		absolute = priceAbs
	}
	for _, p := range []struct{ p, price float64 }{{0.5, 3}, {1. / 3, 4}, {1.5, 4}, {2. / 3, 5}} {
		a := c.add(absolute+p.price, power(c.u, p.p))
		a.power = true
	}
	if c.signed {
		a := c.add(priceAbs, c.u)
		a.power, a.simple = true, true
		c.add(2*priceAbs, call(expr.Mul, c.x, c.u)).power = true
		if c.low*c.high != 0 {
			c.add(2*priceAbs+1, call(expr.Div, c.x, c.u)).power = true // the sign of x
		}
		return
	}
	if c.positive {
		c.add(3, power(c.x, -1)).power = true
		c.add(4, power(c.x, -2)).power = true
	}
}

// functions adds those without inner constants.
func (c *collector) functions() {
	absolute := 0.0
	if c.low < 0 {
		absolute = priceAbs
	}
	if c.largest < 30 {
		c.add(priceFunction+absolute, call(expr.Exp, call(expr.Neg, c.u)))
		c.add(priceFunction, call(expr.Exp, c.x))
		c.add(priceRare, call(expr.Exp, call(expr.Neg, call(expr.Square, c.x))))
	}
	if c.signed && c.largest < 30 {
		c.add(priceFunction, call(expr.Exp, call(expr.Neg, c.x)))
	}
	if c.positive {
		c.add(priceFunction, call(expr.Log, c.x))
	}
	c.add(priceFunction, call(expr.Sin, c.x))
	c.add(priceFunction, call(expr.Cos, c.x))
	c.add(priceRare, call(expr.Tanh, c.x))
	c.shifted(c.u, absolute)
	if c.low < 0 && c.low > -1 {
		c.shifted(c.x, 0)
	}
	c.add(priceFunction+1, call(expr.Inv, call(expr.Add, expr.Num(1), call(expr.Square, c.x))))
	c.waves(priceFunction+priceRare+absolute, call(expr.Sqrt, c.u))
	c.add(priceFunction+priceRare+absolute, call(expr.Exp, call(expr.Neg, call(expr.Sqrt, c.u))))
	c.rare(func(op expr.Op) { c.add(priceRare, call(op, c.x)) }, nil)
}

// shifted adds functions of 1 + u, u being the variable or its absolute value.
func (c *collector) shifted(u expr.Tree, absolute float64) {
	sum := call(expr.Add, expr.Num(1), u)
	c.add(priceFunction+absolute, call(expr.Inv, sum))
	c.add(priceFunction+absolute+1, call(expr.Log, sum))
	c.waves(priceFunction+priceRare+absolute, call(expr.Log, sum))
}

// waves adds the sine and cosine of u.
func (c *collector) waves(price float64, u expr.Tree) {
	c.add(price, call(expr.Sin, u))
	c.add(price, call(expr.Cos, u))
}

// rare calls one with each rare function that is allowed, and two with each of two operands.
func (c *collector) rare(one, two func(op expr.Op)) {
	for op, o := range expr.Operators() {
		switch {
		case !o.Rare || !c.allowed(op):
		case o.Arity == 1:
			one(op)
		case two != nil:
			two(op)
		}
	}
}

// curved adds the functions with inner constants, on a grid of starts.
func (c *collector) curved() {
	k := func(start float64) expr.Tree { return expr.C(0, start) }
	times := func(a, b expr.Tree) expr.Tree { return call(expr.Mul, a, b) }
	c.grid(priceFunction, []float64{-4, -1, -0.3, 0.3, 1, 2, 4, 8, 16, 32}, 1/c.largest, func(s float64) expr.Tree {
		return call(expr.Exp, call(expr.Neg, times(k(s), c.u)))
	})
	c.oscillations()
	c.grid(priceFunction, []float64{0.15, 0.4, 0.8, 1.25, 1.75, 2.5}, 1, func(s float64) expr.Tree {
		return call(expr.Pow, c.u, k(s))
	})
	levels := []float64{0.1, 0.3, 1, 3, 10}
	for _, n := range []float64{1, 2, 4} {
		starts := levels
		if n > 1 {
			starts = c.halves
		}
		*c.family++
		for _, half := range starts {
			if n == 1 {
				half *= c.typical
			}
			c.again(priceFunction+n, call(expr.Inv, call(expr.Add, k(math.Pow(half, n)), power(c.even(n), n))))
		}
	}
	c.grid(priceFunction+1, levels, c.typical, func(s float64) expr.Tree {
		return call(expr.Log, call(expr.Add, k(s), c.u))
	})
	c.grid(priceRare, []float64{0.5, 1, 2, 4}, 1/c.typical, func(s float64) expr.Tree {
		return call(expr.Tanh, times(k(s), c.x))
	})
	if c.positive {
		c.grid(priceRare, levels, c.typical, func(s float64) expr.Tree {
			return call(expr.Exp, call(expr.Neg, call(expr.Div, k(s), c.x)))
		})
	}
	c.rare(func(op expr.Op) {
		c.grid(priceRare, []float64{0.25, 0.5, 1, 2, 4}, 1/c.typical, func(s float64) expr.Tree {
			return call(op, times(k(s), c.x))
		})
	}, func(op expr.Op) {
		*c.family++
		for _, at := range []float64{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9} {
			c.again(priceRare, call(op, c.x, k(c.low+at*c.span))).reach = 0.1 * c.span
		}
	})
	c.located()
}

// even returns x for an even power of it, else |x|.
func (c *collector) even(n float64) expr.Tree {
	if math.Mod(n, 2) == 0 {
		return c.x
	}
	return c.u
}

// grid adds a family whose one constant starts at each of starts times scale.
func (c *collector) grid(price float64, starts []float64, scale float64, build func(start float64) expr.Tree) {
	*c.family++
	for _, s := range starts {
		c.again(price, build(s*scale))
	}
}

// oscillations adds sines and cosines of the frequencies that fit half a period and more into the
// values, and of the frequencies 2 and 3.
func (c *collector) oscillations() {
	for _, op := range []expr.Op{expr.Sin, expr.Cos} {
		*c.family++
		for i := 1; i <= c.steps; i++ {
			c.again(priceFunction+1, call(op, call(expr.Mul, expr.C(0, float64(i)*math.Pi/c.span), c.x))).reach = math.Pi / c.span
		}
	}
}

// located adds steps and bells, which have a place and a width. They start where the rows are, as
// wide as a part of the distance over which a fifth of the rows is spread. Of even rows, 3, 10 and
// 40 of the narrowest fit into the range.
func (c *collector) located() {
	*c.family++
	for _, p := range c.places {
		for _, n := range []float64{0.6, 2, 8} {
			c.again(priceFunction+3, call(expr.Inv, call(expr.Add, expr.Num(1), call(expr.Exp, call(expr.Neg, c.from(p, n))))))
		}
	}
	*c.family++
	for _, p := range c.places {
		for _, n := range []float64{0.6, 2, 8} {
			c.again(priceFunction+3, call(expr.Exp, call(expr.Neg, call(expr.Square, c.from(p, n)))))
		}
	}
}

// from returns n times the distance from p, in p's widths.
func (c *collector) from(p place, n float64) expr.Tree {
	return call(expr.Mul, expr.C(0, n/p.width), call(expr.Sub, c.x, expr.C(1, p.at)))
}

// place is a value below which some of the rows are, and the distance over which a fifth of them is
// spread there.
type place struct{ at, width float64 }

// placesOf returns the positions at which steps and bells start.
func placesOf(values []float64) (all []place) {
	sorted := slices.Sorted(slices.Values(values))
	at := func(share float64) float64 { return stat.Quantile(min(max(share, 0), 1), stat.Empirical, sorted, nil) }
	for _, share := range []float64{0.02, 0.1, 0.3, 0.5, 0.7, 0.9} {
		part := min(0.2, 2*share)
		if width := (at(share+part/2) - at(share-part/2)) * 0.2 / part; width > 0 {
			all = append(all, place{at(share), width})
		}
	}
	return all
}
