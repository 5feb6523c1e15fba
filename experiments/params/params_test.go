package params

import (
	"strings"
	"testing"

	"github.com/physlib/lab/physlib/system"
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
