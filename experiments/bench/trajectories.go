package bench

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/physlib/lab/physlib/encoder"
	"github.com/physlib/lab/physlib/encoder/trajectory"
	"github.com/physlib/lab/physlib/pdr/timing"
	"github.com/physlib/lab/physlib/train"
)

// TrajectoriesCmd is the command line of `physlib bench trajectories`.
type TrajectoriesCmd struct {
	Encoders []string `default:"pdr,set,set-32" placeholder:"NAME" help:"What reads the trajectories: pdr; set (induced set attention over all rows); set-32 (attention among 32 rows, evenly spaced); attention (over all rows, quadratic)."`
	Seeds    []int64  `default:"1" help:"Seeds of first weights and trajectories."`
	Rows     int      `default:"256" help:"Rows of a trajectory in training."`
	Lengths  []int    `default:"100,256,1000,10000" help:"Lengths of the test trajectories, in rows."`
	Judged   int      `default:"128" help:"Number of test trajectories of each length."`
	Dim      int      `default:"48" help:"Channels."`
	Cost     bool     `help:"Only time and memory, without training."`
	Out      string   `default:"experiments/runs/trajectories" placeholder:"DIR" help:"Folder with a subfolder for each run; unfinished runs in it continue."`

	lesson
}

const trajectoriesHeader = `# Which of 8 laws moves the body? Encoders of one size on trajectories of growing length: %s
# accuracy: share of laws identified (chance 0.125), empty if not trained; cpu_ms, wall_ms, memory_mib: forward pass for one trajectory with that number of rows
`

// encoders returns the tasks of the encoders that --encoders may name.
func (c *TrajectoriesCmd) encoders() map[string]trajectory.Task {
	set := encoder.Config{Kind: encoder.Sets, Dim: c.Dim, Heads: 4, Layers: 2, Hidden: 2 * c.Dim, Inducing: 16}
	all := set
	all.Inducing = 0
	return map[string]trajectory.Task{
		"pdr": {Encoder: encoder.Config{Kind: encoder.PDR, Dim: c.Dim, Heads: 4, Layers: 4, Hidden: 2 * c.Dim,
			Series: encoder.Series{Rank: 12, Every: 4, Window: 16}}},
		"set":       {Encoder: set},
		"set-32":    {Encoder: all, Points: 32},
		"attention": {Encoder: all},
	}
}

// Run trains each encoder, tests it, measures its cost, and prints a table.
func (c *TrajectoriesCmd) Run(ctx context.Context) error {
	for _, n := range append([]int{c.Rows, c.Judged, c.Dim}, c.Lengths...) {
		if n <= 0 {
			return exit{2, fmt.Errorf("%d: --rows, --lengths, --judged and --dim must be above zero; see physlib bench trajectories --help", n)}
		}
	}
	if c.Dim%8 != 0 {
		return exit{2, fmt.Errorf("--dim %d: must be a multiple of 8, for 4 heads of even size", c.Dim)}
	}
	known := c.encoders()
	for _, name := range c.Encoders {
		if _, ok := known[name]; !ok {
			return exit{2, fmt.Errorf("--encoders %s: unknown; use pdr, set, set-32 or attention", name)}
		}
	}
	b, out, err := c.open(trajectoriesHeader, "encoder,seed,steps,loss,rows,accuracy,cpu_ms,wall_ms,memory_mib")
	if err != nil {
		return err
	}
	for _, seed := range c.Seeds {
		for _, name := range c.Encoders {
			t := known[name]
			t.Rows, t.Lengths, t.Validation, t.Seed = c.Rows, slices.Sorted(slices.Values(c.Lengths)), c.Judged, seed
			var r train.Result
			if !c.Cost {
				if r, err = c.teach(ctx, b, t, seed, c.Out, fmt.Sprintf("%s-%d", name, seed)); err != nil {
					return err
				}
			}
			for _, rows := range t.Lengths {
				if ctx.Err() != nil {
					return interruptedIn(name)
				}
				cost, err := forwardCost(b, t, rows)
				if err != nil {
					return fmt.Errorf("%s of %d rows: %w", name, rows, err)
				}
				accuracy := ""
				if !c.Cost {
					accuracy = fmt.Sprintf("%.4f", r.Validation[fmt.Sprintf("accuracy_%d", rows)])
				}
				if err := out.row("%s,%d,%d,%.4f,%d,%s,%.3f,%.3f,%.1f", name, seed, r.Step, r.Loss, rows, accuracy, cost.CPU*1e3, cost.Wall*1e3, cost.Memory/(1<<20)); err != nil {
					return err
				}
			}
		}
	}
	return out.close()
}

// forwardCost returns the cost of classifying one trajectory with the given number of rows.
func forwardCost(b compute.Backend, t trajectory.Task, rows int) (timing.Cost, error) {
	exec, err := model.NewExec1(b, model.NewStore(), func(s *model.Scope, x *graph.Node) *graph.Node { return t.Logits(s, x) })
	if err != nil {
		return timing.Cost{}, err
	}
	defer exec.Finalize()
	x := t.Trajectories(rand.New(rand.NewPCG(1, 1)), 1, rows)[0]
	return timing.Measure(3, func() error {
		out, err := exec.Call(x)
		if err != nil {
			return err
		}
		return out.FinalizeAll()
	})
}
