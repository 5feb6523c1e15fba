package motion

// covariance returns the covariance of the constants of all rates in turn, by rows. It returns
// nil if the covariance is unknown.
func (s *Shot) covariance() []float64 {
	if s.cov == nil {
		return nil
	}
	n := s.cov.SymmetricDim()
	out := make([]float64, 0, n*n)
	for i := range n {
		for j := range n {
			out = append(out, s.cov.At(i, j))
		}
	}
	return out
}
