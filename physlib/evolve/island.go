package evolve

import (
	"math/rand/v2"
	"slices"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/system"
	"github.com/physlib/lab/physlib/vec"
)

// individual is a law of the archive.
type individual struct {
	law         expr.Tree
	unexplained float64 // unexplained share of the target's variance
	size        int     // number of tokens, or of nodes if the network cannot express the law

	ids       []int32   // tokens of the law; nil: the network cannot express it
	constants []float64 // values of the free constants among ids, in their order
	logp      []float64 // log-probability of each token given all others; nil: not computed yet
}

// bounds are the largest sizes of the laws on each island.
var bounds = [...]int{5, 8, 11, 14, 18, 1 << 30}

// islands hold laws by size, and remember the hashes of all laws seen.
type islands struct {
	of    [len(bounds)][]*individual // laws on each island, by increasing share of unexplained variance
	known map[uint64]bool
}

// capacity is the largest number of laws on an island.
const capacity = 24

// settle inserts the laws that were not seen before. It returns how many of them an island kept.
func (s *islands) settle(laws []expr.Tree, j *judge, v *system.View) (fresh int) {
	for _, law := range laws {
		if h := law.Hash(); s.known[h] || law.Len() == 0 {
			continue
		} else {
			s.known[h] = true
		}
		x := &individual{law: law, unexplained: j.unexplained(law), size: law.Len()}
		if v != nil {
			if ids, constants, ok := v.Tokens(law); ok {
				x.ids, x.constants, x.size = ids, constants, len(ids)
			}
		}
		if s.insert(x) {
			fresh++
		}
	}
	return fresh
}

// insert puts x on its island, which is sorted by the unexplained variance. It reports whether x
// was good enough.
func (s *islands) insert(x *individual) bool {
	k := 0
	for x.size > bounds[k] {
		k++
	}
	at := len(s.of[k])
	for at > 0 && s.of[k][at-1].unexplained > x.unexplained {
		at--
	}
	if !vec.Finite(x.unexplained) || at >= capacity {
		return false
	}
	s.of[k] = slices.Insert(s.of[k], at, x)
	s.of[k] = s.of[k][:min(len(s.of[k]), capacity)]
	return true
}

// parent chooses a random island that has a law for which accepts returns true. It returns the best
// of three random laws of this island. It draws again until accepts returns true for the result.
// parent returns nil if there is no such island.
func (s *islands) parent(rng *rand.Rand, accepts func(*individual) bool) *individual {
	var inhabited [][]*individual
	for _, list := range s.of {
		if slices.ContainsFunc(list, accepts) {
			inhabited = append(inhabited, list)
		}
	}
	if len(inhabited) == 0 {
		return nil
	}
	list := inhabited[rng.IntN(len(inhabited))]
	for try := 0; ; try++ {
		at := min(rng.IntN(len(list)), rng.IntN(len(list)), rng.IntN(len(list)))
		if accepts(list[at]) {
			return list[at]
		}
	}
}
