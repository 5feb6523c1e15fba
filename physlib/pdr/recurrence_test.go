package pdr_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/physlib/lab/physlib/backend/backendtest"
	"github.com/physlib/lab/physlib/pdr"
)

// series are inputs of a recurrence, drawn by a seed.
type series struct {
	batch, seq, dim, rank int
	p, v, k, q, state     []float64
}

// draw returns random inputs. The perspectives p lie between centre - spread and centre + spread.
func draw(seed uint64, batch, seq, dim, rank int, centre, spread float64) *series {
	rng := rand.New(rand.NewPCG(seed, 6))
	fill := func(n int, f func() float64) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = float64(float32(f()))
		}
		return x
	}
	normal := func() float64 { return rng.NormFloat64() }
	return &series{batch, seq, dim, rank, fill(batch*seq*dim, func() float64 { return centre + spread*(2*rng.Float64()-1) }),
		fill(batch*seq*dim, normal), fill(batch*seq*rank, normal), fill(batch*seq*rank, normal), fill(batch*dim*rank, normal)}
}

// loop computes the recurrence by its definition in float64. It returns o, the last state, and for
// each o the sum of the magnitudes of its terms.
func (x *series) loop(renorm, start int) (o, last, size []float64) {
	d, r := x.dim, x.rank
	o, size, last = make([]float64, len(x.v)), make([]float64, len(x.v)), append([]float64(nil), x.state...)
	for b := range x.batch {
		s := last[b*d*r : (b+1)*d*r]
		m := make([]float64, d*r) // sums like s, but of absolute values
		for i, y := range s {
			m[i] = math.Abs(y)
		}
		for t := range x.seq {
			k, q := x.k[(b*x.seq+t)*r:], x.q[(b*x.seq+t)*r:]
			for i := range d {
				at := (b*x.seq+t)*d + i
				gate := 1 / (1 + math.Exp(-x.p[at]))
				for j := range r {
					s[i*r+j] = gate*s[i*r+j] + x.v[at]*k[j]
					m[i*r+j] = gate*m[i*r+j] + math.Abs(x.v[at]*k[j])
					o[at] += s[i*r+j] * q[j]
					size[at] += m[i*r+j] * math.Abs(q[j])
				}
			}
			if renorm > 0 && (start+t+1)%renorm == 0 {
				var sum float64
				for _, y := range s {
					sum += y * y
				}
				for i := range s {
					f := math.Sqrt(float64(d*r) / sum)
					s[i], m[i] = s[i]*f, m[i]*f
				}
			}
		}
	}
	return o, last, size
}

// tensors returns the inputs as p, v, k, q, state in float32 or float64.
func (x *series) tensors(double bool) []any {
	var in []any
	for i, y := range [][]float64{x.p, x.v, x.k, x.q, x.state} {
		dims := [][]int{{x.batch, x.seq, x.dim}, {x.batch, x.seq, x.dim}, {x.batch, x.seq, x.rank}, {x.batch, x.seq, x.rank},
			{x.batch, x.dim, x.rank}}[i]
		if double {
			in = append(in, tensors.FromFlatDataAndDimensions(append([]float64(nil), y...), dims...))
			continue
		}
		single := make([]float32, len(y))
		for i := range y {
			single[i] = float32(y[i])
		}
		in = append(in, tensors.FromFlatDataAndDimensions(single, dims...))
	}
	return in
}

// call evaluates f once; all results are flattened to float64.
func call(t testing.TB, b compute.Backend, f func(in []*Node) []*Node, in ...any) [][]float64 {
	t.Helper()
	e, err := NewExec(b, f)
	if err != nil {
		t.Fatal(err)
	}
	out, err := e.Call(in...)
	if err != nil {
		t.Fatal(err)
	}
	flat := make([][]float64, len(out))
	for i, o := range out {
		flat[i] = floats(o)
		o.FinalizeAll()
	}
	return flat
}

func floats(t *tensors.Tensor) []float64 {
	var out []float64
	t.MustConstFlatData(func(flat any) {
		switch flat := flat.(type) {
		case []float32:
			for _, v := range flat {
				out = append(out, float64(v))
			}
		case []float64:
			out = append(out, flat...)
		}
	})
	return out
}

func maxDiff(a, b []float64) float64 {
	if len(a) != len(b) {
		return math.Inf(1)
	}
	var d float64
	for i := range a {
		if e := math.Abs(a[i] - b[i]); e > d || math.IsNaN(e) {
			d = e
		}
	}
	return d
}

// bound returns the error bound of the package comment, without the factor Σ|…|.
func bound(x *series) float64 {
	keep := 1.0
	for _, p := range x.p {
		keep = max(keep, min(float64(x.seq), 1+math.Exp(p)))
	}
	return 0x1p-24 * (8 + 2*keep + 2*math.Log2(float64(x.rank)))
}

// TestForms: each form agrees with the loop in float64, within the bound of the package comment.
func TestForms(t *testing.T) {
	cases := []struct {
		seq, chunk     int
		centre, spread float64
	}{
		{1, 4, 0, 3},
		{7, 4, 0, 14},     // gates from 10⁻⁶ to 1-10⁻⁶, not a multiple of the chunk
		{37, 8, -12, 2},   // small gates, where e^{-C} would overflow
		{37, 16, 12, 2},   // gates near one
		{21, 64, 3, 1},    // shorter than a chunk
		{24, 8, -700, 10}, // gates that are zero in float32
	}
	backendtest.Each(t, func(t *testing.T, b compute.Backend) {
		some := cases
		if b.Name() != backendtest.Go(t).Name() {
			some = cases[1:2] // compiling a graph takes a second
		}
		for i, c := range some {
			x := draw(uint64(i), 2, c.seq, 5, 3, c.centre, c.spread)
			want, last, size := x.loop(0, 0)
			got := call(t, b, func(in []*Node) (out []*Node) {
				for _, form := range pdr.Forms() {
					o, s := pdr.Recurrence{Form: form, Chunk: c.chunk}.Apply(in[0], in[1], in[2], in[3], in[4], 0)
					out = append(out, o, s)
				}
				return out
			}, x.tensors(false)...)
			for f, form := range pdr.Forms() {
				for i := range want {
					if e := math.Abs(got[2*f][i] - want[i]); !(e <= bound(x)*size[i]) {
						t.Fatalf("%v %s: o[%d] = %g, want %g ± %g", c, form, i, got[2*f][i], want[i], bound(x)*size[i])
					}
				}
				if d := maxDiff(got[2*f+1], last); !(d < 1e-4) {
					t.Errorf("%v %s: the last state is off by %g", c, form, d)
				}
			}
		}
	})
}

// TestGradients compares the gradients of each form in float64 with finite differences of the
// recurrence by its definition (series.loop). It covers all five inputs, the last state and a
// renormalisation.
func TestGradients(t *testing.T) {
	const seq = 11
	t.Run("go", func(t *testing.T) {
		// a renormalisation within the series
		gradients(t, backendtest.Go(t), draw(1, 1, seq, 4, 3, 1, 4), 8, 3, pdr.Forms()...)
	})
	t.Run("xla", func(t *testing.T) { // a renormalisation at the end, since each piece compiles its own graph
		gradients(t, backendtest.XLA(t), draw(1, 1, seq, 4, 3, 1, 4), seq, 0, pdr.Step, pdr.Chunk)
	})
}

func gradients(t *testing.T, b compute.Backend, x *series, renorm, start int, forms ...pdr.Form) {
	loss := func() (sum float64) {
		o, last, _ := x.loop(renorm, start)
		for i, y := range o {
			sum += y * y * math.Cos(float64(i))
		}
		for i, y := range last {
			sum += y * math.Sin(float64(i))
		}
		return sum
	}
	var want [][]float64
	for _, y := range [][]float64{x.p, x.v, x.k, x.q, x.state} {
		d := make([]float64, len(y))
		for i := range y {
			const h = 1e-5
			old := y[i]
			y[i] = old + h
			up := loss()
			y[i] = old - h
			d[i] = (up - loss()) / (2 * h)
			y[i] = old
		}
		want = append(want, d)
	}
	for _, form := range forms {
		got := call(t, b, func(in []*Node) []*Node {
			o, last := pdr.Recurrence{Form: form, Chunk: 4, Renorm: renorm}.Apply(in[0], in[1], in[2], in[3], in[4], start)
			wave := func(x *Node, f func(*Node) *Node) *Node {
				i := Iota(x.Graph(), shapes.Make(x.DType(), x.Shape().Size()), 0)
				return Reshape(f(i), x.Shape().Dimensions...)
			}
			l := Add(ReduceAllSum(Mul(Square(o), wave(o, Cos))), ReduceAllSum(Mul(last, wave(last, Sin))))
			return Gradient(l, in...)
		}, x.tensors(true)...)
		for i, name := range []string{"p", "v", "k", "q", "state"} {
			if d := maxDiff(got[i], want[i]); !(d < 2e-6) {
				t.Errorf("%s: the gradient for %s is off by %g: %.4g, want %.4g", form, name, d, got[i], want[i])
			}
		}
	}
}

// TestPieces: a series processed in pieces of any lengths gives the outputs of the whole series.
// The state is passed on and renormalised at the same tokens.
func TestPieces(t *testing.T) {
	x := draw(2, 1, 29, 4, 3, 2, 3)
	want, last, _ := x.loop(10, 4)
	for _, form := range pdr.Forms() {
		got := call(t, backendtest.Go(t), func(in []*Node) []*Node {
			var outs []*Node
			state, at := in[4], 0
			for _, n := range []int{1, 9, 2, 17} {
				cut := func(x *Node) *Node { return Slice(x, AxisRange(), AxisRange(at, at+n)) }
				var o *Node
				o, state = pdr.Recurrence{Form: form, Chunk: 4, Renorm: 10}.Apply(cut(in[0]), cut(in[1]), cut(in[2]), cut(in[3]), state, 4+at)
				outs = append(outs, o)
				at += n
			}
			return []*Node{Concatenate(outs, 1), state}
		}, x.tensors(true)...)
		if d := max(maxDiff(got[0], want), maxDiff(got[1], last)); !(d < 1e-12) {
			t.Errorf("%s: pieces differ from the whole by %g", form, d)
		}
	}
}

// TestComposeIsAssociative: (x₃ ⊕ x₂) ⊕ x₁ = x₃ ⊕ (x₂ ⊕ x₁), and applying the composition of two
// pieces equals applying the pieces in turn.
func TestComposeIsAssociative(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 6))
	for range 20 {
		in := make([]any, 0, 7)
		for i := range 7 {
			width := 3
			if i%2 == 0 && i < 6 {
				width = 1 // A is diagonal
			}
			x := make([]float64, 4*width)
			for i := range x {
				x[i] = rng.NormFloat64()
				if width == 1 {
					x[i] = 1 / (1 + math.Exp(8*x[i]))
				}
			}
			in = append(in, tensors.FromFlatDataAndDimensions(x, 4, width))
		}
		got := call(t, backendtest.Go(t), func(x []*Node) []*Node {
			a, b := pdr.Compose(x[4], x[5], x[2], x[3])
			la, lb := pdr.Compose(a, b, x[0], x[1])
			a, b = pdr.Compose(x[2], x[3], x[0], x[1])
			ra, rb := pdr.Compose(x[4], x[5], a, b)
			s := x[6]
			for i := 0; i < 6; i += 2 {
				s = Add(Mul(x[i], s), x[i+1])
			}
			return []*Node{la, ra, lb, rb, Add(Mul(la, x[6]), lb), s}
		}, in...)
		for i := 0; i < 6; i += 2 {
			if d := maxDiff(got[i], got[i+1]); d > 1e-14 {
				t.Errorf("differs by %g", d)
			}
		}
	}
}

// TestEmptyStateStaysEmpty: renormalising a state of zeros gives a finite value and a finite
// gradient.
func TestEmptyStateStaysEmpty(t *testing.T) {
	got := call(t, backendtest.Go(t), func(in []*Node) []*Node {
		s := pdr.Renormalize(in[0])
		return []*Node{s, Gradient(ReduceAllSum(s), in[0])[0]}
	}, tensors.FromFlatDataAndDimensions(make([]float32, 6), 1, 2, 3))
	if fmt.Sprint(got) != "[[0 0 0 0 0 0] [1 1 1 1 1 1]]" {
		t.Error(got)
	}
}

// TestChosen: a form that is requested is used. Otherwise Chosen returns the form that was fastest
// at the nearest measured sizes, or the default for the backend.
func TestChosen(t *testing.T) {
	b := backendtest.Go(t)
	if f, g := (pdr.Recurrence{Form: pdr.Scan}).Chosen(b, 1, 100, 8, 4); f != pdr.Scan || g != pdr.Scan {
		t.Errorf("%s, %s for a form that is named", f, g)
	}
	for _, seq := range []int{0, 1, 100, 1 << 20} {
		f, g := pdr.Recurrence{}.Chosen(b, 1, seq, 512, 64)
		if f == pdr.Auto || g == pdr.Auto || seq > 1000 && (f == pdr.Step || g == pdr.Step) { // go has no loops inside of graphs
			t.Errorf("%s, %s for %d tokens on go", f, g, seq)
		}
	}
}

// TestGradientTwice: two losses in one graph each have their own gradients, also if one of them
// uses the last state only.
func TestGradientTwice(t *testing.T) {
	x := draw(5, 1, 6, 3, 2, 0, 2)
	in := x.tensors(true)
	of := func(losses ...int) [][]float64 {
		return call(t, backendtest.Go(t), func(in []*Node) []*Node {
			o, last := pdr.Recurrence{Form: pdr.Chunk}.Apply(in[0], in[1], in[2], in[3], in[4], 0)
			loss := []*Node{ReduceAllSum(Square(o)), ReduceAllSum(Square(last))}
			var all []*Node
			for _, i := range losses {
				all = append(all, Gradient(loss[i], in...)...)
			}
			return all
		}, in...)
	}
	both, first, second := of(0, 1), of(0), of(1)
	for i := range 5 {
		if d := maxDiff(both[i], first[i]); d > 1e-12 {
			t.Errorf("gradient %d of the first loss differs by %g", i, d)
		}
		if d := maxDiff(both[5+i], second[i]); d > 1e-12 {
			t.Errorf("gradient %d of the second loss differs by %g", i, d)
		}
	}
	if maxDiff(second[4], make([]float64, len(second[4]))) == 0 {
		t.Error("the first state has no part in the last")
	}
}

// TestInfinitePerspectives: gates of exactly 0 and 1 leave all outputs and gradients finite.
func TestInfinitePerspectives(t *testing.T) {
	x := draw(6, 1, 5, 3, 2, 0, 1)
	for i := range x.p {
		x.p[i] = math.Inf(2*(i%2) - 1)
	}
	want, _, _ := x.loop(0, 0)
	for _, form := range pdr.Forms() {
		got := call(t, backendtest.Go(t), func(in []*Node) []*Node {
			o, _ := pdr.Recurrence{Form: form}.Apply(in[0], in[1], in[2], in[3], in[4], 0)
			return append([]*Node{o}, Gradient(ReduceAllSum(Square(o)), in...)...)
		}, x.tensors(true)...)
		if d := maxDiff(got[0], want); d > 1e-12 {
			t.Errorf("%s: differs by %g", form, d)
		}
		for i, g := range got[1:] {
			if slices.ContainsFunc(g, func(y float64) bool { return y-y != 0 }) {
				t.Errorf("%s: gradient %d is not finite", form, i)
			}
		}
	}
}
