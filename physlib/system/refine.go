package system

import (
	"cmp"
	"math"

	"github.com/physlib/lab/physlib/diffusion"
)

// sampler returns the preset's refinement, with its steps and rounds.
func (s *System) sampler(t diffusion.Tokens) diffusion.Sampler {
	r := s.net.Refine
	var sampler diffusion.Sampler
	switch r.Strategy {
	case "physdiffuse":
		sampler = diffusion.PhysDiffuse(t, s.net.Dim)
	case "physmdt":
		sampler = diffusion.PhysMDT(t, cmp.Or(r.Tau0, 1), r.Noise)
	case "architects":
		sampler = diffusion.ARChitects(t)
	case "parr":
		sampler = diffusion.PARR(t)
	default:
		return diffusion.Small(t, r.Steps)
	}
	if r.WellFormed || r.Feed != "" || r.NoMask {
		sampler.Step = steps(r, t, s.net.Dim)
		sampler.Soft = sampler.Soft && r.Feed != "mask"
	}
	if r.Steps > 0 {
		sampler.Steps = r.Steps
	}
	if r.Rounds > 0 {
		sampler.Rounds = r.Rounds
	}
	return sampler
}

// steps returns the strategy of a paper, as in package diffusion, with the changes that the preset
// makes. The papers choose tokens one by one, the likeliest or at random. With well_formed a whole
// expression is chosen instead, in the same way but by exact dynamic programming. Noise on the
// logits, which PARR's paper does not have, makes the samples of parr differ.
func steps(r RefineConfig, t diffusion.Tokens, dim int) diffusion.Strategy {
	c, restrict := diffusion.Chain, diffusion.Restrict(t.Allowed)
	drawn, likeliest := diffusion.SampleTokens(), diffusion.MostLikely()
	unmask := diffusion.UnmaskTop
	// Visible tokens stay. If one were replaced, the new token might not fit the rest of the
	// expression.
	if r.WellFormed {
		drawn, likeliest, unmask = diffusion.WellFormed(t.Grammar), diffusion.BestFormed(t.Grammar), diffusion.Commit
	}
	switch r.Strategy {
	case "physdiffuse":
		return c(diffusion.NormalizeLogits(dim), restrict, diffusion.Anneal(1, 0.1), drawn, diffusion.ConfidenceMax(), unmask(diffusion.Linear))
	case "physmdt":
		tau := diffusion.Temperature(math.Pow(cmp.Or(r.Tau0, 1), 2))
		return c(diffusion.Noise(r.Noise), restrict, likeliest, tau, feed(r, diffusion.SoftEmbed(), diffusion.AddMask(1, 1, diffusion.Linear)))
	case "architects":
		return c(restrict, drawn, diffusion.ConfidenceMax(), diffusion.Commit(diffusion.Cosine), feed(r, diffusion.SoftEmbed(), diffusion.AddMask(1, 0, diffusion.Cosine)))
	default: // parr
		show := diffusion.UnmaskQuantile(diffusion.Linear)
		if r.WellFormed {
			show = diffusion.Commit(diffusion.Linear)
		}
		return c(diffusion.Noise(r.Noise), restrict, likeliest, diffusion.ConfidenceSigmoid(), show, feed(r, diffusion.Blend(0.3, 1), nil))
	}
}

// feed returns the strategy that sets the network's next input for masked tokens: soft, unless the
// preset says otherwise. Then the strategy mask, unless it is nil or the preset omits it, adds the
// mask embedding.
func feed(r RefineConfig, soft, mask diffusion.Strategy) diffusion.Strategy {
	switch {
	case r.Feed == "mask":
		return diffusion.Chain()
	case r.Feed == "argmax":
		soft = diffusion.HardEmbed()
	}
	if mask == nil || r.NoMask {
		return soft
	}
	return diffusion.Chain(soft, mask)
}
