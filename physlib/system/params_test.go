package system

import (
	"strings"
	"testing"
)

// The number of parameters of PhysDiffuse at full size follows from the formulas of its layers.
func TestParametersOfPhysDiffuse(t *testing.T) {
	c := must(Preset("physdiffuse"))
	c.Corpus.Buckets[0].Batches, c.Corpus.Rows = 1, 16 // as few data as these shapes allow
	parts := must(Parameters(goBackend(t), c))
	const d, f, v = 512, 2048, 73
	attention := 4 * (d*d + d)
	forward := d*f + f + f*d + d
	norm := 2 * d
	decoder := v*d + 8*(2*attention+forward+3*norm) + norm + d*v + v
	for _, p := range parts {
		if p.Name == "decoder" && p.Parameters != decoder {
			t.Errorf("decoder has %d parameters, by its formula %d", p.Parameters, decoder)
		}
		t.Logf("%s %d", p.Name, p.Parameters)
	}
	if len(parts) != 2 {
		t.Errorf("parts %v, want encoder and decoder", parts)
	}
}

// Small presets have few parameters. The graph of every preset can be built.
func TestParametersOfPresets(t *testing.T) {
	b := goBackend(t)
	for _, name := range Presets() {
		c := must(Preset(name))
		for i := range c.Corpus.Buckets { // as few data as these shapes allow
			c.Corpus.Buckets[i].Batches, c.Corpus.Buckets[i].Tables = 1, 1
		}
		parts, err := Parameters(b, c)
		if err != nil {
			t.Error(err)
			continue
		}
		sum := 0
		for _, p := range parts {
			sum += p.Parameters
		}
		t.Logf("%s %d %v, claimed %g %v", name, sum, parts, c.Claim.Parameters, c.Claim.Parts)
		if strings.HasSuffix(name, "-small") && sum > 1_200_000 {
			t.Errorf("%s has %d parameters", name, sum)
		}
	}
}
