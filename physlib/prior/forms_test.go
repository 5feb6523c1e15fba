package prior

import (
	"bytes"
	"os"
	"testing"

	"github.com/physlib/lab/physlib/corpus"
)

func TestFormsFile(t *testing.T) {
	examples, err := Examples(corpus.Catalogue())
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := writeExamples(&b, examples); err != nil {
		t.Fatal(err)
	}
	if os.Getenv("UPDATE_FORMS") != "" {
		if err := os.WriteFile("forms.txt", b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if b.String() != formsFile {
		t.Error("forms.txt is not that of the catalogue: run UPDATE_FORMS=1 go test ./physlib/prior")
	}
	read, err := readExamples(b.String())
	if err != nil {
		t.Fatal(err)
	}
	trained := Train(read).examples
	for i, e := range examples {
		if r := trained[i]; r.Hash != e.Hash || r.Whole != e.Whole || r.Law != e.Law {
			t.Fatalf("%s: %s reads back as %s", e.Law, e.Tree, r.Tree)
		}
	}
}
