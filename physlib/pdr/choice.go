package pdr

import (
	_ "embed"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/gomlx/compute"
)

// choices are the measurements of `physlib bench pdr --choose`. They have the fastest form for a
// kind of backend and the sizes of a recurrence, and for its gradients.
//
//go:embed choices.csv
var choices string

// choice is a line of it.
type choice struct {
	backend       string
	sizes         [4]float64 // logarithms of batch, seq, dim, rank
	forward, back Form
}

var measured = func() []choice {
	table, err := readChoices(choices)
	if err != nil {
		panic(err) // it is embedded
	}
	return table
}()

// readChoices reads lines backend,batch,seq,dim,rank,forward,back after a line of names; "#" begins
// a comment.
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
				return nil, fmt.Errorf("choices of forms: line %d: %q is no size", n+1, cell)
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

// Kind returns the kind of backend for choices of forms. It is go for one without loops inside of
// graphs, cpu for XLA without a GPU, or cuda.
func Kind(b compute.Backend) string {
	switch {
	case !canLoop(b):
		return "go"
	case strings.Contains(strings.ToLower(b.Description()), "cuda"):
		return "cuda"
	}
	return "cpu"
}

// Chosen returns how the recurrence of some sizes is computed, and its gradients. Where Form is
// Auto it is the fastest form measured on such a backend at the nearest sizes. Near is the sum of
// squared logarithms of their ratios. Without measurements it is Step on a CPU with loops, else
// Chunk.
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
