// Package memory measures how much a network for series can remember. Its two tasks, associative
// recall and selective copying, involve no physics. Networks are trained on short series and tested
// on longer ones.
//
// # Recall
//
// Pairs of a key and a value, two tokens each, are placed in a series of noise. At the end the keys
// come in another order. After each key the network must output its value (S. Arora et al.,
// Zoology, 2023, without its power law of distances). The correct outputs are those after "due:":
//
//	~ k3 v1 ~ ~ k1 v7 ~ … ~ k1 k3        due: v7 v1
//
// A single recurrent layer cannot solve this task: a layer below, or attention, must first detect
// that a value follows its key.
//
// # Copy
//
// Symbols are placed in a series of noise. At its end the network must output them in the same
// order (A. Gu and T. Dao, Mamba, 2023, after Li Jing et al., 2019). Their positions do not matter,
// so a memory that decays with time alone fails.
//
//	~ s4 ~ ~ ~ s1 ~ s1 ~ … ~ go go go    due: s4 s1 s1
package memory

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/physlib/lab/physlib/pdr"
)

// Kind is a kind of task.
type Kind string

// Kinds of tasks, see the package comment.
const (
	Recall Kind = "recall"
	Copy   Kind = "copy"
)

// Kinds lists the kinds of tasks.
var Kinds = []Kind{Recall, Copy}

// Task is a task and the network that learns it. It implements train.Task. Fields with the value 0
// have the defaults given below, except Kind and Network.
type Task struct {
	Kind    Kind       `json:"kind"`
	Network pdr.Config `json:"network"`
	Items   int        `json:"items"`   // number of pairs or symbols in a series; 0: 4
	Symbols int        `json:"symbols"` // number of different keys, values and symbols; 0: 12
	Noise   int        `json:"noise"`   // number of different noise tokens; 0: 4
	// Seq is the number of tokens of a training series. Every other batch has series of half that
	// length. 0 means 64.
	Seq    int   `json:"seq"`
	Series int   `json:"series"` // series in a batch; 0: 32
	Seed   int64 `json:"seed"`

	Lengths    []int `json:"-"` // lengths of the series in validation; nil: only Seq
	Validation int   `json:"-"` // number of validation series for each length; 0: 64
}

func (t Task) withDefaults() Task {
	for _, d := range []struct {
		field *int
		value int
	}{{&t.Items, 4}, {&t.Symbols, 12}, {&t.Noise, 4}, {&t.Seq, 64}, {&t.Series, 32}, {&t.Validation, 64}} {
		if *d.field == 0 {
			*d.field = d.value
		}
	}
	if t.Lengths == nil {
		t.Lengths = []int{t.Seq}
	}
	return t
}

// Check returns an error if t is not possible.
func (t Task) Check() error {
	t = t.withDefaults()
	if !slices.Contains(Kinds, t.Kind) {
		return fmt.Errorf("unknown task %q: use recall or copy", t.Kind)
	}
	if t.Kind == Recall && t.Items > t.Symbols {
		return fmt.Errorf("items %d: each item needs its own key, but there are only %d keys; use fewer items or more symbols", t.Items, t.Symbols)
	}
	for _, n := range append([]int{t.Seq / 2}, t.Lengths...) {
		if n < t.shortest() {
			return fmt.Errorf("a series of %d tokens is too short for %d items; it takes %d tokens (half of the series in training have length seq/2); use longer series or fewer items", n, t.Items, t.shortest())
		}
	}
	return t.Network.Validate()
}

// width returns the number of tokens of an item.
func (t Task) width() int {
	if t.Kind == Recall {
		return 2
	}
	return 1
}

// shortest returns the length of a series with the items and without noise.
func (t Task) shortest() int { return t.Items * (t.width() + 1) }

// Vocab returns the number of different tokens: noise, the mark go, symbols or keys, values.
func (t Task) Vocab() int {
	t = t.withDefaults()
	return t.Noise + 1 + t.width()*t.Symbols
}

// Draw returns a random series of seq tokens. due holds the correct outputs after the last len(due)
// tokens of the series.
func (t Task) Draw(rng *rand.Rand, seq int) (tokens, due []int32) {
	t = t.withDefaults()
	tokens = make([]int32, seq)
	for i := range tokens {
		tokens[i] = int32(rng.IntN(t.Noise))
	}
	first, values := int32(t.Noise+1), int32(t.Noise+1+t.Symbols)
	// Draw the positions of the items in a series with one token per item, then widen the items to
	// their number of tokens.
	body := seq - t.Items
	places := rng.Perm(body - (t.width()-1)*t.Items)[:t.Items]
	slices.Sort(places)
	keys := rng.Perm(t.Symbols)
	for i, p := range places {
		at := p + i*(t.width()-1)
		if t.Kind == Copy {
			tokens[at] = first + int32(rng.IntN(t.Symbols))
			due = append(due, tokens[at])
			tokens[body+i] = int32(t.Noise)
			continue
		}
		tokens[at], tokens[at+1] = first+int32(keys[i]), values+int32(rng.IntN(t.Symbols))
		due = append(due, tokens[at+1])
	}
	if t.Kind == Recall {
		answers := slices.Clone(due)
		for i, from := range rng.Perm(t.Items) {
			tokens[body+i], due[i] = first+int32(keys[from]), answers[from]
		}
	}
	return tokens, due
}
