// Package evolve improves known laws. Repeatedly it masks a part of a law and lets a trained
// network fill the gap, given the data. The children are then fitted and scored.
//
//	p := &evolve.Proposer{System: sys}
//	settings.Extra = []discover.NamedProposer{{Name: sys.Name() + "+evolve", Proposer: p}}
//
// This is evolution with a denoiser as the mutation operator. The engine's archive
// (dataset.Problem.Laws) is the memory between generations. A network alone proposes from the table
// only, without feedback on which of its laws came close.
//
// # A generation
//
// The laws of the archive are divided into islands by their number of tokens, so short and long
// laws do not compete. A parent is the best of three random laws of an island. It is changed in one
// of three ways:
//
//   - A subtree is masked, and another subtree replaces it. Its length follows from the length
//     of the child.
//   - Masked tokens are inserted between the existing ones. This extends or wraps a part of the
//     law.
//   - The least confident tokens are masked. These are the tokens that the network finds least
//     likely given all others and the data.
//
// The network's sequences have exact lengths, so the length of a child must be drawn. It is drawn
// from the network's prediction of the length, or it is near the length of a parent. All children
// of a generation have the same length and form one batch of one compiled shape. Package token
// fills a gap by dynamic programming, such that every child is an expression. Constants of the
// parent that remain visible keep their values as starting values of the fit.
//
// By default all masked tokens of a gap are drawn from one call of the network. With Settings.Steps
// there are several calls, and the most confident tokens are fixed first.
//
// The network makes the fraction Settings.Share of the generations. The others come from the same
// parents, by the mutations and the crossover of package genetic. Children whose dimensions cannot
// balance are dropped, and so are those that occurred before.
//
// If there is no archive (Problem.Laws is nil), the Proposer fits its children itself.
//
// # Measured
//
// Each run started from an archive that lacked the true law, and fitted 400 laws. Genetic operators
// alone found the true law in 4 of 28 runs. With half of the generations from the network, 3 runs
// found it, and with all of them 4. A child of the network took about twelve times as long as one
// of the genetic operators (network physdiffuse-small, 4 steps; experiments/results/evolve.csv,
// physlib bench evolve). So the network brings no gain, and the engine uses this package only if
// NAME+evolve is requested. A likely cause: the network was trained on parts of true laws, but the
// visible part of an archived law is mostly wrong.
package evolve
