package survey

import (
	"fmt"
	"testing"
	"time"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/expr/skeleton"
	"github.com/physlib/lab/physlib/law"
)

type today struct{}

func (today) Bits(t expr.Tree, vars int) float64 {
	return law.Complexity(t, vars) - 6*float64(t.NumParams())
}

func TestShow(t *testing.T) {
	for vars := 1; vars <= 3; vars++ {
		start := time.Now()
		forms := Enumerate(devPrior(), vars, Default(vars))
		fmt.Println(vars, len(forms), time.Since(start), forms[len(forms)-1].Bits)
		at := map[uint64]int{}
		for i, f := range forms {
			at[f.hash] = i
		}
		for _, s := range []string{"c0*exp(-c1/x0)", "c0*exp(c1*x0)+c2", "c0*(exp(c1*x0)-1)", "c0*exp(c1*x0)+c2*exp(c3*x0)", "c0*exp(c1/(x0+c2))", "1/(c0+c1*log(x0)+c2*log(x0)**3)",
			"c0*(x0+c1)**c2", "c0*x0**c1", "c0*x0**4-c1", "c0*sqrt(x0+c1)", "c0*x0/(c1+x0)", "c0*x0/(c1+x0+c2*x0**2)", "c2*x0**c1/(c0**c1+x0**c1)", "x0**c1/(c0**c1+x0**c1)", "c0*x0/(c1+x0)+c2*x0", "c0+c1*cos(c2*x0+c3)",
			"c0*x0/(x0-c0)", "c0+c1/(x0-c2)", "c0*x0/(x0+c1)**2", "c0/(1+((x0-c1)/c2)**2)+c3", "c0*x0**(3/2)/(x0+c1)", "c0/(1+c1*x0)", "c0*x0/(c1*(1+x1/c2)+x0)", "c0*x0*x1+c1", "c0*x0**2*x1", "c0*x0*(x1-x2)", "c0*x0**2*(x1-c1)", "c0*x0*exp(-c1*x0)", "c0/(1+exp(-c1*(x0-c2)))", "c0*x0+c1*x1+c2", "c0*x0**c1*x1**c2"} {
			tr, err := expr.Parse(s, []string{"x0", "x1", "x2"})
			if err != nil {
				t.Fatal(err)
			}
			tr = tr.MergeParams()
			if len(tr.Vars()) > vars || (vars > 1 && len(tr.Vars()) == 1) {
				continue
			}
			i, ok := at[skeleton.Hash(tr)]
			fmt.Println("  ", s, "->", tr, ok, i, devPrior().Bits(tr, vars))
		}
	}
}
