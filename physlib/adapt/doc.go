// Package adapt adapts a trained system to a table before it proposes. Low-rank adapters are
// trained for a few seconds on augmented copies of the table, then discarded.
//
//	p := &adapt.Proposer{System: sys, Settings: config.Adapt}
//	defer p.Close()
//	for law, err := range p.Propose(ctx, problem) { … }
//
// This is the test-time training of PhysDiffuse (§8), PhysMDT (§6), PARR (§4) and ARChitects (§4).
// The papers use several names for one loop with different Settings.
//
// # What is learned
//
// A step draws augmented tables and a target law for each. It masks random tokens of the law, and
// lowers the cross-entropy of the masked tokens. The true law is never read. Targets are laws that
// were proposed for this very table:
//
//   - weighted: candidates of the system without adapters and laws of the archive, all fitted
//     to the table. A target is drawn with a probability that rises with its fit, w = (e +
//     10⁻³)^-sharpness. e² is the unexplained part of the variance, 1 - R² adjusted for the
//     number of constants;
//   - pseudo: laws that the adapted system generates for each augmented table in few steps, which
//     are not scored (PhysDiffuse's plain form, with refresh 1 and refine 16);
//   - self-consistency: candidates of the adapted system, fitted, rewarded by R = 1/(1 + e).
//     Decoding and fitting have no gradient, so the mean squared error of ARChitects §4 cannot be
//     lowered directly. Instead a step lowers the denoising loss of the candidates above the
//     quantile q of rewards, weighted by R - R_q. This is the risk-seeking policy gradient of
//     Petersen et al. 2021 (arXiv:1912.04871, eq. 4), with the denoising loss in place of -log p.
//     It makes the best candidates likelier, rather than the average one.
//
// Weights are applied by drawing targets with these probabilities, which has the same expectation
// as weighting their losses.
//
// # Design
//
// The system is copied (system.Tunable), and the copy has adapters alongside its layers. Only the
// adapters have gradients. A, B and the moments of the optimizer are variables, so a reset keeps
// the compiled step for the next problem. There is one compiled step for each bucket of lengths.
// Dropout is off. Adapters start at random A and B = 0, so the outputs begin equal to those of the
// system without adapters. A is drawn on the host, so it is the same on every backend.
package adapt
