package discover

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/expr/rewrite"
	"github.com/physlib/lab/physlib/law"
)

// notation is how laws are printed. The zero value is the usual one.
type notation struct {
	// Largest number of digits of constants; 0: 6 for laws in
	// tables, chosenDigits for the chosen law.
	digits int
	// Whether fitted constants are printed as decimals. If not, a fraction such as 9/5 is printed
	// instead, unless it is longer than the decimal number.
	decimals bool
}

// usual is the notation of laws of tables, and ofMotion that of laws of motion. The constants of
// several laws of motion are compared with each other, so that all lines show the same digits.
var usual, ofMotion = notation{}, notation{digits: 11, decimals: true}

// tree returns the chosen law l with rounded constants.
func (n notation) tree(l law.Law) expr.Tree {
	t := filled(l, cmp.Or(n.digits, chosenDigits))
	if n.decimals {
		return roundedPowers(t)
	}
	return t
}

// line returns l on one line (see plain).
func (n notation) line(l law.Law) string {
	if !n.decimals {
		return plain(l, cmp.Or(n.digits, 6))
	}
	return l.Target + " = " + n.tree(l).Decimals(l.Vars)
}

// chosen returns the chosen law l on one line.
func (n notation) chosen(l law.Law) string {
	if !n.decimals {
		return plain(l, cmp.Or(n.digits, chosenDigits))
	}
	return n.line(l)
}

// latex returns l as an equation in LaTeX.
func (n notation) latex(l law.Law) string {
	rate := expr.X(0).LaTeX([]string{l.Target}) + " = "
	if !n.decimals {
		return rate + l.LaTeX()
	}
	return rate + n.tree(l).LaTeXDecimals(l.Vars)
}

// shape formats l with the names of its constants in place of their values. The order of the terms
// is that of the law.
func (n notation) shape(l law.Law) string {
	if !n.decimals {
		return shape(l)
	}
	l.Tree = arranged(l.Tree, l.Params())
	named := withNames(l)
	return l.Target + " = " + roundedPowers(named.Bound()).Decimals(named.Vars)
}

// arranged returns t with the terms of sums in the order in which they are printed with the given
// constants: negative terms after positive ones.
func arranged(t expr.Tree, params []float64) expr.Tree {
	args := t.Args()
	if len(args) == 0 {
		return t
	}
	for i := range args {
		args[i] = arranged(args[i], params)
	}
	if t.Root() == expr.Add && negative(args[0], params) && !negative(args[1], params) {
		args[0], args[1] = args[1], args[0]
	}
	return expr.Apply(t.Root(), args...)
}

// negative reports whether the product or number t is printed with a minus sign.
func negative(t expr.Tree, params []float64) bool {
	shown := rewrite.Tidy(t.Bind(params))
	return shown.Root() != expr.Add && shown.Root() != expr.Sub && strings.HasPrefix(shown.Infix(nil), "-")
}

// si returns the law l in SI units, in mathematical notation.
func (n notation) si(l law.Law) string {
	if !n.decimals {
		return pretty(l.SI)
	}
	return productSigns.Replace(rootOf.ReplaceAllString(l.SI, "√$1"))
}

var productSigns = strings.NewReplacer("**", "^", "*", "·")

// powerDigits is the number of significant digits of an exponent that is no simple fraction.
const powerDigits = 4

// roundedPowers returns t with exponents that are no simple fractions rounded to powerDigits.
func roundedPowers(t expr.Tree) expr.Tree {
	nodes := t.Nodes()
	return t.MapLeaves(func(i int, n expr.Node) expr.Node {
		power := i+1 < len(nodes) && nodes[i+1].Op == expr.Pow && n.Op == expr.Number
		if power && !expr.IsSimpleExponent(n.Value) {
			n.Value, _ = strconv.ParseFloat(strconv.FormatFloat(n.Value, 'g', powerDigits, 64), 64)
		}
		return n
	})
}
