package search

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/physlib/lab/physlib/corpus"
	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
)

func TestDev(t *testing.T) {
	suite := os.Getenv("SUITE")
	if suite == "" {
		t.Skip("development only")
	}
	ps, err := corpus.Suite(suite)
	if err != nil {
		t.Fatal(err)
	}
	ids := os.Getenv("IDS")
	n, hits := 0, 0
	for _, p := range ps {
		if ids != "" && !strings.Contains(","+ids+",", ","+p.ID+",") {
			continue
		}
		n++
		tab, err := p.Sample(1000, rand.New(rand.NewPCG(1, 2)))
		if err != nil {
			fmt.Println(p.ID, err)
			continue
		}
		pr := &dataset.Problem{Units: os.Getenv("NOUNITS") == "", Noise: 0}
		for _, c := range tab.Vars {
			pr.Vars = append(pr.Vars, dataset.Quantity{Name: c.Name, Dim: c.Unit.Dim, Values: c.Values})
			pr.Units = pr.Units && c.HasUnit
		}
		pr.Target = dataset.Quantity{Name: "y", Dim: tab.Target.Unit.Dim, Values: tab.Target.Values}
		start := time.Now()
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		last, hitAt := "", ""
		best := 1.0
		var bt expr.Tree
		s := &Search{Stage: func(n string) { last = n }}
		count := 0
		y := make([]float64, tab.Rows())
		for tr := range s.Propose(ctx, pr) {
			count++
			expr.Compile(tr).Eval(y, pr.Cols(), tr.Params())
			e, yy := 0.0, 0.0
			for i, v := range tab.Target.Values {
				e += (v - y[i]) * (v - y[i])
				yy += v * v
			}
			if r := math.Sqrt(e / yy); r < best {
				best, bt, hitAt = r, tr, last
			}
		}
		cancel()
		ok := best < 1e-8
		if ok {
			hits++
		}
		var names []string
		for _, v := range pr.Vars {
			names = append(names, v.Name)
		}
		txt := ""
		if bt.Len() > 0 {
			txt = bt.Infix(names)
		}
		fmt.Printf("%-10s %-5v %6.2fs n=%d err=%.1e at %q true %s found %s\n", p.ID, ok, time.Since(start).Seconds(), count, best, hitAt, p.Law, txt)
	}
	fmt.Println("hits", hits, "of", n)
}
