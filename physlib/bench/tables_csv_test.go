package bench

import (
	"strings"
	"testing"

	"github.com/physlib/lab/physlib/bench/accept"
)

func TestWriteTableRows(t *testing.T) {
	yes, no := true, false
	rows := []TableRow{
		{TableRecord{File: "fall.csv", Class: "power", Set: "held-out", Wall: 7.26, Version: "abc",
			Judged: TableVerdict{Words: "likely, about 93 %", Law: "4.9*t**2", Verdict: accept.Verdict{Chosen: true, Front: true, ConstantsOK: &no}}},
			"physlib bench tables --proposers forms,search"},
		{TableRecord{File: "void.csv", Class: "noise", Set: "held-out", Judged: TableVerdict{Words: "no law", NoneRight: &yes}}, ""},
	}
	var b strings.Builder
	if err := WriteTableRows(&b, rows); err != nil {
		t.Fatal(err)
	}
	want := `set,file,class,chosen,front,over,sure_wrong,constants_ok,none_right,verdict,law,seconds,commit,command
held-out,fall.csv,power,true,true,false,false,false,,"likely, about 93 %",4.9*t**2,7.3,abc,"physlib bench tables --proposers forms,search"
held-out,void.csv,noise,false,false,false,false,,true,no law,,0.0,,
`
	if got := b.String(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
