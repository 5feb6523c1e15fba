// Package evolve improves known laws. Repeatedly it hides a part of a law and lets a trained
// network fill the gap, given the data. The children are then fitted and scored.
//
//	p := &evolve.Proposer{System: sys}
//	settings.Extra = []discover.Named{{Name: sys.Name() + "+evolve", Proposer: p}}
//
// It is evolution with a denoiser as the mutation operator. The engine's archive
// (dataset.Problem.Laws) is the memory between generations. A network alone proposes from the table
// only, without feedback on which of its laws came close.
//
// # A generation
//
// The laws of the archive are divided into islands by their number of tokens, so short and long
// ones do not compete. A parent is the best of three random laws of an island. What is hidden in it
// is
//
//   - a subtree, which is replaced by another one of any length that fits;
//   - nothing: hidden tokens are inserted between the existing ones, which extends or wraps a part;
//   - its least confident tokens, those that the network finds least likely given all others and
//     the data.
//
// The network's sequences have exact lengths, so the length of a child must be drawn. It comes from
// the distribution of the length head, or is near the length of a parent. All children of a
// generation have the same length and form one batch of one compiled shape. Package token's dynamic
// program fills a gap such that every child is an expression. Constants of the parent that remain
// visible keep their values as starts of the fit.
//
// By default all hidden tokens of a gap are drawn from one call of the network. With Settings.Steps
// there are several calls, and the most confident tokens are fixed first.
//
// The network makes the share Settings.Share of the generations. The others come from the same
// parents, by the mutations and the crossover of package genetic. Children whose dimensions cannot
// balance, and those that occurred before, are dropped.
//
// If there is no archive (Problem.Laws is nil), the Proposer fits its children itself.
//
// # Measured
//
// From equal archives that lacked the law, with 400 laws fitted, genetic operators alone found it
// in 4 of 28 runs. With half of the generations from the network it was 3, with all of them 4. A
// child of the network took about twelve times as long (physdiffuse-small, 4 steps;
// experiments/results/evolve.csv, physlib bench evolve). This is not a gain, so the engine uses it
// only if NAME+evolve is requested. A likely cause: the network was trained on parts of true laws,
// but the visible part of an archived law is mostly wrong.
package evolve
