package survey

import "testing"

func TestParts(t *testing.T) {
	seen := map[uint64]string{}
	for i, p := range Parts() {
		if v := p.Vars(); len(v) != 1 || v[0] != 0 || p.NumParams() == 0 {
			t.Errorf("%s: variables %v, %d constants; want column 0 and a constant", partForms[i], v, p.NumParams())
		}
		if o, ok := seen[p.Hash()]; ok {
			t.Errorf("%s and %s are one form", partForms[i], o)
		}
		seen[p.Hash()] = partForms[i]
	}
}
