package system

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"sync"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/physlib/lab/physlib/encoder"
	"github.com/physlib/lab/physlib/nn/safetensors"
)

// System is a network with its weights on a backend. Its methods may be called from several goroutines; they wait for each
// other.
type System struct {
	net     *network
	backend compute.Backend
	mu      sync.Mutex
	store   *model.Store
	encode  *model.Exec // tables to memory, present slots and logits of the lengths
	denoise *model.Exec // token ids
	soft    *model.Exec // weights over tokens
}

//go:embed weights
var weights embed.FS

// Trained tells whether weights for a preset are embedded.
func Trained(preset string) bool {
	_, err := fs.Stat(weights, "weights/"+preset+".safetensors")
	return err == nil
}

// Embedded is the preset with the weights that ship with physlib.
func Embedded(b compute.Backend, preset string) (*System, error) {
	c, err := Preset(preset)
	if err != nil {
		return nil, err
	}
	data, err := weights.ReadFile("weights/" + preset + ".safetensors")
	if err != nil {
		return nil, fmt.Errorf("preset %s: no trained weights are embedded; train it with `physlib train --preset %s --export FILE` and open FILE", preset, preset)
	}
	return Open(b, c, bytes.NewReader(data))
}

// Open makes the system c from its weights, a file that `physlib train --export` wrote. Weights of another system are an error
// that names the first one that differs.
func Open(b compute.Backend, c *Config, weights io.Reader) (*System, error) {
	store := model.NewStore()
	f, err := safetensors.Import(weights, store)
	if err != nil {
		return nil, fmt.Errorf("weights of %s: %w", c.Name, err)
	}
	if len(f.Tensors) == 0 {
		return nil, fmt.Errorf("weights of %s: the file holds none", c.Name)
	}
	s, err := open(b, c, store)
	if err != nil {
		return nil, err
	}
	return s, s.try(len(f.Tensors))
}

func open(b compute.Backend, c *Config, store *model.Store) (*System, error) {
	net, err := newNetwork(c)
	if err != nil {
		return nil, err
	}
	s := &System{net: net, backend: b, store: store}
	s.encode, err = model.NewExec(b, store, func(scope *model.Scope, in []*Node) []*Node {
		memory, present := net.memory(scope, encoder.Inputs{Rows: in[0], RowMask: in[1], Cols: in[2], ColMask: in[3]})
		out := []*Node{memory, present}
		if net.Lengths == "head" {
			out = append(out, net.lengthLogits(scope, memory))
		}
		return out
	})
	if err != nil {
		return nil, err
	}
	s.denoise, err = model.NewExec(b, store, func(scope *model.Scope, in []*Node) []*Node {
		return []*Node{net.denoise(scope, in[0], in[1], in[2], in[3])}
	})
	if err != nil {
		return nil, err
	}
	s.soft, err = model.NewExec(b, store, func(scope *model.Scope, in []*Node) []*Node {
		return []*Node{net.denoiseSoft(scope, in[0], in[1], in[2], in[3])}
	})
	return s, err
}

// try runs the network once on an empty table, and tells whether the weights were all it needs and no more.
func (s *System) try(given int) error {
	m, err := s.remember(s.net.newInputs(1))
	if err != nil {
		return fmt.Errorf("weights of %s do not fit the preset: %w", s.net.Name, err)
	}
	defer m.free()
	err = m.call(s.denoise, make([]int32, s.net.Seq), 1, s.net.Seq, []int32{int32(s.net.Seq)}, make([]float32, s.net.Seq*s.net.vocab.Size()))
	if err != nil {
		return fmt.Errorf("weights of %s do not fit the preset: %w", s.net.Name, err)
	}
	n := 0
	for range s.store.IterVariables() {
		n++
	}
	if n != given {
		return fmt.Errorf("weights of %s: %d arrays, the preset has %d; are they another preset's?", s.net.Name, given, n)
	}
	return nil
}

// memory is a table as the decoder sees it, on the device.
type memory struct {
	s              *System
	slots, present *tensors.Tensor
	length         []float32 // logits of 1 … seq tokens; nil: not predicted
}

// remember encodes one table.
func (s *System) remember(in *inputs) (*memory, error) {
	args := make([]any, 4)
	for i, t := range in.tensors(s.net.shape()) {
		args[i] = t
	}
	out, err := s.encode.Call(args...)
	for _, a := range args {
		a.(*tensors.Tensor).FinalizeAll()
	}
	if err != nil {
		return nil, err
	}
	m := &memory{s: s, slots: out[0], present: out[1]}
	if len(out) > 2 {
		m.length = tensors.MustCopyFlatData[float32](out[2])
		out[2].FinalizeAll()
	}
	return m, nil
}

func (m *memory) free() {
	m.slots.FinalizeAll()
	m.present.FinalizeAll()
}

// call runs a denoising graph on tokens, ids or weights, of n sequences and copies the logits.
func (m *memory) call(exec *model.Exec, tokens any, n, seq int, lengths []int32, logits []float32) error {
	var t *tensors.Tensor
	switch tokens := tokens.(type) {
	case []int32:
		t = tensors.FromFlatDataAndDimensions(tokens, n, seq)
	case []float32:
		t = tensors.FromFlatDataAndDimensions(tokens, n, seq, m.s.net.vocab.Size())
	default:
		return errors.New("system: tokens are neither ids nor weights")
	}
	l := tensors.FromFlatDataAndDimensions(lengths, n)
	defer t.FinalizeAll()
	defer l.FinalizeAll()
	out, err := exec.Call(t, l, m.slots, m.present)
	if err != nil {
		return err
	}
	defer out[0].FinalizeAll()
	return out[0].ConstFlatData(func(flat any) { copy(logits, flat.([]float32)) })
}
