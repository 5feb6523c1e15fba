package bench

import (
	"strings"
	"testing"

	"github.com/physlib/lab/physlib/bench/accept"
)

func TestWriteTablesCSV(t *testing.T) {
	yes, no := true, false
	records := []TableRecord{
		{File: "fall.csv", Class: "power", Set: "held-out", Units: true, Time: 6, Clock: "cpu", Wall: 7.26, Version: "abc", Proposers: []string{"forms", "search"},
			Judged: TableVerdict{Words: "likely, about 93 %", Law: "4.9*t**2", Verdict: accept.Verdict{Chosen: true, Front: true, ConstantsOK: &no}}},
		{File: "void.csv", Class: "noise", Set: "held-out", Limit: 500, Seed: 3, LeftOut: true, Judged: TableVerdict{Words: "no law", NoneRight: &yes}},
	}
	var b strings.Builder
	if err := WriteTablesCSV(&b, records); err != nil {
		t.Fatal(err)
	}
	want := `set,file,class,chosen,front,over,sure_wrong,constants_ok,none_right,verdict,law,seconds,commit,command
held-out,fall.csv,power,true,true,false,false,false,,"likely, about 93 %",4.9*t**2,7.3,abc,"physlib bench tables --set held-out --time 6s --clock cpu --proposers forms,search"
held-out,void.csv,noise,false,false,false,false,,true,no law,,0.0,,physlib bench tables --set held-out --units none --evals 500 --seed 3 --leave-out --proposers ` + `
`
	if got := b.String(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
