// Package memory measures what a network for series can remember. Its two tasks, associative recall
// and selective copying, have no physics. They are trained on short series and tested on longer
// ones.
//
// # Recall
//
// Pairs of a key and a value, two tokens each, are somewhere in a series of noise. At its end the
// keys come in another order, and after each key its value is due (S. Arora et al., Zoology, 2023,
// without its power law of distances).
//
//	~ k3 v1 ~ ~ k1 v7 ~ … ~ k1 k3        due: v7 v1
//
// One layer cannot do it: the layer below, or attention, must first see that a value belongs to the
// key before it.
//
// # Copy
//
// Symbols stand somewhere in a series of noise and are due at its end, in their order (A. Gu and T.
// Dao, Mamba, 2023, after Li Jing et al., 2019): their positions do not matter, so a memory that
// fades by the clock alone fails.
//
//	~ s4 ~ ~ ~ s1 ~ s1 ~ … ~ go go go    due: s4 s1 s1
package memory

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/physlib/lab/physlib/pdr"
)

// Kind is what is to be remembered.
type Kind string

// Kinds.
const (
	Recall Kind = "recall"
	Copy   Kind = "copy"
)

// Kinds are all there are.
var Kinds = []Kind{Recall, Copy}

// Task is a task and the network that learns it. It implements train.Task. The zero value of each
// field but Kind and Network means what its comment says.
type Task struct {
	Kind    Kind       `json:"kind"`
	Network pdr.Config `json:"network"`
	Items   int        `json:"items"`   // pairs or symbols in a series; 0: 4
	Symbols int        `json:"symbols"` // kinds of keys, of values and of symbols; 0: 12
	Noise   int        `json:"noise"`   // kinds of noise; 0: 4
	Seq     int        `json:"seq"`     // tokens of a series in training, which has half as many every other batch; 0: 64
	Series  int        `json:"series"`  // series in a batch; 0: 32
	Seed    int64      `json:"seed"`

	Lengths []int `json:"-"` // of the series that judge it; nil: Seq alone
	Judged  int   `json:"-"` // series of each length; 0: 64
}

func (t Task) withDefaults() Task {
	for _, d := range []struct {
		field *int
		value int
	}{{&t.Items, 4}, {&t.Symbols, 12}, {&t.Noise, 4}, {&t.Seq, 64}, {&t.Series, 32}, {&t.Judged, 64}} {
		if *d.field == 0 {
			*d.field = d.value
		}
	}
	if t.Lengths == nil {
		t.Lengths = []int{t.Seq}
	}
	return t
}

// Check returns an error that says what is wrong with t.
func (t Task) Check() error {
	t = t.withDefaults()
	if !slices.Contains(Kinds, t.Kind) {
		return fmt.Errorf("unknown task %q: use recall or copy", t.Kind)
	}
	if t.Kind == Recall && t.Items > t.Symbols {
		return fmt.Errorf("items %d: there are %d keys, of which no two are equal; use fewer items or more symbols", t.Items, t.Symbols)
	}
	for _, n := range append([]int{t.Seq / 2}, t.Lengths...) {
		if n < t.shortest() {
			return fmt.Errorf("a series of %d tokens does not hold %d items; it takes %d tokens, and in training half of seq", n, t.Items, t.shortest())
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

// shortest returns the length of a series without noise.
func (t Task) shortest() int { return t.Items * (t.width() + 1) }

// Vocab returns the number of kinds of tokens: noise, the mark that asks for a symbol, symbols or
// keys, values.
func (t Task) Vocab() int {
	t = t.withDefaults()
	return t.Noise + 1 + t.width()*t.Symbols
}

// Draw returns a series of seq tokens and what is due after each of its last tokens.
func (t Task) Draw(rng *rand.Rand, seq int) (tokens, due []int32) {
	t = t.withDefaults()
	tokens = make([]int32, seq)
	for i := range tokens {
		tokens[i] = int32(rng.IntN(t.Noise))
	}
	first, values := int32(t.Noise+1), int32(t.Noise+1+t.Symbols)
	// positions of the items: the series before the questions is cut to one token an item, which
	// are spread out again
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
