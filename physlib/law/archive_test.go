package law_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
)

// judged returns a law with the given complexity, error, score and units.
func judged(t testing.TB, text string, complexity, rmse, score float64, unitsOK bool) law.Law {
	l := fitted(t, text, []string{"x", "y", "z"})
	l.Complexity, l.RMSE, l.Score, l.UnitsOK = complexity, rmse, score, unitsOK
	return l
}

func texts(laws []law.Law) (out []string) {
	for _, l := range laws {
		out = append(out, l.Infix())
	}
	return out
}

func TestArchive(t *testing.T) {
	const ok, bad = true, false
	tests := []struct {
		name  string
		floor float64
		laws  []law.Law
		front []string
		best  string
	}{
		{"dominated", 0, []law.Law{
			judged(t, "x", 2, 5, 50, ok), judged(t, "x+1", 5, 2, 30, ok), judged(t, "x+2", 6, 3, 40, ok),
		}, []string{"x", "x + 1"}, "x + 1"},
		{"hardly better", 0, []law.Law{
			judged(t, "x", 2, 1, 20, ok), judged(t, "x+1", 5, 0.9995, 30, ok), judged(t, "x+2", 6, 0.998, 40, ok),
		}, []string{"x", "x + 2"}, "x"},
		{"hardly better but best", 0, []law.Law{
			judged(t, "x", 2, 1, 20, ok), judged(t, "x+1", 5, 0.9995, 10, ok),
		}, []string{"x + 1"}, "x + 1"},
		{"exact", 1e-12, []law.Law{
			judged(t, "x", 2, 1, 0, ok), judged(t, "x+1", 5, 5e-13, -90, ok), judged(t, "x+2", 9, 1e-16, -86, ok), judged(t, "x+3", 9, 0, -86, ok),
		}, []string{"x", "x + 1"}, "x + 1"},
		{"units broken where none keeps them", 0, []law.Law{
			judged(t, "x", 2, 5, 80, bad), judged(t, "y", 4, 3, 60, bad),
		}, []string{"x", "y"}, "y"},
		{"units broken beside laws that keep them", 0, []law.Law{
			judged(t, "x", 2, 5, 80, bad), judged(t, "y", 4, 3, 60, ok), judged(t, "z", 4, 2, 70, bad), judged(t, "x*y", 8, 1, 70, bad),
		}, []string{"x", "y", "x*y"}, "y"},
		{"equal laws meet", 0, []law.Law{
			judged(t, "x+y", 5, 1, 20, ok), judged(t, "y+x", 5, 1, 20, ok), judged(t, "x*1+y", 7, 0.5, 25, ok),
		}, []string{"x + y"}, "x + y"},
		{"one", 0, []law.Law{judged(t, "x", 2, 0, 0, bad)}, []string{"x"}, "x"},
		{"not finite", 0, []law.Law{
			judged(t, "x", math.NaN(), 1, 0, ok), judged(t, "x", 1, math.Inf(1), 0, ok), judged(t, "x", 1, 1, math.Inf(-1), ok), {},
		}, nil, ""},
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for _, test := range tests {
		for range 20 { // add the laws in several random orders
			a := law.Archive{Floor: test.floor}
			for _, i := range rng.Perm(len(test.laws)) {
				a.Add(test.laws[i])
			}
			best, found := a.Best()
			if got := texts(a.Front()); fmt.Sprint(got) != fmt.Sprint(test.front) || best.Infix() != test.best || found != (test.best != "") {
				t.Errorf("%s: front %q, best %q; want %q, %q", test.name, got, best.Infix(), test.front, test.best)
				break
			}
		}
	}
}

// random returns random laws, many with equal values.
func random(n int) []law.Law {
	rng := rand.New(rand.NewPCG(2, 3))
	laws := make([]law.Law, n)
	for i := range laws {
		laws[i] = law.Law{
			Tree: grow(rng, 1+rng.IntN(5)), Vars: []string{"x", "y"}, UnitsOK: rng.IntN(2) == 0,
			Complexity: float64(rng.IntN(20)), RMSE: float64(rng.IntN(20)), Score: float64(rng.IntN(30)),
		}
	}
	return laws
}

func TestArchiveOrderDoesNotMatter(t *testing.T) {
	laws := random(300)
	rng := rand.New(rand.NewPCG(4, 5))
	var want string
	for trial := range 30 {
		var a law.Archive
		for _, i := range rng.Perm(len(laws)) {
			a.Add(laws[i])
		}
		best, _ := a.Best()
		got := fmt.Sprint(best.Infix(), texts(a.Front()))
		if trial == 0 {
			want = got
		}
		if got != want {
			t.Fatalf("order %d:\n%s\nbefore:\n%s", trial, got, want)
		}
		front := a.Front()
		for i := 1; i < len(front); i++ {
			if front[i].Complexity <= front[i-1].Complexity || front[i].RMSE >= front[i-1].RMSE {
				t.Fatalf("front does not fall: %+v, %+v", front[i-1], front[i])
			}
		}
	}
}

func TestArchiveAddTells(t *testing.T) {
	var a law.Archive
	x := judged(t, "x", 2, 5, 50, true)
	if !a.Add(x) || a.Add(x) {
		t.Error("the first is new, the second is not")
	}
	if a.Add(judged(t, "x+1", 3, 6, 60, true)) || !a.Add(judged(t, "x+2", 3, 4, 60, true)) || !a.Add(judged(t, "x+3", 3, 6, 40, true)) {
		t.Error("new are what is on the front or the best")
	}
	x.RMSE = 4.5
	if !a.Add(x) || a.Add(judged(t, "x", 2, 5, 50, true)) {
		t.Error("a better fit of the same law is new, a worse one is not")
	}
	if got := a.Votes(x); got != 4 {
		t.Errorf("%d votes for x, want 4", got)
	}
	if a.Votes(judged(t, "z", 0, 0, 0, true)) != 0 {
		t.Error("a vote from nowhere")
	}
}

func TestArchiveConcurrent(t *testing.T) {
	laws := random(400)
	var serial, parallel law.Archive
	for _, l := range laws {
		serial.Add(l)
	}
	var wg sync.WaitGroup
	for k := range 4 {
		wg.Go(func() {
			for i := k; i < len(laws); i += 4 {
				parallel.Add(laws[i])
				parallel.Front()
				parallel.Best()
				parallel.Votes(laws[i])
			}
		})
	}
	wg.Wait()
	if a, b := texts(serial.Front()), texts(parallel.Front()); fmt.Sprint(a) != fmt.Sprint(b) {
		t.Errorf("%q in parallel, %q in series", b, a)
	}
}

func ExampleArchive() {
	var a law.Archive
	for _, l := range []law.Law{
		{Tree: expr.X(0), Complexity: 2, RMSE: 3, Score: 90},
		{Tree: expr.Apply(expr.Square, expr.X(0)), Complexity: 3.5, RMSE: 0.1, Score: 20},
		// The same law in another form: one more vote.
		{Tree: expr.Apply(expr.Mul, expr.X(0), expr.X(0)), Complexity: 3.5, RMSE: 0.1, Score: 20},
		{Tree: expr.Apply(expr.Exp, expr.X(0)), Complexity: 6, RMSE: 2, Score: 80},
	} {
		l.Vars = []string{"t"}
		a.Add(l)
	}
	for _, l := range a.Front() {
		fmt.Println(l.Complexity, l.RMSE, l.Infix(), a.Votes(l))
	}
	best, _ := a.Best()
	fmt.Println("best:", best.Infix())
	// Output:
	// 2 3 t 1
	// 3.5 0.1 t**2 2
	// best: t**2
}

func BenchmarkArchiveAdd(b *testing.B) {
	laws := random(1000)
	var a law.Archive
	for i := 0; b.Loop(); i++ {
		a.Add(laws[i%len(laws)])
	}
}
