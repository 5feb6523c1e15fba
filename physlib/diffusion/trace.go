package diffusion

// Trace records what happens to the first samples of a batch, step by step. It is JSON as it stands.
type Trace struct{}

func (t *Trace) before(s *State) {}
func (t *Trace) after(s *State)  {}
