// Package pdr is the perspective decay recurrence (PDR), a memory of fixed size for series of any
// length. The input decides how much of each channel is forgotten.
//
//	p_t = W_p·x_t + b                 the perspective
//	γ_t = σ(p_t)                      the kept fraction of each channel
//	S_t = diag(γ_t)·S_{t-1} + v_t·k_tᵀ
//	ô_t = S_t·q_t                     the output of the memory
//
// Recurrence is the last three lines as a function of p, v, k, q and the previous state,
// differentiable in all five. Layer adds the linear maps, and Config makes a network of layers and
// of windowed attention. State carries the memory from one piece of a series to the next, and to a
// file. Package pdr/step processes single tokens in plain Go. A citation such as PDR §2.1 names a
// section of the paper on this recurrence.
//
// # Four forms of one function
//
// A form says how the recurrence is computed. All forms give the same numbers up to rounding (PDR
// §2.1, §2.2):
//
//	Step       token by token (in a single series three tokens at a time), for CPUs:
//	           O(dim·rank) work per token, the state stays in cache
//	Scan       all states at once, by recursive doubling, the reference:
//	           O(seq·log seq·dim·rank) work, memory for all states
//	ChunkScan  Scan in chunks of 256 tokens, the state goes from chunk to chunk
//	Chunk      matrix products inside a chunk, for GPUs; the state goes from chunk to chunk
//
// Auto is the form that was fastest at the nearest sizes in choices.csv, which `physlib bench pdr
// --choose` measures. Without measurements for a kind of backend, Auto is Step on CPUs with loops
// in graphs, and Chunk otherwise.
//
// No form takes a logarithm of a gate or divides by one. Chunk splits each chunk into halves, each
// half into halves again, and so on. In each block the contribution of token s of the first half to
// token t of the second half is decayed by
//
//	(γ_mid ⊙ … ⊙ γ_t) ⊙ (γ_{s+1} ⊙ … ⊙ γ_{mid-1}),
//
// two products of numbers below one. So nothing overflows, whatever the gates are. The usual form
// e^{C_t}·e^{-C_s}, with C the cumulative sum of log γ, overflows if chunk·|log γ| exceeds 88.
//
// # Accuracy
//
// With ε = 2⁻²⁴ in float32 (2⁻⁵³ in float64), every form is within
//
//	ε·(8 + 2·min(seq, 1/(1-γ)) + 2·log₂ rank)·Σ_s |…|
//
// of the exact sum, where Σ|…| is the sum of the terms' magnitudes. Each term is a product of
// gates, and each gate is rounded once. The tests check this bound for gates from 10⁻⁶ to 1-10⁻⁶.
//
// # Gradients
//
// The gradients are coded by hand, as recurrences. With T_t the gradient of the loss with respect
// to S_t,
//
//	T_t = do_t·q_tᵀ + diag(γ_{t+1})·T_{t+1},
//	dv_t = T_t·k_t,   dk_t = T_tᵀ·v_t,   dq_t = S_tᵀ·do_t,
//	dp_t = (1-γ_t) ⊙ a_t,   a_t = o_t ⊙ do_t - v_t ⊙ dv_t + a_{t+1},
//
// This is one pass forward that reads S from the left, and one pass backward that reads T from both
// sides, with the same forms. Neither stores states, so memory for training is linear in seq. All
// forms have the same gradients up to rounding. a is a difference of sums. If gates are small, the
// error of dp is ε times the sum over later tokens, not ε times dp itself.
//
// # Not built
//
// In PDR §6, a router with experts replaces the feed-forward layers and reads the output of the
// previous layer. Multi-perspective decoding holds one State per perspective. A component called
// FMEA trains low-rank adapters of W_p, which Layer already has.
package pdr
