package pursuit

import (
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"github.com/physlib/lab/physlib/column"
	"github.com/physlib/lab/physlib/expr"
)

// atom is a function of one variable, made from a form. Its free constants start at values from a
// grid. Its price includes that of the variable, but not that of the inner constants.
type atom struct {
	form
	tree   expr.Tree
	family int // the same for atoms that differ only in the starting values of their constants
	v      int // index into Problem.X
	// Largest distance of the inner constant from its starting value; 0: the absolute value of the
	// starting value.
	reach float64
}

// Prices in bits of a variable and of operations on it. The dictionary is sorted by price. The
// prices are similar to those of package law.
const (
	priceVariable = 2 // for each variable of a column
	priceAbs      = 2 // for |x| instead of x
	priceRare     = 6 // for a rare function
	priceProduct  = 2 // for the product of two atoms
)

// shape holds properties of a variable's values on which the choice of functions depends.
type shape struct {
	x        expr.Tree
	u        expr.Tree // |x|, or x if x is never negative
	signed   bool      // x changes sign
	positive bool      // all values are above zero
	low      float64   // least value
	high     float64   // greatest value
	span     float64   // high - low
	typical  float64   // median of |x|, but at least max|x|/restShare
	largest  float64   // greatest |x|
	steps    int       // number of frequencies along x that the rows resolve
	places   []place   // starting positions and widths of steps and bell curves (bells)
	// Values of |x| at which 1/(K+xⁿ) may have fallen to half of its maximum. They give the
	// starting values of K.
	halves []float64
}

func newShape(v int, values []float64) shape {
	sizes := column.Map(values, math.Abs)
	slices.Sort(sizes)
	s := shape{low: slices.Min(values), high: slices.Max(values), largest: sizes[len(sizes)-1]}
	s.typical = max(sizes[len(sizes)/2], s.largest/restShare)
	s.span = s.high - s.low
	s.halves = []float64{sizes[len(sizes)/10], s.typical, math.Sqrt(s.typical * s.largest), s.largest, 3 * s.largest}
	s.signed, s.positive = s.low < 0 && s.high > 0, s.low > 0
	s.x, s.u = expr.X(v), expr.X(v)
	if s.low < 0 {
		s.u = expr.Apply(expr.Abs, s.x)
	}
	s.steps = min(mostFrequencies, len(values)/4)
	s.places = placesOf(values)
	return s
}

// restShare is the largest ratio of max|x| to the median of |x| for which the median is a typical
// value. If the ratio is larger, x is close to zero in most rows, as for a body at rest.
const restShare = 20

// mostFrequencies is the size of the grid of frequencies for the sine of a variable.
const mostFrequencies = 48

// form is a function of the variable x and of u = |x|, written as package expr parses it.
type form struct {
	text  string
	price float64           // bits, without priceAbs for |x|
	of    func(*shape) bool // reports whether the form suits a variable; nil: it suits all
	// Starting values of the inner constants, one set after the other; nil: the form has no inner
	// constants.
	starts func(*shape) []float64
	power  bool // the form is a power of the variable
	simple bool // may multiply an atom with inner constants
	degree int  // the exponent if the form is a whole power, else 0
}

// Conditions on a variable for some forms.
var (
	signed        = func(s *shape) bool { return s.signed }
	positive      = func(s *shape) bool { return s.positive }
	small         = func(s *shape) bool { return s.largest < 30 }
	smallSigned   = func(s *shape) bool { return s.signed && small(s) }
	aboveMinusOne = func(s *shape) bool { return s.low < 0 && s.low > -1 }
)

// plainForms have no inner constants.
var plainForms = []form{
	{text: "x", power: true, simple: true, degree: 1},
	{text: "square(x)", price: 2, power: true, simple: true, degree: 2},
	{text: "cube(x)", price: 4, power: true, degree: 3},
	{text: "x**4", price: 6, power: true, degree: 4},
	{text: "sqrt(u)", price: 3, power: true},
	{text: "u**(1/3)", price: 4, power: true},
	{text: "u**1.5", price: 4, power: true},
	{text: "u**(2/3)", price: 5, power: true},
	{text: "u", of: signed, power: true, simple: true},
	{text: "x*u", price: 2, of: signed, power: true},
	{text: "x/u", price: 3, of: signed, power: true},
	{text: "inv(x)", price: 3, of: positive, power: true},
	{text: "x**-2", price: 4, of: positive, power: true},
	{text: "exp(-u)", price: 4, of: small},
	{text: "exp(x)", price: 4, of: small},
	{text: "exp(-square(x))", price: 6, of: small},
	{text: "exp(-x)", price: 4, of: smallSigned},
	{text: "log(x)", price: 4, of: positive},
	{text: "sin(x)", price: 4},
	{text: "cos(x)", price: 4},
	{text: "tanh(x)", price: 6},
	{text: "inv(1 + u)", price: 4},
	{text: "log(1 + u)", price: 5},
	{text: "sin(log(1 + u))", price: 10},
	{text: "cos(log(1 + u))", price: 10},
	{text: "inv(1 + x)", price: 4, of: aboveMinusOne},
	{text: "log(1 + x)", price: 5, of: aboveMinusOne},
	{text: "sin(log(1 + x))", price: 10, of: aboveMinusOne},
	{text: "cos(log(1 + x))", price: 10, of: aboveMinusOne},
	{text: "inv(1 + square(x))", price: 5},
	{text: "sin(sqrt(u))", price: 10},
	{text: "cos(sqrt(u))", price: 10},
	{text: "exp(-sqrt(u))", price: 10},
}

// bentForms are the forms with inner constants, each with a grid of starting values. For sine and
// cosine these are frequencies: half a period over the range of the values, one period, and so on.
// Steps and bells have a position and a width. A form has at most two inner constants (see kinds).
var bentForms = []form{
	{text: "exp(-(c0*u))", price: 4, starts: func(s *shape) []float64 {
		return times(1/s.largest, -4, -1, -0.3, 0.3, 1, 2, 4, 8, 16, 32)
	}},
	{text: "sin(c0*x)", price: 5, starts: frequencies},
	{text: "cos(c0*x)", price: 5, starts: frequencies},
	{text: "u**c0", price: 4, starts: func(*shape) []float64 { return times(1, 0.15, 0.4, 0.8, 1.25, 1.75, 2.5) }},
	{text: "inv(c0 + u)", price: 5, starts: multiples},
	{text: "inv(c0 + square(x))", price: 6, starts: func(s *shape) []float64 { return s.halvesTo(2) }},
	{text: "inv(c0 + x**4)", price: 8, starts: func(s *shape) []float64 { return s.halvesTo(4) }},
	{text: "log(c0 + u)", price: 5, starts: multiples},
	{text: "tanh(c0*x)", price: 6, starts: func(s *shape) []float64 { return times(1/s.typical, 0.5, 1, 2, 4) }},
	{text: "exp(-(c0/x))", price: 6, of: positive, starts: multiples},
	{text: "inv(1 + exp(-(c0*(x - c1))))", price: 7, starts: located},
	{text: "exp(-square(c0*(x - c1)))", price: 7, starts: located},
}

func times(k float64, v ...float64) []float64 {
	floats.Scale(k, v)
	return v
}

func multiples(s *shape) []float64 { return times(s.typical, 0.1, 0.3, 1, 3, 10) }

func frequencies(s *shape) (all []float64) {
	for i := range s.steps {
		all = append(all, float64(i+1)*math.Pi/s.span)
	}
	return all
}

// located returns the starting values of steps and bells, in pairs: the inverse of a width, and a
// position. The positions are those of s.places. Each position is combined with three widths: the
// width of the place divided by 0.6, 2 and 8. If the rows are evenly spread, these are 1/3, 1/10
// and 1/40 of the range of the variable.
func located(s *shape) (all []float64) {
	for _, p := range s.places {
		for _, n := range []float64{0.6, 2, 8} {
			all = append(all, n/p.width, p.at)
		}
	}
	return all
}

// halvesTo returns the values of s.halves to the power n.
func (s *shape) halvesTo(n float64) (all []float64) {
	for _, h := range s.halves {
		all = append(all, math.Pow(h, n))
	}
	return all
}

// parsed holds the trees of all forms, with x as column 0 and u as column 1.
var parsed = sync.OnceValue(func() map[string]expr.Tree {
	all := map[string]expr.Tree{}
	for _, f := range slices.Concat(plainForms, bentForms) {
		t, err := expr.Parse(f.text, []string{"x", "u"})
		if err != nil {
			panic(err) // all forms are tested
		}
		all[f.text] = t
	}
	return all
})

// collector collects the atoms of one variable.
type collector struct {
	shape
	v       int
	allowed func(expr.Op) bool
	family  *int
	list    []atom
}

// add adds an atom of the form f, unless an operator of its tree t is not allowed.
func (c *collector) add(f form, t expr.Tree, reach float64) {
	if !slices.ContainsFunc(t.Nodes(), func(n expr.Node) bool { return n.Op.Arity() > 0 && !c.allowed(n.Op) }) {
		f.price += priceVariable
		c.list = append(c.list, atom{form: f, tree: t, family: *c.family, v: c.v, reach: reach})
	}
}

// forms adds an atom for each form in table that suits the variable. A form of |x| without inner
// constants costs more if the variable has negative values.
func (c *collector) forms(table []form) {
	for _, f := range table {
		if f.of != nil && !f.of(&c.shape) {
			continue
		}
		*c.family++
		t, reach := parsed()[f.text].SubstituteVars([]expr.Tree{c.x, c.u}), 0.0
		if f.starts == nil {
			if c.low < 0 && slices.Contains(parsed()[f.text].Vars(), 1) {
				f.price += priceAbs
			}
			c.add(f, t, 0)
			continue
		}
		if op := t.Root(); op == expr.Sin || op == expr.Cos {
			reach = math.Pi / c.span
		}
		for at := range slices.Chunk(f.starts(&c.shape), t.NumParams()) {
			c.add(f, t.WithStarts(at), reach)
		}
	}
}

// rare adds atoms of the rare functions that are allowed. If bent is true, each has an inner
// constant, otherwise none.
func (c *collector) rare(bent bool) {
	f := form{price: priceRare}
	for op, o := range expr.Operators() {
		if !o.Rare || !c.allowed(op) {
			continue
		}
		*c.family++
		switch {
		case o.Arity == 1 && !bent:
			c.add(f, expr.Apply(op, c.x), 0)
		case o.Arity == 1:
			for _, at := range times(1/c.typical, 0.25, 0.5, 1, 2, 4) {
				c.add(f, expr.Apply(op, expr.Apply(expr.Mul, expr.C(0, at), c.x)), 0)
			}
		case bent:
			for n := range 9 {
				at := c.low + float64(n+1)/10*c.span
				c.add(f, expr.Apply(op, c.x, expr.C(0, at)), 0.1*c.span)
			}
		}
	}
}

// place is a position among the values of a variable, and the distance over which a fifth of the
// rows is spread there.
type place struct{ at, width float64 }

// placesOf returns the places at which steps and bells start.
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
