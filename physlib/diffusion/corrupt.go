package diffusion

import (
	"math"
	"math/rand/v2"
)

// Corruption masks tokens of a sequence, the forward process of masked diffusion (PhysDiffuse §2):
//
//	t ~ U(Min, Max),   m_i ~ Bernoulli(t),   x̃_i = mask where m_i = 1, else x_i
//
// If this masks no token, one random token is masked, except with ELBO. The zero value draws t from
// U(0, 1) and weights the masked tokens equally.
type Corruption struct {
	// Min and Max limit the mask ratio t. If both are 0, the limits are 0 and 1. PhysMDT trains
	// with 0.1 to 0.9 and adapts with 0.3 to 0.9.
	Min, Max float64

	// ELBO weights each masked token by 1/t. The loss is then a bound on the negative
	// log-likelihood (Sahoo et al. 2024, eq. 10) instead of the mean over masked tokens, see the
	// function ELBO. The bound holds for t from U(0, 1). In practice t starts at 0.001, because
	// rare large weights make the loss noisy.
	ELBO bool

	// Stratified spreads the ratios of a batch of n rows evenly. The range is divided into n equal
	// parts, one for the t of each row, and one random number shifts all t. The loss then varies
	// less between batches (Sahoo et al. 2024, appendix C).
	Stratified bool
}

// MaskTokens corrupts the sequence ids and returns the ratio t. It writes the result to masked:
// ids with some tokens replaced by mask. It sets weights to the weights of the tokens in Loss,
// which are 0 for visible tokens. Tokens equal to pad are never masked and have no weight. A
// negative pad means that there is no padding. All slices have the length of ids, and masked may
// be ids.
func (c Corruption) MaskTokens(rng *rand.Rand, ids []int32, mask, pad int32, masked []int32, weights []float32) (t float64) {
	return c.maskAt(rng, rng.Float64(), ids, mask, pad, masked, weights)
}

// MaskBatch applies MaskTokens to each row of ids [batch, seq].
func (c Corruption) MaskBatch(rng *rand.Rand, ids []int32, seq int, mask, pad int32, masked []int32, weights []float32) {
	n := len(ids) / seq
	shift := 0.0
	if c.Stratified {
		shift = rng.Float64()
	}
	for b := range n {
		var u float64
		if c.Stratified {
			_, u = math.Modf(shift + float64(b)/float64(n))
		} else {
			u = rng.Float64()
		}
		r := b * seq
		c.maskAt(rng, u, ids[r:r+seq], mask, pad, masked[r:r+seq], weights[r:r+seq])
	}
}

func (c Corruption) maskAt(rng *rand.Rand, u float64, ids []int32, mask, pad int32, masked []int32, weights []float32) float64 {
	lo, hi := c.Min, c.Max
	if lo == 0 && hi == 0 {
		hi = 1
	}
	t := lo + (hi-lo)*u
	weight := float32(1)
	if c.ELBO {
		weight = float32(1 / t)
	}
	real, count := 0, 0
	for i, id := range ids {
		// A random number is drawn for padding too, so that padding does not change which other
		// positions are masked.
		m := rng.Float64() < t
		masked[i], weights[i] = id, 0
		if id == pad {
			continue
		}
		real++
		if m {
			masked[i], weights[i] = mask, weight
			count++
		}
	}
	if count > 0 || real == 0 || c.ELBO {
		return t
	}
	k := rng.IntN(real)
	for i, id := range ids {
		if id == pad {
			continue
		}
		if k == 0 {
			masked[i], weights[i] = mask, weight
			break
		}
		k--
	}
	return t
}
