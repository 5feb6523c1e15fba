package stream

import (
	"slices"
	"sync"

	"github.com/physlib/lab/physlib/corpus"
	"github.com/physlib/lab/physlib/expr"
)

// Signature returns a hash that is the same for skeletons that differ only in the names of their
// variables and the values of their free constants. It is a Weisfeiler–Lehman hash: three
// iterations colour the variables by their positions. The order of operands does not matter.
// Different signatures mean different skeletons. Rarely, different skeletons have the same
// signature. They then differ only in a sign within a sum, or in the positions of the constants in
// a sum.
func Signature(skel expr.Tree) uint64 {
	w := writers.Get().(*writer)
	defer writers.Put(w)
	a := &w.algebra
	a.reset()
	a.symbols = 1 << 16
	p := a.read(skel.Nodes())
	if a.bad {
		return 0
	}
	return a.unnamed(p)
}

// heldOut is the number of forms of which HeldOut reports one.
const heldOut = 16

// HeldOut reports whether the forms with this signature are excluded from training and reserved for
// tests. This applies to one form in 16.
func HeldOut(sig uint64) bool { return mix(mix(sig, 0x48454c44), 0x4f5554)>>32%heldOut == 0 }

// Banned reports whether sig is the signature of a law in any suite of package corpus. The stream
// contains no such law.
func Banned(sig uint64) bool { return bans()[sig] }

var bans = sync.OnceValue(func() map[uint64]bool {
	out := map[uint64]bool{}
	for _, name := range corpus.Suites() {
		problems, err := corpus.Suite(name)
		if err != nil {
			panic(err) // the suites are embedded and tested
		}
		for _, p := range problems {
			t, err := p.Tree()
			if err != nil {
				panic(err)
			}
			if skel, _, ok := Skeleton(withoutAbs(t)); ok {
				out[Signature(skel)] = true
			}
		}
	}
	return out
})

// withoutAbs returns t with x in place of |x|. A law of the stream that equals t for x > 0 is then
// banned as well.
func withoutAbs(t expr.Tree) expr.Tree {
	var nodes []expr.Node
	for _, n := range t.Nodes() {
		if n.Op != expr.Abs {
			nodes = append(nodes, n)
		}
	}
	t, _ = expr.FromNodes(nodes)
	return t
}

// colours has the colour of each variable, by its number.
type colours struct {
	*algebra
	of []uint64
}

// unnamed returns the signature of p. In some forms, the names of variables decide whether eᵃ⁻ᵇ or
// its inverse eᵇ⁻ᵃ occurs. For such a form, unnamed combines the signatures of both versions.
func (a *algebra) unnamed(p form) uint64 {
	var turn [2]uint64 // hashes of exponentials that are inverted in the other version
	n := 0
	col := a.coloured(p)
	exponentials(p.f, func(b *base) {
		if n < len(turn) && !slices.Contains(turn[:n], b.hash) {
			if _, odd := col.base(b); odd {
				turn[n] = b.hash
				n++
			}
		}
	})
	h := a.signature(p)
	for mask := 1; mask < 1<<n; mask++ {
		of := turn[:n]
		if mask < 3 {
			of = turn[mask-1 : mask]
		}
		q := a.turned(p, of)
		if !a.bad {
			h += a.signature(q)
		}
	}
	return h
}

// exponentials calls do for each eᵃ in f.
func exponentials(f []factor, do func(*base)) {
	for _, x := range f {
		for _, t := range x.base.sum {
			exponentials(t.f, do)
		}
		exponentials(x.base.arg.f, do)
		if x.base.op == expr.Exp {
			do(x.base)
		}
	}
}

// turned returns p with the exponentials of the given hashes inverted.
func (a *algebra) turned(p form, hashes []uint64) form {
	out := constant(p.c)
	for _, x := range p.f {
		b := form{one, a.single(x.base, quarters)}
		switch {
		case x.base.op == expr.Add:
			terms := make([]form, len(x.base.sum))
			for i, t := range x.base.sum {
				terms[i] = a.turned(form(t), hashes)
			}
			b = a.plus(terms...)
		case x.base.op == expr.Exp && slices.Contains(hashes, x.base.hash):
			b.f[0].pow = -quarters
		case x.base.op != expr.Var:
			b = a.call(x.base.op, a.turned(x.base.arg, hashes))
		}
		out = a.times(out, a.power(b, x.pow))
	}
	return out
}

func (a *algebra) coloured(p form) colours {
	vars := 0
	each(p.f, func(id int32) { vars = max(vars, int(id)+1) })
	col := colours{a, make([]uint64, vars)}
	each(p.f, func(id int32) { col.of[id] = 1 })
	return col
}

func (a *algebra) signature(p form) uint64 {
	col := a.coloured(p)
	vars := len(col.of)
	next := make([]uint64, vars)
	for range 3 {
		clear(next)
		col.down(p.f, 12345, next)
		for id, c := range next {
			if c != 0 {
				col.of[id] = mix(col.of[id], c)
			}
		}
	}
	up, _ := col.product(p.f)
	for _, c := range col.of {
		if c != 0 {
			up += mix(c, 99)
		}
	}
	return up
}

// each calls do for each occurrence of a variable.
func each(f []factor, do func(id int32)) {
	for _, x := range f {
		switch x.base.op {
		case expr.Var:
			do(x.base.id)
		case expr.Add:
			for _, t := range x.base.sum {
				each(t.f, do)
			}
		default:
			each(x.base.arg.f, do)
		}
	}
}

// settled returns the addends of s. Their constants are moved to where an emitter writes them.
func (a *algebra) settled(s *base) []addend {
	terms := s.sum
	for i, t := range s.sum {
		if len(t.f) == 0 || t.c.isUnit() {
			continue
		}
		if at, in, ok := a.distribute(t.c, t.f); ok {
			if &terms[0] == &s.sum[0] {
				terms = a.addends.copy(terms, 0)
			}
			f := a.factors.copy(t.f, 0)
			f[at].base = in
			terms[i] = addend{one, f}
		}
	}
	return terms
}

// product returns the hash of ∏f. odd reports whether the sign of ∏f depends on the names of the
// variables.
func (col colours) product(f []factor) (h uint64, odd bool) {
	h = uint64(len(f))
	for _, x := range f {
		b, o := col.base(x.base)
		h += mix(mix(b, uint64(uint8(x.pow))), 7)
		odd = odd || o && x.base.op != expr.Exp && x.pow%(2*quarters) != 0
	}
	return mix(h, 3), odd
}

// base returns the hash of b. odd reports whether renaming variables may change its sign or, if it
// is an exponential, invert it.
func (col colours) base(b *base) (h uint64, odd bool) {
	switch b.op {
	case expr.Var:
		return mix(col.of[b.id], 11), false
	case expr.Add:
		terms := col.settled(b)
		flags, mixed := signs(terms)
		var plus, minus uint64
		for i, t := range terms {
			u, o := col.product(t.f)
			s := flags[i]
			if o && s < 2 {
				s, mixed = 0, true
			}
			m := s
			if s < 2 {
				m = -s
			}
			plus += mix(u, uint64(s+5))
			minus += mix(u, uint64(m+5))
		}
		return mix(plus+minus, plus*minus) + uint64(len(terms)), mixed
	case expr.Log:
		u, _ := col.product(b.arg.f)
		if b.arg.loneSum() != nil {
			return mix(u, uint64(b.op)), false
		}
		inverse := col.factors.take(len(b.arg.f))
		for i, x := range b.arg.f {
			inverse[i] = factor{x.base, -x.pow}
		}
		v, _ := col.product(inverse)
		return mix(u+v, uint64(b.op)+u*v), true
	}
	u, odd := col.product(b.arg.f)
	if !b.fixed {
		u, odd = mix(u, 17), false
	}
	if b.op == expr.Cos || b.op == expr.Cosh || b.op == expr.Acos {
		odd = false
	}
	return mix(u, uint64(b.op)), odd
}

// signs returns a flag for each addend: ±1 if its coefficient is ±1, and 2 otherwise. mixed reports
// whether both signs occur.
func signs(terms []addend) (flags []int, mixed bool) {
	flags = make([]int, len(terms))
	n, of := 0, 0
	for _, t := range terms {
		if t.c.isUnit() {
			n++
			of += min(len(t.f), 1)
		}
	}
	plus, minus := false, false
	for i, t := range terms {
		flags[i] = 2
		if n > 1 && of > 0 && t.c.isUnit() {
			flags[i] = sign(int(t.c.v * 2))
			plus, minus = plus || flags[i] > 0, minus || flags[i] < 0
		}
	}
	return flags, plus && minus
}

// down adds to next, for each variable, the hash of each of its positions. context is the hash of
// the path to f.
func (col colours) down(f []factor, context uint64, next []uint64) {
	whole, _ := col.product(f)
	context = mix(context, whole)
	for _, x := range f {
		h, _ := col.base(x.base)
		here := mix(mix(context, h), uint64(uint8(x.pow)))
		switch {
		case x.base.op == expr.Var:
			next[x.base.id] += mix(here, 1)
		case x.base.op == expr.Add:
			terms := col.settled(x.base)
			flags, _ := signs(terms)
			for i, t := range terms {
				col.down(t.f, mix(here, uint64(max(flags[i], -flags[i]))), next)
			}
		case x.base.op == expr.Log && x.base.arg.loneSum() == nil:
			// Exponents without signs, since the argument of the logarithm may be inverted.
			up := col.factors.take(len(x.base.arg.f))
			for i, y := range x.base.arg.f {
				up[i] = factor{y.base, max(y.pow, -y.pow)}
			}
			col.down(up, mix(here, 2), next)
		default:
			col.down(x.base.arg.f, mix(here, uint64(x.base.op)), next)
		}
	}
}
