package pdr

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/gomlx/gomlx/ml/model"

	"github.com/physlib/lab/physlib/nn/safetensors"
)

// State is the memory of a network for a series (PDR §5.3): the arrays of all layers, as listed by
// Config.Arrays. The series can be continued from it, also on another machine.
type State struct {
	Position    int64  // number of tokens seen
	Fingerprint string // fingerprint of the model, see Config.Fingerprint
	Arrays      []safetensors.Tensor
}

// format identifies the file format of Save and its version.
const format = "physlib-pdr-state-1"

// Fingerprint returns the SHA-256 of a network and of its variables below the scope, including
// adapters. Models with equal fingerprints have equal outputs and can exchange states.
func (c Config) Fingerprint(s *model.Scope) (string, error) {
	hash := sha256.New()
	text, err := json.Marshal(c)
	if err != nil {
		return "", err
	}
	hash.Write(text)
	var variables []*model.Variable
	for v := range s.IterVariables() {
		variables = append(variables, v)
	}
	slices.SortFunc(variables, func(a, b *model.Variable) int { return strings.Compare(a.Path(), b.Path()) })
	for _, v := range variables {
		name := strings.TrimPrefix(strings.TrimPrefix(v.Path(), s.Scope()), "/")
		if !strings.HasPrefix(name, "layer_") && !strings.HasPrefix(name, "norm/") {
			continue // not a weight, such as a counter or a state of the optimizer
		}
		value, err := v.Value()
		if err != nil {
			return "", fmt.Errorf("variable %s: %w", v.Path(), err)
		}
		fmt.Fprintf(hash, "\n%s %s ", name, v.Shape())
		if err := value.ConstBytes(func(data []byte) { hash.Write(data) }); err != nil {
			return "", fmt.Errorf("variable %s: %w", v.Path(), err)
		}
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}

// BFloat16 returns x rounded to bfloat16, which halves its size. The paper PDR gives the sizes of
// states in bfloat16. A series that continues from the result uses the rounded numbers.
func (x State) BFloat16() State {
	x.Arrays = slices.Clone(x.Arrays)
	for i, a := range x.Arrays {
		x.Arrays[i] = a.BFloat16()
	}
	return x
}

// Write writes x as a safetensors file, with position, fingerprint and a checksum of the whole file
// in its metadata.
func (x State) Write(w io.Writer) error {
	file := safetensors.File{Tensors: x.Arrays, Metadata: map[string]string{
		"format": format, "position": strconv.FormatInt(x.Position, 10), "model": x.Fingerprint}}
	return safetensors.WriteSealed(w, file)
}

// Parse parses a file written by Write. It returns an error if a byte is missing or changed.
func Parse(data []byte) (State, error) {
	file, err := safetensors.ParseFormat(data, format, errors.New("it holds no state of a series"))
	if err != nil {
		return State{}, err
	}
	meta := file.Metadata
	position, err := strconv.ParseInt(meta["position"], 10, 64)
	if err != nil || position < 0 {
		return State{}, fmt.Errorf("its position %q is not a number of tokens", meta["position"])
	}
	return State{Position: position, Fingerprint: meta["model"], Arrays: file.Tensors}, nil
}

// Save writes x to a file atomically: to a temporary file, synced to disk, then renamed.
func (x State) Save(path string) (err error) {
	part := path + ".part"
	file, err := os.Create(part)
	if err != nil {
		return fmt.Errorf("the state was not saved: %w", err)
	}
	err = x.Write(file)
	if err == nil {
		err = file.Sync()
	}
	closed := file.Close()
	if err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(part, path)
	}
	if err != nil {
		os.Remove(part)
		return fmt.Errorf("state %s was not saved: %w", path, err)
	}
	folder, err := os.Open(filepath.Dir(path))
	if err != nil {
		return fmt.Errorf("state %s: %w", path, err)
	}
	defer folder.Close()
	// Some file systems cannot sync folders.
	if err := folder.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) {
		return fmt.Errorf("state %s: %w", path, err)
	}
	return nil
}

// Load reads a file written by Save.
func Load(path string) (State, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return State{}, fmt.Errorf("state: %w", err)
	}
	x, err := Parse(data)
	if err != nil {
		return State{}, fmt.Errorf("state %s: %w", path, err)
	}
	return x, nil
}
