// Package system is where the wings meet: a preset names the parts of a neural system, Open makes
// it a Proposer, and a Task trains it.
//
// # Design
//
// A system is a row of a table: which tokens, which encoder, which decoder, which steps of
// refinement. A preset is a strict YAML file in presets/ that holds only what differs from its
// base.
//
// An expression is decoded either at its exact length, which a head of its own predicts from the
// memory (lengths: head), or inside a fixed window with start, end and padding tokens (lengths:
// pad), as the seeds write it. The first spends no work on padding and no capacity on predicting
// it; short and long expressions go in batches of their own.
//
// Where tokens stand in the expression's tree is computed from the visible ones by one function, in
// batches and while decoding alike (decoder.Places); of soft tokens those count as visible that are
// certain by more than half. Only the ablation decoder.oracle trains with the places of the law
// that is to be found; when it decodes it sees what all others see.
//
// A shared block (PARR) is unrolled in the graph that trains it, so that gradients can be cut, and
// applied loop by loop from the host when it decodes: the same program for any number of loops.
// Under its own strategy, parr, its embeddings are kept on the device from one step of refinement
// to the next; under any other each step is a whole refinement of its own.
//
// With decoder.feedback the candidates of one round of refinement and their R² on the table go into
// the next. In training they are laws with a share of their tokens exchanged, from none to all,
// measured on the host; a verification head learns to tell their R², which shapes the memory and is
// not asked at inference, where R² is measured.
package system
