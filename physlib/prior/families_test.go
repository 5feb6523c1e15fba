package prior_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/fit"
	"github.com/physlib/lab/physlib/prior"
)

// sampled is a form, together with data that the form fits exactly.
type sampled struct {
	tree expr.Tree
	cols [][]float64
	y    [][]float64 // values of the target, for several random choices of the constants
}

// sample calculates data for t, a form in vars columns. ok is false if t has no finite values.
func sample(t expr.Tree, vars int) (s sampled, ok bool) {
	const rows, draws = 14, 4
	rng := rand.New(rand.NewPCG(1, uint64(vars)))
	s = sampled{tree: t, cols: make([][]float64, vars)}
	for v := range s.cols {
		for range rows {
			s.cols[v] = append(s.cols[v], math.Exp(1.8*rng.Float64()-0.9))
		}
	}
	for range 40 * draws {
		c := make([]float64, t.NumParams())
		for i := range c {
			c[i] = math.Exp(0.5 * rng.NormFloat64())
			if rng.Float64() < 0.3 {
				c[i] = -c[i]
			}
		}
		y := t.Values(rows, s.cols, c)
		good := true
		for _, v := range y {
			good = good && !math.IsNaN(v) && math.Abs(v) < 1e6
		}
		if good {
			if s.y = append(s.y, y); len(s.y) == draws {
				return s, true
			}
		}
	}
	return s, false
}

// covers reports whether t fits the data for at least half of the choices of constants in s.
func covers(f *fit.Fitter, t expr.Tree, s sampled) bool {
	hits := 0
	for i, y := range s.y {
		square := 0.0
		for _, v := range y {
			square += v * v
		}
		r, err := f.Fit(t, s.cols, y, nil, fit.Settings{Starts: 8, MaxIter: 60})
		if err == nil && r.RSS <= 1e-18*square {
			hits++
		}
		if hits == 2 {
			return true
		}
		if hits+len(s.y)-1-i < 2 {
			return false
		}
	}
	return false
}

// families returns groups of two or more forms. The forms of a group are the same function.
func families(forms []expr.Tree, vars []int) (groups [][]expr.Tree) {
	type job struct{ a, b int }
	var jobs []job
	data := make([]sampled, len(forms))
	ok := make([]bool, len(forms))
	for i, t := range forms {
		data[i], ok[i] = sample(t, vars[i])
		for j := range i {
			if ok[i] && ok[j] && vars[i] == vars[j] && t.NumParams() == forms[j].NumParams() {
				jobs = append(jobs, job{j, i})
			}
		}
	}
	parent := make([]int, len(forms))
	for i := range parent {
		parent[i] = i
	}
	root := func(i int) int {
		for parent[i] != i {
			i = parent[i]
		}
		return i
	}
	var mu sync.Mutex
	var wg sync.WaitGroup
	queue := make(chan job)
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			var f fit.Fitter
			for j := range queue {
				if covers(&f, forms[j.a], data[j.b]) && covers(&f, forms[j.b], data[j.a]) {
					mu.Lock()
					a, b := root(j.a), root(j.b)
					parent[max(a, b)] = min(a, b)
					mu.Unlock()
				}
			}
		})
	}
	for _, j := range jobs {
		queue <- j
	}
	close(queue)
	wg.Wait()
	of := map[int]int{}
	for i, t := range forms {
		r := root(i)
		if r == i {
			continue
		}
		g, known := of[r]
		if !known {
			g = len(groups)
			of[r] = g
			groups = append(groups, []expr.Tree{forms[r]})
		}
		groups[g] = append(groups[g], t)
	}
	return groups
}

// The forms of each group in families.txt are the same function. With UPDATE_FORMS=1, all groups
// are searched for again, which takes minutes.
func TestFamilies(t *testing.T) {
	if os.Getenv("UPDATE_FORMS") == "" {
		var f fit.Fitter
		for i, line := range strings.Split(strings.TrimSpace(prior.Families), "\n") {
			cells := strings.Split(line, "\t")
			first := parse(t, cells[0])
			for _, c := range cells[1:] {
				other := parse(t, c)
				s, ok := sample(other, len(other.Vars()))
				if !ok {
					t.Fatalf("families.txt:%d: %s has no values", i+1, c)
				}
				alike := func(cell string) bool { return cell != c && covers(&f, parse(t, cell), s) }
				if first.NumParams() != other.NumParams() || !covers(&f, first, s) && !slices.ContainsFunc(cells[1:], alike) {
					t.Errorf("families.txt:%d: %s is not %s", i+1, first, other)
				}
			}
		}
		return
	}
	var forms []expr.Tree
	var vars []int
	seen := map[uint64]bool{}
	for _, e := range prior.Default().Examples() {
		// A piecewise form would often be equal to one of its pieces, since some samples do not
		// reach the others.
		if piecewise(e.Tree) || e.Vars > 2 || e.Tree.NumParams() == 0 || e.Tree.NumParams() > 4 || seen[e.Hash] {
			continue
		}
		seen[e.Hash] = true
		forms, vars = append(forms, e.Tree), append(vars, e.Vars)
	}
	var b bytes.Buffer
	for _, g := range families(forms, vars) {
		for i, t := range g {
			if i > 0 {
				b.WriteByte('\t')
			}
			fmt.Fprint(&b, t)
		}
		b.WriteByte('\n')
	}
	if err := os.WriteFile("families.txt", b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
}

func piecewise(t expr.Tree) bool {
	return slices.ContainsFunc(t.Nodes(), func(n expr.Node) bool { return n.Op == expr.Min || n.Op == expr.Max })
}
