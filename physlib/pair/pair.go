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
