package prior

import (
	"cmp"
	"math"
	"slices"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/expr/skeleton"
)

// knownForm is a form of the catalogue. Other forms of the same function belong to the same
// knownForm.
type knownForm struct {
	bits   float64 // -log₂(Settings.KnownWeight × the form's share of the catalogue)
	weight float64 // total weight of the laws that have the form
	laws   []knownLaw
}

type knownLaw struct {
	name string
	// Weight of the form among the forms of the law, multiplied by a factor for the quantities and
	// names of a table (see Model.For).
	weight float64
	like   bool // the quantities of the law are like those of the table (see likeTable)
}

// A law has quantities like those of a table if its affinity, from 0 to mostAffinity, is at least
// likeTable, or sameNames, from 0 to 2, is at least likeNames.
const (
	likeTable = 0.65 * mostAffinity
	likeNames = 1.5
)

// loneBits are the bits by which a form is less likely if it belongs to a single law, whose
// quantities are not like those of the table. Chosen by leave-one-field-out cross-validation on the
// catalogue: of the laws in one variable that have a form of another field, 4.7 % have one that a
// single law has there, and its share would give 14.9 %.
const loneBits = 1.7

// weighKnownForms calculates the bits of the known forms. affinity(example) is the number of bits
// by which the weight of an example is raised, from 0 to mostAffinity; nil: the table is unknown.
// sameNames(example) is how many names it shares with the table, from 0 to 2.
func (m *Model) weighKnownForms(affinity, sameNames func(e *Example) float64) {
	m.known = make(map[uint64]*knownForm, len(m.known))
	var forms []*knownForm
	// How little the quantities of the laws of a form are like those of the table, from 0 to 1 (see
	// Model.For); 0 if the table is unknown. It counts only if a single law has the form.
	foreign := map[*knownForm]float64{}
	// The known form of each family. The key is the hash of the family's first form.
	first := make(map[uint64]*knownForm, len(m.known))
	of := families()
	for i := range m.examples {
		e := &m.examples[i]
		family, ok := of[e.Hash]
		if !ok {
			family = e.Hash
		}
		f := first[family]
		if f == nil {
			f = new(knownForm)
			if affinity != nil {
				foreign[f] = 1
			}
			first[family] = f
			forms = append(forms, f)
		}
		m.known[e.Hash] = f
		if _, known := m.known[e.spread]; !known && e.spread != 0 {
			m.known[e.spread] = f
		}
		bits := 0.0
		if affinity != nil {
			bits = affinity(e)
			foreign[f] = min(foreign[f], 1-bits/mostAffinity)
		}
		f.add(e, bits, sameNames(e))
	}
	total := 0.0
	shares := make([]float64, len(forms)) // before they are divided by their total
	for i, f := range forms {
		shares[i] = math.Pow(f.weight, m.settings.Sharp)
		if len(f.laws) == 1 {
			shares[i] *= math.Exp2(-loneBits * foreign[f])
		}
		total += shares[i]
	}
	for i, f := range forms {
		f.bits = math.Inf(1)
		if m.settings.KnownWeight > 0 {
			f.bits = -math.Log2(m.settings.KnownWeight * shares[i] / total)
		}
	}
	m.treeBits = -math.Log2(1 - m.settings.KnownWeight)
}

// add adds an example with the given affinity to the counts of the known form. The affinity raises
// its weight, and same raises it in the order of names.
func (f *knownForm) add(e *Example, affinity, same float64) {
	weight := e.Weight * math.Exp2(affinity)
	f.weight += weight
	if n := len(f.laws); n == 0 || f.laws[n-1].name != e.Law {
		f.laws = append(f.laws, knownLaw{name: e.Law})
	}
	l := &f.laws[len(f.laws)-1]
	l.weight += weight * math.Exp2(sameNameBits*same)
	l.like = l.like || affinity >= likeTable || same >= likeNames
}

// names returns the names of the laws that have the form, those with the largest weight first. If
// some of them have quantities like those of the table, alike is true and only these are named.
func (f *knownForm) names() (out []string, alike bool) {
	laws := slices.Clone(f.laws)
	slices.SortStableFunc(laws, func(a, b knownLaw) int { return cmp.Compare(b.weight, a.weight) })
	alike = slices.ContainsFunc(laws, func(l knownLaw) bool { return l.like })
	for _, l := range laws {
		if l.like == alike && !slices.Contains(out, l.name) {
			out = append(out, l.name)
		}
	}
	return out, alike
}

// KnownLaws returns the names of the laws in the catalogue that have the form of t. If the
// quantities of some of them are like those in the table, by their dimensions or symbols, alike is
// true and only these are named, those most alike first (see Model.For). The constants of t need
// not be merged.
func (m *Model) KnownLaws(t expr.Tree) (names []string, alike bool) {
	for _, hash := range []uint64{skeleton.Hash(t), skeleton.Hash(t.MergeParams()), spreadHash(t)} {
		if f, ok := m.known[hash]; ok {
			return f.names()
		}
	}
	if hash, ok := m.reciprocal(t); ok {
		return m.known[hash].names()
	}
	return nil, false
}
