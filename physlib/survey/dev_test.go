package survey

import (
	"context"
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/mdl"
)

var clean = regexp.MustCompile(`\W+`)

func TestDev(t *testing.T) {
	dir := os.Getenv("DEVTABLES")
	if dir == "" {
		t.Skip()
	}
	only := os.Getenv("ONLY")
	f, _ := os.Open(dir + "/index.csv")
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	p := devPrior()
	lists := map[int][]Form{}
	for k := 1; k <= 3; k++ {
		lists[k] = Enumerate(p, k, Default(k))
	}
	right, total := 0, 0
	for _, r := range rows[1:] {
		name := strings.TrimSuffix(r[0], ".csv")
		if only != "" && !strings.Contains(","+only+",", ","+name+",") {
			continue
		}
		o := dataset.Options{}
		flags := strings.Fields(r[5])
		for i := 0; i+1 < len(flags); i += 2 {
			switch flags[i] {
			case "--target":
				o.Target = flags[i+1]
			case "--noise":
				o.Sigma = flags[i+1]
			case "--units":
				o.Units = flags[i+1]
			}
		}
		table, _, err := dataset.ReadFile(dir+"/"+r[0], o)
		if err != nil {
			t.Log(err)
			continue
		}
		m := mdl.New(table, p, true)
		start := time.Now()
		var names []string
		for _, v := range table.Vars {
			names = append(names, v.Name)
		}
		var trees []expr.Tree
		vars := make([]int, len(m.Cols))
		for i := range vars {
			vars[i] = i
		}
		for k := 1; k <= min(3, len(vars)); k++ {
			n := 0
			for _, form := range lists[k] {
				if len(form.Tree.Vars()) != k || form.Tree.NumParams()+2 > m.Rows() {
					continue
				}
				trees = append(trees, Assign(form.Tree, k, vars, nil)...)
				if n++; n > 6000/len(vars) {
					break
				}
			}
		}
		first := Fit(context.Background(), m, trees, 60, mdl.Effort{Starts: 3})
		var again []expr.Tree
		for _, x := range first {
			again = append(again, x.Tree)
		}
		final := Fit(context.Background(), m, again, 12, mdl.Effort{Starts: 10, Final: true})
		var acc []expr.Tree
		for _, a := range strings.Split(r[6], " | ") {
			if a == "none" {
				continue
			}
			tr, err := expr.Parse(a, names)
			if err != nil {
				t.Log(name, err)
				continue
			}
			tr = m.Lift(tr).MergeParams()
			acc = append(acc, tr)
		}
		total++
		as := Fit(context.Background(), m, acc, 10, mdl.Effort{Starts: 60, Final: true})
		mark := "MISS"
		s := m.Scorer()
		if len(acc) == 0 {
			if len(final) == 0 || final[0].Bits > s.Constant().Bits {
				mark = "ok"
				right++
			}
		} else if len(as) > 0 && (len(final) == 0 || as[0].Bits <= final[0].Bits+1e-6 || as[0].Tree.NumParams() == final[0].Tree.NumParams() && math.Abs(as[0].RSS-final[0].RSS) < 1e-4*as[0].RSS) {
			mark = "ok"
			right++
		}
		fmt.Printf("%-5s %-18s rows %d  %d trees %.1fs  constant %.1f\n", mark, name, m.Rows(), len(trees), time.Since(start).Seconds(), s.Constant().Bits)
		show := func(label string, c Found) {
			fmt.Printf("      %s %7.2f = form %.1f units %.1f const %.1f data %.1f %-12v size %.3g rss %.4g  %s\n", label, c.Bits, c.Form, c.Units, c.Constants, c.Data, c.Errors, c.Size, c.RSS, m.Lower(c.Tree).Infix(names))
		}
		for _, c := range as {
			show("accepted", c)
		}
		if mark != "ok" {
			for _, c := range final[:min(4, len(final))] {
				show("found   ", c)
			}
		}
	}
	fmt.Println(right, "of", total)
}
