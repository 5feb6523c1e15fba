package pair

import (
	"context"
)

// Basis is what a law explains so far: orthonormal rows Q that span its terms, and the residual of the target after them. All have the points of
// the features (they may leave the padding out).
type Basis struct {
	Q     [][]float32
	Resid []float32
}

// Extension is one more feature on top of a basis, and how much it adds to the share of the target explained.
type Extension struct {
	Base, I int32
	R2gain  float32
}

// Extend finds the best (basis, feature) pairs by
//
//	gain = <f_i,resid>² / (1 - Σ_q <f_i,q>²),
//
// the share of the target that feature i adds to the basis. Options.MinDen and Options.Floor are for that denominator and for the gain.
// Order, ties, cancellation and NaN are as in [Kernel].
func Extend(ctx context.Context, f Rows, bases []Basis, o Options) []Extension {
	return extend(ctx, fastest, f, bases, o)
}

func extend(ctx context.Context, l loops, f Rows, bases []Basis, o Options) []Extension {
	f.check(make([]float32, f.N))
	o = o.withDefaults()
	best := parallel(o, 1, func(best *top) {
		for i := range f.N {
			if ctx.Err() != nil {
				return
			}
			for b, basis := range bases {
				den := 1.0
				for _, q := range basis.Q {
					c := dot64(f.Row(i)[:len(q)], q)
					den -= c * c
				}
				if !(den >= float64(o.MinDen)) {
					continue
				}
				c := dot64(f.Row(i)[:len(basis.Resid)], basis.Resid)
				best.add(scored{r2: float32(c * c / den), key: uint64(b)<<32 | uint64(i)})
			}
		}
	})
	out := make([]Extension, len(best))
	for n, c := range best {
		out[n] = Extension{Base: int32(c.key >> 32), I: int32(uint32(c.key)), R2gain: c.r2}
	}
	return out
}
