package train

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/model/initializer"
	"github.com/gomlx/gomlx/support/exceptions"

	"github.com/physlib/lab/physlib/nn"
)

// Scopes of the variables that are no weights.
const (
	optimizerScope  = "/optimizer"
	averageScope    = "/ema"
	accumulateScope = "/accumulate"
)

// isWeight tells weights from what a run keeps beside them.
func isWeight(path string) bool {
	for _, scope := range []string{optimizerScope, averageScope, accumulateScope} {
		if strings.HasPrefix(path, scope+"/") {
			return false
		}
	}
	return path != "/"+model.RNGStateVariableName
}

// isState tells what a checkpoint holds: all variables but the sums of gradients, which are zero between updates.
func isState(path string) bool { return !strings.HasPrefix(path, accumulateScope+"/") }

// stepper is the compiled step of a task.
type stepper struct {
	backend  compute.Backend
	task     Task
	settings Settings
	store    *model.Store

	learn *model.Exec // one batch: loss, gradients, and, unless gradients are accumulated, the update
	apply *model.Exec // the update with accumulated gradients; nil without
}

// outcome is what a step says of itself.
type outcome struct {
	loss, norm float64
	metrics    []float64
}

// dials are the numbers that the host gives to each update: learning rate, 1/(1-β₁ᵗ), 1/(1-β₂ᵗ).
type dials [3]float32

func newStepper(backend compute.Backend, task Task, s Settings) (*stepper, error) {
	store := model.NewStore()
	store.SetParam(model.ParamInitialSeed, s.Seed)
	store.SetParam(nn.ParamSeed, s.Seed)
	if s.BF16 {
		store.SetParam(nn.ParamCompute, "bfloat16")
	}
	store.SetParam("gradient_checkpointing", s.Checkpoint)
	if err := store.SetRNGStateFromSeed(s.Seed); err != nil {
		return nil, err
	}
	t := &stepper{backend: backend, task: task, settings: s, store: store}
	var err error
	if s.Accumulate == 1 {
		t.learn, err = model.NewExec(backend, store, t.learnAndUpdate)
	} else {
		if t.learn, err = model.NewExec(backend, store, t.learnAndAdd); err == nil {
			t.apply, err = model.NewExec(backend, store, t.updateBySums)
		}
	}
	if err != nil {
		return nil, err
	}
	t.learn.SetMaxCache(-1) // batches of several shapes: as many programs
	return t, nil
}

// loss builds loss and metrics of a batch and the gradients by the trainable weights.
func (t *stepper) loss(s *model.Scope, batch []*Node) (loss *Node, metrics []*Node, weights []*model.Variable, grads []*Node) {
	g := batch[0].Graph()
	t.store.SetTraining(g, true)
	loss, metrics = t.task.Loss(s, batch)
	if !loss.IsScalar() || len(metrics) != len(t.task.Metrics()) {
		exceptions.Panicf("task %s: the loss is %s, with %d metrics for %d names", t.task.Name(), loss.Shape(), len(metrics), len(t.task.Metrics()))
	}
	var nodes []*Node
	for v := range t.store.IterVariables() {
		if isWeight(v.Path()) && v.Trainable && v.InUseByGraph(g) {
			weights, nodes = append(weights, v), append(nodes, v.NodeValue(g))
		}
	}
	if len(weights) == 0 {
		exceptions.Panicf("task %s: the loss depends on no trainable weights", t.task.Name())
	}
	return loss, metrics, weights, Gradient(loss, nodes...)
}

// report is loss, gradient norm and metrics as one vector, so that one transfer fetches them.
func report(scalars ...*Node) *Node {
	parts := make([]*Node, len(scalars))
	for i, x := range scalars {
		parts[i] = Reshape(ConvertDType(x, dtypes.Float32), 1)
	}
	return Concatenate(parts, 0)
}

// learnAndUpdate is the step without accumulation. in is dials, batch.
func (t *stepper) learnAndUpdate(s *model.Scope, in []*Node) []*Node {
	loss, metrics, weights, grads := t.loss(s, in[1:])
	norm := t.update(in[0], loss, weights, grads)
	return []*Node{report(append([]*Node{loss, norm}, metrics...)...)}
}

// learnAndAdd adds the gradients of a batch to their sums. in is the batch.
func (t *stepper) learnAndAdd(s *model.Scope, in []*Node) []*Node {
	loss, metrics, weights, grads := t.loss(s, in)
	for i, w := range weights {
		sum := t.zeros(accumulateScope, w)
		sum.SetNodeValue(Add(sum.NodeValue(loss), ConvertDType(grads[i], dtypes.Float32)))
	}
	return []*Node{report(append([]*Node{loss, ScalarZero(loss.Graph(), dtypes.Float32)}, metrics...)...)}
}

// updateBySums makes the update with the mean of the accumulated gradients and sets the sums to zero. in is dials, mean loss.
func (t *stepper) updateBySums(_ *model.Scope, in []*Node) []*Node {
	g := in[0].Graph()
	var weights []*model.Variable
	var grads []*Node
	for v := range t.store.IterVariables() {
		if sum := t.store.GetVariable(accumulateScope + v.Path()); sum != nil {
			x := sum.NodeValue(g)
			weights, grads = append(weights, v), append(grads, DivScalar(x, float64(t.settings.Accumulate)))
			sum.SetNodeValue(ZerosLike(x))
		}
	}
	norm := t.update(in[0], in[1], weights, grads)
	return []*Node{report(in[1], norm)}
}

// zeros is a float32 variable in scope for something kept beside w, zero at first.
func (t *stepper) zeros(scope string, w *model.Variable) *model.Variable {
	shape := shapes.Make(dtypes.Float32, w.Shape().Dimensions...)
	return t.store.VariableWithShape(scope+w.Path(), shape, initializer.Zero).SetTrainable(false)
}

// update changes the weights by their gradients, clipped to the norm Settings.Clip, and their averages. It changes nothing
// unless loss and gradient are finite numbers. It returns the norm of the gradient before clipping.
func (t *stepper) update(dial, loss *Node, weights []*model.Variable, grads []*Node) (norm *Node) {
	g := loss.Graph()
	squares := ScalarZero(g, dtypes.Float32)
	for i := range grads {
		grads[i] = ConvertDType(grads[i], dtypes.Float32)
		squares = Add(squares, ReduceAllSum(Square(grads[i])))
	}
	norm = Sqrt(squares)
	if t.settings.Clip > 0 {
		scale := MinScalar(Div(Scalar(g, dtypes.Float32, t.settings.Clip), AddScalar(norm, 1e-6)), 1)
		for i := range grads {
			grads[i] = Mul(grads[i], scale)
		}
	}
	u := updater{stepper: t, finite: And(IsFinite(ConvertDType(loss, dtypes.Float32)), IsFinite(norm)),
		lr: pick(dial, 0), correct1: pick(dial, 1), correct2: pick(dial, 2)}
	var matrices []*model.Variable
	var slopes []*Node
	for i, w := range weights {
		if t.byMuon(w) {
			matrices, slopes = append(matrices, w), append(slopes, grads[i])
			continue
		}
		u.move(w, u.adam(w, grads[i]))
	}
	for i, direction := range u.muon(matrices, slopes) {
		u.move(matrices[i], direction)
	}
	return norm
}

// pick is element i of a vector as a scalar.
func pick(x *Node, i int) *Node { return Reshape(Slice(x, AxisElem(i))) }

// updater makes one update in a graph.
type updater struct {
	*stepper
	finite                 *Node // bool: loss and gradient are finite
	lr, correct1, correct2 *Node // see dials
}

// set gives v a new value if the step is finite.
func (u updater) set(v *model.Variable, value *Node) {
	old := v.NodeValue(value)
	v.SetNodeValue(Where(u.finite, ConvertDType(value, old.DType()), old))
}

// move takes a step from w in a direction: w ← w - lr·(direction + λ·w), and moves the average of w.
func (u updater) move(w *model.Variable, direction *Node) {
	old := w.NodeValue(direction)
	at := ConvertDType(old, dtypes.Float32)
	if decay := u.settings.WeightDecay; decay > 0 && u.decays(w) {
		direction = Add(direction, MulScalar(at, decay))
	}
	next := Sub(at, Mul(u.lr, direction))
	u.set(w, next)
	if d := u.settings.EMA; d > 0 {
		mean := u.zeros(averageScope, w)
		u.set(mean, Add(MulScalar(mean.NodeValue(next), d), MulScalar(next, 1-d)))
	}
}

// Decays is the default of which weights decay: matrices, but no embeddings, which nn calls table, inducing and seeds.
func Decays(path string, shape shapes.Shape) bool {
	name := path[strings.LastIndex(path, "/")+1:]
	return shape.Rank() >= 2 && !slices.Contains([]string{"table", "inducing", "seeds"}, name) && !strings.Contains(path, "embed")
}

func (t *stepper) decays(w *model.Variable) bool {
	if d, ok := t.task.(Decayer); ok {
		return d.Decays(w.Path(), w.Shape())
	}
	return Decays(w.Path(), w.Shape())
}

// prepare builds and compiles the step for batches like this one and gives all variables their first values.
func (t *stepper) prepare(batch []*tensors.Tensor) error {
	in := make([]shapes.Shape, 0, len(batch)+1)
	dial := shapes.Make(dtypes.Float32, len(dials{}))
	if t.apply == nil {
		in = append(in, dial)
	}
	for _, x := range batch {
		in = append(in, x.Shape())
	}
	if _, err := t.learn.Compile(in...); err != nil {
		return err
	}
	if t.apply != nil {
		if _, err := t.apply.Compile(dial, shapes.Make(dtypes.Float32)); err != nil {
			return err
		}
	}
	return t.store.InitializeVariables(t.backend, nil)
}

// dial is what the host gives to update number step (the first is 0).
func (s Settings) dial(step int64, lr float64) dials {
	n := float64(step + 1)
	return dials{float32(lr), float32(1 / (1 - math.Pow(s.Beta1, n))), float32(1 / (1 - math.Pow(s.Beta2, n)))}
}

// step makes update number step with as many batches as Settings.Accumulate says, taken from next.
func (t *stepper) step(step int64, lr float64, next func() ([]*tensors.Tensor, error)) (outcome, error) {
	d := t.settings.dial(step, lr)
	n := t.settings.Accumulate
	mean := outcome{metrics: make([]float64, len(t.task.Metrics()))}
	for i := range n {
		batch, err := next()
		if err != nil {
			return outcome{}, err
		}
		args := make([]any, 0, len(batch)+1)
		if t.apply == nil {
			args = append(args, d[:])
		}
		for _, x := range batch {
			args = append(args, x)
		}
		one, err := call(t.learn, args...)
		for _, x := range batch {
			x.FinalizeAll()
		}
		if err != nil {
			return outcome{}, err
		}
		mean.loss += one[0] / float64(n)
		mean.norm = one[1]
		for k, m := range one[2:] {
			mean.metrics[k] += m / float64(n)
		}
		if !finite(one[0]) || !finite(one[1]) {
			return mean, notFinite{step, step*int64(n) + int64(i), one[0], one[1]}
		}
	}
	if t.apply == nil {
		return mean, nil
	}
	all, err := call(t.apply, d[:], float32(mean.loss))
	if err != nil {
		return outcome{}, err
	}
	if mean.norm = all[1]; !finite(mean.norm) {
		return mean, notFinite{step, step*int64(n) + int64(n) - 1, mean.loss, mean.norm}
	}
	return mean, nil
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// notFinite says where training broke down.
type notFinite struct {
	step, batch int64
	loss, norm  float64
}

func (e notFinite) Error() string {
	return fmt.Sprintf("step %d: loss %g and gradient norm %g on batch %d are not both finite; the weights were left as before this step", e.step, e.loss, e.norm, e.batch)
}

// call executes e and fetches its one result, a vector.
func call(e *model.Exec, args ...any) ([]float64, error) {
	out, err := e.Call1(args...)
	if err != nil {
		return nil, err
	}
	defer out.FinalizeAll()
	flat, err := tensors.CopyFlatData[float32](out)
	if err != nil {
		return nil, err
	}
	wide := make([]float64, len(flat))
	for i, x := range flat {
		wide[i] = float64(x)
	}
	return wide, nil
}
