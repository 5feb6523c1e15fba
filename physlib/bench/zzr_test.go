package bench

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/physlib/lab/physlib/corpus"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/mdl"
	"github.com/physlib/lab/physlib/survey"
	"github.com/physlib/lab/physlib/dataset"
)

func TestZZR(t *testing.T) {
	o := RecoveryOptions{Suite: "feynman", Noise: 0.01, Rows: 1000}
	r := &recovery{RecoveryOptions: o}
	ps, err := o.problems()
	if err != nil { t.Fatal(err) }
	prior, err := unknown("feynman")
	if err != nil { t.Fatal(err) }
	for _, line := range strings.Split(os.Getenv("DBG"), ";") {
		parts := strings.Split(line, "::")
		var p corpus.Problem
		for _, q := range ps { if q.ID == parts[0] { p = q } }
		tab, err := r.table(p)
		if err != nil { t.Fatal(err) }
		var names []string
		for _, c := range tab.Vars { names = append(names, c.Name) }
		_ = dataset.Options{}
		pr := prior.(*survey.Laws).For(tab, true)
		m := mdl.New(tab, pr, true)
		s := m.Scorer()
		fmt.Println("==", parts[0])
		for _, f := range parts[1:] {
			e, err := expr.Parse(f, names)
			if err != nil { t.Fatal(f, err) }
			e = m.Lift(e)
			c, ok := s.Score(e, mdl.Effort{Starts: 8, Final: true})
			fmt.Printf("%-50s ok %v %v bits %.1f form %.1f units %.1f const %.1f err %.1f data %.1f size %.4g %v\n", f, ok, c.Errors, c.Bits, c.Form, c.Units, c.Constants, c.ErrorModel, c.Data, c.Size, c.Params)
		}
	}
}

func TestZZS(t *testing.T) {
	r := &recovery{RecoveryOptions: RecoveryOptions{Suite: "feynman", Noise: 0.01, Rows: 1000, Time: 6e9, Proposers: []string{"search", "genetic", "forms"}}}
	r.Jobs = 1
	ps, _ := r.problems()
	r.prior, _ = unknown("feynman")
	for _, id := range strings.Split(os.Getenv("DBG"), ",") {
		for _, p := range ps {
			if p.ID != id { continue }
			tab, _ := r.table(p)
			res, err := r.search(t.Context(), tab)
			if err != nil { t.Fatal(err) }
			fmt.Println(id, res.Stopped, res.Verdict, res.Probability, res.Errors)
			fmt.Println("BEST", res.Best.Score, res.Best.Infix())
			for i, l := range res.Finalists { if i < 12 { fmt.Println("  ", i, l.Score, l.RMSE, l.Infix(), l.Proposer) } }
			for _, l := range res.Front { fmt.Println("  F", l.Score, l.RMSE, l.Infix(), l.Proposer) }
		}
	}
}
