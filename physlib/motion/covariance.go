package motion

// covariance returns the covariance of the constants of all rates in turn, by rows. It returns
// nil if the covariance is unknown or a constant has no effect.
func (s *Shot) covariance() []float64 {
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
