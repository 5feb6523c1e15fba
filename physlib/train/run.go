package train

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/physlib/lab/physlib/clock"
	"github.com/physlib/lab/physlib/lock"
	"github.com/physlib/lab/physlib/nn/safetensors"
)

// Result is the state at the end of a session.
type Result struct {
	Step        int64
	Loss        float64 // mean loss in the last row of metrics.csv
	Finished    bool    // whether the run is finished; if not, the same call resumes it
	Checkpoint  string  // path of the newest checkpoint, from which Export makes weights
	Validation  map[string]float64
	StepsPerSec float64
}

// Run trains task in the folder dir until the steps or the time of the settings are over. If dir
// has a run of the same task and settings, Run resumes from its newest valid checkpoint. When ctx
// ends, it saves and returns without an error. progress, which may be nil, is called from the
// calling goroutine at each row of metrics, phase and warning.
func Run(ctx context.Context, backend compute.Backend, task Task, settings Settings, dir string, progress func(Progress)) (Result, error) {
	s := settings.withDefaults()
	if err := s.check(); err != nil {
		return Result{}, err
	}
	config, err := json.Marshal(task.Config())
	if err != nil {
		return Result{}, fmt.Errorf("task %s: its configuration: %w", task.Name(), err)
	}
	if progress == nil {
		progress = func(Progress) {}
	}
	r := &run{backend: backend, task: task, settings: s, dir: dir, config: config, progress: progress, pace: newPace(s),
		folder: folder{path: filepath.Join(dir, "checkpoints")}, began: time.Now(), usedBefore: clock.CPU()}
	if err := os.MkdirAll(r.folder.path, 0o755); err != nil {
		return Result{}, err
	}
	unlock, err := lock.Try(filepath.Join(dir, "lock"))
	if errors.Is(err, lock.ErrHeld) {
		return Result{}, fmt.Errorf("another process trains in this folder (%w); wait for it, or take another folder", err)
	} else if err != nil {
		return Result{}, err
	}
	defer unlock()
	return r.all(ctx)
}

// run is a session of a training run.
type run struct {
	backend  compute.Backend
	task     Task
	settings Settings
	dir      string
	config   json.RawMessage
	folder   folder
	progress func(Progress)
	record   record

	*stepper
	position
	feed    *feed
	metrics *table
	judged  *model.Store // weights for Validate, created once

	began      time.Time     // start of this session
	usedBefore time.Duration // processor time of this process before the session
	before     float64       // seconds of training in earlier sessions

	waits waits

	fresh     bool // whether the run starts from the state of another run, see Settings.From
	pace      *pace
	saved     time.Time
	savedStep int64 // step of the newest checkpoint; -1: none
	validated time.Time
	last      []float64 // the last row of metrics
}

// spent returns the time of this session, by the clock in the settings.
func (r *run) spent() time.Duration {
	if r.settings.Clock == CPU {
		return clock.CPU() - r.usedBefore
	}
	return time.Since(r.began)
}

// now returns the current time, by the clock in the settings.
func (r *run) now() time.Time { return r.began.Add(r.spent()) }

// all runs the session from loading to the end.
func (r *run) all(ctx context.Context) (Result, error) {
	start, err := r.load()
	if err != nil {
		return Result{}, err
	}
	r.before, r.savedStep = r.Seconds, -1
	if start != nil && !r.fresh {
		r.savedStep = r.Step
	}
	if r.over(r.position) {
		return r.result(true), nil
	}
	r.record = newRecord(filepath.Join(r.dir, "run.json"), r.task, r.config, r.settings, r.backend)
	err = r.session(ctx, start)
	r.feed.close()
	err = errors.Join(err, r.metrics.close())
	finished := err == nil && r.over(r.position)
	end := "interrupted"
	if finished {
		end = "finished"
	} else if err != nil {
		end = err.Error()
	}
	failed := r.note(end)
	if err == nil { // otherwise a full disk would be reported twice
		err = failed
	}
	return r.result(finished), err
}

// over reports whether the run has reached its end.
func (r *run) over(p position) bool { return r.settings.over(p) }

// session compiles the step, loads the checkpoint and trains.
func (r *run) session(ctx context.Context, start *checkpoint) (err error) {
	if r.stepper, err = newStepper(r.backend, r.task, r.settings); err != nil {
		return err
	}
	r.feed = newFeed(context.WithoutCancel(ctx), r.backend, r.among, r.task, r.Step*int64(r.settings.Accumulate), r.settings.Workers)
	batch, err := r.feed.next()
	if err != nil {
		return err
	}
	r.announce("compile")
	if err := r.prepare(batch); err != nil {
		return r.broken(fmt.Errorf("task %s: %w", r.task.Name(), err))
	}
	if start != nil {
		if err := r.restore(start.tensors, start.position.Step, r.fresh); err != nil {
			return fmt.Errorf("the checkpoint of step %d does not fit: %w", start.position.Step, err)
		}
	}
	r.record.Parameters = r.parameters()
	r.record.Sessions = append(r.record.Sessions, session{Began: r.began.UTC().Round(time.Second), FromStep: r.Step})
	if err := r.note("running"); err != nil {
		return err
	}
	header := append([]string{"step", "lr", "loss", "grad_norm"}, r.task.Metrics()...)
	if r.metrics, err = openTable(filepath.Join(r.dir, "metrics.csv"), append(header, "seconds"), r.Step); err != nil {
		return err
	}
	r.saved, r.validated = time.Now(), time.Now()
	next := func() ([]*tensors.Tensor, error) {
		if b := batch; b != nil {
			batch = nil
			return b, nil
		}
		defer func(began time.Time) { r.waits.waited += time.Since(began) }(time.Now())
		return r.feed.next()
	}
	r.waits.since = time.Now()
	for ctx.Err() == nil && !r.over(r.position) {
		if err := r.one(ctx, next); err != nil {
			return r.broken(err)
		}
	}
	return r.end(ctx)
}

// one makes one step, and then logs, validates and saves if that is due.
func (r *run) one(ctx context.Context, next func() ([]*tensors.Tensor, error)) error {
	if r.settings.startDecay(&r.position, r.pace.perSecond(r.now())) {
		if err := r.saveStable(); err != nil {
			return err
		}
	}
	lr := r.settings.rate(r.Step, r.position)
	o, err := r.stepper.step(r.Step, lr, next)
	if err != nil {
		return err
	}
	r.Step++
	r.Seconds = r.before + r.spent().Seconds()
	r.pace.step(r.now(), r.Step%r.settings.LogSteps == 0)
	r.Window.add(o)
	if r.Step%r.settings.LogSteps == 0 {
		r.last = r.Window.means()
		row := slices.Concat([]float64{lr}, r.last, []float64{r.Seconds})
		r.Window = window{}
		r.waits.row(time.Now())
		if err := r.metrics.row(r.Step, row...); err != nil {
			return err
		}
		r.announce(r.phase())
	}
	if r.settings.ValidateEvery > 0 && time.Since(r.validated) >= r.settings.ValidateEvery {
		if err := r.validate(ctx); err != nil {
			return err
		}
	}
	due := r.settings.SaveEvery > 0 && time.Since(r.saved) >= r.settings.SaveEvery
	if due || r.settings.SaveSteps > 0 && r.Step%r.settings.SaveSteps == 0 {
		return r.save()
	}
	return nil
}

// end validates and saves at the end of a session.
func (r *run) end(ctx context.Context) error {
	if ctx.Err() == nil {
		if err := r.validate(ctx); err != nil {
			return err
		}
	}
	if r.savedStep == r.Step && ctx.Err() != nil {
		return nil
	}
	return r.save()
}

// broken adds advice on how to resume to an error.
func (r *run) broken(err error) error {
	name := "none was saved yet"
	if r.savedStep >= 0 {
		name = filepath.Join(r.folder.path, stepName(r.savedStep))
	}
	if full(err) {
		return fmt.Errorf("step %d: %w, in another folder with --from the last checkpoint, which is whole: %s", r.Step, advised(err), name)
	}
	var n notFinite
	if !errors.As(err, &n) {
		return err
	}
	return fmt.Errorf("%w (seed %d); last good checkpoint: %s; try a lower learning rate or a smaller clip, with --from that checkpoint into another folder",
		err, r.settings.Seed, name)
}

// steps returns the total number of steps, or 0 if only the time is limited.
func (r *run) steps() int64 {
	switch {
	case r.DecaySteps > 0:
		return r.DecayStart + r.DecaySteps
	case r.settings.Steps > 0:
		return r.settings.Steps
	}
	return 0
}

// phase returns the name of the current phase of the schedule.
func (r *run) phase() string {
	switch {
	case r.Step < r.settings.Warmup:
		return "warm-up"
	case r.DecaySteps > 0:
		return "decay"
	}
	return "train"
}

// announce reports the progress.
func (r *run) announce(phase string) {
	p := Progress{Step: r.Step, Steps: r.steps(), LR: r.settings.rate(max(r.Step-1, 0), r.position), Names: r.task.Metrics(),
		StepsPerSecond: r.pace.perSecond(r.now()), Waiting: r.waits.share, Elapsed: time.Duration(r.Seconds * float64(time.Second)), Phase: phase, Validation: r.Valid}
	if len(r.last) > 1 {
		p.Loss, p.GradNorm, p.Metrics = r.last[0], r.last[1], r.last[2:]
	}
	if c, ok := r.task.(TokenCounter); ok {
		p.TokensPerSec = p.StepsPerSecond * float64(c.Tokens()*r.settings.Accumulate)
	}
	if p.Steps > 0 && p.StepsPerSecond > 0 {
		p.Left = time.Duration(float64(p.Steps-p.Step) / p.StepsPerSecond * float64(time.Second))
	} else if r.settings.Time > 0 {
		p.Left = max(0, r.settings.Time-p.Elapsed)
	}
	r.progress(p)
}

// snapshot returns the current state.
func (r *run) snapshot() (checkpoint, error) {
	state, err := safetensors.FromStore(r.store, isState)
	r.Seconds = r.before + r.spent().Seconds()
	return checkpoint{task: r.task.Name(), config: r.config, settings: r.settings, position: r.position, tensors: state}, err
}

// saveStable saves the state at the start of the decay.
func (r *run) saveStable() error {
	c, err := r.snapshot()
	if err != nil {
		return err
	}
	c.position.DecayStart, c.position.DecaySteps, c.position.DecaySeconds = 0, 0, 0
	return r.folder.save(c, stableName)
}

// save writes the current state as the newest checkpoint and removes the oldest.
func (r *run) save() error {
	if r.metrics != nil {
		// The metrics on disk must not be older than the checkpoint.
		if err := r.metrics.file.Sync(); err != nil {
			return err
		}
	}
	c, err := r.snapshot()
	if err != nil {
		return err
	}
	if err := r.folder.save(c, stepName(r.Step)); err != nil {
		return err
	}
	r.saved, r.savedStep = time.Now(), r.Step
	if err := r.folder.prune(r.settings.Keep); err != nil {
		return err
	}
	r.announce("saved")
	return r.note("running")
}

// note updates run.json.
func (r *run) note(end string) error {
	if len(r.record.Sessions) == 0 {
		return nil
	}
	s := &r.record.Sessions[len(r.record.Sessions)-1]
	s.Step, s.WallSeconds, s.CPUSeconds = r.Step, time.Since(r.began).Seconds(), (clock.CPU() - r.usedBefore).Seconds()
	s.End, s.Validation = end, r.Valid
	if len(r.last) > 0 {
		s.Loss = r.last[0]
	}
	return r.record.save(r.dir)
}

func (r *run) result(finished bool) Result {
	out := Result{Step: r.Step, Finished: finished, Validation: r.Valid, StepsPerSec: r.pace.perSecond(r.now())}
	if r.savedStep >= 0 {
		out.Checkpoint = filepath.Join(r.folder.path, stepName(r.savedStep))
	}
	if len(r.last) > 0 {
		out.Loss = r.last[0]
	}
	return out
}
