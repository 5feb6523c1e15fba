package discover

import (
	"cmp"
	"slices"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/expr/rewrite"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/mdl"
	"github.com/physlib/lab/physlib/survey"
)

// rankedRows is the largest number of rows on which laws are compared.
const rankedRows = 6000

// ranking chooses among the laws of all searches of one table by their description length. The
// length does not depend on the units and the error model of a search.
type ranking struct {
	t       *dataset.Table
	rows    []int          // positions of sampled's rows in the user's table; nil: sampled is that table
	s       Settings       // the user's settings
	sampled *dataset.Table // the rows of t on which laws are compared
	m       *mdl.Data      // sampled, prepared for scoring
	whole   *mdl.Data      // t, prepared for scoring; nil: not prepared yet (see wholeTable)

	relations []rewrite.Relation // the columns left out of the search, as functions of others
	required  requirements
	nullBits  float64 // bits of the law "target = constant"

	proposals []proposedForm
	seen      map[uint64]bool // hashes of all forms that were proposed or derived
	// Hashes of the first fitFirstOfSearch laws of each search and of the survey.
	fitFirst map[uint64]bool
}

// proposedForm is a form over the variables of the table on which laws are compared.
type proposedForm struct {
	tree expr.Tree
	by   string // name of the Proposer
}

// ranked is a law with its score and its Proposer.
type ranked struct {
	mdl.Score
	by string
	// Description length by which laws are ordered, in bits. It is Score.Bits (newRanked), except
	// for a law that a step of the ranking puts elsewhere (at): in the place of another form of the
	// same function (withBitsOf), or by parsimony.go forward (putFirst) or back
	// (raiseSpareConstants).
	rankBits float64
	// If rankBits come from another form of the same function, scored is that form with its
	// constants. Otherwise scored is empty.
	scored expr.Tree
	// In the law or an equivalent form of it, a constant does not differ significantly from zero
	// (anyNearZero in parsimony.go). A law with fewer constants may then be a special case of this
	// law.
	hasNearZero bool
}

// newRanked returns a law that is ordered by the description length of its own score.
func newRanked(score mdl.Score, by string) ranked {
	return ranked{Score: score, by: by, rankBits: score.Bits, hasNearZero: anyNearZero(score)}
}

// at returns c with the given rankBits.
func (c ranked) at(bits float64) ranked {
	c.rankBits = bits
	return c
}

// withBitsOf returns c with the rankBits of old, another form of the same function, since c
// replaces old.
func (c ranked) withBitsOf(old ranked) ranked {
	c.scored = old.scored
	if c.scored.Len() == 0 {
		c.scored = old.Tree.WithStarts(old.Params)
	}
	return c.at(old.rankBits)
}

// byBits returns the laws with the fewest rankBits first.
func byBits(list []ranked) []ranked {
	return slices.SortedStableFunc(slices.Values(list), func(a, b ranked) int { return cmp.Compare(a.rankBits, b.rankBits) })
}

// newRanking returns the ranking of the table of w, without any proposals. relations are the
// columns left out of the search.
func newRanking(w task, relations []rewrite.Relation) *ranking {
	sampled := fewerRows(w.t)
	m := w.s.Scoring(sampled, w.s.prior(w.t))
	if y := w.t.Target.Values; sampled != w.t && m.Models == nil && slices.Min(y) <= 0 && slices.Max(y) >= 0 {
		// Errors cannot be proportional to a target that is zero in some row or has both signs. The
		// sample may lack the rows that show this, so all rows are checked.
		m.Models = []mdl.Errors{mdl.Equal}
	}
	return &ranking{
		t:         w.t,
		rows:      w.sampledRows(),
		s:         w.s,
		sampled:   sampled,
		m:         m,
		relations: relations,
		required:  newRequirements(w.s, sampled, m),
		nullBits:  m.Scorer().Constant().Bits,
		seen:      map[uint64]bool{},
		fitFirst:  map[uint64]bool{},
	}
}

// fewerRows returns t, or rankedRows of its rows at equal distances if it has more.
func fewerRows(t *dataset.Table) *dataset.Table {
	if n := t.Rows(); n > rankedRows {
		return t.Subset(dataset.Evenly(n, rankedRows))
	}
	return t
}

// sampledRows returns the positions of the rows of fewerRows(w.t) in the user's table; nil: no row
// is missing.
func (w task) sampledRows() []int {
	n := w.t.Rows()
	switch {
	case n <= rankedRows:
		return w.rows
	case w.rows == nil:
		return dataset.Evenly(n, rankedRows)
	}
	return dataset.Pick(w.rows, dataset.Evenly(n, rankedRows))
}

// prior returns the prior of the forms of laws for a table.
func (s Settings) prior(t *dataset.Table) mdl.Prior {
	if s.Prior == nil {
		s.Prior = survey.Catalogue()
	}
	if laws, ok := s.Prior.(*survey.Laws); ok {
		return laws.For(t, !s.NoUnits).Expect(dataset.Listed(s.Ops))
	}
	return s.Prior
}

// addLaws proposes laws over the table's columns, with their constants. The best law must come
// first.
func (k *ranking) addLaws(laws []law.Law) {
	for i, l := range laws {
		before := len(k.proposals)
		k.add(l.Tree.WithStarts(l.Params()), l.Proposer)
		for _, f := range k.proposals[before:] {
			if i < fitFirstOfSearch {
				k.fitFirst[f.tree.Hash()] = true
			}
		}
	}
}

// add proposes a law over the table's columns and constants.
func (k *ranking) add(t expr.Tree, by string) { k.addVariants(k.m.FromColumns(t), by) }

// addVariants adds up to four forms of a law over m's variables: with its numbers, and with free
// constants in place of the numbers. If the target is in °C, the other forms have all temperatures
// in °C, or only the number that converts the law to °C.
// Constants are moved to the front if possible, as in c0*sqrt(x) for 1/sqrt(c0/x).
func (k *ranking) addVariants(t expr.Tree, by string) {
	t = mdl.Merged(withoutAbs(k.m, t))
	for _, form := range []expr.Tree{t, freed(t), k.inDegrees(t)} {
		if form.Len() > 0 {
			k.addForm(form, by)
		}
	}
	if a := k.m.Absolute(t); a.Len() < t.Len() {
		if form, _, ok := k.m.FromZero(freed(a)); ok {
			k.addForm(form, by)
		}
	}
}

// addForm adds a form over m's variables, unless it was proposed before.
func (k *ranking) addForm(t expr.Tree, by string) { k.proposals = k.unseen(k.proposals, t, by) }

// unseen appends a form over m's variables to forms, unless it was proposed or derived before.
func (k *ranking) unseen(forms []proposedForm, t expr.Tree, by string) []proposedForm {
	h := t.Hash()
	if k.seen[h] {
		return forms
	}
	k.seen[h] = true
	if !k.required.operators.Allows(t) {
		return forms
	}
	return append(forms, proposedForm{t, by})
}

// inDegrees returns t with temperatures in degrees Celsius instead of absolute ones. Examples are a
// mean of temperatures, and T_0 + c0*Q. The result is empty if the target is not in °C or the law
// has no such form.
func (k *ranking) inDegrees(t expr.Tree) expr.Tree {
	absolute := k.m.Absolute(t)
	written := k.m.AsWritten(absolute)
	if absolute.Len() == t.Len() || written.Hash() == absolute.Hash() {
		return expr.Tree{}
	}
	return written
}
