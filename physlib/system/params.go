package system

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
)

// Claim is the size of a system according to its paper (PhysDiffuse §7, PhysMDT §2, PARR §5,
// ARChitects §1).
type Claim struct {
	Parameters float64 `yaml:"parameters" json:"parameters"`
	// Parts are the numbers of parameters of the encoder and of the decoder.
	Parts  map[string]float64 `yaml:"parts" json:"parts"`
	Memory float64            `yaml:"memory" json:"memory"` // bytes in training
	// Batch is the number of tables in the batch to which Memory applies.
	Batch int `yaml:"batch" json:"batch"`
}

// Part is a part of a system with its number of parameters.
type Part struct {
	Name       string `json:"name"` // encoder, decoder, length
	Parameters int    `json:"parameters"`
}

// Parameters returns the number of parameters of each part of c, largest first. It builds the
// training graph of c but computes nothing.
func Parameters(b compute.Backend, c *Config) (parts []Part, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("preset %s: %v", c.Name, r)
		}
	}()
	task, err := NewTask(c, 1)
	if err != nil {
		return nil, err
	}
	batch, err := task.Batch(0)
	if err != nil {
		return nil, err
	}
	g := NewGraph(b, c.Name)
	defer g.Finalize()
	var in []*Node
	for i, t := range batch {
		in = append(in, Parameter(g, fmt.Sprint("in", i), t.Shape()))
		t.FinalizeAll()
	}
	store := model.NewStore()
	task.Loss(store.RootScope(), in)
	counts := map[string]int{}
	for v := range store.IterVariables() {
		if !v.Trainable {
			continue
		}
		part, _, _ := strings.Cut(strings.TrimPrefix(v.Path(), "/"), "/")
		counts[part] += v.Shape().Size()
	}
	for name, n := range counts {
		parts = append(parts, Part{name, n})
	}
	slices.SortFunc(parts, func(a, b Part) int { return cmp.Compare(b.Parameters, a.Parameters) })
	return parts, nil
}
