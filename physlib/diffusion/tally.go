package diffusion

import (
	"cmp"
	"slices"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/unit"
)

// Tally counts how often refinement visits the same law, in whatever form and order of operands. It
// ranks the laws by visits times Score: the vote of PhysDiffuse §2. It is not safe for concurrent
// use.
type Tally struct {
	Decode func(ids []int32) (expr.Tree, error) // the law that a sequence writes
	Score  func(t expr.Tree) float64            // weight of each visit, such as Units.Score; nil: 1

	Invalid int // visits of sequences that Decode refuses

	bySeq map[string]*Entry // nil entries: refused
	byLaw map[uint64]*Entry
	order []*Entry
}

// Entry is a law that was visited.
type Entry struct {
	Tree      expr.Tree // as it was written at the first visit
	Hash      uint64    // of Tree: equal for equal laws
	IDs       []int32   // of the first visit
	Visits    int
	Sequences int     // different sequences among the visits
	Score     float64 // of one visit
	First     int     // laws that were visited before it
}

// Weight returns the number of visits times Score.
func (e *Entry) Weight() float64 { return float64(e.Visits) * e.Score }

// Visit counts a visit of the sequence ids and returns its law, nil where it is not a law. first
// reports whether the law had not been visited before. Decode, Hash and Score are called once for
// each different sequence.
func (t *Tally) Visit(ids []int32) (e *Entry, first bool) {
	key := sequenceKey(ids)
	e, seen := t.bySeq[key]
	if !seen {
		e, first = t.read(ids)
		if t.bySeq == nil {
			t.bySeq = map[string]*Entry{}
		}
		t.bySeq[key] = e
	}
	if e == nil {
		t.Invalid++
		return nil, false
	}
	e.Visits++
	return e, first
}

// read finds or makes the entry of a new sequence.
func (t *Tally) read(ids []int32) (e *Entry, first bool) {
	tree, err := t.Decode(ids)
	if err != nil {
		return nil, false
	}
	hash := tree.Hash()
	if e = t.byLaw[hash]; e != nil {
		e.Sequences++
		return e, false
	}
	e = &Entry{Tree: tree, Hash: hash, IDs: slices.Clone(ids), Sequences: 1, Score: 1, First: len(t.order)}
	if t.Score != nil {
		e.Score = t.Score(tree)
	}
	if t.byLaw == nil {
		t.byLaw = map[uint64]*Entry{}
	}
	t.byLaw[hash] = e
	t.order = append(t.order, e)
	return e, true
}

// Ranked returns the laws by falling Weight, those of equal weight in the order of their first
// visit.
func (t *Tally) Ranked() []*Entry {
	ranked := slices.Clone(t.order)
	slices.SortStableFunc(ranked, func(a, b *Entry) int { return cmp.Compare(b.Weight(), a.Weight()) })
	return ranked
}

// Sequences returns the number of different sequences visited, of laws or not.
func (t *Tally) Sequences() int { return len(t.bySeq) }

func sequenceKey(ids []int32) string {
	b := make([]byte, 0, 2*len(ids))
	for _, id := range ids {
		b = append(b, byte(id), byte(id>>8))
	}
	return string(b)
}

// Units scores laws by their physical dimensions.
type Units struct {
	Vars        []unit.Dim // of the columns
	Known       []bool     // whether they are known; nil: all
	Target      unit.Dim
	TargetKnown bool    // false also where a free scale stands before the law
	Alpha       float64 // how much a violation weighs; 0: 1
}

// Score returns dim_score of PhysDiffuse §5, exp(-α·violation): 1 where free constants can balance
// the dimensions.
func (u Units) Score(t expr.Tree) float64 {
	_, violation := t.ParamDimsKnown(u.Vars, u.Known, u.Target, u.TargetKnown)
	return unit.Score(violation, cmp.Or(u.Alpha, 1))
}
