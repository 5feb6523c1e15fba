package prior

import (
	"maps"
	"math"
	"slices"
	"sync"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/expr/rewrite"
	"github.com/physlib/lab/physlib/expr/skeleton"
)

// Settings are the parameters of a model that are not estimated from counts. A zero field means a
// value that was chosen by leave-one-field-out cross-validation on the catalogue.
type Settings struct {
	// KnownWeight is the weight λ of the forms of the catalogue; a negative value means 0.
	KnownWeight float64
	// Sharp is an exponent: the probability of a known form is proportional to this power of its
	// frequency in the catalogue. It is above 1, since common forms are even more frequent in
	// tables than in the catalogue, which contains each law once.
	Sharp float64
	// Base and Types determine the weight of the next shorter context, as a number of observations.
	// The weight is Base, plus Types for each different symbol that was observed in the longer
	// context (I. H. Witten and T. C. Bell, IEEE Trans. Inf. Theory 37 (1991) 1085).
	Base, Types float64
}

// Default values of Settings, chosen by cross-validation on the catalogue. Only sharp was chosen in
// another way: it minimizes the bits of the accepted forms in those tables of package corpus/tables
// that were used for development.
const (
	knownWeight = 0.25
	sharp       = 1.2
	backBase    = 4
	backTypes   = 8
)

// rareWeight is the weight of a rare law, relative to the others. It was chosen on the tables of
// package corpus/tables that served for development. Their accepted forms have 0.15 bits less on
// average than with equal weights for all laws.
const rareWeight = 0.1

func (s Settings) complete() Settings {
	if s.KnownWeight == 0 {
		s.KnownWeight = knownWeight
	}
	if s.Sharp == 0 {
		s.Sharp = sharp
	}
	if s.Base == 0 && s.Types == 0 {
		s.Base, s.Types = backBase, backTypes
	}
	s.KnownWeight = min(max(s.KnownWeight, 0), 0.999)
	return s
}

// A Model gives the description length of forms. It can be used concurrently.
type Model struct {
	settings Settings
	examples []Example

	// The index in rowBits of each context, by its key, for the levels before parentLevel.
	rowOf    map[uint32]int32
	rowBits  []row
	short    map[uint32]*smoothed // bits by the key of a context, for the level parentLevel
	unigrams *smoothed
	flags    [numFlags][2]float64
	values   map[numeral]float64
	newValue [numSymbols]float64
	known    map[uint64]*knownForm
	// Relations of other forms to known forms; nil: they do not count (see Plain).
	related  *relationsOf
	treeBits float64 // -log2(1-λ)
	rare     float64 // bits of an operator without a symbol in package skeleton
	// For each symbol of a quantity: the share of each dimension among the laws with this symbol.
	ofName map[string]map[string]float64
	table  *tableKinds // nil: the model is not for one table
}

// row contains the bits of each symbol in a context.
type row [numSymbols]float32

// smoothed is a weight or a probability for each symbol.
type smoothed [numSymbols]float64

// counts holds how often each symbol occurs in the forms. Each form counts with its weight.
type counts struct {
	symbols  map[uint32]*smoothed // counts by the key of the context, at each level
	contexts map[uint32]context   // contexts by their key at the first level
	flags    [numFlags][2]float64
	values   map[numeral]float64
	ofClass  [numSymbols]float64
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

func (c *counts) flag(f flag, yes bool, weight float64) {
	if yes {
		c.flags[f][1] += weight
	} else {
		c.flags[f][0] += weight
	}
}

// Train returns the model trained on examples with the zero Settings.
func Train(examples []Example) *Model { return Settings{}.Train(examples) }

// Train returns the model trained on examples with the settings s.
func (s Settings) Train(examples []Example) *Model {
	m := &Model{settings: s.complete(), examples: slices.Clone(examples), rare: rareBits,
		related: &relationsOf{byForm: map[uint64][]relation{}}}
	n := counts{symbols: make(map[uint32]*smoothed), contexts: make(map[uint32]context),
		values: make(map[numeral]float64)}
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
	m.weighKnownForms(nil, func(*Example) float64 { return 0 })
	return m
}

// smoothedBy returns a distribution over the allowed symbols. It is estimated from the counts n of
// a context and smoothed by the distribution of a shorter context. n may be nil.
func (s Settings) smoothedBy(n *smoothed, shorter *smoothed, allowed symbolSet) (d smoothed) {
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

// estimate computes all bits except those of known forms.
func (m *Model) estimate(n *counts) {
	s := m.settings
	var uniform smoothed
	for k := range uniform {
		uniform[k] = 1 / float64(numSymbols)
	}
	unigrams := s.smoothedBy(n.symbols[context{}.key(unigramLevel)], &uniform, everything)
	m.unigrams = &unigrams
	m.short = make(map[uint32]*smoothed)
	m.rowOf = make(map[uint32]int32)
	for _, k := range slices.Sorted(maps.Keys(n.contexts)) {
		ctx := n.contexts[k]
		short := m.short[ctx.key(parentLevel)]
		if short == nil {
			d := s.smoothedBy(n.symbols[ctx.key(parentLevel)], m.unigrams, everything)
			short = &d
			m.short[ctx.key(parentLevel)] = short
		}
		d := *short
		for level := parentLevel - 1; level >= 0; level-- {
			k := ctx.key(level)
			d = s.smoothedBy(n.symbols[k], &d, ctx.allowed())
			if _, done := m.rowOf[k]; !done {
				m.addRow(k, &d)
			}
		}
	}
	for f := range n.flags {
		yes, no := n.flags[f][1]+0.5, n.flags[f][0]+0.5
		m.flags[f] = [2]float64{-math.Log2(no / (yes + no)), -math.Log2(yes / (yes + no))}
	}
	// The probability of a number is estimated from its frequency. For each class, the numbers that
	// do not occur in the laws share the code of numberBits, which does not depend on the
	// catalogue. Together they have the weight of one law.
	m.values = make(map[numeral]float64, len(n.values))
	for v, w := range n.values {
		all := n.ofClass[v.class] + 1
		m.values[v] = -math.Log2((w + math.Exp2(-numberBits(v.class, v.value))) / all)
	}
	for class, w := range n.ofClass {
		m.newValue[class] = math.Log2(w + 1)
	}
}

func (m *Model) addRow(key uint32, d *smoothed) {
	m.rowOf[key] = int32(len(m.rowBits))
	var r row
	for k, p := range d {
		r[k] = float32(-math.Log2(max(p, 1e-9)))
	}
	m.rowBits = append(m.rowBits, r)
}

// symbol returns the bits of symbol s in the context ctx.
func (m *Model) symbol(s skeleton.Symbol, ctx context) float32 {
	for level := range parentLevel {
		if r, ok := m.rowOf[ctx.key(level)]; ok {
			return m.rowBits[r][s]
		}
	}
	shorter := m.short[ctx.key(parentLevel)]
	if shorter == nil {
		shorter = m.unigrams
	}
	allowed, rest := ctx.allowed(), 0.0
	for k, p := range shorter {
		if allowed.has(skeleton.Symbol(k)) {
			rest += p
		}
	}
	return float32(-math.Log2(max(shorter[s]/rest, 1e-9)))
}

// Bits returns the description length of the form of t in bits. vars is the number of possible
// columns. The values of free constants are not included. The result is finite for any expression,
// and 0 for the empty one.
func (m *Model) Bits(t expr.Tree, vars int) float64 {
	if t.Len() == 0 {
		return 0
	}
	return m.CanonicalBits(t.Canonical(), vars)
}

// CanonicalBits is like Bits, but t must be in canonical form. It is several times faster.
func (m *Model) CanonicalBits(t expr.Tree, vars int) float64 {
	if t.Len() == 0 {
		return 0
	}
	c := coders.Get().(*coder)
	defer coders.Put(c)
	c.model = m
	c.run(t, vars)
	hash, tree := c.form.Hash(), c.bits-c.orderBits
	f, ok := m.known[hash]
	if !ok && rewrite.Spreads(t) { // the skeleton changes if powers of products are distributed
		choice, swaps := c.choice, c.swaps
		c.run(rewrite.SpreadPowers(t).MergeParams().Canonical(), vars)
		if bits := c.bits - c.orderBits; bits < tree {
			tree = bits
		}
		c.choice, c.swaps = choice, swaps
		f, ok = m.known[c.form.Hash()]
	}
	known := math.Inf(1)
	if ok {
		known = f.bits
	} else if m.related != nil {
		known = m.relatedBits(hash, t)
	}
	bits := addBits(tree+m.treeBits, known+max(c.choice-c.swaps, 0))
	return max(bits, 0)
}

// addBits returns -log2(2^-a + 2^-b).
func addBits(a, b float64) float64 {
	if a > b {
		a, b = b, a
	}
	if !(b-a <= 60) { // also if both are +Inf
		return a
	}
	return a - math.Log1p(math.Exp2(a-b))/math.Ln2
}

// Except returns the model trained on the examples of m without those for which drop returns true.
// It calls drop with several hashes of each example: of the form, of other forms of the same
// function, of the function, and of the law in which all quantities vary.
func (m *Model) Except(drop func(hash uint64) bool) *Model {
	of := families()
	dropped := make(map[uint64]bool)      // the key is the hash of the first form of a family
	droppedForms := make(map[uint64]bool) // the key is the hash of a form
	for h, first := range of {
		if drop(h) {
			dropped[first] = true
		}
	}
	for function, forms := range spellings() {
		if drop(function) {
			for _, h := range forms {
				droppedForms[h] = true
			}
		}
	}
	rest := slices.DeleteFunc(slices.Clone(m.examples), func(e Example) bool {
		first, ok := of[e.Hash]
		return droppedForms[e.Hash] || drop(e.Hash) || drop(e.Whole) || ok && dropped[first]
	})
	return m.settings.Train(rest)
}

// Plain returns the model without the relations of forms to known forms. A form that is neither
// known nor likely as a tree is then unlikely, even if it is a special case of a known form.
func (m *Model) Plain() *Model {
	plain := *m
	plain.related = nil
	return &plain
}

// ExpectRare returns the model for a search in which the user allows operators that are rare in
// laws, such as erf. Compared with m, it gives a higher probability to forms with such operators.
func (m *Model) ExpectRare() *Model {
	special := *m
	special.rare = expectedBits
	return &special
}

// Examples returns the forms that m was trained on, with their hashes.
func (m *Model) Examples() []Example { return slices.Clone(m.examples) }

// Default returns the model of the whole catalogue. The first call trains it.
func Default() *Model { return defaultModel() }

var defaultModel = sync.OnceValue(func() *Model {
	examples, err := readExamples(formsFile)
	if err != nil {
		panic(err) // a test makes sure that it parses
	}
	return Train(examples)
})

// spreadHash returns the hash of the skeleton of t after powers of products are distributed over
// their factors.
func spreadHash(t expr.Tree) uint64 { return skeleton.Hash(rewrite.SpreadPowers(t).MergeParams()) }
