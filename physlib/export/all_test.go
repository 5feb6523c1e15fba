package export

import (
	"encoding/json"
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
)

// Several laws are written as one file that is valid in its language.
func TestAll(t *testing.T) {
	var sources []Source
	for target, text := range map[string]string{"dx_dt": "y", "dy_dt": "-sin(x)"} {
		vars := []string{"x", "y"}
		tree, err := expr.Parse(text, vars)
		if err != nil {
			t.Fatal(err)
		}
		sources = append(sources, Source{Law: law.Law{Tree: tree, Vars: vars, Target: target}})
	}
	text, err := All("go", sources)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parser.ParseFile(token.NewFileSet(), "law.go", text, 0); err != nil || strings.Count(text, "import") != 1 || strings.Count(text, "func") != 2 {
		t.Errorf("%v in\n%s", err, text)
	}
	if text, err = All("json", sources); err != nil {
		t.Fatal(err)
	}
	var laws []any
	if err := json.Unmarshal([]byte(text), &laws); err != nil || len(laws) != 2 {
		t.Errorf("%v in\n%s", err, text)
	}
	one, err := All("json", sources[:1])
	if want, _ := To("json", sources[0]); err != nil || one != want {
		t.Errorf("one law is %s, want %s", one, want)
	}
}
