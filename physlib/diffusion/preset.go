package diffusion

import "github.com/physlib/lab/physlib/token"

// Tokens is the part of a vocabulary that a Sampler uses. The vocabularies are those of PhysDiffuse
// §6, PhysMDT §3 and PARR §2.2, see package token.
type Tokens struct {
	Size int
	Mask int32
	// Allowed reports for each token whether a Sampler may use it. If nil, it may use all tokens
	// except the mask. A network that ends its sequences itself also needs the end token and
	// padding.
	Allowed []bool
	Grammar Grammar // for presets that draw well-formed expressions only
}

// NewTokens returns the tokens of v that allowed accepts, or all if it is nil. v.Columns(3), for
// example, accepts the tokens of expressions in three columns. Tokens that occur in no expression
// are never allowed.
func NewTokens(v *token.Vocabulary, allowed func(id int32) bool) Tokens {
	t := Tokens{Size: v.Size(), Mask: v.Mask(), Allowed: make([]bool, v.Size()), Grammar: v.Grammar(allowed)}
	for id := range t.Allowed {
		t.Allowed[id] = v.Arity(int32(id)) >= 0 && (allowed == nil || allowed(int32(id)))
	}
	return t
}

// PhysDiffuse returns the refinement of PhysDiffuse §2 and §8: 64 steps in 2 rounds, logits scaled
// to the norm √dim, and temperatures from 1 to 0.1. Tokens are drawn independently. The most
// confident tokens become visible; their number rises linearly. dim is the network's width, 512 in
// the paper.
func PhysDiffuse(t Tokens, dim int) Sampler {
	return Sampler{
		Vocab: t.Size, Mask: t.Mask, Steps: 64, Rounds: 2,
		Step: Chain(NormalizeLogits(dim), Restrict(t.Allowed), Anneal(1, 0.1), SampleTokens(), ConfidenceMax(), UnmaskTop(Linear)),
	}
}

// PhysMDT returns the soft-masking recursion of PhysMDT §5: 50 steps in 2 rounds. Each step feeds
// back the token probabilities at all positions, plus the mask embedding. No token is ever fixed,
// and each step's likeliest tokens count as a visit of their law, see Tally. noise is the scale of
// Noise, 0 in the paper. The temperature is applied twice, as in the paper.
func PhysMDT(t Tokens, temperature, noise float64) Sampler {
	return Sampler{
		Vocab: t.Size, Mask: t.Mask, Steps: 50, Rounds: 2, Soft: true, FirstMask: 1, EachStep: true,
		Step: Chain(Noise(noise), Restrict(t.Allowed), MostLikely(), Temperature(temperature), Temperature(temperature), SoftEmbed(),
			AddMask(1, 1, Linear)),
	}
}

// ARChitects returns the refinement of ARChitects §2: 64 steps of soft tokens with a decaying mask
// embedding. The most confident positions are fixed by the cosine schedule. In the paper eight
// samples vote.
func ARChitects(t Tokens) Sampler {
	return Sampler{
		Vocab: t.Size, Mask: t.Mask, Steps: 64, Soft: true,
		Step: Chain(Restrict(t.Allowed), SampleTokens(), ConfidenceMax(), Commit(Cosine), SoftEmbed(), AddMask(1, 0, Cosine)),
	}
}

// PARR returns the refinement of PARR §2.2 with 8 loops. At positions whose confidence reaches a
// quantile, the likeliest tokens become visible. Soft tokens are blended with weights from 0.3 to
// 1. Positions that are still masked after the last loop get their likeliest token.
func PARR(t Tokens) Sampler {
	return Sampler{
		Vocab: t.Size, Mask: t.Mask, Steps: 8, Soft: true,
		Step: Chain(Restrict(t.Allowed), MostLikely(), ConfidenceSigmoid(), UnmaskQuantile(Linear), Blend(0.3, 1)),
	}
}

// Small returns the refinement that finds most laws with a small network. It makes at most the
// given number of steps; 12 to 24 are enough. Each step draws a well-formed expression that
// contains the visible tokens, at temperatures from 1 to 1.4. It fixes the positions where the
// drawn tokens were likely. Gumbel noise of scale 1 varies the order in which positions are fixed.
func Small(t Tokens, steps int) Sampler {
	return Sampler{
		Vocab: t.Size, Mask: t.Mask, Steps: steps, AtMostOneEach: true,
		Step: Chain(Restrict(t.Allowed), MixTemperature(1, 1.4), WellFormed(t.Grammar), ConfidenceProposed(), ConfidenceNoise(1), Commit(Linear)),
	}
}
