package system

import (
	"bytes"
	"cmp"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/physlib/lab/physlib/decoder"
	"github.com/physlib/lab/physlib/encoder/features"
	"github.com/physlib/lab/physlib/nn/safetensors"
)

// System is a network with its weights on a backend. Its methods may be called from several
// goroutines. The calls run one after another.
type System struct {
	net     *network
	backend compute.Backend
	mu      sync.Mutex
	store   *model.Store
	encode  *model.Exec // encodes tables, see network.encode
	denoise *model.Exec // computes logits from token ids; for a shared block, embeddings
	soft    *model.Exec // computes logits from token weights; for a shared block, embeddings
	loop    *model.Exec // computes one loop of a shared block; nil for a stack
}

// weights holds the embedded weights of presets.
//
//go:embed weights
var weights embed.FS

// Trained reports whether trained weights of a preset are embedded.
func Trained(preset string) bool {
	_, err := fs.Stat(weights, "weights/"+preset+".safetensors")
	return err == nil
}

// Weights returns the embedded weights file of a preset.
func Weights(preset string) ([]byte, error) {
	data, err := weights.ReadFile("weights/" + preset + ".safetensors")
	if err != nil {
		return nil, fmt.Errorf("preset %s: no trained weights are embedded; train it with `physlib train --preset %s --export FILE` and open FILE", preset, preset)
	}
	return data, nil
}

// Embedded opens a preset with its embedded weights. If change is not nil, it may alter how the
// system decodes.
func Embedded(b compute.Backend, preset string, change func(*Config)) (*System, error) {
	c, err := Preset(preset)
	if err != nil {
		return nil, err
	}
	data, err := Weights(preset)
	if err != nil {
		return nil, err
	}
	if change != nil {
		change(c)
	}
	return Open(b, c, bytes.NewReader(data))
}

// Open returns the system c with the weights of a file that `physlib train --export` wrote. The
// checksum detects changed or missing bytes. If the weights belong to another system, the error
// names the first array that differs.
func Open(b compute.Backend, c *Config, weights io.Reader) (*System, error) {
	store := model.NewStore()
	f, err := safetensors.ImportSealed(weights, store)
	switch {
	case errors.Is(err, safetensors.ErrNoSum):
		return nil, fmt.Errorf("weights of %s: %w; a physlib before checksums wrote it, or another program: export it again with physlib train --export", c.Name, err)
	case err != nil:
		return nil, fmt.Errorf("weights of %s: %w; copy or export the file again", c.Name, err)
	case len(f.Tensors) == 0:
		return nil, fmt.Errorf("weights of %s: the file holds none", c.Name)
	}
	if err := sameVocabulary(c, f.Metadata); err != nil {
		return nil, err
	}
	s, err := open(b, c, store)
	if err != nil {
		return nil, err
	}
	if err := s.try(len(f.Tensors)); err != nil {
		s.Close()
		if task := f.Metadata["task"]; task != "" && task != c.Name {
			err = fmt.Errorf("%w; the file says that it is of %s", err, task)
		}
		return nil, err
	}
	return s, nil
}

// sameVocabulary returns an error if the metadata of the weights name a vocabulary other than that
// of c.
func sameVocabulary(c *Config, metadata map[string]string) error {
	var trained struct {
		Tokens *string `json:"tokens"`
	}
	if metadata["config"] == "" {
		return nil
	}
	if err := json.Unmarshal([]byte(metadata["config"]), &trained); err != nil {
		return fmt.Errorf("weights of %s: the configuration in the file: %w; export it again with physlib train --export", c.Name, err)
	}
	if trained.Tokens != nil && *trained.Tokens != c.Tokens {
		return fmt.Errorf("weights of %s: the vocabulary in the file is %q, the preset's is %q; take the weights of this preset", c.Name, *trained.Tokens, c.Tokens)
	}
	return nil
}

// misfit returns a short form of err, the error of building a graph, without details of the graph
// library.
func (s *System) misfit(err error) error {
	text := firstLine(err)
	if _, after, found := strings.Cut(text, "panicked: "); found {
		text = after
	}
	return fmt.Errorf("weights of %s do not fit the preset: %s", s.net.Name, text)
}

func open(b compute.Backend, c *Config, store *model.Store) (*System, error) {
	net, err := newNetwork(c)
	if err != nil {
		return nil, err
	}
	s := &System{net: net, backend: b, store: store}
	if s.encode, err = model.NewExec(b, store, net.encode); err != nil {
		return nil, err
	}
	decode := func(scope *model.Scope, in []*Node) []*Node { return []*Node{net.denoise(scope, in)} }
	if net.Decoder.Kind == decoder.Shared {
		decode = func(scope *model.Scope, in []*Node) []*Node { return []*Node{net.embed(scope.In("decoder"), in[0])} }
		if s.loop, err = model.NewExec(b, store, net.loop); err != nil {
			return nil, err
		}
	}
	if s.denoise, err = model.NewExec(b, store, decode); err != nil {
		return nil, err
	}
	if s.soft, err = model.NewExec(b, store, decode); err != nil {
		return nil, err
	}
	for _, e := range s.execs() {
		// The number of compiled programs is not limited. There are few sizes, but they may exceed
		// the default limit.
		e.SetMaxCache(-1)
	}
	return s, nil
}

// Refine returns the configuration of decoding.
func (s *System) Refine() RefineConfig {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.net.Refine
}

// SetRefine changes how s decodes, from the next proposals on. The compiled programs are kept. r
// must be valid for the system, as Preset checks it.
func (s *System) SetRefine(r RefineConfig) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.net.Refine = r
}

// Close frees weights and compiled programs. s must not be used afterwards.
func (s *System) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range s.execs() {
		e.Finalize()
	}
	s.store.Finalize()
}

// execs returns the compiled programs of s.
func (s *System) execs() []*model.Exec {
	all := []*model.Exec{s.encode, s.denoise, s.soft}
	if s.loop != nil {
		all = append(all, s.loop)
	}
	return all
}

// try runs the network on an empty table. It returns an error unless the network needs exactly the
// given number of weight arrays, with the shapes of those in the store.
func (s *System) try(given int) error {
	m, err := s.remember(s.net.newInputs(1))
	if err != nil {
		return s.misfit(err)
	}
	defer m.free()
	rows := s.net.batchSize(1) // this size will be needed anyway
	lengths := slices.Repeat([]int32{int32(s.net.Seq)}, rows)
	err = m.call(s.denoise, make([]int32, rows*s.net.Seq), rows, s.net.Seq, lengths, make([]float32, rows*s.net.Seq*s.net.vocab.Size()))
	if err != nil {
		return s.misfit(err)
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

// memory is an encoded table on the device.
type memory struct {
	s              *System
	slots, present *tensors.Tensor
	units          *tensors.Tensor // units of the columns; nil without dimensional attention
	length         []float32       // logits of lengths 1 … seq; nil: not predicted

	table  *features.Table // table on which candidates are measured; nil: no feedback
	before *prior          // candidates of the previous round; nil: none

	// held are the embeddings kept between two calls of Denoise, for a shared block with the
	// strategy parr.
	held *tensors.Tensor
}

// remember encodes the tables of in.
func (s *System) remember(in *inputs) (*memory, error) {
	args := anys(in.tensors(s.net.shape()))
	out, err := s.encode.Call(args...)
	free(args...)
	if err != nil {
		return nil, err
	}
	m := &memory{s: s, slots: out[0], present: out[1]}
	if s.net.Lengths == "head" {
		m.length = tensors.MustCopyFlatData[float32](out[2])
		out[2].FinalizeAll()
	}
	if s.net.Decoder.Dimensional {
		m.units = out[len(out)-1]
	}
	return m, nil
}

func (m *memory) free() {
	for _, t := range []*tensors.Tensor{m.slots, m.present, m.units, m.held} {
		if t != nil {
			t.FinalizeAll()
		}
	}
	m.held = nil
}

// call runs a denoising program on tokens, ids or weights, of n sequences and copies the result
// into logits.
func (m *memory) call(exec *model.Exec, tokens any, n, seq int, lengths []int32, logits []float32) error {
	net := m.s.net
	var t *tensors.Tensor
	var ids []int32
	switch tokens := tokens.(type) {
	case []int32:
		t, ids = tensors.FromFlatDataAndDimensions(tokens, n, seq), tokens
	case []float32:
		t, ids = tensors.FromFlatDataAndDimensions(tokens, n, seq, net.vocab.Size()), net.visible(tokens)
	default:
		return errors.New("system: tokens are neither ids nor weights")
	}
	defer t.FinalizeAll()
	seen, done := m.seen(ids, n, seq, lengths)
	defer done()
	if net.Decoder.Kind == decoder.Shared {
		return m.loops(exec, t, seen, net.loopsAtInference(), logits)
	}
	out, err := exec.Call(append([]any{t}, seen...)...)
	if err != nil {
		return err
	}
	defer out[0].FinalizeAll()
	return out[0].ConstFlatData(func(flat any) { copy(logits, flat.([]float32)) })
}

// seen returns the arguments for network.seen, from the visible ids of n sequences. done frees the
// arguments that seen has created.
func (m *memory) seen(ids []int32, n, seq int, lengths []int32) (args []any, done func()) {
	own := append([]any{tensors.FromFlatDataAndDimensions(ids, n, seq)}, anys(m.s.net.decoderInputs(ids, seq, lengths, m.before))...)
	args = append(own[:len(own):len(own)], m.slots, m.present)
	if m.units != nil {
		args = append(args, m.units)
	}
	return args, func() { free(own...) }
}

// loopsAtInference returns K of a shared block at inference.
func (n *network) loopsAtInference() int {
	return cmp.Or(n.Refine.Loops, n.decoder(n.vocab).NumLoops())
}

// loops applies the shared block count times to tokens and copies the last result into logits.
func (m *memory) loops(embed *model.Exec, tokens *tensors.Tensor, seen []any, count int, logits []float32) error {
	out, err := embed.Call(tokens)
	if err != nil {
		return err
	}
	hidden := out[0]
	defer func() { hidden.FinalizeAll() }()
	for k := range count {
		next, l, err := m.once(hidden, seen, k, count)
		if err != nil {
			return err
		}
		hidden.FinalizeAll()
		hidden = next
		if k == count-1 {
			err = l.ConstFlatData(func(flat any) { copy(logits, flat.([]float32)) })
		}
		l.FinalizeAll()
		if err != nil {
			return err
		}
	}
	return nil
}

// once runs loop number k of count.
func (m *memory) once(hidden *tensors.Tensor, seen []any, k, count int) (next, logits *tensors.Tensor, err error) {
	progress, alpha := float32(k)/float32(count), float32(m.s.net.decoder(m.s.net.vocab).Alpha(k, count))
	out, err := m.s.loop.Call(append([]any{hidden, progress, alpha}, seen...)...)
	if err != nil {
		return nil, nil, err
	}
	return out[0], out[1], nil
}

// hold runs one loop of a shared block for one step of PARR's refinement. The embeddings of masked
// tokens remain on the device between steps, while visible tokens come from the host.
func (m *memory) hold(step, steps int, ids []int32, n, seq int, lengths []int32, logits []float32) error {
	if step == 0 || m.held == nil {
		t := tensors.FromFlatDataAndDimensions(ids, n, seq)
		defer t.FinalizeAll()
		out, err := m.s.denoise.Call(t)
		if err != nil {
			return err
		}
		if m.held != nil {
			m.held.FinalizeAll()
		}
		m.held = out[0]
	}
	seen, done := m.seen(ids, n, seq, lengths)
	defer done()
	next, l, err := m.once(m.held, seen, step, steps)
	if err != nil {
		return err
	}
	defer l.FinalizeAll()
	m.held.FinalizeAll()
	m.held = next
	return l.ConstFlatData(func(flat any) { copy(logits, flat.([]float32)) })
}

// anys returns the tensors as arguments of Exec.Call.
func anys(list []*tensors.Tensor) []any {
	args := make([]any, len(list))
	for i, t := range list {
		args[i] = t
	}
	return args
}

// free frees the tensors in args.
func free(args ...any) {
	for _, a := range args {
		a.(*tensors.Tensor).FinalizeAll()
	}
}
