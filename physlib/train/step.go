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
	"github.com/physlib/lab/physlib/vec"
)

// ParamRecompute (bool) is the parameter of the root scope that Settings.Checkpoint sets, see
// nn.ParamRecompute. Settings.BF16 sets nn.ParamCompute, and Settings.Seed sets nn.ParamSeed.
const ParamRecompute = nn.ParamRecompute

// Scopes of the variables that are not weights.
const (
	optimizerScope = "/optimizer"
	averageScope   = "/ema"
	gradientScope  = "/gradient"
)

// isWeight reports whether the variable at path is a weight. Other variables hold other state of
// the run.
func isWeight(path string) bool {
	for _, scope := range []string{optimizerScope, averageScope, gradientScope} {
		if strings.HasPrefix(path, scope+"/") {
			return false
		}
	}
	return path != "/"+model.RNGStateVariableName
}

// isState reports whether checkpoints include the variable at path. They include all variables
// except gradients, which are not needed after the update.
func isState(path string) bool { return !strings.HasPrefix(path, gradientScope+"/") }

// stepper is the compiled step of a task. It has two programs: learn computes loss and gradients of
// a batch, and update changes the weights. Each shape of batches needs its own program learn, but
// all use the same update. This compiles faster than one program of the whole step for each shape.
type stepper struct {
	backend  compute.Backend
	task     Task
	settings Settings
	store    *model.Store

	learn  *model.Exec
	update *model.Exec
	among  *devices // devices that share each batch; nil: one device
	made   []*Node  // gradients and report in the newest graph of learn
}

// outcome is the result of a step.
type outcome struct {
	loss, norm float64
	metrics    []float64
}

// hostInputs are the inputs of an update from the host: learning rate, 1/(1-β₁ᵗ), 1/(1-β₂ᵗ).
type hostInputs [3]float32

func newStepper(backend compute.Backend, task Task, s Settings) (*stepper, error) {
	store := model.NewStore()
	store.SetParam(model.ParamInitialSeed, s.Seed)
	store.SetParam(nn.ParamSeed, s.Seed)
	if s.BF16 {
		store.SetParam(nn.ParamCompute, "bfloat16")
	}
	store.SetParam(ParamRecompute, s.Checkpoint)
	if err := store.SetRNGStateFromSeed(s.Seed); err != nil {
		return nil, err
	}
	t := &stepper{backend: backend, task: task, settings: s, store: store}
	var err error
	if t.among, err = newDevices(backend, s.Devices); err != nil {
		return nil, err
	}
	// GoMLX v0.28.14 does not set the sharding of this variable.
	if rng := store.GetVariable("/" + model.RNGStateVariableName); t.among != nil && rng != nil {
		if err := rng.SetShardingSpec(t.among.copy); err != nil {
			return nil, err
		}
	}
	if t.learn, err = model.NewExec(backend, store, t.learnGraph); err != nil {
		return nil, err
	}
	if t.update, err = model.NewExec(backend, store, t.updateGraph); err != nil {
		return nil, err
	}
	t.among.share(t.learn, 1, true)
	t.among.share(t.update, 2, false)
	t.learn.WithName("learn") // name in the dumps and profiles of XLA
	t.update.WithName("update")
	t.learn.SetMaxCache(-1) // no limit, since each batch shape has a program
	return t, nil
}

// learnGraph builds the graph of loss, metrics and gradients. in is a scalar and the batch. The new
// gradients are added to the scalar times the previous ones. The scalar is 0 for the first batch of
// an update, and 1 for the others.
func (t *stepper) learnGraph(s *model.Scope, in []*Node) []*Node {
	keep, batch := in[0], in[1:]
	g := keep.Graph()
	t.made = nil
	t.store.SetTraining(g, true)
	loss, metrics := t.task.Loss(s, batch)
	if !loss.IsScalar() || len(metrics) != len(t.task.Metrics()) {
		exceptions.Panicf("the loss is %s, with %d metrics for %d names", loss.Shape(), len(metrics), len(t.task.Metrics()))
	}
	var weights []*model.Variable
	var nodes []*Node
	for v := range t.store.IterVariables() {
		if isWeight(v.Path()) && v.Trainable && v.InUseByGraph(g) {
			weights, nodes = append(weights, v), append(nodes, v.NodeValue(g))
		}
	}
	if len(weights) == 0 {
		exceptions.Panicf("the loss depends on no trainable weights")
	}
	for i, slope := range Gradient(loss, nodes...) {
		slope = ConvertDType(slope, dtypes.Float32)
		sum := t.zeros(gradientScope, weights[i])
		if t.settings.Accumulate > 1 {
			slope = Add(Mul(keep, sum.NodeValue(g)), slope)
		}
		sum.SetNodeValue(slope)
		t.made = append(t.made, slope)
	}
	t.made = append(t.made, report(append([]*Node{loss}, metrics...)...))
	return t.made[len(t.made)-1:]
}

// report returns scalars as one vector, so that one transfer fetches all.
func report(scalars ...*Node) *Node {
	parts := make([]*Node, len(scalars))
	for i, x := range scalars {
		parts[i] = Reshape(ConvertDType(x, dtypes.Float32), 1)
	}
	return Concatenate(parts, 0)
}

// zeros returns a float32 variable in scope with the shape of w, initially zero.
func (t *stepper) zeros(scope string, w *model.Variable) *model.Variable {
	shape := shapes.Make(dtypes.Float32, w.Shape().Dimensions...)
	return t.store.VariableWithShape(scope+w.Path(), shape, initializer.Zero).SetTrainable(false)
}

// updateGraph builds the graph that updates the weights by the mean gradient, clipped to the norm
// Settings.Clip. It also updates the averages of the weights. If the loss or the gradient is not
// finite, it changes nothing. in is hostInputs and the loss. The result is the norm before
// clipping.
func (t *stepper) updateGraph(_ *model.Scope, in []*Node) []*Node {
	inputs, loss := in[0], in[1]
	g := loss.Graph()
	var weights []*model.Variable
	var grads []*Node
	squares := ScalarZero(g, dtypes.Float32)
	for w := range t.store.IterVariables() {
		if sum := t.store.GetVariable(gradientScope + w.Path()); sum != nil {
			x := DivScalar(sum.NodeValue(g), float64(t.settings.Accumulate))
			weights, grads = append(weights, w), append(grads, x)
			squares = Add(squares, ReduceAllSum(Square(x)))
		}
	}
	norm := Sqrt(squares)
	if t.settings.Clip > 0 {
		scale := MinScalar(Div(Scalar(g, dtypes.Float32, t.settings.Clip), AddScalar(norm, 1e-6)), 1)
		for i := range grads {
			grads[i] = Mul(grads[i], scale)
		}
	}
	u := updater{stepper: t, finite: And(IsFinite(loss), IsFinite(norm)),
		lr: pick(inputs, 0), correct1: pick(inputs, 1), correct2: pick(inputs, 2)}
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
	return []*Node{report(norm)}
}

// pick returns element i of a vector as a scalar.
func pick(x *Node, i int) *Node { return Reshape(Slice(x, AxisElem(i))) }

// updater adds the operations of one update to a graph.
type updater struct {
	*stepper
	finite                 *Node // bool: whether loss and gradient are finite
	lr, correct1, correct2 *Node // see hostInputs
}

// set sets v to value if the step is finite.
func (u updater) set(v *model.Variable, value *Node) {
	old := v.NodeValue(value)
	v.SetNodeValue(Where(u.finite, ConvertDType(value, old.DType()), old))
}

// move updates w in a direction, w ← w - lr·(direction + λ·w), and then the average of w.
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

// Decays is the default choice of weights that decay. These are all matrices except embeddings,
// which package nn calls table, inducing and seeds.
func Decays(path string, shape shapes.Shape) bool {
	name := path[strings.LastIndex(path, "/")+1:]
	return shape.Rank() >= 2 && !slices.Contains([]string{"table", "inducing", "seeds"}, name) && !strings.Contains(path, "embed")
}

// decays reports whether w decays, by the task's choice or the default.
func (t *stepper) decays(w *model.Variable) bool {
	if d, ok := t.task.(Decayer); ok {
		return d.Decays(w.Path(), w.Shape())
	}
	return Decays(w.Path(), w.Shape())
}

// prepare compiles the step for batches with the shapes of batch, and initializes all variables.
func (t *stepper) prepare(batch []*tensors.Tensor) error {
	if _, _, err := t.compile(batch); err != nil {
		return err
	}
	return t.store.InitializeVariables(t.backend, nil)
}

// compile builds and compiles both programs.
func (t *stepper) compile(batch []*tensors.Tensor) (learn, update *Graph, err error) {
	shapesOf := func(whole []shapes.Shape, batch []*tensors.Tensor) (all []shapes.Shape) {
		args := make([]any, len(whole))
		for i, s := range whole {
			args[i] = s
		}
		for _, x := range t.among.arguments(args, batch) {
			if s, ok := x.(shapes.Shape); ok {
				all = append(all, s)
			} else {
				all = append(all, x.(*tensors.Tensor).Shape())
			}
		}
		return all
	}
	scalar := shapes.Make(dtypes.Float32)
	if learn, err = t.learn.Compile(shapesOf([]shapes.Shape{scalar}, batch)...); err != nil {
		return nil, nil, err
	}
	update, err = t.update.Compile(shapesOf([]shapes.Shape{shapes.Make(dtypes.Float32, len(hostInputs{})), scalar}, nil)...)
	return learn, update, err
}

// hostInputs returns the inputs that the host computes for the update number step (the first is 0).
func (s Settings) hostInputs(step int64, lr float64) hostInputs {
	n := float64(step + 1)
	return hostInputs{float32(lr), float32(1 / (1 - math.Pow(s.Beta1, n))), float32(1 / (1 - math.Pow(s.Beta2, n)))}
}

// step makes one update from Settings.Accumulate batches. The parameter step is its number.
func (t *stepper) step(step int64, lr float64, next func() ([]*tensors.Tensor, error)) (outcome, error) {
	n := t.settings.Accumulate
	mean := outcome{metrics: make([]float64, len(t.task.Metrics()))}
	for i := range n {
		one, err := t.add(i > 0, next)
		if err != nil {
			return outcome{}, err
		}
		mean.loss += one[0] / float64(n)
		for k, m := range one[1:] {
			mean.metrics[k] += m / float64(n)
		}
		if !vec.Finite(one[0]) {
			return mean, notFinite{step, step*int64(n) + int64(i), one[0], math.NaN()}
		}
	}
	d := t.settings.hostInputs(step, lr)
	norm, err := call(t.update, t.among.arguments([]any{d[:], float32(mean.loss)}, nil))
	if err != nil {
		return outcome{}, err
	}
	if mean.norm = norm[0]; !vec.Finite(mean.norm) {
		return mean, notFinite{step, step*int64(n) + int64(n) - 1, mean.loss, mean.norm}
	}
	return mean, nil
}

// add computes the gradients of the next batch. If keep is true, it adds the previous gradients. It
// returns loss and metrics.
func (t *stepper) add(keep bool, next func() ([]*tensors.Tensor, error)) ([]float64, error) {
	batch, err := next()
	if err != nil {
		return nil, err
	}
	sum := float32(0)
	if keep {
		sum = 1
	}
	for _, x := range batch {
		defer x.FinalizeAll()
	}
	return call(t.learn, t.among.arguments([]any{sum}, batch))
}

// notFinite is the error of a step whose loss or gradient is not finite.
type notFinite struct {
	step, batch int64
	loss, norm  float64
}

// Error names the step and the batch.
func (e notFinite) Error() string {
	return fmt.Sprintf("step %d: loss %g and gradient norm %g on batch %d are not both finite; the weights were left as before this step", e.step, e.loss, e.norm, e.batch)
}

// call runs e. It returns the result of the first device, which is a vector.
func call(e *model.Exec, args []any) ([]float64, error) {
	out, err := e.Call(args...)
	if err != nil {
		return nil, err
	}
	for _, x := range out {
		defer x.FinalizeAll()
	}
	flat, err := tensors.CopyFlatData[float32](out[0])
	if err != nil {
		return nil, err
	}
	wide := make([]float64, len(flat))
	for i, x := range flat {
		wide[i] = float64(x)
	}
	return wide, nil
}
