// Package expr provides the laws themselves: expression trees over the columns of a table, with
// free constants. It parses and prints them (infix, prefix, postfix, LaTeX, SymPy, Go) and
// evaluates them on whole columns. It also differentiates, simplifies and compares them, and checks
// their physical dimensions.
//
// # Design
//
// A Tree is an immutable slice of nodes in postfix order, so evaluating, printing and encoding it
// are one pass each. A free constant (Param) is a slot in a vector of constants, together with a
// value from which a fit may start.
//
// Each operator is a row of one table, see Operator. The row contains its names, value,
// derivatives, parity, units, printed form, price, and spelling in other languages. A test checks
// every row. Rewriting rules for particular operators, such as those for powers, have their own
// functions.
//
// Infix can be parsed back to the same nodes. So x + -2 is printed unchanged, and output for people
// is simplified first. Numbers are printed with the fewest digits that read back as the same value.
// A short fraction p/q is printed as such if it is no longer than the decimal number.
//
// # Canonical form
//
// Canonical works on terms with any number of sorted operands. A product is a number times powers,
// and eᵘ is a power of e. So one rule for powers of equal bases covers quotients, roots and
// exponentials. Numbers are exact fractions if possible (q ≤ 1000), and roots of whole numbers stay
// roots. So 1/3 + 1/6 is 1/2, and √2·√2 is 2.
//
// By rewriting, an expression may become defined at more points: x/x = 1, √x·√x = x, exp(log x) =
// x. It may become undefined only at single points: √(x²) is |x|, and log(x²) is 2·log|x|. The
// whole expression is NaN if a part of it has no finite value anywhere, such as 1/0 or log(-1).
//
// # Equality
//
// Hash recognizes more equal laws than rewriting does, because it evaluates the canonical term in
// finite fields. Rational identities hold there exactly, and different terms are equal only with a
// probability of about 2⁻⁶⁰ (Schwartz 1980, Zippel 1979). The exponents of one field are elements
// of the next, so the rules for exponentials and roots hold too. Squares in the field play the role
// of positive numbers. So x/(1+x) and 1/(1+1/x), or (eˣ-1)⁻¹ and e⁻ˣ/(1-e⁻ˣ), are equal without a
// search for a common form. Free constants are distinguished by their role in the term, not by
// their slot (see rankParams). Hash does not recognize trigonometric addition theorems, or
// identities between functions of two different operands.
//
// # Dimensions
//
// Dimensions are exact. The dimension of each subtree is a monomial in the unknown dimensions of
// the free constants. Sums and functions give linear equations for the exponents, which are solved
// in fractions.
package expr
