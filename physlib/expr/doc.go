// Package expr holds the laws themselves: expression trees over the columns of a table, with free
// constants. It parses and prints them (infix, prefix, postfix, LaTeX, SymPy, Go) and evaluates
// them on whole columns. It differentiates, simplifies and compares them, and checks their physical
// dimensions.
//
// # Design
//
// A Tree is an immutable slice of nodes in postfix order, so that evaluating, printing and coding
// are one pass each. A free constant (Param) is a slot in a vector of constants and carries where a
// fit may start.
//
// Each operator is a row of one table, see Operator: its names, value, derivatives, parity, units,
// print, price and spelling in other languages. A test walks the table. Rules of rewriting that are
// about a few operators, such as those of powers, are code of their own.
//
// Infix parses back to the same nodes. So x + -2 is printed unchanged; output for people goes
// through Simplify. Numbers print as short as they read back, as p/q (q ≤ 100) where that is no
// longer than the decimal.
//
// Canonical works on n-ary terms with sorted operands. A product is a number times powers, and eᵘ
// is a power of e. So one rule for powers of equal bases covers quotients, roots and exponentials.
// Numbers are exact fractions where they are fractions (q ≤ 1000), and roots of whole numbers stay
// roots. So 1/3 + 1/6 is 1/2 and √2·√2 is 2. Rewriting may make an expression defined at more
// points (x/x = 1, √x·√x = x, exp(log x) = x). It may become undefined at single points at most:
// √(x²) is |x| and log(x²) is 2·log|x|. An expression of which a part has no finite value anywhere,
// such as 1/0 or log(-1), is NaN as a whole.
//
// Hash goes further than rewriting: it evaluates the canonical term in finite fields. Rational
// identities hold there exactly, and other coincidences have a chance of about 2⁻⁶⁰ (Schwartz 1980,
// Zippel 1979). The exponents of one field are elements of the next, so exponentials and roots obey
// their laws too. Being a square takes the role of being positive. So x/(1+x) and 1/(1+1/x), or
// (eˣ-1)⁻¹ and e⁻ˣ/(1-e⁻ˣ), are equal without any search for a common form. Free constants are
// distinguished by the part they play and not by their number, see rankParams. What Hash does not
// see: trigonometric addition theorems, and identities of functions of two different operands.
//
// Dimensions are exact. Each subtree's dimension is a monomial in the unknown dimensions of the
// free constants. Sums and functions give linear equations in the exponents, which are solved in
// fractions.
package expr
