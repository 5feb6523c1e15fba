package stream

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/unit"
)

// Config is what a stream draws from. The zero Config has the documented defaults.
type Config struct {
	Rows       int     // of a table; 0: 64
	MaxVars    int     // columns of a table at most; 0: 6
	MaxTokens  int     // nodes of a law's skeleton at most; 0: 24
	Mix        Mix     // weights of the families
	Noise      float64 // share of the problems with noise in y, of 0.1 to 10 % of its size; 0: none
	Irrelevant float64 // share of the problems with one column that the law does not use; 0: 0.05, negative: none
	NoUnits    float64 // share of the problems whose units are unknown; 0: 0.15, negative: none
	HeldOut    bool    // only forms that are kept from training, instead of only others
}

// Mix is the weights of the families of laws; the zero Mix stands for {Powers: 18, Structures: 82}.
type Mix struct {
	Powers     float64 // products of powers
	Structures float64 // sums, functions, roots and ratios of such products
}

// Problem is a table whose law is known: y = Scale·Law(x) but for the noise.
type Problem struct {
	Law    expr.Tree   // its Skeleton; constants start at their true values
	Scale  float64     // the factor before it
	X      [][]float64 // columns, by the number of the variable
	Y      []float64
	Dims   []unit.Dim // of the columns
	Target unit.Dim
	Units  bool    // whether Dims and Target are known
	Noise  float64 // standard deviation of the noise relative to the RMS of y
	Tier   int     // 1 to 5, by the tokens of the law: to 5, to 9, to 13, to 18, more
	Family string  // powers, structures
}

// Stream is an endless sequence of problems. It is safe for concurrent use.
type Stream struct{ c Config }

// New checks c and fills its defaults.
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
		c.Mix = Mix{Powers: 18, Structures: 82}
	}
	switch {
	case c.Rows < 4:
		return nil, fmt.Errorf("stream: %d rows: a table needs at least 4", c.Rows)
	case c.MaxVars < 1 || c.MaxVars > 10:
		return nil, fmt.Errorf("stream: at most %d variables: choose 1 to 10", c.MaxVars)
	case c.MaxTokens < 6:
		return nil, fmt.Errorf("stream: laws of at most %d tokens: choose 6 or more", c.MaxTokens)
	}
	return &Stream{c}, nil
}

// Problem is problem index of the sequence seed: a pure function of both and of the Config.
func (s *Stream) Problem(seed, index uint64) Problem {
	m := &maker{rng: rand.New(rand.NewPCG(seed, index))}
	for {
		low, high := s.length(m)
		for range 12 {
			if p, ok := s.try(m, low, high); ok {
				return p
			}
		}
	}
}

// length draws how many tokens the next law shall have.
func (s *Stream) length(m *maker) (low, high int) {
	i := m.pick(10, 38, 36, 16)
	low, high = [...]int{2, 6, 10, 14}[i], [...]int{5, 9, 13, s.c.MaxTokens}[i]
	return min(low, s.c.MaxTokens), min(high, s.c.MaxTokens)
}

func tier(n int) int {
	for i, most := range [...]int{5, 9, 13, 18} {
		if n <= most {
			return i + 1
		}
	}
	return 5
}

// try draws one law of low to high tokens and its table.
func (s *Stream) try(m *maker, low, high int) (p Problem, ok bool) {
	m.algebra, m.vars = &algebra{}, 0
	columns := s.c.MaxVars
	m.max = min(1+m.pick(12, 26, 28, 18, 10, 6), columns)
	var law form
	switch m.pick(s.c.Mix.Powers, s.c.Mix.Structures) {
	case 0:
		p.Family, law = "powers", m.powers()
	default:
		p.Family, law = "structures", m.structure()
	}
	if m.bad || law.isConstant() {
		return p, false
	}
	e := emitter{m.algebra, map[uint64][]expr.Node{}}
	nodes, _ := e.tree(law)
	if m.bad || len(nodes) < low || len(nodes) > high+2 {
		return p, false
	}
	// The columns: those of the law in any order, perhaps one more.
	vars := m.compact(nodes)
	if vars == 0 {
		return p, false
	}
	all := vars
	if vars < columns && m.chance(s.c.Irrelevant) {
		all++
	}
	order := m.rng.Perm(all)
	for i := range nodes {
		if nodes[i].Op == expr.Var {
			nodes[i].Index = int32(order[nodes[i].Index])
		}
	}
	t, _ := expr.FromNodes(nodes)
	skel, _, ok := Skeleton(t)
	if !ok || skel.Len() < low || skel.Len() > high {
		return p, false
	}
	sig := Signature(skel)
	if Banned(sig) || HeldOut(sig) != s.c.HeldOut {
		return p, false
	}
	p.Law, p.Tier = skel, tier(skel.Len())
	return p, s.fill(m, &p, all)
}

// compact numbers the variables of nodes from 0 by first appearance and tells how many there are.
func (m *maker) compact(nodes []expr.Node) int {
	var ids [32]int32
	n := 0
	for i, x := range nodes {
		if x.Op != expr.Var {
			continue
		}
		if ids[x.Index] == 0 {
			n++
			ids[x.Index] = int32(n)
		}
		nodes[i].Index = ids[x.Index] - 1
	}
	return n
}

// fill draws the values and units of p.
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

// scale is the factor before a law: often 1, else a number over six decades, sometimes negative.
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

// noise adds a normal error of one size to all values.
func (m *maker) noise(p *Problem) {
	sq := 0.0
	for _, v := range p.Y {
		sq += v * v
	}
	p.Noise = math.Exp(math.Log(10) * (2*m.rng.Float64() - 3))
	sigma := p.Noise * math.Sqrt(sq/float64(len(p.Y)))
	for i := range p.Y {
		p.Y[i] += sigma * m.rng.NormFloat64()
	}
}
