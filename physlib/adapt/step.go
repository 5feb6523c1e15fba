package adapt

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"strings"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/model/initializer"

	"github.com/physlib/lab/physlib/system"
	"github.com/physlib/lab/physlib/vec"
)

// Constants of AdamW, from PhysMDT §6. PhysDiffuse and PARR do not state these constants.
const beta1, beta2, epsilon = 0.9, 0.999, 1e-8

// Names of the optimizer's variables, in a scope named after the adapter.
const firstMoment, secondMoment = "first_moment", "second_moment"

// learner is the compiled step of learning.
type learner struct {
	t        system.Tunable
	decay    float64
	adapters []*model.Variable
	exec     *model.Exec
	builds   int // graphs built so far
}

func newLearner(t system.Tunable, decay float64) (*learner, error) {
	l := &learner{t: t, decay: decay, adapters: t.Adapters()}
	for _, v := range l.adapters {
		l.moment(firstMoment, v)
		l.moment(secondMoment, v)
	}
	var err error
	l.exec, err = model.NewExec(t.Backend(), t.Store(), l.graph)
	return l, err
}

// moment returns the moment variable called name of the adapter v.
func (l *learner) moment(name string, v *model.Variable) *model.Variable {
	return l.t.Store().VariableWithShape(v.Path()+"/"+name, v.Shape(), initializer.Zero).SetTrainable(false)
}

// hostInputs are the inputs of a step from the host: learning rate, 1/(1-β₁ᵗ), 1/(1-β₂ᵗ), and a
// switch. The switch is 1 to learn, and 0 to compute only the loss.
type hostInputs [4]float32

func newHostInputs(step int, lr float64) hostInputs {
	n := float64(step + 1)
	return hostInputs{float32(lr), float32(1 / (1 - math.Pow(beta1, n))), float32(1 / (1 - math.Pow(beta2, n))), 1}
}

// graph is a step of AdamW (Loshchilov and Hutter, arXiv:1711.05101) on the adapters. in holds the
// hostInputs, then a batch. The result is [loss, norm of the gradient]. If either is not finite,
// nothing is updated.
func (l *learner) graph(s *model.Scope, in []*Node) []*Node {
	l.builds++
	g := in[0].Graph()
	loss := l.t.Loss(s, in[1:])
	var at []*Node
	for _, v := range l.adapters {
		at = append(at, v.NodeValue(g))
	}
	slopes := Gradient(loss, at...)
	squares := ScalarZero(g, dtypes.Float32)
	for _, d := range slopes {
		squares = Add(squares, ReduceAllSum(Square(d)))
	}
	pick := func(i int) *Node { return Reshape(Slice(in[0], AxisElem(i))) }
	lr, correct1, correct2 := pick(0), pick(1), pick(2)
	learn := And(And(IsFinite(loss), IsFinite(squares)), GreaterThan(pick(3), ScalarZero(g, dtypes.Float32)))
	for i, v := range l.adapters {
		first, second := l.moment(firstMoment, v), l.moment(secondMoment, v)
		m := Add(MulScalar(first.NodeValue(g), beta1), MulScalar(slopes[i], 1-beta1))
		n := Add(MulScalar(second.NodeValue(g), beta2), MulScalar(Square(slopes[i]), 1-beta2))
		direction := Div(Mul(m, correct1), AddScalar(Sqrt(Mul(n, correct2)), epsilon))
		if l.decay > 0 {
			direction = Add(direction, MulScalar(at[i], l.decay))
		}
		set := func(v *model.Variable, next *Node) { v.SetNodeValue(Where(learn, next, v.NodeValue(g))) }
		set(v, Sub(at[i], Mul(lr, direction)))
		set(first, m)
		set(second, n)
	}
	return []*Node{Concatenate([]*Node{Reshape(loss, 1), Reshape(Sqrt(squares), 1)}, 0)}
}

// step makes a step with a batch, which it frees. It returns the loss before the update.
func (l *learner) step(d hostInputs, batch []*tensors.Tensor) (loss float64, err error) {
	args := []any{d[:]}
	for _, x := range batch {
		args = append(args, x)
	}
	out, err := l.exec.Call1(args...)
	for _, x := range batch {
		x.FinalizeAll()
	}
	if err != nil {
		return 0, err
	}
	defer out.FinalizeAll()
	flat, err := tensors.CopyFlatData[float32](out)
	if err != nil {
		return 0, err
	}
	if loss, norm := float64(flat[0]), float64(flat[1]); !vec.Finite(loss) || !vec.Finite(norm) {
		return loss, fmt.Errorf("loss %g and gradient norm %g are not both finite; try a smaller adapt.lr", loss, norm)
	}
	return float64(flat[0]), nil
}

// reset initializes the adapters: A with standard deviation 1/√in, drawn from the seed, and B and
// the moments with zeros (Hu et al. 2021, §4.1).
func (l *learner) reset(seed uint64) error {
	for _, v := range l.adapters {
		dims := v.Shape().Dimensions
		start := make([]float32, v.Shape().Size())
		zero := make([]float32, len(start))
		if strings.HasSuffix(v.Path(), "/a") {
			h := fnv.New64a()
			h.Write([]byte(v.Path()))
			rng := rand.New(rand.NewPCG(seed, h.Sum64()))
			for i := range start {
				start[i] = float32(rng.NormFloat64() / math.Sqrt(float64(dims[0])))
			}
		}
		for _, x := range []struct {
			v    *model.Variable
			flat []float32
		}{{v, start}, {l.moment(firstMoment, v), zero}, {l.moment(secondMoment, v), zero}} {
			if err := x.v.SetValue(tensors.FromFlatDataAndDimensions(x.flat, dims...)); err != nil {
				return err
			}
		}
	}
	return nil
}

// snapshot returns a copy of the adapters' values, which restore sets again.
func (l *learner) snapshot() (values [][]float32, err error) {
	for _, v := range l.adapters {
		t, err := v.Value()
		if err != nil {
			return nil, err
		}
		flat, err := tensors.CopyFlatData[float32](t)
		if err != nil {
			return nil, err
		}
		values = append(values, flat)
	}
	return values, nil
}

func (l *learner) restore(values [][]float32) error {
	for i, v := range l.adapters {
		if err := v.SetValue(tensors.FromFlatDataAndDimensions(values[i], v.Shape().Dimensions...)); err != nil {
			return err
		}
	}
	return nil
}
