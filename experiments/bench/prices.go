package bench

import (
	"maps"
	"math"
	"slices"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/prior"
)

// A priceCode turns prices of package law, see law.Complexity, into a code whose probabilities sum
// to at most 1. The code length of a form, in bits, is scale times its price, plus log2 of the sum
// of 2^-(scale·price) over all canonical forms.
//
// The sum is over a grammar. Sums and products are sets of at least two operands, none of the same
// kind as the set. A set contains a column at most once, and at most one number or free constant.
// The base of a power is not a product. The grammar has somewhat fewer forms than exist, so the
// code is somewhat shorter than it should be.
type priceCode struct {
	scale, constant float64
	sums            map[int]float64 // log2 of the sum, by number of columns
}

// newPriceCode returns the code that takes the fewest bits for the examples, among all values of
// scale and constant.
func newPriceCode(examples []prior.Example) priceCode {
	priced, constants, vars := 0.0, 0.0, make(map[int]float64)
	for _, e := range examples {
		priced += e.Weight * pricedForm(e)
		constants += e.Weight * countConstants(e)
		vars[e.Vars] += e.Weight
	}
	best, least := priceCode{}, math.Inf(1)
	for constant := 0.0; constant <= 9; constant += 0.25 {
		for scale := 1.0; scale <= 3; scale += 0.02 {
			c := priceCode{scale, constant, make(map[int]float64)}
			total := scale * (priced + constant*constants)
			for _, n := range slices.Sorted(maps.Keys(vars)) {
				if total < least {
					total += vars[n] * c.forms(n)
				}
			}
			if total < least {
				best, least = c, total
			}
		}
	}
	return best
}

// pricedForm returns the price of the form of e, without its free constants.
func pricedForm(e prior.Example) float64 {
	return law.Complexity(e.Tree, e.Vars) - freePrice*countConstants(e)
}

// countConstants returns the number of free constants in e.
func countConstants(e prior.Example) float64 {
	params := 0
	for _, n := range e.Tree.Nodes() {
		if n.Op == expr.Param {
			params++
		}
	}
	return float64(params)
}

// bits returns the number of bits for e.
func (c priceCode) bits(e prior.Example) float64 {
	return c.scale*(pricedForm(e)+c.constant*countConstants(e)) + c.forms(e.Vars)
}

// forms returns log2 of the sum of 2^-(scale·price) over all forms in the given number of columns.
func (c priceCode) forms(columns int) float64 {
	if _, ok := c.sums[columns]; !ok {
		c.sums[columns] = math.Log2(c.sum(float64(columns)))
	}
	return c.sums[columns]
}

// price returns the price of an operation. It is the difference between the prices of the
// expressions with and without it.
func price(with, without string) float64 {
	a, err := expr.Parse(with, nil)
	if err != nil {
		panic(err)
	}
	b, err := expr.Parse(without, nil)
	if err != nil {
		panic(err)
	}
	return law.Complexity(a, 1) - law.Complexity(b, 1)
}

var (
	freePrice      = price("c0", "1")
	columnPrice    = price("x0", "1")
	addPrice       = price("x0 + exp(x0)", "x0*exp(x0)") + mulPrice
	mulPrice       = price("x0*exp(x0)", "exp(x0)") - columnPrice
	negPrice       = price("-x0", "x0")
	functionPrices = func() (prices []float64) {
		for _, f := range []string{"exp", "log", "sin", "cos", "tan", "asin", "acos", "atan", "sinh",
			"cosh", "tanh", "abs"} {
			prices = append(prices, price(f+"(x0)", "x0"))
		}
		return prices
	}()
	powerPrices = func() (prices []float64) {
		for _, p := range []string{"-1", "2", "3", "4", "5", "6", "-2", "-3", "-4", "1/2", "3/2", "1/3",
			"2/3", "-1/2", "-3/2", "5/2", "1/4"} {
			prices = append(prices, price("x0**("+p+")", "x0"))
		}
		return prices
	}()
	numberPrices = func() (prices []float64) {
		for _, n := range []string{"2", "3", "4", "5", "6", "7", "8", "9", "10", "1/2", "1/3", "2/3",
			"3/2", "1/4", "3/4", "pi", "2*pi", "4*pi", "pi/2"} {
			prices = append(prices, price(n, "1"))
		}
		return prices
	}()
)

// sum returns the sum of 2^-(scale·price) over all forms in the given number of columns. It is +Inf
// if the sum diverges.
func (c priceCode) sum(columns float64) float64 {
	weight := func(prices ...float64) (w float64) {
		for _, p := range prices {
			w += math.Exp2(-c.scale * p)
		}
		return w
	}
	column := weight(columnPrice + math.Log2(columns))
	constant := weight(c.constant)
	functions, powers := weight(functionPrices...), weight(powerPrices...)
	numbers := weight(numberPrices...)
	add, mul, minus := weight(addPrice), weight(mulPrice), weight(negPrice)

	leaf := columns * column
	calls, raised, sums, products := 0.0, 0.0, 0.0, 0.0
	for range 2000 {
		all := leaf + calls + raised + sums + products
		nextCalls := functions * all
		nextRaised := powers * (leaf + calls + sums)
		// Sets of terms, which contain each column at most once.
		terms := math.Pow(1+add*column, columns)*math.Exp(add*(calls+raised+products)) - 1
		single := add * (leaf + calls + raised + products)
		nextSums := (terms-single)/add + (1+numbers+constant)*terms
		factors := math.Pow(1+mul*column*(1+powers), columns)*
			math.Exp(mul*(calls+powers*(calls+sums)+sums)) - 1
		single = mul * (leaf + raised + calls + sums)
		nextProducts := math.Max(factors-single, 0)/mul + (numbers+constant)*factors
		nextProducts += minus * (leaf + calls + raised + sums + nextProducts)
		next := leaf + nextCalls + nextRaised + nextSums + nextProducts
		if next > 1e6 || math.IsNaN(next) {
			return math.Inf(1)
		}
		calls, raised, sums, products = nextCalls, nextRaised, nextSums, nextProducts
		if math.Abs(next-all) < 1e-9*next {
			return next + constant
		}
	}
	return math.Inf(1)
}
