package expr

// Denominators returns the subtrees of t whose zeros are poles of t: divisors, powers with a
// negative exponent, and the cosine of each tangent.
func (t Tree) Denominators() (all []Tree) {
	for i, n := range t.nodes {
		switch n.Op {
		case Div, Inv:
			all = append(all, t.Subtree(i-1))
		case Pow:
			if e := t.nodes[i-1]; e.Op == Number && e.Value < 0 {
				all = append(all, Apply(Pow, t.Subtree(i-2), Num(-e.Value)))
			}
		case Tan:
			all = append(all, Apply(Cos, t.Subtree(i-1)))
		}
	}
	return all
}
