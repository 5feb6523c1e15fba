package motion

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/expr"
)

// A search that is interrupted in its second pass keeps the fit over whole runs from the first
// pass.
func TestInterruptedPass(t *testing.T) {
	noEngine(t)
	none := engine
	table, _ := predators(t, 0.05)
	tr, _, err := Read(table, Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	calls := 0
	engine = func(ctx context.Context, table *dataset.Table, s discover.Settings) (*discover.Result, error) {
		if calls++; calls == 3 {
			cancel()
		}
		return none(ctx, table, s)
	}
	res, err := Discover(ctx, tr, Settings{Time: time.Minute})
	if err != nil || res.Stopped != "interrupted" {
		t.Fatalf("%+v, %v", res, err)
	}
	if res.Window < 99 {
		t.Errorf("the laws are fitted over windows of %d intervals, want whole runs", res.Window)
	}
}

// After an interrupt, short runs are still fitted as a whole; long runs are not.
func TestInterruptedFits(t *testing.T) {
	f := NewField([]expr.Tree{parse(t, "-c0*x", "x").WithStarts([]float64{1})}, 0, false)
	for _, rows := range []int{fastRows / 2, 2 * fastRows} {
		at := times(rows, 5/float64(rows), 0, rand.New(rand.NewPCG(1, 1)))
		x := Simulate(f, []float64{1}, at, nil)[0]
		for i := range x {
			x[i] += 0.01 * float64(i%2)
		}
		table := &dataset.Table{Name: "decay.csv", Vars: []dataset.Column{{Name: "t", Values: at}}, Target: dataset.Column{Name: "x", Values: x}}
		tr, _, err := Read(table, Options{})
		if err != nil {
			t.Fatal(err)
		}
		sr := &searcher{tr: tr, d: tr.data(t.Context(), []float64{0.01}), names: []string{"x"}}
		sr.wins = sr.d.windows(windowLength, mostWhole)
		sr.shot = sr.d.shoot(f, sr.wins, sr.tolerance(), 15, nil, nil)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		s := &system{searcher: sr, trees: []expr.Tree{parse(t, "-c0*x", "x").WithStarts([]float64{1})}, wins: sr.wins, shot: sr.shot}
		if whole := s.whole(ctx); whole != (rows < fastRows) {
			t.Errorf("%d rows: fitted as a whole %v", rows, whole)
		}
		if whole := s.whole(t.Context()); !whole {
			t.Errorf("%d rows without an interrupt: not fitted as a whole", rows)
		}
	}
}

// An interrupted search takes one step of the joint fit, and does not go on to longer windows.
func TestInterruptedChoice(t *testing.T) {
	table, _ := predators(t, 0.05)
	tr, _, err := Read(table, Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	sr := &searcher{tr: tr, d: tr.data(t.Context(), nil), names: []string{"x", "y"}}
	sr.wins = sr.d.windows(windowLength, mostWhole)
	sr.pools = make([]pool, 2)
	for _, text := range []string{"c0*x - c1*x*y", "c0*x*y - c1*y"} {
		law := parse(t, text, "x", "y").WithStarts([]float64{1, 1})
		sr.best = append(sr.best, &candidate{tree: law})
	}
	one, _ := sr.evaluate(sr.best, nil, func(_ float64, step int) bool { return step == 1 })
	sr.together(ctx, 4, nil)
	if !slices.Equal(sr.shot.Params, one.Params) {
		t.Errorf("constants %v, want those of the first step, %v", sr.shot.Params, one.Params)
	}
	sr.d = nil // work on windows needs the data
	sr.grow(ctx, []int{12, 24})
}
