package bench

import (
	"context"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
)

func TestEvolveRefuses(t *testing.T) {
	file := filepath.Join(t.TempDir(), "evolve.csv")
	if err := os.WriteFile(file, []byte(strings.Join(evolvedHeader, ",")+"\n1,x,0,0,0,0,400,0,false,1,1,1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for want, c := range map[string]EvolveCmd{
		"is not a number from 0 to 1":                 {Laws: 1, Start: 1, Evals: 1, Seeds: 1, Shares: []string{"2"}},
		"--start, --evals and --seeds must be above":  {Laws: 1, Start: 0, Evals: 1, Seeds: 1, Shares: []string{"1"}},
		"row 2: strconv.Atoi: parsing \"x\"":          {Laws: 1, Start: 1, Evals: 1, Seeds: 1, Shares: []string{"1"}, Out: file},
		"results: open " + filepath.Dir(file) + "/no": {Laws: 1, Start: 1, Evals: 1, Seeds: 1, Shares: []string{"0"}, Backend: "go", Preset: "physdiffuse-small", Out: filepath.Join(filepath.Dir(file), "no", "e.csv")},
	} {
		c.stdout, c.stderr = io.Discard, io.Discard
		if err := c.Run(context.Background()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// Rows are read as they were written, and the table counts them by arm.
func TestEvolvedRows(t *testing.T) {
	var text strings.Builder
	text.WriteString(strings.Join(evolvedHeader, ",") + "\n")
	all := []evolved{
		{id: "7", tokens: 12, share: "0", seed: 1, fits: 400, found: 31, chosen: true, before: 0.5, after: 1e-30, seconds: 2},
		{id: "7", tokens: 12, share: "1", steps: 1, seed: 1, fits: 400, before: 0.5, after: 0.05, seconds: 4},
		{id: "8", tokens: 12, share: "start", fits: 30, found: -1},
	}
	for _, e := range all {
		text.WriteString(strings.Join(e.row(), ",") + "\n")
	}
	file := filepath.Join(t.TempDir(), "evolve.csv")
	if err := os.WriteFile(file, []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	done, err := readEvolved(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range all {
		if done[e.key()] != e {
			t.Errorf("%+v comes back as %+v", e, done[e.key()])
		}
	}
	table := evolvedTable(all, []string{"0", "1"})
	for _, want := range []string{"0        0                     1        1        1         31", "1        0        0          -     0.50 decades      10.00", "1 laws were found by the start"} {
		if !strings.Contains(table, want) {
			t.Errorf("the table lacks %q:\n%s", want, table)
		}
	}
}

// forms proposes laws given as text.
type forms []string

func (f forms) Propose(_ context.Context, p *dataset.Problem) iter.Seq2[expr.Tree, error] {
	return func(yield func(expr.Tree, error) bool) {
		for _, text := range f {
			t, err := expr.Parse(text, []string{"x0", "x1", "x2", "x3", "x4", "x5"})
			if !yield(t, err) {
				return
			}
		}
	}
}

// An archive fits equal laws once. It recognizes the true law, also with noise, and lists its laws
// from best to worst.
func TestArchive(t *testing.T) {
	for _, noise := range []float64{0, 0.01} {
		laws, err := tasks(noise)
		if err != nil {
			t.Fatal(err)
		}
		for task := range laws {
			a := &archive{task: task, seen: map[uint64]bool{}}
			p := *task.problem
			if err := a.collect(t.Context(), forms{"c0*x0", "x0*c0", "c0", "c0*x0+c1"}, &p, 100); err != nil {
				t.Fatal(err)
			}
			if len(a.seen) != 3 || a.found != 0 || a.least() > 1 {
				t.Errorf("%d laws, found %d, least %v", len(a.seen), a.found, a.least())
			}
			truth := a.clone()
			rows := task.clean
			for i := range rows { // the law y = 2·x0 replaces that of the task
				rows[i] = 2 * task.problem.Vars[0].Values[i]
				task.problem.Target.Values[i] = rows[i] * (1 + noise*float64(i%3-1)/2)
			}
			for i := range task.fresh {
				task.fresh[i] = 2 * task.cols[0][i]
			}
			truth.seen = map[uint64]bool{}
			if err := truth.collect(t.Context(), forms{"c0", "c0*x0", "x0**2"}, &p, 100); err != nil {
				t.Fatal(err)
			}
			if truth.found != 2 {
				t.Errorf("noise %v: the law was found at %d, want 2", noise, truth.found)
			}
			if best := a.laws(); len(best) == 0 || a.list[0].score > a.list[len(a.list)-1].score {
				t.Errorf("laws in the wrong order: %v", best)
			}
			break
		}
	}
}
