// Package token writes laws as sequences of whole numbers, which is how a network reads and
// proposes them, and reads them back. A [Vocabulary] says which number stands for which operator,
// variable or constant:
//
//	½·m·v²   →   mul half mul x_0 pow x_1 int_2   →   2 41 2 13 4 14 35
//
// [PhysDiffuse] has 73 tokens, with operators before their operands. [Small] is the same with more
// functions and one free constant. [PhysMDT] has 128 tokens, with operators after their operands.
// [PARR] has 80 tokens, with numbers as mantissa and exponent. [Observations] is the code of PARR's
// encoder for measured numbers.
//
// # Design
//
// Every token of an expression has an arity: 0, 1 or 2 operands. Parts of numbers have one, too: a
// digit is an operator on the rest of its number, as sin is on its argument. So numbers end by
// themselves, and counting open operands decides whether a sequence is an expression. That makes
// the dynamic program of a [Grammar] exact. From a network's scores of each position it computes
// the best, the n best, or random well-formed expressions, without rejection.
//
// Decode is defined on all sequences whose arities add up. A digit before something that is not a
// number, as in d_3 x_0, counts by its position: 30 + x_0.
//
// [Vocabulary.Encode] encodes a tree node by node, and rewrites only what the vocabulary has no
// token for (x² as pow x_0 int_2). The result of Decode has the same canonical form, with three
// exceptions. Free constants are numbered by first appearance, their starts are lost, and the last
// digit may differ where a canonical form rounds.
package token
