package timing

import (
	"context"
	"fmt"
	"io"

	"github.com/gomlx/compute"

	"github.com/physlib/lab/physlib/pdr"
)

// Sizes are the sizes of a recurrence for which Choose measures the forms.
type Sizes struct{ Batch, Seq, Dim, Rank int }

// UsualSizes are typical sizes: pieces of a stream, small networks in training, whose heads count
// as series of the batch, and single long series.
var UsualSizes = []Sizes{
	{1, 1, 128, 16}, {1, 64, 128, 16}, {1, 1024, 128, 16},
	{64, 64, 32, 16}, {64, 512, 32, 16},
	{8, 64, 128, 16}, {8, 1024, 128, 16}, {8, 8192, 128, 16},
	{1, 1024, 512, 64}, {1, 8192, 512, 64}, {8, 512, 512, 64},
	{1, 64, 4096, 256},
}

// Choose measures, by processor time, which forms are fastest for each of the sizes, for the
// recurrence and for its gradients. It writes them to w in the format of physlib/pdr/choices.csv,
// with the measured times as comments. Forms that store all states are not measured. Except for a
// single token they are slower by orders of magnitude.
func Choose(ctx context.Context, w io.Writer, b compute.Backend, reps int, sizes []Sizes) error {
	forms := []string{"step", "chunk"}
	for _, z := range sizes {
		m := &machine{Options: Options{Seqs: []int{z.Seq}, Dim: z.Dim, Rank: z.Rank, Batch: z.Batch, Forms: forms, Reps: reps}.withDefaults(), backend: b}
		rows, err := m.length(ctx, z.Seq)
		if err != nil {
			return err
		}
		forward, back := rows[0], rows[0]
		for _, r := range rows {
			if r.Why != "" {
				fmt.Fprintf(w, "# %s %s\n", r.Name, r.Why)
				if forward.Why != "" {
					forward, back = rows[1], rows[1]
				}
				continue
			}
			backward := r.both.cpu - r.forward.cpu
			fmt.Fprintf(w, "# %s %.3f ms forward, %.3f ms more for gradients\n", r.Name, r.forward.cpu*1e3, backward*1e3)
			if r.forward.cpu < forward.forward.cpu {
				forward = r
			}
			if backward < back.both.cpu-back.forward.cpu {
				back = r
			}
		}
		if _, err := fmt.Fprintf(w, "%s,%d,%d,%d,%d,%s,%s\n", pdr.Kind(b), z.Batch, z.Seq, z.Dim, z.Rank, forward.Name, back.Name); err != nil {
			return err
		}
	}
	return nil
}
