// Package neural provides the neural Proposers of commands that search, and the flags that choose
// them. A system and its backend are opened only when a search needs them.
package neural

import (
	"context"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gomlx/compute"

	"github.com/physlib/lab/physlib/adapt"
	"github.com/physlib/lab/physlib/backend"
	"github.com/physlib/lab/physlib/backend/joins"
	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/evolve"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/pair"
	"github.com/physlib/lab/physlib/system"
)

// Flags are the flags of a command that searches.
type Flags struct {
	Proposers []string `placeholder:"LIST" help:"Who proposes laws, as 'search,genetic,physdiffuse' (default: all whose weights ship with this program). NAME=FILE.safetensors is the preset NAME with weights of your own. NAME+evolve also refills parts of the best laws. NAME+adapt is adapted to each table first. With less than 100 s of processor time (--time times cores) neural proposers wait until the search has nothing more to try."`
	Backend   string   `placeholder:"NAME" help:"Where neural proposers compute: auto, go, xla:cpu, xla:cuda or xla:PATH (default: $PHYSLIB_BACKEND or auto)."`
	JoinsOn   string   `name:"joins" env:"PHYSLIB_JOINS" placeholder:"NAME" help:"Where the search compares all pairs of expressions: auto (an NVIDIA GPU for large searches where there is one), cpu, xla:cpu, xla:cuda or xla:PATH (default: auto)."`
}

// cost is the least processor time for which the embedded system is worth opening: half of it for
// compiling, and half for the first candidates.
const cost = 10 * time.Second

// Choice holds the Proposers that Flags choose.
type Choice struct {
	Names []string                 // value of discover.Settings.Proposers
	Extra []discover.NamedProposer // value of discover.Settings.Extra
	idle  []string                 // names of families without embedded weights
	joins *joins.Lazy              // kernel of joins on an accelerator; nil: on the processor
}

// JoinKernel returns the value of discover.Settings.JoinKernel.
func (c Choice) JoinKernel() pair.Kernel {
	if c.joins == nil {
		return nil
	}
	return c.joins
}

// Choose checks the flags: the names, the files, and the backend if it is named explicitly. Its
// results can be used for many searches.
func (f Flags) Choose() (Choice, error) {
	var c Choice
	names := f.Proposers
	if names == nil {
		names = discover.BuiltIn()
		for _, family := range Families() {
			if trained(family) == "" {
				c.idle = append(c.idle, family)
				continue
			}
			names = append(names, family)
		}
	}
	b := &opener{name: f.Backend}
	for _, name := range names {
		s, err := choose(strings.TrimSpace(name), b)
		if err != nil {
			return c, fmt.Errorf("--proposers: %w", err)
		}
		if slices.Contains(c.Names, s.name) {
			continue
		}
		c.Names = append(c.Names, s.name)
		if s.preset != "" {
			c.Extra = append(c.Extra, discover.NamedProposer{Name: s.name, Proposer: s, Cost: cost})
		}
	}
	if f.Backend != "" && f.Backend != "auto" {
		if _, _, err := b.open(); err != nil {
			return c, fmt.Errorf("--backend: %w", err)
		}
	}
	var err error
	if c.joins, err = joins.ByName(f.JoinsOn); err != nil {
		return c, fmt.Errorf("--joins: %w", err)
	}
	return c, nil
}

// Families returns the names under which systems are offered. Each is the name of a preset that is
// trained, or of one whose small form is trained.
func Families() (names []string) {
	for _, p := range system.Presets() {
		if name := strings.TrimSuffix(p, "-small"); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// trained returns the preset of a family whose weights are embedded, or "" if there is none.
func trained(family string) string {
	for _, preset := range []string{family, family + "-small"} {
		if system.Trained(preset) {
			return preset
		}
	}
	return ""
}

func untrained(name string) string {
	return fmt.Sprintf("%s has no trained weights in this program; train some with physlib train --preset %s-small --export FILE.safetensors and use --proposers %s-small=FILE.safetensors",
		name, name, name)
}

// Endings of the names of Proposers. A system with the ending of evolving also improves laws that
// were already found. A system with the ending of adapting is adapted to each table before it
// proposes.
const (
	evolving = "+evolve"
	adapting = "+adapt"
)

// choose returns the Proposer that an element of --proposers names. If the Proposer is built into
// package discover, the preset of the result is empty.
func choose(text string, b *opener) (*lazy, error) {
	name, weights, own := strings.Cut(text, "=")
	for _, how := range []string{evolving, adapting} {
		base, ok := strings.CutSuffix(name, how)
		if !ok {
			continue
		}
		l, err := choose(strings.TrimSuffix(base+"="+weights, "="), b)
		switch {
		case err != nil:
			return nil, err
		case l.preset == "":
			return nil, fmt.Errorf("%s is not a neural system; put %s behind the name of one, such as physdiffuse%s", base, how, how)
		case l.how != "":
			return nil, fmt.Errorf("%s: a system is either evolved or adapted; leave %s or %s out", name, l.how, how)
		}
		l.name, l.how = l.name+how, how
		return l, nil
	}
	switch {
	case own:
		if _, err := system.Preset(name); err != nil {
			return nil, err
		}
		if _, err := os.Stat(weights); err != nil {
			return nil, fmt.Errorf("weights of %s: %w", name, err)
		}
		return &lazy{name: strings.TrimSuffix(filepath.Base(name), ".yaml"), preset: name, weights: weights, backend: b}, nil
	case slices.Contains(discover.BuiltIn(), name):
		return &lazy{name: name}, nil
	case slices.Contains(Families(), name):
		if preset := trained(name); preset != "" {
			return &lazy{name: name, preset: preset, backend: b}, nil
		}
		return nil, fmt.Errorf("%s", untrained(name))
	case slices.Contains(system.Presets(), name):
		if system.Trained(name) {
			return &lazy{name: name, preset: name, backend: b}, nil
		}
		return nil, fmt.Errorf("%s", untrained(strings.TrimSuffix(name, "-small")))
	}
	return nil, fmt.Errorf("no proposer is called %q; there are %s", name, strings.Join(append(discover.BuiltIn(), Families()...), ", "))
}

// Report returns lines for people about the systems and the backend that were used, and about
// missing ones.
func (c Choice) Report() (lines []string) {
	for _, n := range c.Extra {
		lines = append(lines, n.Proposer.(*lazy).String())
	}
	if c.joins != nil {
		lines = append(lines, c.joins.Report())
	}
	if len(c.idle) > 0 {
		lines = append(lines, "without trained weights in this program: "+strings.Join(c.idle, ", "))
	}
	return lines
}

// opener opens a backend once.
type opener struct {
	name string
	once sync.Once
	b    compute.Backend
	used string
	err  error
}

func (o *opener) open() (compute.Backend, string, error) {
	o.once.Do(func() { o.b, o.used, o.err = backend.Open(o.name) })
	return o.b, o.used, o.err
}

// lazy is a system that is opened when it is first asked for proposals.
type lazy struct {
	name    string
	preset  string // "": none
	weights string // file with the weights; "": the embedded ones
	how     string // mode: evolving, adapting or plain
	backend *opener

	once sync.Once
	sys  discover.Proposer
	err  error
	used atomic.Pointer[string] // the backend, when the system is open
}

// Propose implements discover.Proposer.
func (l *lazy) Propose(ctx context.Context, p *dataset.Problem) iter.Seq2[expr.Tree, error] {
	return func(yield func(expr.Tree, error) bool) {
		l.once.Do(func() { l.sys, l.err = l.open() })
		if l.err != nil {
			yield(expr.Tree{}, fmt.Errorf("%s is left out: %w", l.name, l.err))
			return
		}
		l.sys.Propose(ctx, p)(yield)
	}
}

func (l *lazy) open() (discover.Proposer, error) {
	b, used, err := l.backend.open()
	if err != nil {
		return nil, err
	}
	var settings adapt.Settings
	s, err := Open(b, l.preset, l.weights, func(c *system.Config) { settings = c.Adapt })
	if err != nil {
		return nil, err
	}
	l.used.Store(&used)
	switch l.how {
	case evolving:
		return &evolve.Proposer{System: s}, nil
	case adapting:
		return &adapt.Proposer{System: s, Settings: settings}, nil
	}
	return s, nil
}

// String returns the preset of l and the backend that it computes on.
func (l *lazy) String() string {
	text := l.name + ": "
	if l.preset+l.how != l.name {
		text += "preset " + l.preset + ", "
	}
	if l.weights != "" {
		text += "weights " + l.weights + ", "
	}
	if used := l.used.Load(); used != nil {
		return text + "on " + *used
	}
	return text + "not opened, since it was not needed"
}

// Open returns a preset with the weights in a file, or with the embedded ones if weights is "". If
// change is not nil, it may alter the decoding settings of the system.
func Open(b compute.Backend, preset, weights string, change func(*system.Config)) (*system.System, error) {
	if weights == "" {
		return system.Embedded(b, preset, change)
	}
	c, err := system.Preset(preset)
	if err != nil {
		return nil, err
	}
	if change != nil {
		change(c)
	}
	f, err := os.Open(weights)
	if err != nil {
		return nil, fmt.Errorf("weights: %w", err)
	}
	defer f.Close()
	return system.Open(b, c, io.Reader(f))
}
