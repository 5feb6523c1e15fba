package stream

import (
	"fmt"
	"os"
	"testing"

	"github.com/physlib/lab/physlib/corpus"
)

// Prints statistics of the stream: PHYSLIB_STATS=1000000 go test -run Stats -v -timeout 30m.
func TestStats(t *testing.T) {
	if os.Getenv("PHYSLIB_STATS") == "" {
		t.Skip()
	}
	s, _ := New(Config{Rows: 8})
	n := 200000
	fmt.Sscan(os.Getenv("PHYSLIB_STATS"), &n)
	forms := map[uint64]int{}
	lens := map[int]int{}
	grades := map[string][4]int{}
	fam := map[string]int{}
	famForms := map[string]map[uint64]bool{}
	for i := range n {
		p := s.Problem(1, uint64(i))
		sig := Signature(p.Law)
		forms[sig]++
		lens[p.Law.Len()]++
		fam[p.Family]++
		g := grades[p.Family]
		g[grade(p.Law.Len())]++
		grades[p.Family] = g
		if famForms[p.Family] == nil {
			famForms[p.Family] = map[uint64]bool{}
		}
		famForms[p.Family][sig] = true
	}
	top := 0
	for _, c := range forms {
		top = max(top, c)
	}
	t.Logf("%d distinct of %d, the most frequent %d times", len(forms), n, top)
	for i := 1; i < 25; i++ {
		t.Logf("len %d: %.2f%%", i, 100*float64(lens[i])/float64(n))
	}
	for k, c := range fam {
		t.Logf("%s %.1f%% %d forms", k, 100*float64(c)/float64(n), len(famForms[k]))
	}
	t.Log(grades)
}

// Prints how often the stream would draw laws of the benchmarks if they were not banned.
func TestCoverage(t *testing.T) {
	if os.Getenv("PHYSLIB_STATS") == "" {
		t.Skip()
	}
	n := 200000
	fmt.Sscan(os.Getenv("PHYSLIB_STATS"), &n)
	s, _ := New(Config{Rows: 4})
	s.all = true
	seen := map[uint64]int{}
	for i := range n {
		seen[Signature(s.Problem(11, uint64(i)).Law)]++
	}
	for _, name := range []string{"feynman", "bonus", "textbook", "strogatz", "nguyen", "classic"} {
		ps, _ := corpus.Suite(name)
		hit, all := 0, 0
		for _, p := range ps {
			tree, _ := p.Tree()
			skel, _, ok := Skeleton(tree)
			if !ok || skel.Len() > 24 {
				continue
			}
			all++
			c := seen[Signature(skel)]
			if c > 0 {
				hit++
			}
			t.Logf("%7d %2d %s %s", c, skel.Len(), p.ID, skel.Infix(p.Names()))
		}
		t.Logf("%s: %d of %d", name, hit, all)
	}
}
