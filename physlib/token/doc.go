// Package token encodes laws as sequences of integers, and decodes such sequences. Networks read
// and propose laws in this form. A [Vocabulary] assigns numbers to operators, variables and
// constants:
//
//	½·m·v²   →   mul half mul x_0 pow x_1 int_2   →   2 41 2 13 4 14 35
//
// [PhysDiffuse] has 73 tokens, with operators before their operands (prefix). [Small] has more
// functions than PhysDiffuse and only one token for free constants. [PhysMDT] has 128 tokens, with
// operators after their operands (postfix). [PARR] has 80 tokens, with numbers as mantissa and
// exponent. [Observations] encodes measured numbers for PARR's encoder.
//
// # Design
//
// Every token of an expression has an arity: 0, 1 or 2 operands. This includes parts of numbers: a
// digit is an operator on the rest of its number, as sin is on its argument. So numbers need no end
// mark, and counting open operands decides whether a sequence is an expression. This makes the
// dynamic program of a [Grammar] exact. From a network's scores for each position it computes the
// best, the n best, or random well-formed expressions, without rejection.
//
// Decode accepts all sequences whose arities are right. A digit before an operand that is not a
// number, as in d_3 x_0, counts by its decimal place: 30 + x_0.
//
// [Vocabulary.Encode] encodes a tree node by node, and rewrites only nodes without a token (x² as
// pow x_0 int_2). Decode restores the same canonical form, with three exceptions. Free constants
// are numbered by first appearance, their start values are lost, and the last digit may differ if a
// canonical form rounds.
package token
