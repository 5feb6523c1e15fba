package motion

// covariance returns the covariance matrix of the constants of all rates, row by row. It returns
// nil if the matrix is unknown or a constant has no effect.
func (s *trajectoryFit) covariance() []float64 {
	if s.cov == nil {
		return nil
	}
	n := s.cov.SymmetricDim()
	out := make([]float64, 0, n*n)
	for i := range n {
		for j := range n {
			v := s.cov.At(i, j)
			if v-v != 0 {
				return nil
			}
			out = append(out, v)
		}
	}
	return out
}
