package survey

import (
	"os"
	"slices"
	"testing"
)

// The files contain the forms under the catalogue's prior. They are read back as the same trees.
func TestListFiles(t *testing.T) {
	for vars := 1; vars <= mostKnown; vars++ {
		forms := list(Catalogue(), vars)
		if os.Getenv("UPDATE_FORMS") != "" {
			if err := os.WriteFile(listName(vars), writeList(forms), 0o666); err != nil {
				t.Fatal(err)
			}
			continue
		}
		read, err := readList(vars)
		if err != nil {
			t.Fatal(err)
		}
		same := len(read) == len(forms)
		for i := range min(len(read), len(forms)) {
			same = same && read[i].Bits == forms[i].Bits && slices.Equal(read[i].Tree.Nodes(), forms[i].Tree.Nodes())
		}
		if !same {
			t.Errorf("%s is not the list of the catalogue's prior: run UPDATE_FORMS=1 go test ./physlib/survey", listName(vars))
		}
	}
}

func BenchmarkReadList(b *testing.B) {
	for b.Loop() {
		if _, err := readList(1); err != nil {
			b.Fatal(err)
		}
	}
}
