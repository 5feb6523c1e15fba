// Package system builds neural systems from presets. A preset names the parts, Open makes a
// Proposer from them, and a Task trains them.
//
// # Design
//
// A system is a combination of a vocabulary, an encoder, a decoder and steps of refinement. A
// preset is a strict YAML file in presets/ that contains only what differs from its base.
//
// An expression is decoded at its exact length, which a head predicts from the memory, the
// encoder's output (lengths: head). Alternatively it is decoded in a fixed window with start, end
// and padding tokens (lengths: pad), as in the papers. Exact lengths spend no work on padding and
// no capacity on predicting it. Short and long expressions go into separate batches.
//
// One function, decoder.Places, computes the tree positions of tokens from the visible tokens, in
// training and in decoding. A soft token counts as visible if its probability is above one half.
// Only the ablation decoder.oracle trains with the positions of the true law. In decoding this
// ablation has the same information as the other systems.
//
// In training a shared block (PARR) is unrolled in the graph, so that gradients can be cut. In
// decoding the host applies it loop by loop, so one program serves any number of loops. The
// strategy of shared blocks, parr, keeps the embeddings on the device between steps of refinement.
// With any other strategy each step is a whole refinement of K loops.
//
// With decoder.feedback the candidates of a round of refinement and their R² on the table are
// inputs of the next round. In training, candidates are laws in which a share of the tokens, from
// none to all, is replaced, and R² is measured on the host. A verification head learns to predict
// this R², which improves the memory. It is not used at inference, where R² is measured.
//
// # Papers
//
// The presets follow five papers: PhysDiffuse, PhysMDT, ARChitects (methods of the ARChitects'
// solution of ARC 2025, for laws), PARR (Physics-Aware Recursive Refinement) and PDR (perspective
// decay recurrence). A citation such as PARR §2.2 names a section of one.
package system
