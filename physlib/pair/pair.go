// Package pair answers one question for all pairs of candidate features at once: how much of the
// target do the two features of a pair explain together?
//
// Features are rows f_i of unit norm over the same points, the target t is a vector of unit norm,
// and r_i = <f_i,t>. With c = <f_i,f_j>, the share of the target that lies in span(f_i, f_j) is
//
//	R² = (r_i² + r_j² - 2 r_i r_j c) / (1 - c²),
//
// the square of the multiple correlation. There may be 10³ to 10⁵ features. A [Kernel] returns the
// K pairs with the largest R².
//
// # Design
//
// The matrix of all c is never stored. It is calculated tile by tile, 8 rows by 32 columns. A tile
// occupies 1 KB and is scored while it is still in registers or in the L1 cache. Only pairs that
// are better than the worst of the best K so far leave the tile. The test inside the tile is num ≥
// threshold·den with R² = num/den, plus a small margin. It needs no division and is only a filter.
// Each pair that passes is scored again in float64 from its c, and the scored pairs are ordered by
// R² and then by their indices. So the result depends neither on the number of workers nor on the
// order of the tiles.
//
// If the build has GOEXPERIMENT=simd, the scalar products are calculated in AVX-512 or AVX2
// assembly, and the scores with simd/archsimd. The program chooses the instruction set when it
// starts. Every other machine and build uses plain Go. BenchmarkSquare reports the speeds as shares
// of the peak speed of a core. An XLA kernel for accelerators implements [Kernel] too.
//
// A NaN in a row, or in its r, fails every comparison, so no pair in the result contains such a
// row.
package pair

import (
	"context"
	"runtime"
)

// Pair is two features and the share R2 of the target that they explain together.
type Pair struct {
	I, J int32
	R2   float32
}

// Options bounds a search. The zero value works.
type Options struct {
	K int // number of pairs to keep; 0 means 1000
	// MinDen is the least 1-c² of a pair, where c is the scalar product of its features; 0 means
	// 1e-5. The error of R2 is about 1e-6/MinDen.
	MinDen  float32
	Workers int     // number of goroutines; 0 means GOMAXPROCS
	Floor   float32 // least R2 of a pair that is kept
}

func (o Options) withDefaults() Options {
	if o.K <= 0 {
		o.K = 1000
	}
	if !(o.MinDen > 0) {
		o.MinDen = 1e-5
	}
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	return o
}

// Kernel finds the best pairs.
type Kernel interface {
	// Square returns the best pairs i < j of the rows of f, sorted by falling R2 and then by (I,
	// J). The result does not depend on the number of workers. If ctx ends early, Square returns
	// the best pairs so far. r[i] is <f_i,t>. An implementation panics if len(r) is not the number
	// of rows.
	Square(ctx context.Context, f Rows, r []float32, o Options) []Pair
}

// Default returns the fastest kernel of this machine and build.
func Default() Kernel { return tiled{fastest} }

// tiled is a Kernel made of the loops of one instruction set.
type tiled struct{ loops }

// String names the instruction set.
func (t tiled) String() string { return t.name }

// loops are the inner loops that depend on the instruction set.
type loops struct {
	name string
	dot  func(t *tile) // sets t.c
	// Reports whether the tile has hits; if it has, find also sets t.c and t.hits.
	find func(t *tile) bool
}
