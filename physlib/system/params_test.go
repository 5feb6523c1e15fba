package system

import "testing"

// The parameters of PhysDiffuse at full size, by the formulas of its layers.
func TestParametersOfPhysDiffuse(t *testing.T) {
	c := must(Preset("physdiffuse"))
	c.Corpus.Buckets[0].Batches, c.Corpus.Rows = 1, 16 // no more data than the shapes need
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
