package train

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/physlib/lab/physlib/backend/backendtest"
	"github.com/physlib/lab/physlib/nn"
)

func TestRate(t *testing.T) {
	s := Settings{Steps: 110, LR: 2, Warmup: 10, Schedule: Cosine, Floor: 0.1}.withDefaults()
	for step, want := range map[int64]float64{0: 0.2, 9: 2, 10: 2, 60: 2 * 0.55, 110: 0.2, 500: 0.2} {
		if got := s.rate(step, position{}); math.Abs(got-want) > 1e-12 {
			t.Errorf("cosine: rate of step %d is %g, want %g", step, got, want)
		}
	}
	s.Warmup = -1
	if got := s.withDefaults().rate(0, position{}); got != 2 {
		t.Errorf("without a warm-up the first rate is %g", got)
	}
	s.Warmup, s.Schedule = 10, WSD
	p := position{DecayStart: 80, DecaySteps: 100}
	for step, want := range map[int64]float64{4: 1, 50: 2, 80: 2, 105: 2 * (0.1 + 0.9*0.5), 180: 0.2} {
		if got := s.rate(step, p); math.Abs(got-want) > 1e-12 {
			t.Errorf("wsd: rate of step %d is %g, want %g", step, got, want)
		}
	}
	s.Schedule = Constant
	if s.rate(1e9, position{}) != 2 {
		t.Error("constant falls")
	}
}

func TestSettings(t *testing.T) {
	for says, s := range map[string]Settings{
		"number of steps or the time": {},
		"needs the number of steps":   {Time: time.Hour, Schedule: Cosine},
		`no schedule "linear"`:        {Steps: 1, Schedule: "linear"},
		`no optimizer "sgd"`:          {Steps: 1, Optimizer: "sgd"},
		"lr is -1":                    {Steps: 1, LR: -1},
		"lr is NaN":                   {Steps: 1, LR: math.NaN()},
		"ema is 1":                    {Steps: 1, EMA: 1},
		"may not be negative":         {Steps: 1, Keep: -1},
	} {
		if _, err := Run(context.Background(), nil, toy{}, s, t.TempDir(), nil); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%+v: %v, want %q", s, err, says)
		}
	}
}

// With wsd, a run of 20 steps that is continued to 40 equals a run of 40 steps. The decay at the
// end of the first 20 steps is undone, and the decayed checkpoint is kept under another name.
func TestLongerRun(t *testing.T) {
	whole, grown := t.TempDir(), t.TempDir()
	trained(t, toy{Seed: 2}, short(40), whole)
	trained(t, toy{Seed: 2}, short(20), grown)
	first := state(t, grown)
	if names := checkpoints(t, grown); !slices.Contains(names, stableName) {
		t.Fatalf("no stable checkpoint among %v", names)
	}
	if r := trained(t, toy{Seed: 2}, short(20), grown); !r.Finished || r.Step != 20 {
		t.Errorf("the same command again: %+v", r)
	}
	r := trained(t, toy{Seed: 2}, short(40), grown)
	if !r.Finished || r.Step != 40 {
		t.Fatalf("%+v", r)
	}
	sameTensors(t, state(t, whole), state(t, grown))
	sameMetrics(t, whole, grown)
	kept, err := load(filepath.Join(grown, "checkpoints", "decayed-00000020.ckpt"))
	if err != nil {
		t.Fatal(err)
	}
	sameTensors(t, first, kept)
	if _, err := os.Stat(filepath.Join(grown, "metrics-decayed-00000020.csv")); err != nil {
		t.Error(err)
	}
}

// slow is a toy whose batches take a while.
type slow struct{ toy }

func (s slow) Batch(step int64) ([]*tensors.Tensor, error) {
	time.Sleep(5 * time.Millisecond)
	return s.toy.Batch(step)
}

// A run with a time limit decays in the last part of its time and then ends. If it is killed during
// the decay and then continued, it ends at the same step.
func TestTime(t *testing.T) {
	dir := t.TempDir()
	s := Settings{Time: 1500 * time.Millisecond, Warmup: 2, LogSteps: 5, Decay: 0.3, Workers: 1}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	began := time.Now()
	r, err := Run(ctx, backendtest.Go(t), slow{}, s, dir, func(p Progress) {
		if p.Phase == "decay" {
			stop()
		}
	})
	if err != nil || r.Finished {
		t.Fatalf("%+v, %v", r, err)
	}
	before := state(t, dir).position
	if before.DecaySteps < 20 || before.DecayStart < 50 || before.DecaySeconds < 1.05 {
		t.Errorf("decay: %+v", before)
	}
	r = trained(t, slow{}, s, dir)
	after := state(t, dir).position
	if !r.Finished || r.Step != before.DecayStart+before.DecaySteps || after.DecayStart != before.DecayStart {
		t.Errorf("decay was %+v, ended at %+v", before, after)
	}
	// A generous limit, since the machine may be busy.
	if d := time.Since(began); d > 6*time.Second {
		t.Errorf("took %v", d)
	}
	rows, err := readTable(filepath.Join(dir, "metrics.csv"))
	if err != nil {
		t.Fatal(err)
	}
	lr := rows["lr"]
	if lr[len(lr)-1] > 0.4*lr[1] {
		t.Errorf("learning rates %v", lr)
	}
	c, err := load(filepath.Join(dir, "checkpoints", stableName))
	if err != nil || c.position.Step != before.DecayStart || c.position.DecaySteps != 0 {
		t.Errorf("stable: %+v, %v", c.position, err)
	}
}

// A new run that starts from a checkpoint of another run may use another optimizer and average.
func TestFrom(t *testing.T) {
	old, dir := t.TempDir(), t.TempDir()
	s := short(10)
	s.EMA = 0
	r := trained(t, toy{Seed: 2}, s, old)
	s = short(16)
	s.From, s.Optimizer, s.LR, s.EMA, s.Schedule = r.Checkpoint, Muon, 1e-9, 0.9, Constant
	next := trained(t, toy{Seed: 2}, s, dir)
	if next.Step != 16 || next.Checkpoint == r.Checkpoint {
		t.Fatalf("%+v", next)
	}
	a, b := state(t, old), state(t, dir)
	x, y, mean := weights(a.tensors, 0, 0), weights(b.tensors, 0, 0), weights(b.tensors, 0.9, 16)
	for i := range x {
		near(t, x[i].Name, floats(y[i].Data), floats(x[i].Data))
		near(t, "average of "+x[i].Name, floats(mean[i].Data), floats(x[i].Data))
	}
	fails(t, toy{Seed: 3}, s, t.TempDir(), r.Checkpoint, "seed = 2, now it is 3")
	s.From = filepath.Join(old, "nothing.ckpt")
	fails(t, toy{Seed: 2}, s, t.TempDir(), "nothing.ckpt")
}

// judge is a toy whose validation result is the loss on one batch, computed by an Exec that it
// keeps.
type judge struct {
	toy
	exec   *model.Exec
	store  *model.Store
	seen   []float64
	worse  bool
	broken error
}

func (j *judge) Validate(_ context.Context, b compute.Backend, store *model.Store) (map[string]float64, error) {
	if j.broken != nil {
		return nil, j.broken
	}
	if j.exec == nil {
		j.store = store
		e, err := model.NewExec(b, store, func(s *model.Scope, in []*graph.Node) []*graph.Node {
			loss, _ := j.Loss(s, in)
			return []*graph.Node{loss}
		})
		if err != nil {
			return nil, err
		}
		j.exec = e
	}
	if store != j.store {
		return nil, errors.New("another store")
	}
	batch, err := j.Batch(1 << 40)
	if err != nil {
		return nil, err
	}
	out, err := call(j.exec, []any{batch[0], batch[1]})
	if err != nil {
		return nil, err
	}
	if j.worse {
		out[0] += 1e6
	}
	j.seen = append(j.seen, out[0])
	return map[string]float64{"loss": out[0], "recovery": 1 / out[0]}, nil
}

func TestValidation(t *testing.T) {
	dir := t.TempDir()
	s := short(12)
	s.ValidateEvery = time.Nanosecond
	task := &judge{toy: toy{Drop: 0.2}}
	r := trained(t, task, s, dir)
	if len(task.seen) < 12 || r.Validation["loss"] != task.seen[len(task.seen)-1] {
		t.Fatalf("%v, %v", r.Validation, task.seen)
	}
	if slices.Max(task.seen) == slices.Min(task.seen) {
		t.Error("weights of validation do not change")
	}
	rows, err := readTable(filepath.Join(dir, validationName))
	if err != nil || len(rows["loss"]) < 12 || !slices.IsSorted(rows["step"]) || len(slices.Compact(rows["step"])) != len(rows["recovery"]) {
		t.Errorf("%v, %v", rows, err)
	}
	best, err := load(filepath.Join(dir, "checkpoints", bestName))
	if err != nil || -*best.position.Best != slices.Min(task.seen) {
		t.Errorf("best %v of %v: %v", best.position, task.seen, err)
	}

	task = &judge{worse: true, toy: task.toy}
	s = short(30)
	s.ValidateEvery = time.Nanosecond
	trained(t, task, s, dir)
	if again, err := load(filepath.Join(dir, "checkpoints", bestName)); err != nil || *again.position.Best != *best.position.Best {
		t.Error("the best checkpoint was replaced by a worse one")
	}
	s.Steps = 60
	fails(t, &judge{toy: task.toy, broken: fmt.Errorf("no corpus")}, s, dir, "validation after step", "no corpus")
}

// Only the newest checkpoints are kept, and run.json lists every session.
func TestFolder(t *testing.T) {
	dir := t.TempDir()
	s := short(33)
	s.Keep = 2
	trained(t, toy{}, s, dir)
	s.Steps = 50
	trained(t, toy{}, s, dir)
	want := []string{"decayed-00000033.ckpt", stableName, stepName(45), stepName(50)}
	if names := checkpoints(t, dir); !slices.Equal(names, want) {
		t.Errorf("%v, want %v", names, want)
	}
	data, err := os.ReadFile(filepath.Join(dir, "run.json"))
	if err != nil {
		t.Fatal(err)
	}
	var r record
	if err := json.Unmarshal(data, &r); err != nil {
		t.Fatal(err)
	}
	if r.Task != "toy" || len(r.Sessions) != 2 || r.Sessions[1].End != "finished" || r.Sessions[1].FromStep != 26 || r.Sessions[1].Step != 50 ||
		r.Parameters != 4*8+8+8*8+8 || r.Settings["lr"] != 0.02 || r.Settings["save_every"] != "5m0s" || r.Backend == "" || len(r.CommandLine) == 0 {
		t.Errorf("%s", data)
	}
}

// A task that fails or panics in a batch, or builds a wrong graph, ends the run with an error that
// names the cause.
func TestBrokenTasks(t *testing.T) {
	for says, task := range map[string]Task{
		"batch 3: no more":         brokenBatch{fail: errors.New("no more")},
		"batch 3: panic: too late": brokenBatch{},
		"no trainable weights":     weightless{},
	} {
		_, err := Run(context.Background(), backendtest.Go(t), task, short(9), t.TempDir(), nil)
		if err == nil || !strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), "task toy") {
			t.Errorf("%v, want %q", err, says)
		}
	}
}

type brokenBatch struct {
	toy
	fail error
}

func (b brokenBatch) Batch(step int64) ([]*tensors.Tensor, error) {
	if step < 3 {
		return b.toy.Batch(step)
	}
	if b.fail == nil {
		panic("too late")
	}
	return nil, b.fail
}

type weightless struct{ toy }

func (weightless) Loss(_ *model.Scope, batch []*graph.Node) (*graph.Node, []*graph.Node) {
	l := graph.ReduceAllSum(batch[0])
	return l, []*graph.Node{l}
}

// asks is a toy that records the computing settings that its scope receives.
type asks struct {
	toy
	recompute bool
	dtype     string
	seed      int64
}

func (a *asks) Loss(s *model.Scope, batch []*graph.Node) (*graph.Node, []*graph.Node) {
	s = s.In("below")
	a.recompute = model.GetParamOr(s, ParamRecompute, false)
	a.dtype, a.seed = model.GetParamOr(s, nn.ParamCompute, ""), model.GetParamOr(s, nn.ParamSeed, int64(0))
	return a.toy.Loss(s, batch)
}

func TestSwitchesReachTheLayers(t *testing.T) {
	s := short(2)
	s.Checkpoint, s.BF16 = true, true
	task := &asks{}
	trained(t, task, s, t.TempDir())
	if !task.recompute || task.dtype != "bfloat16" || task.seed != 7 {
		t.Errorf("%+v", task)
	}
}

// In the test, a step takes half a second. The first step and a later one also include a
// compilation.
func TestPace(t *testing.T) {
	p := newPace(Settings{Time: time.Hour, Decay: 0.2})
	now := time.Now()
	if p.perSecond(now) != 0 {
		t.Error("a speed without steps")
	}
	for i := range 400 {
		now = now.Add(time.Second / 2)
		if i == 0 || i == 57 {
			now = now.Add(time.Minute)
		}
		p.step(now, i%10 == 9)
		if v := p.perSecond(now); i >= 2 && (v < 1.99 || v > 2.01) && !(i > 56 && i < 70 && v > 0) {
			t.Fatalf("after %d steps: %g steps/s", i+1, v)
		}
	}
	// Steps become slower; steps older than twelve minutes do not affect the pace.
	for i := range 4000 {
		now = now.Add(time.Second)
		p.step(now, i%10 == 9)
	}
	if v := p.perSecond(now); v < 0.99 || v > 1.01 || len(p.stretches) > 73 {
		t.Errorf("%g steps/s from %d stretches", v, len(p.stretches))
	}
}

// The sessions of a run may validate with more metrics or with fewer. Missing values are NaN.
func TestValidationsOfSeveralSessions(t *testing.T) {
	path := filepath.Join(t.TempDir(), validationName)
	for i, results := range []map[string]float64{{"loss": 3}, {"loss": 2, "found": 0.5}, {"loss": 1}} {
		if err := validation(path, int64(10*i+10), 0, results); err != nil {
			t.Fatal(err)
		}
	}
	const want = "step,seconds,loss,found\n10,0,3,NaN\n20,0,2,0.5\n30,0,1,NaN\n"
	if got, err := os.ReadFile(path); err != nil || string(got) != want {
		t.Errorf("%q, %v", got, err)
	}
}
