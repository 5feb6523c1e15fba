package bench

import (
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/physlib/lab/physlib/backend"
	"github.com/physlib/lab/physlib/cmd/neural"
	"github.com/physlib/lab/physlib/cmd/screen"
	"github.com/physlib/lab/physlib/corpus/stream"
	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/evolve"
	"github.com/physlib/lab/physlib/search"
	"github.com/physlib/lab/physlib/system"
)

// EvolveCmd is the command line of `physlib bench evolve`.
type EvolveCmd struct {
	Laws    int      `default:"40" placeholder:"N" help:"Held-out laws without noise that are not in the first archive (default: 40)."`
	Noisy   int      `default:"16" placeholder:"N" help:"The same with noise of 1 % of the target's RMS (default: 16)."`
	Start   int      `default:"30" placeholder:"N" help:"Laws of the search that all arms begin with, besides 64 of the network (default: 30)."`
	Evals   int      `default:"400" placeholder:"N" help:"Laws fitted by each arm (default: 400)."`
	Seeds   int      `default:"2" placeholder:"N" help:"Seeds of the evolution (default: 2)."`
	Shares  []string `default:"0,0.5,1" placeholder:"LIST" help:"The arms: shares of the generations in which the network proposes the laws; 0 means genetic operators alone (default: 0,0.5,1)."`
	Steps   int      `placeholder:"N" default:"1" help:"Calls of the network to fill the masked tokens of a law (default: 1; -1: one for each masked token)."`
	Preset  string   `default:"physdiffuse-small" placeholder:"NAME" help:"Neural system (default: physdiffuse-small)."`
	Weights string   `placeholder:"FILE.safetensors" help:"Its weights (default: those that ship with physlib)."`
	Backend string   `placeholder:"NAME" help:"auto, go, xla:cpu, xla:cuda or xla:PATH (default: $PHYSLIB_BACKEND or auto)."`
	Out     string   `placeholder:"FILE.csv" help:"Append a row for each law, arm and seed; rows that the file already has are not computed again."`

	stdout, stderr io.Writer // nil: the standard streams of the process
}

// Help returns the text that --help shows below the flags.
func (*EvolveCmd) Help() string {
	return `The laws have 10 to 20 tokens and 64 rows, and were not used in training. All arms start from the
same archive: the first laws of the search and of the network. Then each arm fits the same number of
different laws. A law counts as found if a candidate, with constants fitted to rows without noise,
predicts 64 other rows to six digits. Laws found in the first archive are counted separately.

Example:

    physlib bench evolve --out experiments/results/evolve.csv`
}

// evolved is the outcome for one law and one arm of the experiment. Arms differ in the share of
// generations in which the network proposes the laws. The other generations use genetic operators.
type evolved struct {
	id         string
	tokens     int
	noise      float64
	share      string
	steps      int
	seed, fits int
	found      int  // number of laws fitted when the true law was first proposed; 0: never
	chosen     bool // whether the true law has the shortest description in the end
	// Share of the variance that the best law in the archive does not explain, before and after the
	// arm.
	before, after float64
	seconds       float64
}

var evolvedHeader = []string{"law", "tokens", "noise", "share", "steps", "seed", "fits", "found_at", "chosen", "rest_before", "rest_after", "seconds"}

// key returns the cells that identify the law, arm, seed and budget.
func (e evolved) key() string { return strings.Join(e.row()[:7], " ") }

// row returns the row of the results file.
func (e evolved) row() []string {
	g := func(x float64) string { return strconv.FormatFloat(x, 'g', 4, 64) }
	return []string{e.id, strconv.Itoa(e.tokens), g(e.noise), e.share, strconv.Itoa(e.steps), strconv.Itoa(e.seed), strconv.Itoa(e.fits), strconv.Itoa(e.found),
		strconv.FormatBool(e.chosen), g(e.before), g(e.after), g(e.seconds)}
}

func parseEvolved(row []string) (e evolved, err error) {
	if len(row) != len(evolvedHeader) {
		return e, fmt.Errorf("%d columns, want %d", len(row), len(evolvedHeader))
	}
	var errs [10]error
	e.id, e.share = row[0], row[3]
	e.tokens, errs[0] = strconv.Atoi(row[1])
	e.noise, errs[1] = strconv.ParseFloat(row[2], 64)
	e.steps, errs[2] = strconv.Atoi(row[4])
	e.seed, errs[3] = strconv.Atoi(row[5])
	e.fits, errs[4] = strconv.Atoi(row[6])
	e.found, errs[5] = strconv.Atoi(row[7])
	e.chosen, errs[6] = strconv.ParseBool(row[8])
	e.before, errs[7] = strconv.ParseFloat(row[9], 64)
	e.after, errs[8] = strconv.ParseFloat(row[10], 64)
	e.seconds, errs[9] = strconv.ParseFloat(row[11], 64)
	return e, errors.Join(errs[:]...)
}

// Run computes the rows that are missing and prints the table.
func (c *EvolveCmd) Run(ctx context.Context) error {
	stdout, stderr := cmp.Or(c.stdout, screen.Out), cmp.Or(c.stderr, screen.Err)
	shares := map[string]float64{}
	for _, s := range c.Shares {
		x, err := strconv.ParseFloat(s, 64)
		if err != nil || !(x >= 0 && x <= 1) {
			return exit{2, fmt.Errorf("--shares: %q is not a number from 0 to 1; see physlib bench evolve --help", s)}
		}
		shares[s] = x
	}
	if c.Laws < 0 || c.Noisy < 0 || c.Start <= 0 || c.Evals <= 0 || c.Seeds <= 0 {
		return exit{2, errors.New("--laws and --noisy may not be negative, --start, --evals and --seeds must be above zero; see physlib bench evolve --help")}
	}
	done, err := readEvolved(c.Out)
	if err != nil {
		return err
	}
	b, used, err := backend.Open(c.Backend)
	if err != nil {
		return err
	}
	fmt.Fprintln(stderr, "backend "+used)
	sys, err := neural.Open(b, c.Preset, c.Weights, func(s *system.Config) { s.Refine.Samples, s.Refine.Beams = firstPass, firstPass })
	if err != nil {
		return err
	}
	out := io.Discard
	if c.Out != "" {
		f, err := os.OpenFile(c.Out, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
		if err != nil {
			return fmt.Errorf("results: %w", err)
		}
		defer f.Close()
		out = f
		if len(done) == 0 {
			fmt.Fprintln(f, strings.Join(evolvedHeader, ","))
		}
	}
	w := csv.NewWriter(out)
	all, err := c.measure(ctx, sys, shares, done, func(e evolved) error {
		if e.found < 0 {
			fmt.Fprintf(stderr, "%s %d tokens, noise %g: found by the start, %.1f s\n", e.id, e.tokens, e.noise, e.seconds)
		} else {
			fmt.Fprintf(stderr, "%s %d tokens, noise %g, share %s, seed %d: found at %d of %d, rest %.2g → %.2g, %.1f s\n",
				e.id, e.tokens, e.noise, e.share, e.seed, e.found, e.fits, e.before, e.after, e.seconds)
		}
		err := w.Write(e.row())
		w.Flush()
		return cmp.Or(err, w.Error())
	})
	fmt.Fprint(stdout, evolvedTable(all, c.Shares))
	if err != nil && ctx.Err() != nil {
		return exit{130, fmt.Errorf("interrupted after %d rows; with --out they are kept", len(all))}
	}
	return err
}

func readEvolved(path string) (map[string]evolved, error) {
	done := map[string]evolved{}
	data, err := os.ReadFile(path)
	if path == "" || errors.Is(err, os.ErrNotExist) {
		return done, nil
	}
	if err != nil {
		return nil, fmt.Errorf("results: %w", err)
	}
	rows, err := csv.NewReader(strings.NewReader(string(data))).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("results %s: %w", path, err)
	}
	for i, row := range rows {
		if i == 0 {
			continue
		}
		e, err := parseEvolved(row)
		if err != nil {
			return nil, fmt.Errorf("results %s: row %d: %w; was it written by physlib bench evolve?", path, i+1, err)
		}
		done[e.key()] = e
	}
	return done, nil
}

// task is a held-out law with its data.
type task struct {
	id      string
	problem *dataset.Problem
	noise   float64
	tokens  int
	clean   []float64   // target of the problem's rows without noise
	cols    [][]float64 // columns of other rows, for testing
	fresh   []float64   // target in these other rows
}

// tasks yields held-out laws of 10 to 20 tokens, each form once, with the given relative noise.
func tasks(noise float64) (iter.Seq[task], error) {
	const rows = 64
	st, err := stream.New(stream.Config{Rows: 2 * rows, MaxTokens: 20, HeldOut: true})
	if err != nil {
		return nil, err
	}
	return func(yield func(task) bool) {
		seen := map[uint64]bool{}
		for i := uint64(0); ; i++ {
			p := st.Problem(11, i)
			sig := stream.Signature(p.Law)
			if n := p.Law.Len(); n < 10 || n > 20 || seen[sig] {
				continue
			}
			seen[sig] = true
			t := task{id: fmt.Sprint(i), tokens: p.Law.Len(), noise: noise, clean: p.Y[:rows], fresh: p.Y[rows:]}
			sum := 0.0
			for _, v := range t.clean {
				sum += v * v / rows
			}
			y, rng := slices.Clone(t.clean), rand.New(rand.NewPCG(12, i))
			for k := range y {
				y[k] += t.noise * math.Sqrt(sum) * rng.NormFloat64()
			}
			t.problem = p.Posed()
			t.problem.Target.Values = y
			for k, x := range p.X {
				t.problem.Vars[k].Values = x[:rows]
				t.cols = append(t.cols, x[rows:])
			}
			if !yield(t) {
				return
			}
		}
	}, nil
}

// measure computes the missing rows, yields them and returns all rows. A law that is already in the
// archive from which all arms start has one row, with the share "start".
func (c *EvolveCmd) measure(ctx context.Context, sys *system.System, shares map[string]float64, done map[string]evolved, yield func(evolved) error) (all []evolved, err error) {
	for _, set := range []struct {
		noise float64
		laws  int
	}{{0, c.Laws}, {0.01, c.Noisy}} {
		laws, err := tasks(set.noise)
		if err != nil {
			return nil, err
		}
		left := set.laws
		for t := range laws {
			if left == 0 {
				break
			}
			rows, missed, err := c.law(ctx, t, sys, shares, done, yield)
			all = append(all, rows...)
			if err != nil {
				return all, err
			}
			if missed {
				left--
			}
		}
	}
	return all, nil
}

// law computes all rows of one law. missed reports whether the archive from which all arms start
// lacks the true law.
func (c *EvolveCmd) law(ctx context.Context, t task, sys *system.System, shares map[string]float64, done map[string]evolved, yield func(evolved) error) (all []evolved, missed bool, err error) {
	solved := evolved{id: t.id, tokens: t.tokens, noise: t.noise, share: "start", fits: c.Start, found: -1}
	if old, ok := done[solved.key()]; ok {
		return []evolved{old}, false, nil
	}
	var start *archive // created when it is needed
	for seed := range c.Seeds {
		for _, share := range c.Shares {
			e := evolved{id: t.id, tokens: t.tokens, noise: t.noise, share: share, steps: c.Steps, seed: seed, fits: c.Evals}
			if shares[share] == 0 {
				e.steps = 0 // this arm has no network
			}
			if old, ok := done[e.key()]; ok {
				all = append(all, old)
				continue
			}
			if start == nil {
				began := time.Now()
				if start, err = c.begin(ctx, t, sys); err != nil {
					return all, true, err
				}
				if start.found > 0 {
					solved.seconds = time.Since(began).Seconds()
					return []evolved{solved}, false, yield(solved)
				}
			}
			e.before = start.least()
			if err := c.one(ctx, t, sys, start.clone(), shares[share], &e); err != nil {
				return all, true, err
			}
			all = append(all, e)
			if err := yield(e); err != nil {
				return all, true, err
			}
		}
	}
	return all, true, nil
}

// firstPass is the number of laws that the network contributes to the archive from which all arms
// start.
const firstPass = 64

// begin returns the archive from which all arms start.
func (c *EvolveCmd) begin(ctx context.Context, t task, sys *system.System) (*archive, error) {
	a := &archive{task: t, seen: map[uint64]bool{}}
	if err := a.collect(ctx, &search.Search{Depth: 1}, t.problem, c.Start); err != nil {
		return nil, err
	}
	return a, a.collect(ctx, sys, t.problem, len(a.seen)+firstPass)
}

// one runs one arm and records its outcome in e.
func (c *EvolveCmd) one(ctx context.Context, t task, sys *system.System, a *archive, share float64, e *evolved) error {
	p := *t.problem
	p.Seed, p.Laws = int64(e.seed), a.laws
	proposer := &evolve.Proposer{System: sys, Settings: evolve.Settings{Share: share, Steps: c.Steps, NoFirst: true}}
	if share == 0 {
		proposer.System = nil
	}
	began, before := time.Now(), len(a.seen)
	if err := a.collect(ctx, proposer, &p, before+c.Evals); err != nil {
		return err
	}
	e.seconds, e.after = time.Since(began).Seconds(), a.least()
	if e.found = a.found; e.found > 0 {
		e.found -= before
	}
	if len(a.list) > 0 {
		e.chosen = a.holds(slices.MinFunc(a.list, func(x, y entry) int { return cmp.Compare(x.score, y.score) }).law)
	}
	return nil
}

// evolvedTable formats counts by noise and arm. Laws in the archive from which all arms start are
// left out.
func evolvedTable(all []evolved, shares []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-8s %-16s %6s %8s %8s %10s %14s %10s\n", "noise", "share of network", "runs", "found", "chosen", "median at", "closer by", "s/1000 fits")
	for _, noise := range []float64{0, 0.01} {
		for _, share := range shares {
			runs, found, chosen, fits, seconds, closer := 0, 0, 0, 0, 0.0, 0.0
			var at []int
			for _, e := range all {
				if e.noise != noise || e.share != share || e.found < 0 {
					continue
				}
				runs++
				fits += e.fits
				if e.found > 0 {
					fits += e.found - e.fits
					found++
					at = append(at, e.found)
				}
				if e.chosen {
					chosen++
				}
				seconds += e.seconds
				closer += math.Log10(max(e.before, 1e-20)/max(e.after, 1e-20)) / 2
			}
			if runs == 0 {
				continue
			}
			median := "-"
			slices.Sort(at)
			if len(at) > 0 {
				median = fmt.Sprint(at[len(at)/2])
			}
			fmt.Fprintf(&b, "%-8g %-16s %6d %8d %8d %10s %8.2f decades %10.2f\n", noise, share, runs, found, chosen, median, closer/float64(runs), 1000*seconds/float64(fits))
		}
	}
	solved := 0
	for _, e := range all {
		if e.found < 0 {
			solved++
		}
	}
	fmt.Fprintf(&b, "%d laws were found by the start\n", solved)
	return b.String()
}
