// Package system builds neural systems from presets. A preset names the parts, Open makes a
// Proposer of them, and a Task trains them.
//
// # Design
//
// A system is a row of a table: which tokens, which encoder, which decoder, which steps of
// refinement. A preset is a strict YAML file in presets/ that holds only what differs from its
// base.
//
// An expression is decoded at its exact length, which a head predicts from the memory (lengths:
// head). Or it is decoded inside a fixed window with start, end and padding tokens (lengths: pad),
// as in the papers. The first spends no work on padding and no capacity on predicting it; short and
// long expressions go in batches of their own.
//
// One function computes the positions of tokens in the expression's tree from the visible ones, in
// training and decoding alike (decoder.Places). A soft token counts as visible if its probability
// is above one half. Only the ablation decoder.oracle trains with the positions of the true law;
// when it decodes it sees what all others see.
//
// A shared block (PARR) is unrolled in the graph that trains it, so that gradients can be cut. In
// decoding the host applies it loop by loop: one program serves any number of loops. Its own
// strategy, parr, keeps the embeddings on the device from one step of refinement to the next. Under
// any other strategy each step is a whole refinement.
//
// With decoder.feedback the candidates of one round of refinement and their R² on the table go into
// the next. In training they are laws with a share of their tokens exchanged, from none to all,
// measured on the host. A verification head learns to predict their R², which shapes the memory. It
// is not used at inference, where R² is measured.
package system
