// Package step computes the perspective decay recurrence token by token in plain Go, for streams on
// machines without a backend:
//
//	S_t = diag(γ_t)·S_{t-1} + v_t·k_tᵀ,   o_t = S_t·q_t.
//
// A token takes one pass over the state: each number is read, multiplied by its gate, added to,
// used for the output and written. Built with GOEXPERIMENT=simd on amd64, the pass processes 8 or
// 16 numbers at a time, as the CPU supports.
//
// # Design
//
// The state is stored in panels of 64 channels, and within a panel by key: S[panel][j][channel]. So
// γ, v and the outputs of a panel stay in registers while the loop goes over keys. Memory accesses
// are consecutive, and no sum runs across a vector. All kernels round in the same way, each product
// fused into its sum, so they return the same bits.
package step

import (
	"fmt"
	"math"
	"unsafe"
)

// panel is the number of channels that are stored together.
const panel = 64

// kernel processes one token for a panel. It updates s [rank·panel] and sets o. o, gate and v are
// [panel], k and q [rank].
type kernel func(s, o, gate, v *[panel]float32, k, q []float32)

// kernels are the kernels that this CPU supports, slowest first.
var kernels = []named{{"scalar", scalar}}

type named struct {
	name string
	run  kernel
}

// State is a state S [dim, rank] of the recurrence (PDR §2.1), initially zero (PDR §5.1).
type State struct {
	dim, rank int
	s         []float32         // S, stored in panels
	pad       [3][panel]float32 // γ, v and o of the last panel, if dim fills only a part of it
	run       kernel
}

// New returns a state of zeros. It panics if a size is not positive.
func New(dim, rank int) *State {
	if dim <= 0 || rank <= 0 {
		panic(fmt.Errorf("step: a state of %d by %d numbers; both sizes must be positive", dim, rank))
	}
	return &State{dim: dim, rank: rank, s: make([]float32, (dim+panel-1)/panel*panel*rank), run: kernels[len(kernels)-1].run}
}

// Reset sets the state to zero, for the beginning of another series.
func (x *State) Reset() { clear(x.s) }

// Next adds a token to the state and sets o to S·q. o, gate and v are [dim], and k and q [rank].
// gate is γ, not its logit. Next panics if a slice has another length.
func (x *State) Next(o, gate, v, k, q []float32) {
	if len(o) != x.dim || len(gate) != x.dim || len(v) != x.dim || len(k) != x.rank || len(q) != x.rank {
		panic(fmt.Errorf("step: o, gate, v, k, q of %d, %d, %d, %d, %d numbers for a state of %d by %d",
			len(o), len(gate), len(v), len(k), len(q), x.dim, x.rank))
	}
	i := 0
	for ; i+panel <= x.dim; i += panel {
		x.run((*[panel]float32)(x.s[i*x.rank:]), (*[panel]float32)(o[i:]), (*[panel]float32)(gate[i:]), (*[panel]float32)(v[i:]), k, q)
	}
	if i < x.dim {
		copy(x.pad[0][:], gate[i:])
		copy(x.pad[1][:], v[i:])
		x.run((*[panel]float32)(x.s[i*x.rank:]), &x.pad[2], &x.pad[0], &x.pad[1], k, q)
		copy(o[i:], x.pad[2][:])
	}
}

// Renormalize sets S to S·√(dim·rank)/‖S‖_F (PDR §5.2). A state of zeros does not change.
func (x *State) Renormalize() {
	var sum float64
	for _, y := range x.s {
		sum += float64(y) * float64(y)
	}
	if sum == 0 {
		return
	}
	f := float32(math.Sqrt(float64(x.dim*x.rank) / sum))
	for i := range x.s {
		x.s[i] *= f
	}
}

// at returns the index of S[i][j] in s.
func (x *State) at(i, j int) int { return i/panel*panel*x.rank + j*panel + i%panel }

// Values returns a copy of S in row-major order, [dim·rank].
func (x *State) Values() []float32 {
	out := make([]float32, 0, x.dim*x.rank)
	for i := range x.dim {
		for j := range x.rank {
			out = append(out, x.s[x.at(i, j)])
		}
	}
	return out
}

// SetValues sets S from s in row-major order. It panics unless s is [dim·rank].
func (x *State) SetValues(s []float32) {
	if len(s) != x.dim*x.rank {
		panic(fmt.Errorf("step: %d numbers for a state of %d by %d", len(s), x.dim, x.rank))
	}
	for i := range x.dim {
		for j := range x.rank {
			x.s[x.at(i, j)] = s[i*x.rank+j]
		}
	}
}

// scalar is the portable kernel.
func scalar(s, o, gate, v *[panel]float32, k, q []float32) {
	all := unsafe.Slice(&s[0], panel*len(k))
	clear(o[:])
	for j, kj := range k {
		row, qj := all[j*panel:(j+1)*panel], q[j]
		for i := range row {
			row[i] = fma(gate[i], row[i], v[i]*kj)
			o[i] = fma(row[i], qj, o[i])
		}
	}
}

// fma returns x·y + z, rounded once except in rare cases. The product is exact in float64. The sum
// is rounded to float64 and then to float32. About once in 2²⁹ times this differs from a single
// rounding, by at most the last bit.
func fma(x, y, z float32) float32 { return float32(float64(x)*float64(y) + float64(z)) }
