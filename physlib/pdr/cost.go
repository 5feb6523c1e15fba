package pdr

// LayerFLOPs is the number of floating-point operations of one recurrent layer for a token, by the shapes (seed §4.1): a product
// with a matrix of n numbers counts 2n, and the state 5·dim·rank, for gate, outer product, sum, and readout.
func (c Config) LayerFLOPs() int {
	rank, heads := c.layer().sizes(c.Dim)
	maps := 3*c.Dim*c.Dim + 2*c.Dim*rank*heads
	return 2*maps + 5*c.Dim*rank + c.Dim
}

// LayerParams is the number of parameters of one recurrent layer (seed §4.2).
func (c Config) LayerParams() int {
	rank, heads := c.layer().sizes(c.Dim)
	return 3*c.Dim*c.Dim + 2*c.Dim*rank*heads + c.Dim
}
