package stream

import (
	"fmt"
	"os"
	"testing"
)

func TestStats(t *testing.T) {
	if os.Getenv("STATS") == "" {
		t.Skip()
	}
	s, _ := New(Config{Rows: 8})
	n := 200000
	fmt.Sscan(os.Getenv("STATS"), &n)
	count = map[string]int{}
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
		grades[p.Family] = grades[p.Family]
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
	t.Log(count)
}
