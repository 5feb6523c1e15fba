package pdr

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"math"

	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/support/exceptions"

	"github.com/physlib/lab/physlib/nn"
)

// Layer is the recurrence with its linear maps (PDR §2.1),
//
//	p_t = W_p·x_t + b,   k_t = W_k·x_t,   v_t = W_v·x_t,   q_t = W_q·x_t,   y_t = W_o·N(ô_t).
//
// The zero value has one head of rank 16 and no normalisation N. The channels are divided among the
// heads; PDR has one head. Each head has keys and queries of Rank numbers of its own. So the state
// has dim·Rank numbers for any number of heads.
type Layer struct {
	Rank       int     // rank r of each head; 0 means 16
	Heads      int     // 0 means 1
	Gate       Gate    // 0 is FullGate, as in PDR
	Keep       float64 // initial σ(b); 0 means PDR's 0.95
	Norm       bool    // N divides each head's ô by its root mean square (as in RetNet, not in PDR)
	Recurrence Recurrence

	look func(gate *Node) // called with the gates γ [batch, seq, dim]; may be nil
}

// Gate is a kind of gate. The kinds other than FullGate serve for comparison with it (PDR §3.1).
type Gate int

// Kinds of gates.
const (
	FullGate     Gate = iota // γ = σ(W_p·x + b), W_p [dim, dim]
	DiagonalGate             // γ = σ(w ⊙ x + b), one weight for each channel
	// γ = σ(W₂·W₁·x + b) through 16 channels, as in GLA (S. Yang et al., 2024)
	LowGate
	// γ = 1 - 2^(-5-7·i/dim) for channel i, not learned, as in RetNet (Y. Sun et al., 2023)
	FixedGate
)

var gateNames = []string{"full", "diagonal", "low", "fixed"}

// String returns the gate's name.
func (g Gate) String() string {
	if g < 0 || int(g) >= len(gateNames) {
		return fmt.Sprintf("Gate(%d)", int(g))
	}
	return gateNames[g]
}

// UnmarshalText parses a gate's name; "" is FullGate.
func (g *Gate) UnmarshalText(text []byte) error {
	for i, name := range gateNames {
		if string(text) == name || len(text) == 0 {
			*g = Gate(i)
			return nil
		}
	}
	return fmt.Errorf("unknown gate %q: use full, diagonal, low or fixed", text)
}

// MarshalText returns the gate's name.
func (g Gate) MarshalText() ([]byte, error) { return []byte(g.String()), nil }

// Initial gates (PDR §7): σ(b) = 0.95, W_p = 1 + ε·N(0, 1).
const (
	startKeep = 0.95
	epsilon   = 0.01
)

// lowGate is the number of channels between the two matrices of LowGate.
const lowGate = 16

// sizes returns Rank and Heads with their defaults. It panics if they do not fit dim.
func (l Layer) sizes(dim int) (rank, heads int) {
	rank, heads = l.Rank, max(l.Heads, 1)
	if rank == 0 {
		rank = 16
	}
	if rank < 0 || dim%heads != 0 {
		exceptions.Panicf("pdr: %d channels in %d heads of rank %d: the heads must divide the channels, the rank be positive", dim, heads, rank)
	}
	return rank, heads
}

// Apply returns y [batch, seq, dim] for x [batch, seq, dim], and the state [batch, heads,
// dim/heads, rank] after x. state is the state before x; nil means zero. start is the number of
// tokens before x. Scopes: perspective (the target of LoRA), key, query, value, output.
func (l Layer) Apply(s *model.Scope, x, state *Node, start int) (y, last *Node) {
	batch, seq, dim := x.Shape().Dim(0), x.Shape().Dim(1), x.Shape().Dim(2)
	rank, heads := l.sizes(dim)
	fold := func(x *Node) *Node { // [batch, seq, heads·width] to [batch·heads, seq, width]
		width := x.Shape().Dim(2) / heads
		return Reshape(TransposeAllAxes(Reshape(x, batch, seq, heads, width), 0, 2, 1, 3), batch*heads, seq, width)
	}
	p := l.perspective(s.In("perspective"), x)
	if l.look != nil {
		l.look(Sigmoid(p))
	}
	k := nn.LinearNoBias(s.In("key"), x, heads*rank)
	q := nn.LinearNoBias(s.In("query"), x, heads*rank)
	v := nn.LinearNoBias(s.In("value"), x, dim)
	if state != nil {
		state.AssertDims(batch, heads, dim/heads, rank)
		state = Reshape(state, batch*heads, dim/heads, rank)
	}
	o, last := l.Recurrence.Apply(fold(p), fold(v), fold(k), fold(q), state, start)
	if l.Norm {
		o = Div(o, Sqrt(AddScalar(ReduceAndKeep(Square(o), ReduceMean, -1), 1e-6)))
	}
	o = Reshape(TransposeAllAxes(Reshape(o, batch, heads, seq, dim/heads), 0, 2, 1, 3), batch, seq, dim)
	return nn.LinearNoBias(s.In("output"), o, dim), Reshape(last, batch, heads, dim/heads, rank)
}

// perspective returns p [batch, seq, dim] of x.
func (l Layer) perspective(s *model.Scope, x *Node) *Node {
	g, dim, dt := x.Graph(), x.Shape().Dim(2), x.DType()
	start := cmp.Or(l.Keep, startKeep)
	logit := math.Log(start / (1 - start))
	variable := func(name string, init func(g *Graph, shape shapes.Shape) *Node, dims ...int) *Node {
		return s.WithInitializer(init).VariableWithShape(name, shapes.Make(dt, dims...)).NodeValue(g)
	}
	keep := func(g *Graph, shape shapes.Shape) *Node { return AddScalar(Zeros(g, shape), logit) }
	switch l.Gate {
	case DiagonalGate:
		w := variable("w", func(g *Graph, shape shapes.Shape) *Node { return Ones(g, shape) }, dim)
		return Add(Mul(x, ExpandLeftToRank(w, 3)), ExpandLeftToRank(variable("b", keep, dim), 3))
	case LowGate:
		y := nn.LinearNoBias(s.In("up"), nn.LinearNoBias(s.In("down"), x, min(lowGate, dim)), dim)
		return Add(y, ExpandLeftToRank(variable("b", keep, dim), 3))
	case FixedGate:
		p := make([]float64, dim)
		for i := range p {
			p[i] = math.Log(math.Exp2(5+7*float64(i)/float64(dim)) - 1)
		}
		return BroadcastToShape(ExpandLeftToRank(ConvertDType(Const(g, p), dt), 3), x.Shape())
	}
	// Linear adds low-rank adapters if requested. The initial values below replace those that
	// Linear sets.
	y := nn.Linear(s, x, dim)
	variable("b", keep, dim)
	key := s.Scope()
	seed := model.GetParamOr(s, nn.ParamSeed, int64(0))
	variable("w", func(g *Graph, shape shapes.Shape) *Node {
		h := fnv.New64a()
		fmt.Fprint(h, key, seed)
		return Add(identity(g, shape), nn.Noise(g, h.Sum64()*0xD6E8FEB86659FD93, shape, epsilon))
	}, dim, dim)
	return y
}

// identity returns the identity matrix of shape [dim, dim].
func identity(g *Graph, shape shapes.Shape) *Node {
	return ConvertDType(Equal(Iota(g, shape, 0), Iota(g, shape, 1)), shape.DType)
}

// Adapt requests low-rank adapters of W_p only, for everything below the scope (PDR §6: rank 4).
func Adapt(s *model.Scope, rank int) {
	s.SetParams(map[string]any{nn.ParamLoRARank: rank, nn.ParamLoRATargets: "perspective"})
}
