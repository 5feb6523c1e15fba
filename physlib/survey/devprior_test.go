package survey

import (
	"math"

	"github.com/physlib/lab/physlib/corpus"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/mdl"
)

type ctxKey [4]int32

type ctxModel struct {
	counts [5]map[ctxKey]map[int32]float64
	totals [5]map[ctxKey]float64
	kinds  [5]map[ctxKey]float64
	named  map[uint64]float64
	nparam [12]float64
	laws   float64
	seeds  []expr.Tree
}

func (m *ctxModel) Seeds(vars int) (out []expr.Tree) {
	for _, t := range m.seeds {
		if len(t.Vars()) <= vars {
			out = append(out, t)
		}
	}
	return out
}

func token(n expr.Node) int32 {
	switch n.Op {
	case expr.Number:
		v := n.Value
		switch v {
		case 1:
			return 101
		case 2:
			return 102
		case 3:
			return 103
		case 4:
			return 104
		case -1:
			return 105
		case 0.5:
			return 106
		case 1.5:
			return 107
		case -2:
			return 108
		case -0.5:
			return 109
		case 0.25, 0.75, -0.25, -0.75:
			return 110
		}
		if v == math.Trunc(v) && math.Abs(v) < 20 {
			return 111
		}
		return 112
	}
	return int32(n.Op)
}

var tokenBits = map[int32]float64{110: 2, 111: 4, 112: 10}

func (m *ctxModel) walk(t expr.Tree, visit func(tok int32, ctx [5]ctxKey)) {
	var rec func(t expr.Tree, parent, grand, pos, sib int32)
	rec = func(t expr.Tree, parent, grand, pos, sib int32) {
		nodes := t.Nodes()
		tok := token(nodes[len(nodes)-1])
		var ctx [5]ctxKey
		ctx[0] = ctxKey{}
		ctx[1] = ctxKey{parent + 1}
		ctx[2] = ctxKey{parent + 1, pos + 1}
		ctx[3] = ctxKey{parent + 1, pos + 1, sib + 1}
		ctx[4] = ctxKey{parent + 1, pos + 1, sib + 1, grand + 1}
		visit(tok, ctx)
		prev := int32(-1)
		for i, a := range t.Args() {
			rec(a, tok, parent, int32(i), prev)
			an := a.Nodes()
			prev = token(an[len(an)-1])
		}
	}
	rec(t, -1, -1, 0, -1)
}

func (m *ctxModel) train(t expr.Tree, w float64) {
	m.walk(t, func(tok int32, ctx [5]ctxKey) {
		for l, k := range ctx {
			if m.counts[l] == nil {
				m.counts[l], m.totals[l], m.kinds[l] = map[ctxKey]map[int32]float64{}, map[ctxKey]float64{}, map[ctxKey]float64{}
			}
			if m.counts[l][k] == nil {
				m.counts[l][k] = map[int32]float64{}
			}
			if m.counts[l][k][tok] == 0 {
				m.kinds[l][k]++
			}
			m.counts[l][k][tok] += w
			m.totals[l][k] += w
		}
	})
	m.nparam[min(t.NumParams(), 11)] += w
	m.named[t.Hash()] += w
	m.laws += w
}

func (m *ctxModel) treeBits(t expr.Tree, vars int) float64 {
	bits := 0.0
	seen := map[int32]bool{}
	for _, n := range t.Nodes() {
		if n.Op == expr.Var {
			if !seen[n.Index] {
				seen[n.Index] = true
				bits += math.Log2(float64(max(1, vars)))
			} else {
				bits += math.Log2(float64(max(1, len(seen))))
			}
		}
	}
	m.walk(t, func(tok int32, ctx [5]ctxKey) {
		p := 1.0 / 40
		for l, k := range ctx {
			tot, kinds := m.totals[l][k], m.kinds[l][k]
			if tot == 0 {
				break
			}
			p = (m.counts[l][k][tok] + kinds*p) / (tot + kinds)
		}
		bits += -math.Log2(p) + tokenBits[tok]
	})
	return bits
}

func (m *ctxModel) Bits(t expr.Tree, vars int) float64 {
	c := t
	tree := m.treeBits(c, vars)
	perm := 0.0
	k := len(t.Vars())
	for i := range k {
		perm += math.Log2(float64(max(1, vars-i)))
	}
	named := m.named[canonVars(t).Hash()]
	p := 0.5*math.Exp2(-tree) + 0.5*named/m.laws*math.Exp2(-perm)
	return -math.Log2(p) + m.noParam(t)
}

func (m *ctxModel) noParam(t expr.Tree) float64 {
	if t.NumParams() > 0 {
		return 0
	}
	return 6
}

func canonVars(t expr.Tree) expr.Tree {
	to := map[int32]int32{}
	nodes := append([]expr.Node(nil), t.Nodes()...)
	for i, n := range nodes {
		if n.Op == expr.Var {
			if _, ok := to[n.Index]; !ok {
				to[n.Index] = int32(len(to))
			}
			nodes[i].Index = to[n.Index]
		}
	}
	r, _ := expr.FromNodes(nodes)
	return r
}

func devCtx() *ctxModel {
	m := &ctxModel{named: map[uint64]float64{}}
	for _, e := range corpus.Catalogue() {
		forms, err := e.Forms()
		if err != nil {
			continue
		}
		for _, f := range forms {
			t := canonVars(f.Tree)
			m.train(t, f.Share)
			m.seeds = append(m.seeds, t)
		}
	}
	return m
}

func devPrior() mdl.Prior { return devCtx() }
