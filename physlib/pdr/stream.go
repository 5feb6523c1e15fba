package pdr

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/physlib/lab/physlib/nn/safetensors"
)

// Stream feeds one series to a network, in pieces of any length, in constant memory. It applies
// Config.Apply and keeps the state between calls. The state can be saved and loaded (PDR §5.3).
type Stream struct {
	config  Config
	inside  *model.Exec // program for pieces without a renormalisation
	closing *model.Exec // program for pieces with a renormalisation after the last token
	print   string      // fingerprint of the model
	at      int64       // number of tokens seen
	state   []*tensors.Tensor
}

// block is the largest number of tokens per call of the network. The number of tokens in a call is
// a power of two, so that few graphs are compiled.
const block = 64

// NewStream returns a stream at the beginning of a series. The network's variables are in the given
// scope of store, where "" means its root. Missing variables are created.
func NewStream(b compute.Backend, store *model.Store, scope string, c Config) (*Stream, error) {
	if err := c.Validate(); err != nil {
		return nil, fmt.Errorf("pdr: %w", err)
	}
	below := func(s *model.Scope) *model.Scope {
		if scope == "" {
			return s.ResetVisited()
		}
		return s.At("%s", scope).ResetVisited()
	}
	var err error
	exec := func(closing bool) *model.Exec {
		e, failed := model.NewExec(b, store, func(s *model.Scope, in []*Node) []*Node {
			start := 0
			if closing {
				start = c.Renorm - in[0].Shape().Dim(1)
			}
			y, last := c.Apply(below(s), in[0], in[1:], start)
			return append([]*Node{y}, last...)
		})
		if failed != nil {
			err = failed
		}
		return e
	}
	x := &Stream{config: c, inside: exec(false), closing: exec(true)}
	if err != nil {
		return nil, fmt.Errorf("pdr: %w", err)
	}
	if err := x.Reset(); err != nil {
		return nil, err
	}
	if _, err := x.piece(make([]float32, c.Dim), 1, x.inside); err != nil { // creates the variables
		return nil, err
	}
	if x.print, err = c.Fingerprint(below(store.RootScope())); err != nil {
		return nil, fmt.Errorf("pdr: %w", err)
	}
	return x, x.Reset()
}

// Position returns the number of tokens seen.
func (x *Stream) Position() int64 { return x.at }

// Reset starts another series.
func (x *Stream) Reset() error {
	var state []*tensors.Tensor
	for _, a := range x.config.Arrays(1) {
		state = append(state, tensors.FromShape(a.Shape))
	}
	x.at = 0
	return x.replace(state)
}

// replace frees the state and sets another one.
func (x *Stream) replace(state []*tensors.Tensor) error {
	for _, old := range x.state {
		if err := old.FinalizeAll(); err != nil {
			return fmt.Errorf("pdr: %w", err)
		}
	}
	x.state = state
	return nil
}

// Close frees the state.
func (x *Stream) Close() error { return x.replace(nil) }

// Feed passes the next tokens of the series, dim numbers each, to the network and returns its
// outputs, dim numbers for each token.
func (x *Stream) Feed(tokens []float32) ([]float32, error) {
	dim := x.config.Dim
	if len(tokens)%dim != 0 {
		return nil, fmt.Errorf("pdr: %d numbers are not a multiple of %d, the numbers per token", len(tokens), dim)
	}
	out := make([]float32, 0, len(tokens))
	for len(tokens) > 0 {
		n, exec := min(block, len(tokens)/dim), x.inside
		if renorm := int64(x.config.Renorm); renorm > 0 {
			n = int(min(int64(n), renorm-x.at%renorm))
		}
		n = 1 << (bits.Len(uint(n)) - 1)
		if renorm := int64(x.config.Renorm); renorm > 0 && (x.at+int64(n))%renorm == 0 {
			exec = x.closing
		}
		y, err := x.piece(tokens[:n*dim], n, exec)
		if err != nil {
			return nil, err
		}
		out = append(out, y...)
		x.at += int64(n)
		tokens = tokens[n*dim:]
	}
	return out, nil
}

// piece returns the outputs for n tokens and advances the state.
func (x *Stream) piece(tokens []float32, n int, exec *model.Exec) ([]float32, error) {
	in := tensors.FromFlatDataAndDimensions(slices.Clone(tokens), 1, n, x.config.Dim)
	args := []any{in}
	for _, s := range x.state {
		args = append(args, s)
	}
	out, err := exec.Call(args...)
	if err != nil {
		return nil, fmt.Errorf("pdr: token %d: %w", x.at, err)
	}
	y, err := tensors.CopyFlatData[float32](out[0])
	for _, used := range []*tensors.Tensor{in, out[0]} {
		e := used.FinalizeAll()
		if err == nil {
			err = e
		}
	}
	if err != nil {
		return nil, fmt.Errorf("pdr: token %d: %w", x.at, err)
	}
	return y, x.replace(out[1:])
}

// State returns a copy of the current state.
func (x *Stream) State() (State, error) {
	s := State{Position: x.at, Fingerprint: x.print}
	for i, a := range x.config.Arrays(1) {
		t := safetensors.Tensor{Name: a.Name, Shape: a.Shape}
		if err := x.state[i].ConstBytes(func(data []byte) { t.Data = slices.Clone(data) }); err != nil {
			return State{}, fmt.Errorf("pdr: %s: %w", a.Name, err)
		}
		s.Arrays = append(s.Arrays, t)
	}
	return s, nil
}

// Resume continues from the state s, which may come from another process. If the state is in
// float32 and the pieces end at the same tokens, the outputs equal those of the uninterrupted
// series bit by bit.
func (x *Stream) Resume(s State) error {
	if s.Fingerprint != x.print {
		return fmt.Errorf("the state is of another model: its fingerprint is %.12s…, this model's %.12s…; load the weights with which it was made", s.Fingerprint, x.print)
	}
	named := map[string]safetensors.Tensor{}
	for _, a := range s.Arrays {
		named[a.Name] = a.Float32()
	}
	var state []*tensors.Tensor
	for _, a := range x.config.Arrays(1) {
		t, ok := named[a.Name]
		if !ok || !t.Shape.Equal(a.Shape) {
			return fmt.Errorf("the state has no array %s of shape %s", a.Name, a.Shape)
		}
		value, err := t.Value()
		if err != nil {
			return fmt.Errorf("the state: %w", err)
		}
		state = append(state, value)
	}
	x.at = s.Position
	return x.replace(state)
}
