// Package evolve improves known laws. Repeatedly it hides a part of one, lets a trained network
// fill the gap given the data, and has the children fitted and scored.
//
//	p := &evolve.Proposer{System: sys}
//	settings.Extra = []discover.Named{{Name: sys.Name() + "+evolve", Proposer: p}}
//
// It is evolution with a denoiser for its mutation operator. The archive of the engine
// (dataset.Problem.Laws) is the memory between generations. A network alone proposes from the table
// only, and never learns which of its laws came close.
//
// # A generation
//
// The laws of the archive live on islands by their number of tokens, so that short and long ones do
// not compete. A parent is the best of three of an island. What is hidden of it is
//
//   - a subtree, for which another of any length that fits is put;
//   - nothing: hidden tokens are put between those that are there, so that something is added to a
//     part or put around it;
//   - its least confident tokens: those that the network, shown all others, would not have expected
//     in view of the data.
//
// The network's sequences have exact lengths, so the length of a gap is drawn: from the length
// head's distribution, or near the length of the parent. All children of a generation have one
// length: they are one batch of one compiled shape. A gap is filled by the dynamic program of
// package token around what is shown, so every child is an expression. Constants of the parent that
// stay keep their values as starts of the fit.
//
// By default all hidden tokens of a gap are drawn at once, twice, from one call of the network;
// Settings.Steps shows the surest first.
//
// Settings.Share of the generations are the network's; the others are bred by the mutations and the
// crossover of package genetic from the same parents. Children whose dimensions cannot
// balance, and those that came before, are dropped.
//
// Where nobody judges (Problem.Laws is nil) the Proposer fits its children itself.
//
// # Measured
//
// From equal archives that lacked the law, with 400 laws fitted, genetic operators alone found it
// in 4 of 28 runs. A half share of the network found it in 3, the network alone in 4. A child of
// the network took about twelve times as long (physdiffuse-small, 4 steps;
// experiments/results/evolve.csv, physlib bench evolve). That is no win, so the engine does without
// unless it is requested NAME+evolve. A likely cause: the network has learned from parts of true
// laws, and what is shown of an archived law is mostly wrong.
package evolve
