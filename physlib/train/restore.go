package train

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/physlib/lab/physlib/nn/safetensors"
)

// restore puts the tensors of a checkpoint into the variables of the step. Both must have the same ones, unless the settings
// are new: then moments that the old optimizer had not stay zero, and averages begin at the weights.
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
			return fmt.Errorf("it holds %q, which this task has not", x.Name)
		}
		delete(missing, x.Name)
		if err := t.assign(x); err != nil {
			return err
		}
	}
	begun := 1 - math.Pow(t.settings.EMA, float64(step)) // by which weights divides
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

// assign gives a variable the value of a tensor.
func (t *stepper) assign(x safetensors.Tensor) error {
	v := t.store.GetVariable("/" + x.Name)
	if !v.Shape().Equal(x.Shape) {
		return fmt.Errorf("%q is %s in it, %s in this task", x.Name, x.Shape, v.Shape())
	}
	value, err := x.Value()
	if err != nil {
		return err
	}
	return v.SetValue(value)
}
