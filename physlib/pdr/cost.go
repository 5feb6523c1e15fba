package pdr

import (
	"cmp"
	"math"
)

// LayerFLOPs returns the number of floating-point operations per token of one recurrent layer,
// derived from the shapes (PDR §4.1). A product with a matrix of n numbers counts as 2n. The state
// counts as 5·dim·rank, for the gate, the outer product, the sum and the readout.
func (c Config) LayerFLOPs() int {
	rank, heads := c.layer().sizes(c.Dim)
	maps := 3*c.Dim*c.Dim + 2*c.Dim*rank*heads
	return 2*maps + 5*c.Dim*rank + c.Dim
}

// LayerParams returns the number of parameters of one recurrent layer (PDR §4.2).
func (c Config) LayerParams() int {
	rank, heads := c.layer().sizes(c.Dim)
	return 3*c.Dim*c.Dim + 2*c.Dim*rank*heads + c.Dim
}

// Params returns the number of parameters of the whole network.
func (c Config) Params() int {
	hidden := cmp.Or(c.Hidden, 4*c.Dim)
	feed := 3*c.Dim*hidden + 2*hidden + c.Dim
	norms := c.Dim * (2*c.Layers + 1)
	return c.mixerParams() + c.Layers*feed + norms
}

// mixerParams returns the number of parameters of all recurrences and attentions.
func (c Config) mixerParams() (n int) {
	rank, heads := c.layer().sizes(c.Dim)
	gate := map[Gate]int{FullGate: c.Dim*c.Dim + c.Dim, DiagonalGate: 2 * c.Dim, LowGate: 2*min(lowGate, c.Dim)*c.Dim + c.Dim}[c.Gate]
	_, kvHeads, headDim, _ := c.attention().sizes(c.Dim)
	for i := range c.Layers {
		if c.attends(i) {
			n += 2*c.Dim*c.Dim + 2*c.Dim*kvHeads*headDim
		} else {
			n += 2*c.Dim*c.Dim + 2*c.Dim*rank*heads + gate
		}
	}
	return n
}

// WithParams returns c with another feed-forward width, such that it has about n parameters. In
// this way, networks with different gates or mixers are comparable.
func (c Config) WithParams(n int) Config {
	c.Hidden = 1
	fewest := c.Params()
	c.Hidden += max(0, int(math.Round(float64(n-fewest)/float64(c.Layers*(3*c.Dim+2)))))
	return c
}
