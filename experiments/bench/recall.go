package bench

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/physlib/lab/physlib/cmd/outfile"
	"github.com/physlib/lab/physlib/nn/safetensors"
	"github.com/physlib/lab/physlib/pdr"
	"github.com/physlib/lab/physlib/pdr/memory"
	"github.com/physlib/lab/physlib/train"
)

// RecallCmd is the command line of `physlib bench recall`.
type RecallCmd struct {
	Tasks    []string `default:"recall,copy" placeholder:"TASK" help:"Tasks of package pdr/memory: recall, copy."`
	Variants []string `default:"full,diagonal,low,fixed" placeholder:"VARIANT" help:"Networks of equal size: full, diagonal, low, fixed, gqa, keep=0.5, plain, joined by +."`
	Seeds    []int64  `default:"1,2" help:"Seeds of first weights and series."`
	Lengths  []int    `default:"64,256,1024,4096" help:"Lengths of the test series, in tokens."`
	Seq      int      `default:"64" help:"Tokens of a series in training."`
	Items    int      `default:"8" help:"Number of pairs or symbols in a series."`
	Dim      int      `default:"64" help:"Channels."`
	Rank     int      `default:"16" help:"Rank of the state, of each head."`
	Heads    int      `default:"2" help:"Heads of the recurrence."`
	Layers   int      `default:"2" help:"Layers."`
	Hidden   int      `default:"128" help:"Feed-forward width of the first network; the other networks get the same size."`
	Form     pdr.Form `default:"auto" help:"How the recurrence is computed: step, scan, chunk-scan, chunk, auto."`
	Out      string   `default:"experiments/runs/recall" placeholder:"DIR" help:"Folder with a subfolder for each run; unfinished runs in it continue."`
	Lenses   string   `placeholder:"FILE" help:"Write the gates of the first network there, layer by layer, for a series of --seq tokens."`

	lesson
}

const recallHeader = `# What perspective decay recurrences remember: %s
# variant: where the gates come from (full W_p, diagonal, low rank as GLA, fixed as RetNet), and +gqa, +keep=; equal parameters
# length: tokens of a series, trained on 32 and 64 unless the command says otherwise; accuracy: share of the expected tokens that were predicted; chance is 1 in 12
`

// Run trains and tests each variant on each task, and prints a table.
func (c *RecallCmd) Run(ctx context.Context) error {
	base := pdr.Config{Layers: c.Layers, Dim: c.Dim, Rank: c.Rank, Heads: c.Heads, Hidden: c.Hidden, Form: c.Form}
	var tasks []memory.Task
	var names []string
	for _, seed := range c.Seeds {
		for _, variant := range c.Variants {
			for _, kind := range c.Tasks {
				network, err := memory.Variant(base, variant)
				if err != nil {
					return exit{2, err}
				}
				t := memory.Task{Kind: memory.Kind(kind), Network: network, Items: c.Items, Seq: c.Seq, Seed: seed, Lengths: c.Lengths}
				if err := t.Check(); err != nil {
					return exit{2, fmt.Errorf("--tasks %s: %w", kind, err)}
				}
				tasks, names = append(tasks, t), append(names, variant)
			}
		}
	}
	b, out, err := c.open(recallHeader, "task,variant,seed,parameters,steps,loss,length,accuracy")
	if err != nil {
		return err
	}
	for i, t := range tasks {
		name := fmt.Sprintf("%s-%s-%d", t.Kind, names[i], t.Seed)
		r, err := c.teach(ctx, b, t, t.Seed, c.Out, name)
		if err != nil {
			return err
		}
		if i == 0 && c.Lenses != "" {
			if err := writeLenses(b, t, r.Checkpoint, names[i], c.Lenses); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		lengths := slices.Sorted(slices.Values(c.Lengths))
		for _, n := range lengths {
			if err := out.row("%s,%s,%d,%d,%d,%.4f,%d,%.4f", t.Kind, names[i], t.Seed, t.Network.Params(), r.Step, r.Loss, n, r.Validation[fmt.Sprintf("accuracy_%d", n)]); err != nil {
				return err
			}
		}
	}
	return out.close()
}

// writeLenses writes which fraction of each channel each layer keeps at each token, for trained
// weights.
func writeLenses(b compute.Backend, t memory.Task, checkpoint, variant, path string) error {
	weights := path + ".weights"
	defer os.Remove(weights)
	if err := train.Export(checkpoint, weights, false); err != nil {
		return err
	}
	file, err := os.Open(weights)
	if err != nil {
		return err
	}
	defer file.Close()
	store := model.NewStore()
	if _, err := safetensors.Import(file, store); err != nil {
		return err
	}
	tokens, gates, err := t.Lenses(b, store, t.Seq)
	if err != nil {
		return err
	}
	var out strings.Builder
	fmt.Fprintf(&out, lensesHeader, t.Kind, variant, strings.Join(os.Args, " "))
	for layer, rows := range gates {
		for place, row := range rows {
			for channel, gate := range row {
				fmt.Fprintf(&out, "%d,%d,%s,%d,%.4g\n", layer, place, t.Word(tokens[place]), channel, gate)
			}
		}
	}
	return outfile.Write(path, []byte(out.String()))
}

const lensesHeader = `# Lenses: what each recurrent layer keeps of each channel at each token, task %s, variant %s: %s
# token: ~ noise, k and v keys and values, s symbols, go a position where an answer is due; gate: γ = σ(W_p·x + b), 1 keeps all of the channel's memory
layer,place,token,channel,gate
`
