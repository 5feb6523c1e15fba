package prior

import (
	"maps"
	"math"
	"slices"

	"github.com/physlib/lab/physlib/expr/rewrite"
	"github.com/physlib/lab/physlib/expr/skeleton"
)

// Train returns the model trained on examples with the zero Settings.
func Train(examples []Example) *Model { return Settings{}.Train(examples) }

// Train returns the model trained on examples with the settings s.
func (s Settings) Train(examples []Example) *Model {
	m := &Model{settings: s.complete(), examples: slices.Clone(examples)}
	n := counts{symbols: make(map[uint32]*smoothed), contexts: make(map[uint32]context),
		values: make(map[numeral]float64), parts: make(map[uint64]part)}
	code := coder{counts: &n}
	for i, e := range examples {
		code.weight = e.Weight
		code.run(e.Tree, e.Vars)
		m.examples[i].Hash = code.form.Hash()
		if rewrite.Spreads(e.Tree) {
			m.examples[i].spread = spreadHash(e.Tree)
		}
	}
	m.estimate(&n)
	m.learnNames()
	m.nameBy(func(*Example) float64 { return 1 })
	return m
}

// back returns the distribution over the allowed symbols for the counts n of a context, which may
// be nil. It is smoothed by the distribution of a shorter context.
func (s Settings) back(n *smoothed, shorter *smoothed, allowed symbolSet) (d smoothed) {
	total, types, rest := 0.0, 0.0, 0.0
	for k := range d {
		if !allowed.has(skeleton.Symbol(k)) {
			continue
		}
		rest += shorter[k]
		if n != nil && n[k] > 0 {
			total += n[k]
			types++
		}
	}
	strength := s.Base + s.Types*types
	for k := range d {
		if allowed.has(skeleton.Symbol(k)) {
			d[k] = strength * shorter[k] / rest
			if n != nil {
				d[k] += n[k]
			}
			d[k] /= total + strength
		}
	}
	return d
}

const everything = symbolSet(1)<<numSymbols - 1

// estimate computes all bits except those of named forms.
func (m *Model) estimate(n *counts) {
	s := m.settings
	var uniform smoothed
	for k := range uniform {
		uniform[k] = 1 / float64(numSymbols)
	}
	unigrams := s.back(n.symbols[context{}.key(unigramLevel)], &uniform, everything)
	m.unigrams = &unigrams
	m.short = make(map[uint32]*smoothed)
	m.rows = make(map[uint32]int32)
	for _, k := range slices.Sorted(maps.Keys(n.contexts)) {
		ctx := n.contexts[k]
		short := m.short[ctx.key(parentLevel)]
		if short == nil {
			d := s.back(n.symbols[ctx.key(parentLevel)], m.unigrams, everything)
			short = &d
			m.short[ctx.key(parentLevel)] = short
		}
		d := *short
		for level := parentLevel - 1; level >= 0; level-- {
			k := ctx.key(level)
			d = s.back(n.symbols[k], &d, ctx.allowed())
			if _, done := m.rows[k]; !done {
				m.addRow(k, &d)
			}
		}
	}
	for f := range n.flags {
		yes, no := n.flags[f][1]+0.5, n.flags[f][0]+0.5
		m.flags[f] = [2]float64{-math.Log2(no / (yes + no)), -math.Log2(yes / (yes + no))}
	}
	// The probability of a number is its frequency. With a weight of one law, the numbers of a
	// class share a code that does not depend on the catalogue.
	m.values = make(map[numeral]float64, len(n.values))
	for v, w := range n.values {
		all := n.ofClass[v.class] + 1
		m.values[v] = -math.Log2((w + math.Exp2(-numberBits(v.class, v.value))) / all)
	}
	for class, w := range n.ofClass {
		m.newValue[class] = math.Log2(w + 1)
	}
	m.noPart = -math.Log2(1 - s.Parts)
	m.parts = make(map[uint64]float64, len(n.parts))
	for h, p := range n.parts {
		m.parts[h] = -math.Log2(s.Parts * p.weight / n.ofRoot[p.root])
	}
}

func (m *Model) addRow(key uint32, d *smoothed) {
	m.rows[key] = int32(len(m.bits))
	var r row
	for k, p := range d {
		r[k] = float32(-math.Log2(max(p, 1e-9)))
	}
	m.bits = append(m.bits, r)
}

// counts has how often each symbol occurs in the forms, by weight.
type counts struct {
	symbols  map[uint32]*smoothed // by context key of each level
	contexts map[uint32]context   // by the key of the longest level
	flags    [numFlags][2]float64
	values   map[numeral]float64
	ofClass  [numSymbols]float64
	parts    map[uint64]part
	ofRoot   [numSymbols]float64 // weight of all parts with this root
}

// part is a subtree of the forms of some law, whatever its columns.
type part struct {
	root   skeleton.Symbol
	weight float64
}

func (c *counts) symbol(s skeleton.Symbol, ctx context, weight float64) {
	c.contexts[ctx.key(0)] = ctx
	for level := range levels {
		k := ctx.key(level)
		d := c.symbols[k]
		if d == nil {
			d = new(smoothed)
			c.symbols[k] = d
		}
		d[s] += weight
	}
}

func (c *counts) part(n *skeleton.Node, weight float64) {
	c.parts[n.Blind] = part{n.Symbol, c.parts[n.Blind].weight + weight}
	c.ofRoot[n.Symbol] += weight
}

func (c *counts) flag(f flag, yes bool, weight float64) {
	if yes {
		c.flags[f][1] += weight
	} else {
		c.flags[f][0] += weight
	}
}
