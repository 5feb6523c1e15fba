package wave

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/expr/build"
)

// Amplitudes that grow, decay or are proportional to a power of a variable.

// envelopes multiplies the amplitudes of each element of forms by factors, one after the other, up
// to mostEnvelopes factors. For each number of factors, it offers the best laws whose description
// is shorter by more than waveBits than with one factor less. It reports whether one of them is
// exact.
func (s *finder) envelopes(ctx context.Context, forms [][]component) (exact bool) {
	for _, waves := range forms {
		best := s.fit(s.law(waves, nil, nil))
		factors := s.factors(waves)
		known := func(*build.Constants) expr.Tree { return expr.Num(1) }
		for range mostEnvelopes {
			type enveloped struct {
				trial
				with func(b *build.Constants) expr.Tree
			}
			var good []enveloped
			for _, factor := range factors {
				if ctx.Err() != nil {
					return false
				}
				before := known
				with := func(b *build.Constants) expr.Tree { return build.Mul(before(b), factor(b)) }
				if f := s.fit(s.law(waves, nil, with)); f.bits < best.bits-waveBits {
					good = append(good, enveloped{f, with})
				}
			}
			if len(good) == 0 {
				break
			}
			slices.SortStableFunc(good, func(a, b enveloped) int { return cmp.Compare(a.bits, b.bits) })
			for _, e := range good[:min(mostOffered, len(good))] {
				if s.offer(e.trial) {
					return true
				}
			}
			best, known = good[0].trial, good[0].with
		}
	}
	return false
}

// factors returns the functions that may multiply an amplitude. They are powers of a variable,
// exponentials of a variable or of its square (a Gaussian), and exponentials of a coordinate of the
// waves.
func (s *finder) factors(waves []component) (all []func(b *build.Constants) expr.Tree) {
	for k, axis := range s.axes {
		x, variable := axis.tree, axis.tree.Root() == expr.Var
		if !variable && !slices.Contains(waves[0].axes, k) {
			continue
		}
		span := math.Pi / axis.Step
		exponential := func(rate float64) func(b *build.Constants) expr.Tree {
			return func(b *build.Constants) expr.Tree {
				return expr.Apply(expr.Exp, expr.Apply(expr.Mul, b.Free(rate), x))
			}
		}
		if s.Allowed(expr.Exp) {
			all = append(all, exponential(-2/span), exponential(2/span))
		}
		if s.Allowed(expr.Exp) && variable {
			all = append(all, func(b *build.Constants) expr.Tree {
				return expr.Apply(expr.Exp, expr.Apply(expr.Mul, expr.Apply(expr.Add, b.Free(0), expr.Apply(expr.Mul, b.Free(0), x)), x))
			})
		}
		if s.Allowed(expr.Pow) && variable && slices.Min(axis.Values) > 0 {
			all = append(all, func(b *build.Constants) expr.Tree { return expr.Apply(expr.Pow, x, b.Free(0)) })
		}
	}
	return all
}
