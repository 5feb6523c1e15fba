package train

import (
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/physlib/lab/physlib/nn/safetensors"
)

// load returns the checkpoint from which to continue, or nil for a new run.
func (r *run) load() (*checkpoint, error) {
	c, name, broken, err := r.folder.newest()
	if err != nil {
		return nil, err
	}
	for _, b := range broken {
		r.progress(Progress{Warning: fmt.Sprintf("%v; resuming from %s instead", b, name)})
	}
	from := r.settings.From
	if name != "" {
		from = ""
	} else if from == "" {
		return nil, nil
	} else if c, err = load(from); err != nil {
		return nil, err
	}
	if err := c.fits(r.task.Name(), r.config, r.settings, from != ""); err != nil {
		if from == "" {
			from = filepath.Join(r.folder.path, name)
		}
		return nil, fmt.Errorf("checkpoint %s does not belong to this run: %w; use the same values, or another folder", from, err)
	}
	if r.fresh = from != ""; r.fresh { // the time and the best result start anew
		c.position = position{Step: c.position.Step}
	} else if r.settings.longer(c.position) {
		if c, err = r.backToStable(c, name); err != nil {
			return nil, err
		}
	}
	r.position = c.position
	return &c, nil
}

// backToStable returns the checkpoint before the decay of the learning rate. It is used if a run is
// to be extended. It keeps the checkpoint at the end of the decay under another name.
func (r *run) backToStable(end checkpoint, name string) (checkpoint, error) {
	c, err := load(filepath.Join(r.folder.path, stableName))
	if err != nil {
		return c, fmt.Errorf("a longer run must continue from the state before the learning rate fell: %w; otherwise start in another folder", err)
	}
	if err := c.fits(r.task.Name(), r.config, r.settings, false); err != nil {
		return c, fmt.Errorf("%s: %w", stableName, err)
	}
	c.position.Best = end.position.Best
	if err := r.folder.link(name, strings.Replace(name, "step-", "decayed-", 1)); err != nil {
		return c, err
	}
	data, err := os.ReadFile(filepath.Join(r.dir, "metrics.csv"))
	if err == nil {
		aside := fmt.Sprintf("metrics-decayed-%08d.csv", end.position.Step)
		err = folder{path: r.dir}.write(filepath.Join(r.dir, aside), bytesOf(data))
	}
	if err != nil {
		return c, err
	}
	names, err := r.folder.steps()
	if err != nil {
		return c, err
	}
	// The link must exist before the later checkpoints are removed.
	if err := r.folder.link(stableName, stepName(c.position.Step)); err != nil {
		return c, err
	}
	for _, later := range names {
		if later > stepName(c.position.Step) {
			if err := os.Remove(filepath.Join(r.folder.path, later)); err != nil {
				return c, err
			}
		}
	}
	r.progress(Progress{Warning: fmt.Sprintf("the run is extended: it continues from step %d, before the learning rate fell; the state of step %d is kept as decayed-%08d.ckpt",
		c.position.Step, end.position.Step, end.position.Step)})
	return c, nil
}

// restore sets the variables to the tensors of a checkpoint. Both must have the same names, unless
// newSettings is true. In that case, moments that the checkpoint lacks stay zero, and averages that
// it lacks start at the weights.
func (t *stepper) restore(state []safetensors.Tensor, step int64, newSettings bool) error {
	missing := map[string]bool{}
	for v := range t.store.IterVariables() {
		if isState(v.Path()) {
			missing[safetensors.Name(v.Path())] = true
		}
	}
	for _, x := range state {
		if !missing[x.Name] {
			if newSettings && !isWeight("/"+x.Name) {
				continue
			}
			return fmt.Errorf("it holds %q, which this task does not have", x.Name)
		}
		delete(missing, x.Name)
		if err := t.assign(x); err != nil {
			return err
		}
	}
	begun := 1 - math.Pow(t.settings.EMA, float64(step)) // the function weights divides by this
	for _, x := range state {
		if mean := safetensors.Name(averageScope) + "/" + x.Name; missing[mean] && newSettings {
			delete(missing, mean)
			if err := t.assign(safetensors.Tensor{Name: mean, Shape: x.Shape, Data: scaled(x.Data, begun)}); err != nil {
				return err
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(missing)) {
		if !newSettings || !strings.HasPrefix("/"+name, optimizerScope+"/") {
			return fmt.Errorf("it has no %q, which this task needs", name)
		}
	}
	return nil
}

// assign sets the variable with the name of the tensor x to its value.
func (t *stepper) assign(x safetensors.Tensor) error {
	v := t.store.GetVariable("/" + x.Name)
	if !v.Shape().Equal(x.Shape) {
		return fmt.Errorf("%q is %s in the checkpoint, %s in this task", x.Name, x.Shape, v.Shape())
	}
	value, err := x.Value()
	if err != nil {
		return err
	}
	return v.SetValue(value)
}
