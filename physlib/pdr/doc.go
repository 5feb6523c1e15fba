// Package pdr is the perspective decay recurrence (PDR), a memory of fixed size for series of any
// length. The input decides how much of each channel is forgotten.
//
//	p_t = W_p·x_t + b                 the perspective
//	γ_t = σ(p_t)                      what of each channel stays
//	S_t = diag(γ_t)·S_{t-1} + v_t·k_tᵀ
//	ô_t = S_t·q_t                     what the memory says
//
// Recurrence is the last three lines as a function of p, v, k, q and the state before,
// differentiable in all five. Layer puts the linear maps around it, and Stack makes a network of
// layers and of windowed attention. State carries the memory from one piece of a series to the
// next, and to a file. Package pdr/step does one token in plain Go.
//
// # Four forms of one function
//
// A form says how the recurrence is computed; all give the same numbers up to rounding (PDR §2.1,
// §2.2):
//
//	Step       token by token (of a single series three at a time), for CPUs: O(dim·rank) work
//	           a token, the state stays in cache
//	Scan       all states at once by doubling, the reference: O(seq·log seq·dim·rank) work,
//	           memory for all states
//	ChunkScan  Scan in chunks of 256 tokens, the state goes from chunk to chunk
//	Chunk      products of matrices inside a chunk, for GPUs; the state goes from chunk to chunk
//
// Auto is the form that was the fastest for the nearest sizes in choices.csv, which `physlib bench
// pdr --choose` measures. Without measurements for a kind of backend it is Step on CPUs with loops
// inside of graphs, and Chunk elsewhere.
//
// No form takes a logarithm of a gate or divides by one. Chunk splits each chunk in halves, and
// those again. Between the halves of a block, token t of the second sees token s of the first
// through
//
//	(γ_mid ⊙ … ⊙ γ_t) ⊙ (γ_{s+1} ⊙ … ⊙ γ_{mid-1}),
//
// two products of numbers below one. So nothing overflows, whatever the gates. The usual
// e^{C_t}·e^{-C_s} with C the cumulated log γ ends at chunk·|log γ| = 88.
//
// # Accuracy
//
// With ε = 2⁻²⁴ in float32 (2⁻⁵³ in float64), every form is within
//
//	ε·(8 + 2·min(seq, 1/(1-γ)) + 2·log₂ rank)·Σ_s |…|
//
// of the exact sum, where Σ|…| is the sum of the terms' magnitudes: each term is a product of
// gates, each rounded once. The tests hold the forms to it for gates from 10⁻⁶ to 1-10⁻⁶.
//
// # Gradients
//
// They are written by hand, with the recurrence itself: with T_t the gradient of the loss for S_t,
//
//	T_t = do_t·q_tᵀ + diag(γ_{t+1})·T_{t+1},
//	dv_t = T_t·k_t,   dk_t = T_tᵀ·v_t,   dq_t = S_tᵀ·do_t,
//	dp_t = (1-γ_t) ⊙ a_t,   a_t = o_t ⊙ do_t - v_t ⊙ dv_t + a_{t+1},
//
// one pass forward that reads S from the left, and one back in time that reads T from both sides,
// of the same form. Neither stores states: memory for training is linear in seq, and all forms
// learn alike. a is a difference of sums. Where gates are small, dp is exact to ε times the sum
// over later tokens, not to ε times itself.
//
// # Not built
//
// PDR's router and experts (§6) would replace Stack's feed-forward layers and read the output of
// the layer before. Its multi-perspective decoding would hold one State for each perspective. FMEA
// would set the rank and train the adapters of W_p, which Layer has.
package pdr
