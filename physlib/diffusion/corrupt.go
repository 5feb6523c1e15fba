package diffusion

import (
	"math"
	"math/rand/v2"
)

// Corruption hides tokens of a sequence, the forward process of masked diffusion (PhysDiffuse §2):
//
//	t ~ U(Min, Max),   m_i ~ Bernoulli(t),   x̃_i = mask where m_i = 1, else x_i
//
// At least one token is hidden, one at random where chance would hide none, but not with ELBO. The
// zero value draws t from U(0, 1) and weighs the hidden tokens alike.
type Corruption struct {
	Min, Max float64 // range of the mask ratio t; both 0: (0, 1). PhysMDT trains on (0.1, 0.9) and adapts on (0.3, 0.9)

	// ELBO weighs each hidden token by 1/t, which makes the loss a bound of the negative
	// log-likelihood (Sahoo et al. 2024, eq. 10) instead of the mean over hidden tokens, see ELBO.
	// The bound is that of t from U(0, 1), in practice from 0.001, as rare large weights make it
	// noisy.
	ELBO bool

	// Stratified spreads the ratios of a batch evenly. Row b of n has its t from part b of the
	// range, shifted by one random number for all. The loss then varies less from batch to batch
	// (Sahoo et al. 2024, appendix C).
	Stratified bool
}

// Hide corrupts one sequence and returns the ratio t. It sets hidden to ids with mask at the hidden
// tokens. It sets weights to the weight of each token in Loss, 0 for shown ones. Tokens equal to
// pad are not hidden and have no weight; a negative pad is no token. All slices have the length of
// ids; hidden may be ids.
func (c Corruption) Hide(rng *rand.Rand, ids []int32, mask, pad int32, hidden []int32, weights []float32) (t float64) {
	return c.hide(rng, rng.Float64(), ids, mask, pad, hidden, weights)
}

// HideBatch is Hide for the rows of ids [batch, seq], row by row.
func (c Corruption) HideBatch(rng *rand.Rand, ids []int32, seq int, mask, pad int32, hidden []int32, weights []float32) {
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
		c.hide(rng, u, ids[r:r+seq], mask, pad, hidden[r:r+seq], weights[r:r+seq])
	}
}

func (c Corruption) hide(rng *rand.Rand, u float64, ids []int32, mask, pad int32, hidden []int32, weights []float32) float64 {
	lo, hi := c.Min, c.Max
	if lo == 0 && hi == 0 {
		hi = 1
	}
	t := lo + (hi-lo)*u
	weight := float32(1)
	if c.ELBO {
		weight = float32(1 / t)
	}
	real, masked := 0, 0
	for i, id := range ids {
		m := rng.Float64() < t // one number for each position, so that padding changes nothing else
		hidden[i], weights[i] = id, 0
		if id == pad {
			continue
		}
		real++
		if m {
			hidden[i], weights[i] = mask, weight
			masked++
		}
	}
	if masked > 0 || real == 0 || c.ELBO {
		return t
	}
	k := rng.IntN(real)
	for i, id := range ids {
		if id == pad {
			continue
		}
		if k == 0 {
			hidden[i], weights[i] = mask, weight
			break
		}
		k--
	}
	return t
}
