package discover

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/lawfile"
)

// An interrupted search for invariants ends like any other interrupted search: with its message,
// with exit code 130, and with the word "interrupted" in the files.
func TestInterruptedInvariant(t *testing.T) {
	table := &dataset.Table{Name: "t", Vars: []dataset.Column{{Name: "x"}}, Target: dataset.Column{Name: "y"}}
	for i := range 30 {
		table.Vars[0].Values = append(table.Vars[0].Values, math.Cos(float64(i)))
		table.Target.Values = append(table.Target.Values, math.Sin(float64(i)))
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	out, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	c := Cmd{Save: filepath.Join(t.TempDir(), "run.json"), Quiet: true}
	c.Implicit = true
	err = c.runInvariant(ctx, streams{out: out, err: os.Stderr}, table, discover.Settings{}, nil)
	if e, ok := err.(exit); !ok || e.code != 130 || e.text != "interrupted; no law was found yet, saved in "+c.Save {
		t.Errorf("error %v", err)
	}
	f, err := lawfile.Read(c.Save)
	if err != nil || f.Stopped != string(discover.StopInterrupted) {
		t.Errorf("%v, stopped by %v", err, f)
	}
}
