package frame

import (
	"cmp"
	"math"
	"slices"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/mdl"
	"github.com/physlib/lab/physlib/require"
	"gonum.org/v1/gonum/floats"
)

// state is a partial law. It has a form for each function. If a function is not found yet, its form
// is a polynomial.
type state struct {
	forms  []expr.Tree
	found  []bool
	by     string
	score  mdl.Score
	bits   float64   // description length
	params []float64 // constants of the composed law
}

// complete reports whether all functions are found.
func (s state) complete() bool { return !slices.Contains(s.found, false) }

// replaced returns s with another form for function i. The constants of the frame and of the other
// functions keep their values.
func (q *search) replaced(s state, i int, form expr.Tree, by string) state {
	n := state{forms: slices.Clone(s.forms), found: slices.Clone(s.found), by: by}
	if len(s.params) > 0 {
		own, each := q.frame.parts(s.forms, s.params)
		each[i] = form.Params()
		n.params = append(n.params, own...)
		for _, p := range each {
			n.params = append(n.params, p...)
		}
	}
	n.forms[i], n.found[i] = form, true
	return n
}

// distinct sorts states by bits. It drops a state if its law equals that of a better one. Such
// states have the same forms, or different forms that give the same law in this frame.
func (q *search) distinct(states []state) (out []state) {
	slices.SortStableFunc(states, func(a, b state) int { return cmp.Compare(a.bits, b.bits) })
	at := map[uint64]int{}
	for _, s := range states {
		h := q.frame.composed(s.forms).MergeParams().Hash()
		if k, seen := at[h]; seen {
			out[k] = out[k].simplest(s)
			continue
		}
		at[h] = len(out)
		out = append(out, s)
	}
	return out
}

// simplest returns s, or the equal law o if the form of o has fewer bits. The description length of
// the result is that of s, which is no longer than that of o.
func (s state) simplest(o state) state {
	if o.score.FormBits >= s.score.FormBits {
		return s
	}
	o.bits, o.score.Bits = s.bits, s.score.Bits
	return o
}

// sameValues is the largest difference between the values of two laws that count as the same
// function, relative to the size of the target.
const sameValues = 1e-7

// different drops each law that has the same values as a better one. For example, exp(c0*x) and
// c0**x are the same function.
func (q *search) different(list []state) (out []state) {
	var values [][]float64
	size := floats.Norm(q.part.Y, math.Inf(1))
	for _, s := range list {
		v := q.part.Values(s.score.Tree, s.score.Params)
		k := slices.IndexFunc(values, func(o []float64) bool { return floats.Distance(v, o, math.Inf(1)) <= sameValues*size })
		if k >= 0 {
			out[k] = out[k].simplest(s)
			continue
		}
		values, out = append(values, v), append(out, s)
	}
	return out
}

// adapted returns states similar to s whose functions satisfy the user's statements about them,
// such as that a function rises.
func (q *search) adapted(s state) (out []state) {
	if len(q.s.Statements) == 0 || len(s.params) == 0 {
		return nil
	}
	_, each := q.frame.parts(s.forms, s.params)
	for i, g := range q.frame.Functions {
		about := q.s.Statements.About(g.Name)
		if len(about) == 0 {
			continue
		}
		for _, form := range about.Adapted(s.forms[i].WithStarts(each[i]), q.where(i)) {
			out = append(out, q.replaced(s, i, form, s.by))
		}
	}
	return out
}

// reduced returns states in which one constant of a function is replaced by 1 or 0. This removes
// superfluous constants, such as one of two constant factors if the law multiplies two functions.
func (q *search) reduced(s state) (out []state) {
	if len(s.params) == 0 {
		return nil
	}
	_, each := q.frame.parts(s.forms, s.params)
	for i, form := range s.forms {
		for slot := range form.NumParams() {
			for _, v := range []float64{1, 0} {
				if less, ok := require.Fixed(form.WithStarts(each[i]), slot, v); ok && len(less.Vars()) > 0 {
					out = append(out, q.replaced(s, i, less, s.by))
				}
			}
		}
	}
	return out
}
