package params

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/physlib/lab/physlib/backend/backendtest"
	"github.com/physlib/lab/physlib/system"
	"github.com/physlib/lab/physlib/train"
)

func TestTable(t *testing.T) {
	var b strings.Builder
	rows := []Row{{Preset: "physdiffuse", Parameters: 62_000_000, Claimed: 80e6, State: 1e9, Memory: 3e9, Batch: 16,
		Parts: []system.Part{{Name: "decoder", Parameters: 34_000_000}}, Peak: 5e9, Measured: &Measured{Tables: 2}}}
	if err := table(&b, rows); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"62.00 M", "80.00 M", "decoder 34.00 M", "3.0 GB at batch 16", "5.0 GB with 2 tables"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is not in\n%s", want, b.String())
		}
	}
}

// A table keeps a measurement until the preset is measured again or has changed. A file with
// another table is not overwritten.
func TestCSV(t *testing.T) {
	path := filepath.Join(t.TempDir(), "params.csv")
	put := func(rows ...Row) string {
		t.Helper()
		if err := writeCSV(path, rows); err != nil {
			t.Fatal(err)
		}
		data, _ := os.ReadFile(path)
		return string(data)
	}
	put(Row{Preset: "b", Parameters: 7, Peak: 5, Measured: &Measured{Backend: "xla"}})
	if got := put(Row{Preset: "a", Parameters: 1}, Row{Preset: "b", Parameters: 7}); !strings.Contains(got, "\na,1,") || !strings.Contains(got, "\nb,7,,,,,5,xla,") {
		t.Error(got)
	}
	if got := put(Row{Preset: "b", Parameters: 8}); strings.Contains(got, "xla") || !strings.Contains(got, "\nb,8,") || strings.Count(got, "\n") != 3 {
		t.Error(got)
	}
	if err := os.WriteFile(path, []byte("x,y\n1,2\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := writeCSV(path, nil); err == nil || !strings.Contains(err.Error(), path) {
		t.Error(err)
	}
}

// Series reports the full-size recurrent network, and as many of its layers as can be trained in
// the given memory.
func TestSeries(t *testing.T) {
	all, fitting, err := (&Cmd{Memory: 12}).series()
	if err != nil {
		t.Fatal(err)
	}
	if all.Layers != 60 || fitting.Layers < 1 || fitting.Layers > 4 || fitting.Dim != all.Dim {
		t.Errorf("%d of %d layers", fitting.Layers, all.Layers)
	}
	if most := 12 * float64(1<<30); bytesPerWeight*float64(fitting.Params()) > most || bytesPerWeight*float64(fitting.Params()+LayerWeights(all)) < most {
		t.Errorf("%d layers are not as many as fit", fitting.Layers)
	}
	one := all
	one.Layers, one.Every, one.Dim, one.Hidden, one.Rank = 1, 0, 16, 32, 4
	c, err := train.Measure(t.Context(), backendtest.Go(t), Series{one, 8}, train.Settings{LR: 1e-5}, 2)
	if err != nil || c.Parameters != one.Params() || len(c.Losses) != 2 {
		t.Errorf("%+v, %d parameters: %v", c, one.Params(), err)
	}
}
