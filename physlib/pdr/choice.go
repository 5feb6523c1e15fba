package pdr

import (
	_ "embed"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/gomlx/compute"
)

// choices are the measurements of `physlib bench pdr --choose`: the fastest forms of the recurrence
// and of its gradients, for each kind of backend and several sizes.
//
//go:embed choices.csv
var choices string

// choice is a row of choices.
type choice struct {
	backend       string
	sizes         [4]float64 // logarithms of batch, seq, dim, rank
	forward, back Form
}

var measured = func() []choice {
	table, err := readChoices(choices)
	if err != nil {
		panic(err) // cannot happen: the file is embedded
	}
	return table
}()

// readChoices parses rows backend,batch,seq,dim,rank,forward,back after a header row. Lines that
// begin with "#" are comments.
func readChoices(text string) (table []choice, err error) {
	named := false
	for n, line := range strings.Split(text, "\n") {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if !named {
			named = true
			continue
		}
		cells := strings.Split(line, ",")
		if len(cells) != 7 {
			return nil, fmt.Errorf("choices of forms: line %d has %d cells, want 7", n+1, len(cells))
		}
		c := choice{backend: cells[0]}
		for i, cell := range cells[1:5] {
			x, err := strconv.Atoi(cell)
			if err != nil || x <= 0 {
				return nil, fmt.Errorf("choices of forms: line %d: %q is not a size", n+1, cell)
			}
			c.sizes[i] = math.Log(float64(x))
		}
		for i, f := range []*Form{&c.forward, &c.back} {
			if err := f.UnmarshalText([]byte(cells[5+i])); err != nil {
				return nil, fmt.Errorf("choices of forms: line %d: %w", n+1, err)
			}
		}
		table = append(table, c)
	}
	return table, nil
}

// Kind returns the kind of a backend in choices. The kind is go for a backend that has no loops in
// graphs, cuda for XLA on an NVIDIA GPU, and cpu for all others.
func Kind(b compute.Backend) string {
	switch {
	case !canLoop(b):
		return "go"
	case strings.Contains(strings.ToLower(b.Description()), "cuda"):
		return "cuda"
	}
	return "cpu"
}

// Chosen returns the forms for the recurrence of the given sizes and for its gradients. If Form is
// Auto, these are the forms that were fastest on this kind of backend at the nearest measured
// sizes. The distance is the sum of squared logarithms of the ratios of the sizes. If nothing was
// measured, they are Step on a CPU with loops, and Chunk otherwise. If Form is not Auto, both forms
// are Form.
func (c Recurrence) Chosen(b compute.Backend, batch, seq, dim, rank int) (forward, back Form) {
	if c.Form != Auto {
		return c.Form, c.Form
	}
	kind := Kind(b)
	forward, back = Chunk, Chunk
	if kind != "cuda" && canLoop(b) {
		forward, back = Step, Step
	}
	nearest := math.Inf(1)
	for _, x := range measured {
		if x.backend != kind {
			continue
		}
		far := 0.0
		for i, n := range []int{batch, seq, dim, rank} {
			d := x.sizes[i] - math.Log(float64(max(n, 1)))
			far += d * d
		}
		if far < nearest {
			nearest, forward, back = far, x.forward, x.back
		}
	}
	return forward, back
}
