package safetensors_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/physlib/lab/physlib/nn/safetensors"
)

func sealed(t testing.TB, f safetensors.File) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := safetensors.WriteSealed(&b, f); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestSealed(t *testing.T) {
	f := file()
	data := sealed(t, f)
	got, err := safetensors.ParseSealed(data)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(f, got); d != "" {
		t.Error(d)
	}
	if _, err := safetensors.Parse(data); err != nil {
		t.Errorf("as any safetensors file: %v", err)
	}
	if _, err := safetensors.ParseSealed(encoded(t, f)); !errors.Is(err, safetensors.ErrNoSum) {
		t.Errorf("without a checksum: %v", err)
	}
	if got, err := safetensors.ParseSealed(sealed(t, safetensors.File{})); err != nil || len(got.Metadata) != 0 {
		t.Errorf("of nothing: %v, %v", got, err)
	}
}

// Every flipped bit and every truncation is detected.
func TestSealedFindsDamage(t *testing.T) {
	data := sealed(t, file())
	for i := range data {
		for bit := range 8 {
			damaged := slices.Clone(data)
			damaged[i] ^= 1 << bit
			if _, err := safetensors.ParseSealed(damaged); err == nil {
				t.Errorf("bit %d of byte %d (%q) was turned over and accepted", bit, i, data[i])
			}
		}
		if _, err := safetensors.ParseSealed(data[:i]); err == nil {
			t.Errorf("the first %d bytes of %d were accepted", i, len(data))
		}
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for range 100 { // damage by additional bytes
		if _, err := safetensors.ParseSealed(append(slices.Clone(data), byte(rng.UintN(256)))); err == nil {
			t.Error("a byte too many was accepted")
		}
	}
}
