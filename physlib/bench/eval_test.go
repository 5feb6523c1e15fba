package bench

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func TestEval(t *testing.T) {
	file := filepath.Join(t.TempDir(), "trees.jsonl")
	text := `{"set": "arith", "post": ["x0", 2, "*", "x9", "/"]}` + "\n\n" + `{"set": "mixed", "post": [2, "exp", "x1", "sin", "+"]}` + "\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := Eval(context.Background(), &out, EvalOptions{Trees: file, Rows: []int{7, 100}, Reps: 1}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`eval arith rows=7 trees=1 nodes=5 physlib \S+ G/s \(varying \S+\)\n`, `eval mixed rows=100 trees=1 nodes=5 `} {
		if !regexp.MustCompile(want).MatchString(out.String()) {
			t.Errorf("no line %s in\n%s", want, &out)
		}
	}
}

func TestEvalBadInput(t *testing.T) {
	for text, want := range map[string]string{
		"":                                      "no trees",
		"{":                                     "line 1",
		`{"set": "a", "post": ["x0", "+"]}`:     "token 2",
		`{"set": "a", "post": ["x0", "x1"]}`:    "not one expression",
		`{"set": "a", "post": ["y"]}`:           "token 1, y",
		`{"set": "a", "post": [{"x": 1}, "x"]}`: "token 1",
	} {
		file := filepath.Join(t.TempDir(), "trees.jsonl")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		err := Eval(context.Background(), &bytes.Buffer{}, EvalOptions{Trees: file})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q in it", text, err, want)
		}
	}
	if err := Eval(context.Background(), &bytes.Buffer{}, EvalOptions{Against: []string{"abacus"}}); err == nil {
		t.Error("an unknown engine is not an error")
	}
	err := Eval(context.Background(), &bytes.Buffer{}, EvalOptions{Against: []string{"numpy"}, Python: "/no/such/python"})
	if err == nil || !strings.Contains(err.Error(), "--python") {
		t.Errorf("a missing Python gives %v", err)
	}
}

func TestEvalTreesEmbedded(t *testing.T) {
	text, err := evalText("")
	if err != nil {
		t.Fatal(err)
	}
	sets, err := readEvalSets(text)
	if err != nil {
		t.Fatal(err)
	}
	if len(sets) != 2 || sets[0].name != "arith" || sets[0].nodes != 21212 || sets[1].nodes != 24921 || len(sets[1].trees) != 1000 {
		t.Errorf("the embedded trees are not those of the measurement: %d sets", len(sets))
	}
}
