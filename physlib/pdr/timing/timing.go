// Package timing compares the forms of the perspective decay recurrence with softmax attention and
// with the recurrence in JAX. It measures time and memory for several lengths of the series, in one
// run on one machine.
//
// # Design
//
// All forms for a length are compiled first. Then they run in turn, so that other load on the
// machine affects all of them. The fastest run of each form counts, by elapsed time and by
// processor time of all cores.
package timing

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gomlx/compute"

	"github.com/physlib/lab/physlib/pdr"
)

// Options say what to measure. Fields with the value 0 have the defaults given below, except Seqs.
type Options struct {
	Seqs      []int     // lengths of the series, in tokens
	Dim, Rank int       // sizes of the recurrence; 0: 512 and 64
	Batch     int       // number of series at a time, for forms in Go; 0: 1
	Forms     []string  // forms to measure, see Parse; nil: all but those in JAX
	Reps      int       // number of runs, of which the fastest counts; 0: 5
	Memory    float64   // limit in GiB; forms that need more are skipped; 0: 4
	Forward   bool      // whether to measure only the forward pass, without gradients
	Python    string    // Python executable with JAX; "": python3
	CSV       io.Writer // a table of all measurements; nil: none
}

// Names returns what can be measured. In Go these are the forms of package pdr, plain Go token by
// token, and causal softmax attention with 8 heads. In JAX they are a lax.scan of steps, and chunks
// of matrix products with e^{C} and e^{-C}, as in GLA (S. Yang et al., 2024).
func Names() []string {
	return []string{"step", "scan", "chunk-scan", "chunk", "go", "attention", "jax-scan", "jax-chunk"}
}

// Parse splits text such as chunk:128 into one of Names and the number of tokens per chunk. Only
// chunk and chunk-scan may have that number. If it is missing, chunk is 0.
func Parse(form string) (name string, chunk int, err error) {
	name, size, sized := strings.Cut(form, ":")
	if !slices.Contains(Names(), name) {
		return "", 0, fmt.Errorf("%s: unknown; use %s", form, strings.Join(Names(), ", "))
	}
	if !sized {
		return name, 0, nil
	}
	if chunk, err = strconv.Atoi(size); err != nil || chunk <= 0 || !strings.HasPrefix(name, "chunk") {
		return "", 0, fmt.Errorf("%s: write chunk or chunk-scan with the tokens of a chunk, as chunk:128", form)
	}
	return name, chunk, nil
}

// Row is a measurement. Times that were not measured are NaN.
type Row struct {
	Name          string
	Seq           int
	forward, both spent
	// Peak memory in bytes, forward and backward, without the inputs; 0: unknown.
	Memory float64
	Why    string // reason why it was not measured
}

func (o Options) withDefaults() Options {
	for _, d := range []struct {
		field *int
		value int
	}{{&o.Dim, 512}, {&o.Rank, 64}, {&o.Batch, 1}, {&o.Reps, 5}} {
		if *d.field == 0 {
			*d.field = d.value
		}
	}
	if o.Memory == 0 {
		o.Memory = 4
	}
	if o.Forms == nil {
		o.Forms = Names()[:6]
	}
	return o
}

// Run measures, and prints a line for each length and form, and the ratios between forms.
func Run(ctx context.Context, w io.Writer, b compute.Backend, o Options) error {
	o = o.withDefaults()
	fmt.Fprintf(w, "dim %d, rank %d, batch %d, float32, %s; best of %d repetitions\n", o.Dim, o.Rank, o.Batch, b.Description(), o.Reps)
	fmt.Fprintf(w, "%-14s %7s %12s %14s %12s %14s %12s\n", "form", "seq", "forward ms", "+backward ms", "forward CPU", "+backward CPU", "memory MiB")
	if o.CSV != nil {
		fmt.Fprintln(o.CSV, "form,seq,batch,dim,rank,forward_s,both_s,forward_cpu_s,both_cpu_s,memory_bytes,left_out")
	}
	m := &machine{Options: o, backend: b}
	defer m.close()
	var rows []Row
	for _, seq := range o.Seqs {
		now, err := m.length(ctx, seq)
		for _, r := range now {
			o.print(w, r)
		}
		rows = append(rows, now...)
		if err != nil {
			return err
		}
	}
	o.ratios(w, rows)
	form, back := pdr.Recurrence{}.Chosen(b, o.Batch, o.Seqs[len(o.Seqs)-1], o.Dim, o.Rank)
	fmt.Fprintf(w, "auto takes %s, and %s for gradients, at seq %d\n", form, back, o.Seqs[len(o.Seqs)-1])
	return nil
}

// print writes a measurement, also to the CSV file if there is one.
func (o Options) print(w io.Writer, r Row) {
	if r.Why != "" {
		fmt.Fprintf(w, "%-14s %7d  %s\n", r.Name, r.Seq, r.Why)
	} else {
		fmt.Fprintf(w, "%-14s %7d %12.3f %14.3f %12.3f %14.3f %12.1f\n", r.Name, r.Seq, r.forward.wall*1e3, r.both.wall*1e3, r.forward.cpu*1e3, r.both.cpu*1e3, r.Memory/(1<<20))
	}
	if o.CSV != nil {
		fmt.Fprintf(o.CSV, "%s,%d,%d,%d,%d,%.6g,%.6g,%.6g,%.6g,%.0f,%s\n", r.Name, r.Seq, o.Batch, o.Dim, o.Rank, r.forward.wall, r.both.wall, r.forward.cpu, r.both.cpu, r.Memory, r.Why)
	}
}

// length measures all forms for series of seq tokens.
func (m *machine) length(ctx context.Context, seq int) ([]Row, error) {
	var rows []Row
	var runners []runner
	defer func() {
		for _, r := range runners {
			r.close()
		}
	}()
	for _, name := range m.Forms {
		if err := ctx.Err(); err != nil {
			return nil, errors.New("interrupted")
		}
		r := Row{Name: name, Seq: seq, forward: never, both: never}
		if need := m.need(name, seq); need > m.Memory*(1<<30) {
			r.Why = fmt.Sprintf("left out: needs about %.1f GiB", need/(1<<30))
		} else if name == "step" && pdr.Kind(m.backend) == "go" && seq > 256 {
			r.Why = "left out: this backend has no loops for it"
		}
		if r.Why != "" {
			r.forward, r.both = spent{math.NaN(), math.NaN()}, spent{math.NaN(), math.NaN()}
			runners, rows = append(runners, runner{close: func() {}}), append(rows, r)
			continue
		}
		x, err := m.runner(ctx, name, seq)
		if err != nil {
			return rows, fmt.Errorf("%s at seq %d: %w", name, seq, err)
		}
		runners, rows = append(runners, x), append(rows, r)
	}
	for range m.Reps {
		for i, x := range runners {
			if x.forward == nil {
				continue
			}
			if ctx.Err() != nil {
				return whole(rows), errors.New("interrupted")
			}
			if err := x.turn(&rows[i]); err != nil {
				return nil, fmt.Errorf("%s at seq %d: %w", rows[i].Name, seq, err)
			}
		}
	}
	return rows, nil
}

// whole completes the rows of an interrupted run: rows without a measurement get the reason
// "interrupted".
func whole(rows []Row) []Row {
	for i, r := range rows {
		if r.Why == "" && r.forward == never {
			rows[i].Why, rows[i].forward, rows[i].both = "interrupted", spent{math.NaN(), math.NaN()}, spent{math.NaN(), math.NaN()}
		}
	}
	return rows
}

// turn runs a form once and updates its row.
func (x runner) turn(r *Row) error {
	took, err := x.forward()
	if err != nil {
		return err
	}
	r.forward = r.forward.min(took)
	if x.both == nil {
		r.both = spent{math.NaN(), math.NaN()}
		return nil
	}
	before := resident("VmRSS:", true)
	if took, err = x.both(); err != nil {
		return err
	}
	r.both = r.both.min(took)
	if x.here {
		r.Memory = max(r.Memory, resident("VmHWM:", false)-before)
	}
	return nil
}

// need returns an estimate of the memory of a form in bytes, at sequence length seq.
func (o Options) need(form string, seq int) float64 {
	name, chunk, _ := Parse(form)
	n, state := float64(seq), 4*float64(o.Batch*o.Dim*o.Rank)
	switch name {
	case "scan":
		if o.Forward {
			return 6 * n * state
		}
		return 18 * n * state
	case "chunk-scan":
		return 18 * min(n, float64(cmp.Or(chunk, 256))) * state
	case "attention":
		return 5 * 4 * 8 * float64(o.Batch) * n * n
	case "jax-scan":
		if !o.Forward {
			return 2 * n * state // the states that are stored for its gradient
		}
	}
	return 0
}

// ratios prints the speedup of the forms step and chunk over the others, by elapsed time and by
// processor time. It also prints how these times grow with the length.
func (o Options) ratios(w io.Writer, rows []Row) {
	find := func(name string, seq int) (Row, bool) {
		i := slices.IndexFunc(rows, func(r Row) bool { return r.Name == name && r.Seq == seq && r.Why == "" })
		if i < 0 {
			return Row{}, false
		}
		return rows[i], true
	}
	over := func(a, b Row) string {
		return fmt.Sprintf("forward %.2f both %.2f, processor time %.2f %.2f", a.forward.wall/b.forward.wall, a.both.wall/b.both.wall, a.forward.cpu/b.forward.cpu, a.both.cpu/b.both.cpu)
	}
	for _, ours := range []string{"step", "chunk"} {
		for _, seq := range o.Seqs {
			for _, name := range []string{"scan", "attention", "jax-scan", "jax-chunk"} {
				a, ok1 := find(ours, seq)
				r, ok2 := find(name, seq)
				if ok1 && ok2 {
					fmt.Fprintf(w, "ratio %s %s seq=%d %s\n", ours, name, seq, strings.TrimSpace(over(r, a)))
				}
			}
		}
		a, ok1 := find(ours, o.Seqs[0])
		z, ok2 := find(ours, o.Seqs[len(o.Seqs)-1])
		if ok1 && ok2 && a.Seq != z.Seq {
			fmt.Fprintf(w, "growth %s seq=%d:%d %s\n", ours, z.Seq, a.Seq, over(z, a))
		}
	}
}
