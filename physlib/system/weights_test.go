package system

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/physlib/lab/physlib/nn/safetensors"
)

// Embedded weights with a changed byte, or cut short, are refused. The test tries 200 positions for
// each kind of damage.
func TestOpenFindsDamage(t *testing.T) {
	const preset = "physdiffuse-small"
	c, b := must(Preset(preset)), goBackend(t)
	data := must(Weights(preset))
	rng := rand.New(rand.NewPCG(1, 2))
	for n := range 200 {
		at := rng.IntN(len(data))
		if n%4 == 0 {
			at = rng.IntN(8000) // a position in the header
		}
		damaged := slices.Clone(data)
		damaged[at] ^= 1 << rng.IntN(8)
		for what, file := range map[string][]byte{"changed": damaged, "cut": data[:at]} {
			s, err := Open(b, c, bytes.NewReader(file))
			if err == nil {
				s.Close()
				t.Errorf("%s at byte %d of %d: opened", what, at, len(data))
			} else if strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), preset) {
				t.Errorf("%s at byte %d: %v", what, at, err)
			}
		}
	}
}

// Weights that do not fit the preset are refused with one line that gives the reason.
func TestOpenOtherWeights(t *testing.T) {
	c, b := tiny(t), goBackend(t)
	s := untrained(t, c)
	laws(t, s) // creates the weights
	all := must(safetensors.FromStore(s.store, nil))
	file := func(edit func(f *safetensors.File)) []byte {
		config := fmt.Sprintf(`{"tokens":%q}`, c.Tokens)
		f := safetensors.File{Tensors: slices.Clone(all), Metadata: map[string]string{"task": "other", "config": config}}
		edit(&f)
		var out bytes.Buffer
		if err := safetensors.WriteSealed(&out, f); err != nil {
			t.Fatal(err)
		}
		return out.Bytes()
	}
	var plain bytes.Buffer
	if err := safetensors.Write(&plain, safetensors.File{Tensors: all}); err != nil {
		t.Fatal(err)
	}
	wider := *c
	wider.Dim *= 2
	for _, test := range []struct {
		name string
		c    *Config
		data []byte
		says string
	}{
		{"its own", c, file(func(*safetensors.File) {}), ""},
		{"before checksums", c, plain.Bytes(), "export it again"},
		{"no file of weights", c, []byte("no weights at all"), "not a whole safetensors file"},
		{"empty", c, nil, "0 bytes"},
		{"no array", c, file(func(f *safetensors.File) { f.Tensors = nil }), "holds none"},
		{"vocabulary", c, file(func(f *safetensors.File) {
			f.Metadata["config"] = strings.Replace(f.Metadata["config"], `"tokens":"`, `"tokens":"un`, 1)
		}), "vocabulary"},
		{"configuration", c, file(func(f *safetensors.File) { f.Metadata["config"] = "{" }), "configuration"},
		{"shapes", &wider, file(func(*safetensors.File) {}), "shape"},
		{"one array less", c, file(func(f *safetensors.File) { f.Tensors = f.Tensors[1:] }), "the file says that it is of other"},
	} {
		s, err := Open(b, test.c, bytes.NewReader(test.data))
		switch {
		case err == nil:
			s.Close()
			if test.says != "" {
				t.Errorf("%s: opened", test.name)
			}
		case test.says == "":
			t.Errorf("%s: %v", test.name, err)
		case !strings.Contains(err.Error(), test.says) || strings.Contains(err.Error(), "\n") || strings.Contains(err.Error(), "panicked"):
			t.Errorf("%s: %v", test.name, err)
		case test.name == "before checksums" && !errors.Is(err, safetensors.ErrNoSum):
			t.Errorf("%s: %v", test.name, err)
		}
	}
}
