package bench

import (
	"cmp"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/physlib/lab/physlib/bench"
	"github.com/physlib/lab/physlib/cmd/outfile"
	"github.com/physlib/lab/physlib/cmd/screen"
	"github.com/physlib/lab/physlib/corpus"
)

// SINDyCmd is the command line of `physlib bench sindy`.
type SINDyCmd struct {
	Suites  []string  `name:"suite" default:"motion,strogatz" placeholder:"NAME" help:"Suites with trajectories: strogatz, motion, motion-more, motion-held-out."`
	Noise   []float64 `default:"0,0.01" placeholder:"σ" help:"Gaussian noise on the states, as shares of their RMS."`
	Seeds   []int64   `default:"0,1" placeholder:"N" help:"Seeds of the noise; without noise only the first counts."`
	IDs     []string  `name:"ids" placeholder:"A,B" help:"Only these laws or systems."`
	Python  string    `default:"python3" placeholder:"PATH" help:"The Python that has pysindy 2."`
	CSV     string    `name:"csv" placeholder:"FILE" help:"Write what was found there as well."`
	Records []string  `arg:"" optional:"" placeholder:"FILE.jsonl" help:"Results of physlib bench recovery --ode to compare with, compressed or not."`

	stdout, stderr io.Writer // nil: the standard streams of the process
}

// Run prints how many equations PySINDy and physlib find in each condition.
func (c *SINDyCmd) Run(ctx context.Context) error {
	stdout, stderr := cmp.Or(c.stdout, screen.Out), cmp.Or(c.stderr, screen.Err)
	var ours []bench.Record
	for _, name := range c.Records {
		some, err := bench.ReadResults(name)
		if err != nil {
			return exit{2, err}
		}
		ours = append(ours, some...)
	}
	var all []bench.SINDyRecord
	for _, suite := range c.Suites {
		ids, err := c.within(suite)
		if err != nil {
			return exit{2, err}
		}
		for _, noise := range c.Noise {
			for i, seed := range c.Seeds {
				if noise == 0 && i > 0 {
					continue
				}
				some, err := bench.SINDy(ctx, bench.SINDyOptions{Suite: suite, IDs: ids, Noise: noise, Seed: seed, Python: c.Python, Against: ours,
					Done: func(r bench.SINDyRecord) { fmt.Fprintln(stderr, sindyLine(r)) }})
				if err != nil {
					return err
				}
				fmt.Fprintln(stdout, sindyCounts(some))
				all = append(all, some...)
			}
		}
	}
	if c.CSV == "" {
		return nil
	}
	return outfile.Write(c.CSV, sindyTable(all))
}

// within returns those elements of c.IDs that are systems or laws of a suite. If there is none, it
// returns all elements.
func (c *SINDyCmd) within(suite string) (ids []string, err error) {
	systems, err := corpus.Motions(suite)
	if err != nil {
		return nil, err
	}
	for _, id := range c.IDs {
		if slices.ContainsFunc(systems, func(m corpus.Motion) bool {
			return m.ID == id || slices.ContainsFunc(m.Laws, func(p corpus.Problem) bool { return p.ID == id })
		}) {
			ids = append(ids, id)
		}
	}
	if ids == nil {
		ids = c.IDs // a later error names the unknown ids
	}
	return ids, nil
}

// sindyLine returns a line about one equation.
func sindyLine(r bench.SINDyRecord) string {
	return fmt.Sprintf("%-20s chosen %-5v  best %-5v  in library %-5v  physlib %-5v  %s", r.ID, r.Exact, r.Best, r.Reach, r.OursExact, r.Chosen)
}

// sindyCounts returns the summary of one condition.
func sindyCounts(rs []bench.SINDyRecord) string {
	count := func(is func(r bench.SINDyRecord) bool) (n int) {
		for _, r := range rs {
			if is(r) {
				n++
			}
		}
		return n
	}
	reach := count(func(r bench.SINDyRecord) bool { return r.Reach })
	line := fmt.Sprintf("%s, noise %v, seed %d: PySINDy %d of %d, settings chosen knowing the truth %d; its library holds %d", rs[0].Suite, rs[0].Noise, rs[0].Seed,
		count(func(r bench.SINDyRecord) bool { return r.Exact }), len(rs), count(func(r bench.SINDyRecord) bool { return r.Best }), reach)
	if !slices.ContainsFunc(rs, func(r bench.SINDyRecord) bool { return r.Ours != "" }) {
		return line
	}
	return line + fmt.Sprintf("; physlib %d, of those in the library %d", count(func(r bench.SINDyRecord) bool { return r.OursExact }),
		count(func(r bench.SINDyRecord) bool { return r.OursExact && r.Reach }))
}

// sindyTable returns rs as CSV.
func sindyTable(rs []bench.SINDyRecord) []byte {
	var b strings.Builder
	w := csv.NewWriter(&b)
	w.Write([]string{"suite", "noise", "seed", "id", "true", "in_library", "pysindy", "pysindy_exact", "pysindy_best", "physlib", "physlib_exact", "pysindy_version"})
	for _, r := range rs {
		ours := ""
		if r.Ours != "" {
			ours = strconv.FormatBool(r.OursExact)
		}
		w.Write([]string{r.Suite, strconv.FormatFloat(r.Noise, 'g', -1, 64), strconv.FormatInt(r.Seed, 10), r.ID, r.True, strconv.FormatBool(r.Reach),
			r.Chosen, strconv.FormatBool(r.Exact), strconv.FormatBool(r.Best), r.Ours, ours, r.Version})
	}
	w.Flush()
	return []byte(b.String())
}
