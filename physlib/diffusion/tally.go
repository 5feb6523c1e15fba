package diffusion

import (
	"cmp"
	"slices"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/unit"
)

// Tally counts how often refinement visits each law. Different notations and orders of operands
// count as the same law. It ranks laws by visits times Score, which is the vote of PhysDiffuse §2.
// It is not safe for concurrent use.
type Tally struct {
	Decode func(ids []int32) (expr.Tree, error) // returns the law that a sequence expresses
	Score  func(t expr.Tree) float64            // weight of a visit, such as Units.Score; nil: 1

	Invalid int // number of visits of sequences for which Decode fails

	bySeq map[string]*Entry // by sequence; nil: Decode failed
	byLaw map[uint64]*Entry // by the Hash of the law
	order []*Entry          // laws in order of the first visit
}

// Entry is a visited law.
type Entry struct {
	Tree      expr.Tree // law as decoded at the first visit
	Hash      uint64    // hash of Tree; equal laws have equal hashes
	IDs       []int32   // sequence of the first visit
	Visits    int
	Sequences int     // number of different sequences among the visits
	Score     float64 // score of one visit
	First     int     // number of laws visited before it
}

// Weight returns the number of visits times Score.
func (e *Entry) Weight() float64 { return float64(e.Visits) * e.Score }

// Visit counts a visit of the sequence ids and returns its law, or nil if Decode fails. first
// reports whether this is the first visit of the law. Decode, Hash and Score are called once for
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

// read returns the entry of a new sequence, or nil if Decode fails. first reports whether the law
// is new.
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

// Ranked returns the laws by decreasing Weight. Laws of equal weight are in order of their first
// visit.
func (t *Tally) Ranked() []*Entry {
	ranked := slices.Clone(t.order)
	slices.SortStableFunc(ranked, func(a, b *Entry) int { return cmp.Compare(b.Weight(), a.Weight()) })
	return ranked
}

// Sequences returns the number of different sequences visited, including those that are not a law.
func (t *Tally) Sequences() int { return len(t.bySeq) }

func sequenceKey(ids []int32) string {
	b := make([]byte, 0, 2*len(ids))
	for _, id := range ids {
		b = append(b, byte(id), byte(id>>8))
	}
	return string(b)
}

// Units scores laws by their physical dimensions (PhysDiffuse §5, the filter at inference).
type Units struct {
	Vars        []unit.Dim // dimensions of the columns
	Known       []bool     // by column: whether its dimension is known; nil: all are
	Target      unit.Dim
	TargetKnown bool    // also false if the law has a free factor of any unit
	Alpha       float64 // weight α of a violation; 0: 1
}

// Score returns dim_score of PhysDiffuse §5, exp(-α·violation). It is 1 if the dimensions balance
// for some units of the free constants.
func (u Units) Score(t expr.Tree) float64 {
	_, violation := t.ParamDimsKnown(u.Vars, u.Known, u.Target, u.TargetKnown)
	return unit.Score(violation, cmp.Or(u.Alpha, 1))
}
