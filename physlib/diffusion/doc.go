// Package diffusion implements masked diffusion of expressions. In training it masks tokens of
// known laws, and a network learns to restore them. In inference the network restores a law whose
// tokens are all masked, step by step.
//
// # Learning
//
// Corruption masks each token with a probability t, drawn once for the sequence. Loss is the
// cross-entropy of the masked tokens (PhysDiffuse §2: MDLM of Sahoo et al. 2024, LLaDA of Nie et
// al. 2025). Dimensions.Loss adds a penalty for predictions that violate physical dimensions
// (PhysDiffuse §5).
//
// # Refining
//
// A Sampler alternates between calls of a Denoiser, the network with the data of one table, and a
// Strategy that changes each sample. A Strategy is usually a Chain of steps with the names that the
// papers give them:
//
//	Sampler{Vocab: 73, Mask: mask, Steps: 64, Rounds: 2,
//		Step: Chain(NormalizeLogits(512), Anneal(1, 0.1), SampleTokens(), ConfidenceMax(),
//			UnmaskTop(Linear))}
//
// is the refinement of PhysDiffuse. PhysDiffuse, PhysMDT, ARChitects and PARR are the chains of
// those papers. Small works best for a small network. Finished sequences are yielded as they come.
// A Tally counts them by canonical form, and a Trace records every step for films and figures.
//
// # Design
//
// Refinement is a loop on the host around one compiled step. It runs on every backend, and can be
// watched and cancelled between steps. A step costs the host about a millisecond for 128 samples. A
// Strategy depends on one sample only, including the sample's random source, seeded by (seed,
// index). So equal seeds give equal results on any number of cores, and sample 5 of 8 is sample 5
// of 128.
//
// Sequences have their exact length, so the network predicts no end token and no padding.
package diffusion
