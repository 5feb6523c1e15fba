package train

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"math"
	"path/filepath"
	"strings"
	"time"

	"github.com/gomlx/gomlx/ml/model"

	"github.com/physlib/lab/physlib/nn/safetensors"
	"github.com/physlib/lab/physlib/vec"
)

// weights returns the weights in state, or their averages if there are any. d is the decay of the
// averages per update, and n the number of updates. An average starts at zero, so it is divided by
// 1-dⁿ, as in Adam.
func weights(state []safetensors.Tensor, d float64, n int64) []safetensors.Tensor {
	average := map[string]safetensors.Tensor{}
	prefix := safetensors.Name(averageScope) + "/"
	for _, t := range state {
		if name, ok := strings.CutPrefix(t.Name, prefix); ok {
			average[name] = t
		}
	}
	var out []safetensors.Tensor
	for _, t := range state {
		if !isWeight("/" + t.Name) {
			continue
		}
		if a, ok := average[t.Name]; ok && n > 0 {
			t = safetensors.Tensor{Name: t.Name, Shape: a.Shape, Data: scaled(a.Data, 1/(1-math.Pow(d, float64(n))))}
		}
		out = append(out, t)
	}
	return out
}

// scaled returns float32 data multiplied by a factor.
func scaled(data []byte, by float64) []byte {
	out := make([]byte, 0, len(data))
	for i := 0; i < len(data); i += 4 {
		x := float64(math.Float32frombits(binary.LittleEndian.Uint32(data[i:]))) * by
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(float32(x)))
	}
	return out
}

// parameters returns the number of elements of all weights.
func (t *stepper) parameters() (n int) {
	for v := range t.store.IterVariables() {
		if isWeight(v.Path()) {
			n += v.Shape().Size()
		}
	}
	return n
}

// validate calls the task's Validate, records the results and saves the weights if they are the
// best so far.
func (r *run) validate(ctx context.Context) error {
	task, ok := r.task.(Validator)
	if !ok {
		return nil
	}
	r.announce("validate")
	state, err := safetensors.FromStore(r.store, isState)
	if err != nil {
		return err
	}
	if r.judged == nil {
		r.judged = model.NewStore()
		for path, value := range r.store.IterParams() {
			r.judged.SetParam(path, value)
		}
	}
	for _, t := range weights(state, r.settings.EMA, r.Step) {
		value, err := t.Value()
		if err != nil {
			return err
		}
		if v := r.judged.GetVariable("/" + t.Name); v != nil {
			err = v.SetValue(value)
		} else {
			_, err = r.judged.CreateVariable("/"+t.Name, value)
		}
		if err != nil {
			return err
		}
	}
	results, err := task.Validate(ctx, r.backend, r.judged)
	if ctx.Err() != nil {
		return nil // interrupted: the results are incomplete
	} else if err != nil {
		return fmt.Errorf("task %s: validation after step %d: %w", r.task.Name(), r.Step, err)
	}
	r.Valid = maps.Clone(results)
	if err := validation(filepath.Join(r.dir, validationName), r.Step, r.Seconds, results); err != nil {
		return err
	}
	if r.better(results) {
		if err := r.save(); err != nil {
			return err
		}
		if err := r.folder.link(stepName(r.Step), bestName); err != nil {
			return err
		}
	}
	r.announce("validated")
	r.validated = time.Now()
	return nil
}

// better reports whether results are the best so far by Settings.Best. If they are, it records them
// as the best.
func (r *run) better(results map[string]float64) bool {
	name, less := strings.CutPrefix(r.settings.Best, "-")
	x, ok := results[name]
	if !ok || !vec.Finite(x) {
		return false
	}
	if less {
		x = -x
	}
	if r.Best != nil && *r.Best >= x {
		return false
	}
	r.Best = &x
	return true
}

// Export writes the weights of a checkpoint as a safetensors file with a checksum. They are the
// averaged weights if the run kept averages. If half is set, they are in bfloat16. The metadata has
// the task, configuration, step and validation results.
func Export(checkpoint, path string, half bool) error {
	c, err := load(checkpoint)
	if err != nil {
		return err
	}
	out := weights(c.tensors, c.settings.EMA, c.position.Step)
	if half {
		for i := range out {
			out[i] = out[i].BFloat16()
		}
	}
	file := safetensors.File{Tensors: out, Metadata: map[string]string{
		"task": c.task, "config": string(c.config), "step": fmt.Sprint(c.position.Step), "validation": string(jsonOf(c.position.Valid)),
	}}
	return folder{path: filepath.Dir(path)}.write(path, func(w io.Writer) error { return safetensors.WriteSealed(w, file) })
}
