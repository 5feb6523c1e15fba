package diffusion_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"

	"github.com/physlib/lab/physlib/backend/backendtest"
	"github.com/physlib/lab/physlib/diffusion"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/token"
	"github.com/physlib/lab/physlib/unit"
)

// words are the names of a small vocabulary, and meanings the nodes of its tokens.
var words, meanings = func() (names []string, nodes []*expr.Node) {
	add := func(name string, n *expr.Node) { names, nodes = append(names, name), append(nodes, n) }
	add("<MASK>", nil)
	for _, op := range []expr.Op{expr.Add, expr.Sub, expr.Mul, expr.Div, expr.Pow, expr.Neg, expr.Inv, expr.Sqrt, expr.Sin, expr.Exp} {
		add(op.String(), &expr.Node{Op: op})
	}
	add("x_0", &expr.Node{Op: expr.Var, Index: 0})
	add("x_1", &expr.Node{Op: expr.Var, Index: 1})
	add("x_2", &expr.Node{Op: expr.Var, Index: 2})
	add("c", &expr.Node{Op: expr.Param})
	add("2", &expr.Node{Op: expr.Number, Value: 2})
	return
}()

func tokens(t testing.TB, s string) (ids []int32) {
	for _, w := range strings.Fields(s) {
		k := slices.Index(words, w)
		if k < 0 {
			t.Fatalf("no token %q", w)
		}
		ids = append(ids, int32(k))
	}
	return ids
}

// outcome is one possible result of a subtree: whether its dimension is fixed, and to which value.
type outcome struct {
	p     float64
	bound bool
	u     []float64
}

// enumerate returns all outcomes of the subtree at i and adds the expected violations in it.
// Dimensions.Loss computes the same from moments.
func enumerate(i int, ids []int32, children []int32, power []float32, probs [][]float64, units [][]float64, known []bool,
	violation *float64) (out []outcome) {
	zero := make([]float64, len(units[0]))
	var l, r []outcome
	if c := children[2*i]; c >= 0 {
		l = enumerate(int(c), ids, children, power, probs, units, known, violation)
	}
	if c := children[2*i+1]; c >= 0 {
		r = enumerate(int(c), ids, children, power, probs, units, known, violation)
	}
	scaled := func(a []float64, x float64, b []float64, y float64) []float64 {
		s := make([]float64, len(a))
		for k := range s {
			s[k] = x*a[k] + y*b[k]
		}
		return s
	}
	square := func(a []float64) (s float64) {
		for _, x := range a {
			s += x * x
		}
		return s
	}
	for id, p := range probs[i] {
		if p == 0 {
			continue
		}
		switch n := meanings[id]; n.Op.Arity() {
		case 0:
			switch {
			case n.Op == expr.Number:
				out = append(out, outcome{p, true, zero})
			case n.Op == expr.Var && known[n.Index]:
				out = append(out, outcome{p, true, units[n.Index]})
			default:
				out = append(out, outcome{p, false, zero})
			}
		case 1:
			e, raises := map[expr.Op]float64{expr.Neg: 1, expr.Inv: -1, expr.Sqrt: 0.5}[n.Op]
			for _, a := range l {
				if raises {
					out = append(out, outcome{p * a.p, a.bound, scaled(a.u, e, zero, 0)})
					continue
				}
				out = append(out, outcome{p * a.p, true, zero})
				if a.bound {
					*violation += p * a.p * square(a.u)
				}
			}
		case 2:
			for _, a := range l {
				for _, b := range r {
					q := p * a.p * b.p
					switch {
					case n.Op == expr.Mul:
						out = append(out, outcome{q, a.bound && b.bound, scaled(a.u, 1, b.u, 1)})
					case n.Op == expr.Div:
						out = append(out, outcome{q, a.bound && b.bound, scaled(a.u, 1, b.u, -1)})
					case n.Op == expr.Pow && power[i] != 0:
						out = append(out, outcome{q, a.bound, scaled(a.u, float64(power[i]), zero, 0)})
					case n.Op == expr.Pow:
						out = append(out, outcome{q, true, zero})
						for _, x := range []outcome{a, b} {
							if x.bound {
								*violation += q * square(x.u)
							}
						}
					case a.bound && b.bound:
						*violation += q * square(scaled(a.u, 1, b.u, -1))
						out = append(out, outcome{q / 2, true, a.u}, outcome{q / 2, true, b.u})
					case a.bound:
						out = append(out, outcome{q, true, a.u})
					default:
						out = append(out, outcome{q, b.bound, b.u})
					}
				}
			}
		}
	}
	return out
}

var laws = []string{
	"add x_0 mul x_1 x_2",
	"div add mul x_0 x_1 c sub x_2 2",
	"sin div x_0 add x_1 x_2",
	"sqrt add pow x_0 2 mul c x_1",
	"pow add x_0 inv x_1 neg 2",
	"pow x_0 div x_1 x_2",
	"mul exp neg div x_0 x_1 sub x_2 x_0",
	"add add x_0 c add x_1 x_2",
}

// guesses returns the token probabilities of a row. A masked token has the softmax over the tokens
// of equal arity. A visible token has probability 1.
func guesses(logits []float64, ids []int32, masked []float32) (probs [][]float64) {
	v := len(words)
	for i, id := range ids {
		p := make([]float64, v)
		sum := 0.0
		for k, l := range logits[i*v : (i+1)*v] {
			if meanings[k] != nil && meanings[k].Op.Arity() == meanings[id].Op.Arity() {
				p[k] = math.Exp(l)
				sum += p[k]
			}
		}
		for k := range p {
			p[k] /= sum
		}
		if masked[i] == 0 {
			clear(p)
			p[id] = 1
		}
		probs = append(probs, p)
	}
	return probs
}

func TestDimensionLoss(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	d := &diffusion.Dimensions{Tokens: meanings, Height: 5}
	v := len(words)
	const seq, columns, base = 10, 3, 2
	var want float64
	var ids, children []int32
	var masked, power, units, known []float32
	var logits []float64
	for _, law := range laws {
		x := tokens(t, law)
		pad := seq - len(x)
		l := random(rng, len(x)*v)
		h := make([]float32, len(x))
		for i := range h {
			h[i] = float32(rng.IntN(3)) / 2
		}
		c, p := make([]int32, 2*len(x)), make([]float32, len(x))
		if !d.Layout(x, c, p) {
			t.Fatalf("%s is not an expression", law)
		}
		u, k := make([][]float64, columns), make([]bool, columns)
		for j := range u {
			u[j] = []float64{float64(rng.IntN(5) - 2), float64(rng.IntN(3) - 1)}
			k[j] = rng.IntN(5) > 0
			units = append(units, float32(u[j][0]), float32(u[j][1]))
			known = append(known, map[bool]float32{true: 1}[k[j]])
		}
		enumerate(0, x, c, p, guesses(l, x, h), u, k, &want)
		ids = append(append(ids, x...), make([]int32, pad)...)
		masked = append(append(masked, h...), make([]float32, pad)...)
		power = append(append(power, p...), make([]float32, pad)...)
		children = append(children, c...)
		for range 2 * pad {
			children = append(children, -1)
		}
		logits = append(append(logits, l...), random(rng, pad*v)...)
	}
	n := len(laws)
	want /= float64(n)
	backendtest.Each(t, func(t *testing.T, b compute.Backend) {
		got := call(t, b, func(in []*Node) *Node { return d.Loss(in[0], in[1], in[2], in[3], in[4], in[5], in[6]) },
			tensor(to32(logits), n, seq, v), tensor(ids, n, seq), tensor(masked, n, seq), tensor(children, n, seq, 2),
			tensor(power, n, seq), tensor(units, n, columns, base), tensor(known, n, columns))
		if math.Abs(got-want) > 1e-5*want {
			t.Errorf("loss %.6f, enumeration %.6f", got, want)
		}
	})
}

// The gradient in float64 is compared with central differences.
func TestDimensionLossGradient(t *testing.T) {
	d := &diffusion.Dimensions{Tokens: meanings, Height: 3}
	const seq, base = 8, 2
	v := len(words)
	backendtest.Each(t, func(t *testing.T, b compute.Backend) {
		both := MustNewExec(b, func(in []*Node) []*Node {
			l := d.Loss(in[0], in[1], in[2], in[3], in[4], in[5], in[6])
			return []*Node{l, Gradient(l, in[0])[0]}
		})
		defer both.Finalize()
		rng := rand.New(rand.NewPCG(5, 1))
		for _, law := range []string{"div add mul x_0 x_1 c x_2", "pow add x_0 inv x_1 neg 2", "pow x_0 div x_1 x_2"} {
			ids := make([]int32, seq)
			copy(ids, tokens(t, law))
			children, power, masked := make([]int32, 2*seq), make([]float32, seq), make([]float32, seq)
			if !d.Layout(ids, children, power) {
				t.Fatalf("%s is not judged", law)
			}
			for i := range masked {
				masked[i] = float32(min(1, rng.IntN(4)))
			}
			logits := random(rng, seq*v)
			at := func(k int, h float64) (float64, [][][]float64) {
				moved := slices.Clone(logits)
				moved[k] += h
				out := both.MustCall(tensor(moved, 1, seq, v), tensor(ids, 1, seq), tensor(masked, 1, seq), tensor(children, 1, seq, 2),
					tensor(power, 1, seq), tensor([]float32{1, -2, 0, 1, 2, 1}, 1, 3, base), tensor([]float32{1, 1, 1}, 1, 3))
				return out[0].Value().(float64), out[1].Value().([][][]float64)
			}
			_, grad := at(0, 0)
			for range 20 {
				k := rng.IntN(len(tokens(t, law)) * v)
				const h = 1e-5
				above, _ := at(k, h)
				below, _ := at(k, -h)
				got, want := grad[0][k/v][k%v], (above-below)/(2*h)
				if math.Abs(got-want) > 1e-7*(1+math.Abs(want)) {
					t.Errorf("%s: ∂L/∂logits[%d] = %g, want %g", law, k, got, want)
				}
			}
		}
	})
}

// A consistent law that the network predicts with certainty has loss 0. An inconsistent law has the
// loss that package expr reports.
func TestDimensionLossOfTruth(t *testing.T) {
	length, time := unit.Powers(0, 1), unit.Powers(0, 0, 1)
	vars := []unit.Dim{length, time, length.Div(time)}
	d := &diffusion.Dimensions{Tokens: meanings}
	for _, law := range []string{
		"add x_0 mul x_1 x_2", "sin div x_0 mul x_1 x_2", "sqrt add pow x_0 2 mul c x_1", "pow mul x_0 x_2 div 2 2",
		"add x_0 x_1", "sin x_2", "exp div x_0 x_1", "add 2 div x_0 x_2",
	} {
		x := tokens(t, law)
		n := len(x)
		children, power := make([]int32, 2*n), make([]float32, n)
		d.Layout(x, children, power)
		tree, err := expr.Parse(infix(x), nil)
		if err != nil {
			t.Fatal(err)
		}
		_, want := tree.ParamDimsKnown(vars, nil, unit.Dim{}, false)
		var u []float32
		for _, v := range vars {
			for _, e := range v {
				u = append(u, float32(e.Float64()))
			}
		}
		got := call(t, backendtest.Go(t), func(in []*Node) *Node { return d.Loss(in[0], in[1], in[2], in[3], in[4], in[5], in[6]) },
			tensor(make([]float32, n*len(words)), 1, n, len(words)), tensor(x, 1, n), tensor(make([]float32, n), 1, n),
			tensor(children, 1, n, 2), tensor(power, 1, n), tensor(u, 1, 3, 7), tensor([]float32{1, 1, 1}, 1, 3))
		if math.Abs(got-want) > 1e-5 {
			t.Errorf("%s: %v, expr says %v", law, got, want)
		}
	}
}

// infix returns the law of prefix tokens as function calls, which expr.Parse reads.
func infix(ids []int32) string {
	var read func() string
	read = func() string {
		n := meanings[ids[0]]
		ids = ids[1:]
		switch n.Op.Arity() {
		case 1:
			return n.Op.String() + "(" + read() + ")"
		case 2:
			a := read()
			return n.Op.String() + "(" + a + ", " + read() + ")"
		}
		switch n.Op {
		case expr.Var:
			return fmt.Sprintf("x%d", n.Index)
		case expr.Param:
			return "c0"
		}
		return fmt.Sprint(n.Value)
	}
	return read()
}

func TestLayout(t *testing.T) {
	d := &diffusion.Dimensions{Tokens: meanings, Height: 3}
	for _, c := range []struct {
		law      string
		postfix  bool
		children []int32
		power    []float32
		ok       bool
	}{
		{law: "add x_0 neg x_1", children: []int32{1, 2, -1, -1, 3, -1, -1, -1}, power: []float32{0, 0, 0, 0}, ok: true},
		{law: "pow x_0 neg 2", children: []int32{1, 2, -1, -1, 3, -1, -1, -1}, power: []float32{-2, 0, 0, 0}, ok: true},
		{law: "x_0 x_1 neg sub", postfix: true, children: []int32{-1, -1, -1, -1, 1, -1, 0, 2}, power: []float32{0, 0, 0, 0}, ok: true},
		{law: "neg x_0 <MASK> <MASK>", children: []int32{1, -1, -1, -1, -1, -1, -1, -1}, power: []float32{0, 0, 0, 0}, ok: true},
		// tokens that are not an expression
		{law: "add x_0", children: []int32{-1, -1, -1, -1}, power: []float32{0, 0}},
		{law: "x_0 x_0", children: []int32{-1, -1, -1, -1}, power: []float32{0, 0}},
		{law: "<MASK>", children: []int32{-1, -1}, power: []float32{0}},
		// a tree that is too high
		{law: "neg neg neg neg x_0", children: []int32{-1, -1, -1, -1, -1, -1, -1, -1, -1, -1}, power: make([]float32, 5)},
	} {
		d.Postfix = c.postfix
		x := tokens(t, c.law)
		children, power := make([]int32, 2*len(x)), make([]float32, len(x))
		if ok := d.Layout(x, children, power); ok != c.ok || !slices.Equal(children, c.children) || !slices.Equal(power, c.power) {
			t.Errorf("%s: %v %v %v", c.law, children, power, ok)
		}
	}
}

// The meanings of every vocabulary's tokens agree with Decode.
func TestNewDimensions(t *testing.T) {
	for _, v := range []*token.Vocabulary{token.PhysDiffuse(), token.Small(), token.PhysMDT(), token.PARR()} {
		d := diffusion.NewDimensions(v)
		judged := 0
		for id, n := range d.Tokens {
			if n == nil {
				continue
			}
			judged++
			if n.Op.Arity() != v.Arity(int32(id)) {
				t.Errorf("%s: %s means %v", v.Name(), v.Token(int32(id)), n.Op)
			}
		}
		if d.Tokens[v.Mask()] != nil || judged < 40 {
			t.Errorf("%s: %d tokens have a meaning", v.Name(), judged)
		}
		tree, err := expr.Parse("x0/x1 + sin(x2)*x0", nil)
		if err != nil {
			t.Fatal(err)
		}
		ids, err := v.Encode(tree)
		if err != nil {
			t.Fatal(err)
		}
		children, power := make([]int32, 2*len(ids)), make([]float32, len(ids))
		if !d.Layout(ids, children, power) {
			t.Errorf("%s: %v is not judged", v.Name(), ids)
		}
		for i, id := range ids {
			for k := range 2 {
				if has := children[2*i+k] >= 0; has != (k < v.Arity(id)) {
					t.Errorf("%s: %s has operands %v", v.Name(), v.Token(id), children[2*i:2*i+2])
				}
			}
		}
	}
}
