// Package diffusion is masked diffusion of expressions, both ways. It hides tokens of known laws so
// that a network learns to restore them. And it lets the network restore a law whose tokens are all
// hidden, step by step.
//
// # Learning
//
// Corruption hides each token with a probability t drawn for the sequence. Loss is the
// cross-entropy of the hidden ones (PhysDiffuse §2: MDLM of Sahoo et al. 2024, LLaDA of Nie et al.
// 2025). DimensionLoss adds what the network's guesses violate of the physical dimensions
// (PhysDiffuse §5).
//
// # Refining
//
// A Sampler calls a Denoiser, which is the network bound to its observations, and between two calls
// applies a Strategy to each sample. A Strategy is a Chain of steps with the names that the papers
// give them:
//
//	Sampler{Vocab: 73, Mask: mask, Steps: 64, Rounds: 2,
//		Step: Chain(NormalizeLogits(512), Anneal(1, 0.1), SampleTokens(), ConfidenceMax(),
//			UnmaskTop(Linear))}
//
// is the refinement of PhysDiffuse. PhysDiffuse, PhysMDT, ARChitects and PARR are the chains of
// those papers, Small is the one that works best for a small network. Finished sequences are
// yielded as they come. A Tally counts them by canonical form, a Trace keeps every step for films
// and figures.
//
// # Design
//
// Refinement is a loop on the host around one compiled step. It runs on every backend, and can be
// watched and cancelled between steps. A step costs the host about a millisecond for 128 samples.
// Steps are functions of one sample alone, with the sample's own random numbers, a function of
// (seed, index). So equal seeds give equal results however many cores there are, and sample 5 of 8
// is sample 5 of 128.
//
// Sequences have their exact length: there is no end token to be found and no padding to be
// predicted.
package diffusion
