package diffusion

import "github.com/physlib/lab/physlib/token"

// Tokens is the part of a vocabulary that a Sampler uses.
type Tokens struct {
	Size    int
	Mask    int32
	Allowed []bool  // by token; nil: all but the mask. A network that ends its sequences itself needs end and padding, too
	Grammar Grammar // for the presets that write well-formed expressions only
}

// NewTokens returns the tokens of v that allowed accepts, all if it is nil. v.Columns(3) accepts
// those of expressions over three columns. Tokens that stand in no expression are never allowed.
func NewTokens(v *token.Vocabulary, allowed func(id int32) bool) Tokens {
	t := Tokens{Size: v.Size(), Mask: v.Mask(), Allowed: make([]bool, v.Size()), Grammar: v.Grammar(allowed)}
	for id := range t.Allowed {
		t.Allowed[id] = v.Arity(int32(id)) >= 0 && (allowed == nil || allowed(int32(id)))
	}
	return t
}

// PhysDiffuse returns the refinement of PhysDiffuse §2 and §8: 64 steps in 2 rounds, logits of
// length √dim, τ from 1 to 0.1. Tokens are drawn independently, and the most confident shown,
// linearly many. dim is the network's width, 512 in the paper.
func PhysDiffuse(t Tokens, dim int) Sampler {
	return Sampler{
		Vocab: t.Size, Mask: t.Mask, Steps: 64, Rounds: 2,
		Step: Chain(NormalizeLogits(dim), Restrict(t.Allowed), Anneal(1, 0.1), SampleTokens(), ConfidenceMax(), UnmaskTop(Linear)),
	}
}

// PhysMDT returns the soft-masking recursion of PhysMDT §5: 50 steps in 2 rounds. The whole
// distribution is fed back with the mask embedding added everywhere. No token is ever shown, and
// each step's likeliest tokens are a visit. noise is that of Noise, 0 in the paper. The temperature
// is applied twice, as the paper writes it.
func PhysMDT(t Tokens, temperature, noise float64) Sampler {
	return Sampler{
		Vocab: t.Size, Mask: t.Mask, Steps: 50, Rounds: 2, Soft: true, FirstMask: 1, EachStep: true,
		Step: Chain(Noise(noise), Restrict(t.Allowed), MostLikely(), Temperature(temperature), Temperature(temperature), SoftEmbed(),
			AddMask(1, 1, Linear)),
	}
}

// ARChitects returns the refinement of ARChitects transfer §2: 64 steps of soft tokens with a
// decaying mask embedding. The most confident positions are shown by the cosine schedule and stay.
// Eight samples vote.
func ARChitects(t Tokens) Sampler {
	return Sampler{
		Vocab: t.Size, Mask: t.Mask, Steps: 64, Soft: true,
		Step: Chain(Restrict(t.Allowed), SampleTokens(), ConfidenceMax(), Commit(Cosine), SoftEmbed(), AddMask(1, 0, Cosine)),
	}
}

// PARR returns the refinement of PARR §2.2 with 8 loops. The likeliest tokens are shown where the
// confidence reaches a quantile; soft tokens are blended from 0.3 to 1. What is hidden after the
// last loop takes its likeliest token.
func PARR(t Tokens) Sampler {
	return Sampler{
		Vocab: t.Size, Mask: t.Mask, Steps: 8, Soft: true,
		Step: Chain(Restrict(t.Allowed), MostLikely(), ConfidenceSigmoid(), UnmaskQuantile(Linear), Blend(0.3, 1)),
	}
}

// Small returns the refinement that finds most laws with a small network. It has at most steps
// steps; 12 to 24 are enough. Every step draws a well-formed expression around the tokens shown, at
// temperatures from 1 to 1.4. It commits where likely tokens were drawn, in an order varied by
// noise of size 1.
func Small(t Tokens, steps int) Sampler {
	return Sampler{
		Vocab: t.Size, Mask: t.Mask, Steps: steps, AtMostOneEach: true,
		Step: Chain(Restrict(t.Allowed), MixTemperature(1, 1.4), WellFormed(t.Grammar), ConfidenceProposed(), ConfidenceNoise(1), Commit(Linear)),
	}
}
