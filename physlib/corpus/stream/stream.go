package stream

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/unit"
)

// maxVars is the largest number of columns of a table.
const maxVars = 10

// Config holds the settings of a stream. The zero Config means the defaults stated here. They are
// of this project, not in the papers.
type Config struct {
	Rows      int // number of rows of a table; 0: 64
	MaxVars   int // largest number of columns of a table; 0: 6
	MaxTokens int // largest number of nodes of a law's skeleton; 0: 24
	Mix       Mix // weights of the families
	// Share of the problems with noise in y, which is 0.1 to 10 % of its RMS; 0: none.
	Noise float64
	// Share of the problems with one column that the law does not use; 0: 0.05, negative: none.
	Irrelevant float64
	NoUnits    float64 // share of the problems with unknown units; 0: 0.15, negative: none
	HeldOut    bool    // true: only forms reserved for tests; false: only other forms
}

// Mix holds the weights of the families of laws. The zero Mix means {18, 42, 20, 20}. The families
// are of this project, not in the papers.
type Mix struct {
	Powers float64 // products of powers
	// Sums, functions, roots and ratios of products of powers, from no particular physics.
	Structures float64
	Mechanics  float64 // formulas of Newtonian mechanics substituted into each other
	Fields     float64 // formulas of the rest of physics substituted into each other
}

// Problem is a table whose law is known: y = Scale·Law(x) except for the noise.
type Problem struct {
	Law    expr.Tree   // Skeleton of the law, with the true values of its constants
	Scale  float64     // overall factor of the law
	X      [][]float64 // columns, by number of the variable
	Y      []float64
	Dims   []unit.Dim // dimension of each column
	Target unit.Dim
	Units  bool    // whether Dims and Target are known
	Noise  float64 // standard deviation of the noise relative to the RMS of y
	// Difficulty from 1 to 5, by the number of tokens of Law: up to 5, 9, 13, 18, more.
	Tier   int
	Family string // powers, structures, mechanics, fields
}

// Posed returns p as a problem for a Proposer, with the columns x0, x1, … and the target y. If
// units are unknown, there are no dimensions.
func (p Problem) Posed() *dataset.Problem {
	quantity := func(name string, values []float64, d unit.Dim) dataset.Quantity {
		if !p.Units {
			d = unit.Dim{}
		}
		return dataset.Quantity{Name: name, Dim: d, Known: p.Units, Values: values, Scale: 1}
	}
	posed := &dataset.Problem{Units: p.Units, Noise: math.NaN(), Target: quantity("y", p.Y, p.Target)}
	for i, x := range p.X {
		posed.Vars = append(posed.Vars, quantity(fmt.Sprintf("x%d", i), x, p.Dims[i]))
	}
	return posed
}

// Stream is an endless sequence of problems. It can be used concurrently.
type Stream struct {
	c   Config
	all bool // whether banned laws are included, to test the effect of bans
}

// New returns a stream with the settings c, or an error if they are invalid.
func New(c Config) (*Stream, error) {
	if c.Rows == 0 {
		c.Rows = 64
	}
	if c.MaxVars == 0 {
		c.MaxVars = 6
	}
	if c.MaxTokens == 0 {
		c.MaxTokens = 24
	}
	if c.Irrelevant == 0 {
		c.Irrelevant = 0.05
	}
	if c.NoUnits == 0 {
		c.NoUnits = 0.15
	}
	if c.Mix == (Mix{}) {
		c.Mix = Mix{18, 42, 20, 20}
	}
	switch {
	case c.Rows < 4:
		return nil, fmt.Errorf("stream: %d rows: a table needs at least 4", c.Rows)
	case c.MaxVars < 1 || c.MaxVars > maxVars:
		return nil, fmt.Errorf("stream: at most %d variables: choose 1 to %d", c.MaxVars, maxVars)
	case min(c.Mix.Powers, c.Mix.Structures, c.Mix.Mechanics, c.Mix.Fields) < 0 || !(c.Mix.Powers+c.Mix.Structures+c.Mix.Mechanics+c.Mix.Fields > 0):
		return nil, fmt.Errorf("stream: weights %v of the families: none may be negative, and one must be above 0", c.Mix)
	case !(c.Noise >= 0 && c.Noise <= 1):
		return nil, fmt.Errorf("stream: noise in %g of the problems: give a share from 0 to 1", c.Noise)
	case c.MaxTokens < 6:
		return nil, fmt.Errorf("stream: laws of at most %d tokens: choose 6 or more", c.MaxTokens)
	}
	return &Stream{c: c}, nil
}

// Problem returns problem number index of the sequence seed. The result depends only on seed, index
// and the Config.
func (s *Stream) Problem(seed, index uint64) Problem {
	m := makers.Get().(*maker)
	defer makers.Put(m)
	m.source.Seed(seed, index)
	f := family(m.pick(s.c.Mix.Powers, s.c.Mix.Structures, s.c.Mix.Mechanics, s.c.Mix.Fields))
	for try := 1; ; try++ {
		if p, ok := s.try(m, f); ok {
			return p
		}
		if try%patience == 0 { // some families may have no law with the required properties
			f = structures
		}
	}
}

var makers = sync.Pool{New: func() any {
	m := new(maker)
	m.rng = rand.New(&m.source)
	m.emitter.a = &m.algebra
	return m
}}

// Distinct returns the first n problems of the sequence seed whose laws have different forms, up to
// the names of variables. Use it for test sets, since the stream repeats short forms. If the stream
// has fewer than n forms, it returns those among the first 1000·n problems.
func (s *Stream) Distinct(seed uint64, n int) []Problem {
	seen := map[uint64]bool{}
	var out []Problem
	for i := uint64(0); len(out) < n && i < 1000*uint64(n); i++ {
		p := s.Problem(seed, i)
		if sig := Signature(p.Law); !seen[sig] {
			seen[sig] = true
			out = append(out, p)
		}
	}
	return out
}

// patience is the number of rejected laws of one family after which another family is used.
const patience = 2000

// A family is one of the kinds of laws in a Mix.
type family int

const (
	powers family = iota
	structures
	mechanical
	general
)

var families = [...]string{"powers", "structures", "mechanics", "fields"}

// accepted is the probability with which a law is kept, by family and by number of tokens: up to 5,
// 9, 13, more. With the default Mix, laws of these lengths then make up about 10, 38, 36 and 16 %
// of the problems.
var accepted = [...][4]float64{
	powers:     {1, 1, 1, 1},
	structures: {0.14, 0.76, 1, 0.73},
	mechanical: {0.14, 0.79, 1, 0.6},
	general:    {0.18, 0.92, 1, 0.55},
}

// grade returns the index in a row of accepted for laws of n tokens.
func grade(n int) int { return min(max((n-2)/4, 0), 3) }

func tier(n int) int {
	for i, most := range [...]int{5, 9, 13, 18} {
		if n <= most {
			return i + 1
		}
	}
	return 5
}

// slack is the largest difference between the estimated size of a form and its number of tokens.
const slack = 4

// try draws one law and its table. ok is false if the law or the table is rejected.
func (s *Stream) try(m *maker, f family) (p Problem, ok bool) {
	m.algebra.reset()
	m.vars = 0
	m.max = s.c.MaxVars
	if f == powers || f == structures {
		m.max = min(1+m.pick(12, 26, 28, 18, 10, 6), m.max)
	}
	for i := range m.order[:m.max] { // a random permutation of the variables' numbers
		j := m.rng.IntN(i + 1)
		m.order[i], m.order[j] = m.order[j], int32(i)
	}
	u := m.rng.Float64()
	p.Family = families[f]
	law, kinds, target := m.draw(f)
	size := sizeFactors(law.f)
	if m.bad || law.isConstant() || size > s.c.MaxTokens+slack || u >= max(accepted[f][grade(size-slack)], accepted[f][grade(size)], accepted[f][grade(size+slack)]) {
		return p, false
	}
	m.emitter.reset()
	nodes, _ := m.tree(law)
	if m.bad || len(nodes) > s.c.MaxTokens || u >= accepted[f][grade(len(nodes))] {
		return p, false
	}
	// Number the columns. The columns of the law keep their order, so that its form does not
	// change. There may be one column that the law does not use.
	place, columns := s.columns(m, nodes)
	for i := range nodes {
		if nodes[i].Op == expr.Var {
			nodes[i].Index = place[nodes[i].Index]
		}
	}
	skel, _, ok := Skeleton(numbered(nodes))
	if !ok || skel.Len() > s.c.MaxTokens {
		return p, false
	}
	sig := Signature(skel)
	if !s.all && (Banned(sig) || HeldOut(sig) != s.c.HeldOut) {
		return p, false
	}
	p.Law, p.Tier = skel, tier(skel.Len())
	if !s.fill(m, &p, columns) {
		return p, false
	}
	return p, target == nil || m.giveUnits(&p, kinds, target, place[:])
}

// draw draws a law of a family. For families with units it also returns the quantities of the
// variables and of the target.
func (m *maker) draw(f family) (law form, kinds []*quantity, target *quantity) {
	switch f {
	case powers:
		return m.powers(), nil, nil
	case structures:
		return m.structure(), nil, nil
	case mechanical:
		return m.physical(inMechanics, 1+m.rng.IntN(4))
	}
	return m.physical(inFields, 1+m.rng.IntN(4))
}

// giveUnits sets the dimensions of p from its quantities. place holds the column of each variable.
// ok is false if the law does not balance. This happens if a constant of nature with a unit became
// 1, or was taken out of a logarithm.
func (m *maker) giveUnits(p *Problem, kinds []*quantity, target *quantity, place []int32) (ok bool) {
	p.Target = target.dim
	for i := range p.Dims { // includes a column that the law does not use
		p.Dims[i] = m.anyQuantity().dim
	}
	for i, q := range kinds {
		if at := place[m.order[i]]; at >= 0 {
			p.Dims[at] = q.dim
		}
	}
	_, _, err := p.Law.Dim(p.Dims)
	return err == nil
}

// columns returns the column of each variable in the table and the number n of columns. For
// variables that the law does not contain, the column is -1.
func (s *Stream) columns(m *maker, nodes []expr.Node) (place [maxVars]int32, n int) {
	var used [maxVars]bool
	for _, x := range nodes {
		if x.Op == expr.Var {
			used[x.Index] = true
		}
	}
	for _, u := range used {
		if u {
			n++
		}
	}
	extra := -1
	if n < s.c.MaxVars && m.chance(s.c.Irrelevant) {
		n++
		extra = m.rng.IntN(n)
	}
	at := 0
	for i := range place {
		if at == extra {
			at++
		}
		place[i] = -1
		if used[i] {
			place[i] = int32(at)
			at++
		}
	}
	return place, n
}

// fill draws the values and units of p. It returns false if no table is acceptable.
func (s *Stream) fill(m *maker, p *Problem, columns int) bool {
	t := tape{nodes: p.Law.Nodes()}
	angles := bare(t.nodes, columns)
	spans := make([]span, columns)
	ok := false
	for try := 0; try < 6 && !ok; try++ {
		for c := range spans {
			spans[c] = m.span(angles[c])
			if try > 3 {
				spans[c] = span{1, 5, false}
			}
		}
		p.X, p.Y, ok = m.table(&t, spans, s.c.Rows)
	}
	if !ok {
		return false
	}
	p.Scale = m.scale()
	for i := range p.Y {
		p.Y[i] *= p.Scale
	}
	if m.chance(s.c.Noise) {
		m.noise(p)
	}
	b := constrain(t.nodes, columns, m.chance(0.75))
	p.Dims, p.Target = b.draw(m, columns)
	p.Units = !m.chance(s.c.NoUnits)
	return true
}

// scale returns the overall factor of a law: 1, a typical number (see number), or any number from
// 0.001 to 1000. It is sometimes negative.
func (m *maker) scale() float64 {
	v := 1.0
	switch m.pick(40, 35, 25) {
	case 1:
		v = m.number().c.v
	case 2:
		v = math.Exp(math.Log(10) * (6*m.rng.Float64() - 3))
	}
	if m.chance(0.15) {
		v = -v
	}
	return v
}

// noise adds normal errors to y. Their standard deviation is the same in all rows.
func (m *maker) noise(p *Problem) {
	p.Noise = math.Exp(math.Log(10) * (2*m.rng.Float64() - 3))
	sigma := p.Noise * dataset.RMS(p.Y)
	for i := range p.Y {
		p.Y[i] += sigma * m.rng.NormFloat64()
	}
}
