// Package token writes laws as sequences of whole numbers, which is how a network reads and
// proposes them, and reads them back. A [Vocabulary] says which number stands for which operator,
// variable or constant:
//
//	½·m·v²   →   mul half mul x_0 pow x_1 int_2   →   2 41 2 13 4 14 35
//
// There are the vocabularies of the seeds: [PhysDiffuse] (73 tokens, operators before their
// operands), [Small] (the same with more functions and one free constant), [PhysMDT] (128 tokens,
// operators behind their operands) and [PARR] (80 tokens, numbers as mantissa and exponent).
// [Observations] is the code of PARR's encoder for measured numbers.
//
// # Design
//
// Every token of an expression has an arity: 0, 1 or 2 operands. Parts of numbers have one, too: a
// digit is an operator on the rest of its number, as sin is on its argument. So numbers end by
// themselves, and whether a sequence is an expression is a matter of counting open places only.
// That makes the dynamic program of a [Grammar] exact: out of what a network thinks of each
// position by itself it takes the best, the n best, or random well-formed expressions, without
// rejecting any.
//
// Decode is defined on all sequences whose arities add up. A digit before something that is no
// number, as in d_3 x_0, has the value that the place of the digit gives it: 30 + x_0.
//
// [Vocabulary.Encode] writes a tree as it is, node by node, and rewrites only what the vocabulary
// has no token for (x² as pow x_0 int_2). What Decode makes of it has the same canonical form, but
// for the numbering of free constants, which is by first appearance, their starts, which no token
// holds, and the last digit where a canonical form rounds.
package token
