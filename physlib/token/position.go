package token

// Position is where a token stands in the tree of its expression.
type Position struct {
	Depth      int  // edges to the root
	Sibling    int  // 0 for an only or left operand, 1 for a right one; -1 where that is not known
	Horizontal int  // place among the tokens of the same depth, see Vocabulary.Positions
	Known      bool // whether Depth and Horizontal are known; otherwise they are 0 and Sibling is -1
}

// Positions returns the positions of tokens in the tree, as far as the visible ones determine them.
// No position depends on a masked token. They are what tree-aware rotary embeddings turn by:
// (depth, horizontal) in PhysMDT §4, (depth, sibling) in the ARChitects §3.
//
// ids are a whole expression of known length, of which any tokens may be the mask. An SOS before
// and EOS and PAD behind it have no position. With an SOS but without visible EOS or PAD the length
// counts as unknown.
//
// A prefix code is read from its front with a stack of open slots, a postfix code from its end. A
// token's position is on top of the stack, so it is known if the arities of all tokens read before
// it are. Those of masked tokens are often determined, too. Visible tokens further on decide them,
// or the length, since the last token read is a leaf and the first of several is not. If a token
// may have one operand or two, the first in reading order still has a position, as have the tokens
// below it. Later tokens have none, even visible ones, since their depth is unknown. This finds
// nearly all that can be known (6840 of 6841 such positions in TestPositionsAgainstBruteForce
// -rapid.checks=3000).
//
// Horizontal counts in the direction of reading, since later tokens may be masked. It is 0, 1, 2, …
// from the left in prefix codes, and 0, -1, -2, … from the right in postfix codes. So a token to
// the right always has the larger number. A rotary embedding sees only differences at one depth,
// which are those of PhysMDT's order from the left.
func (v *Vocabulary) Positions(ids []int32) []Position {
	positions := make([]Position, len(ids))
	for i := range positions {
		positions[i].Sibling = -1
	}
	first, end, exact := v.span(ids)
	if first < end && (exact || !v.postfix) {
		v.place(positions[first:end], ids[first:end], exact)
	}
	return positions
}

// OraclePositions returns the positions of all tokens in the finished expression truth. For masked
// tokens they reveal the shape of the expression to be predicted, which is unknown at inference.
// They are for that ablation only.
func (v *Vocabulary) OraclePositions(truth []int32) []Position { return v.Positions(truth) }

// span returns where in ids the expression is, and whether that is certain.
func (v *Vocabulary) span(ids []int32) (first, end int, exact bool) {
	exact = true
	if len(ids) > 0 && ids[0] == v.sos && v.sos != none {
		first, exact = 1, false
	}
	for end = first; end < len(ids); end++ {
		switch id := ids[end]; {
		case id == v.eos && id != none:
			return first, end, true
		case id == v.pad && id != none:
			if first > 0 && end > first { // the token before it is a masked EOS
				end--
			}
			return first, end, true
		}
	}
	return first, end, exact
}

// slot is an open place of a tree. One that is not certain is no place at all, but reports that
// nobody knows what follows.
type slot struct {
	depth, sibling int
	certain        bool
}

// place sets the positions of ids, one whole expression if exact.
func (v *Vocabulary) place(positions []Position, ids []int32, exact bool) {
	arities := v.possibleArities(ids, exact)
	count := make([]int, len(ids)+1) // tokens by depth
	stack := append(make([]slot, 0, 16), slot{certain: true})
	for k := range ids {
		i := k
		if v.postfix {
			i = len(ids) - 1 - k
		}
		if len(stack) == 0 || !stack[len(stack)-1].certain {
			return
		}
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		n := count[at.depth]
		count[at.depth]++
		if v.postfix {
			n = -n
		}
		positions[i] = Position{Depth: at.depth, Sibling: at.sibling, Horizontal: n, Known: true}
		below := slot{depth: at.depth + 1, certain: true}
		right := slot{depth: at.depth + 1, sibling: 1, certain: true}
		switch arities[i] {
		case leafOnly:
		case unaryOnly:
			stack = append(stack, below)
		case binaryOnly:
			if v.postfix {
				stack = append(stack, below, right)
			} else {
				stack = append(stack, right, below)
			}
		case unaryOrBinary:
			if v.postfix {
				below.sibling = -1
			}
			stack = append(stack, slot{}, below)
		default:
			return
		}
	}
}

// arities is a set of arities, bit a for arity a.
type arities uint8

const (
	leafOnly      arities = 1
	unaryOnly     arities = 2
	binaryOnly    arities = 4
	unaryOrBinary arities = 6
	anyArity      arities = 7
)

// longest is up to which length sets of open slots fit in the bits of a word.
const longest = 128

// possibleArities returns the arities that each token may have. A visible token has its own, a
// masked one those with which the whole can be one expression, if exact. They follow from the sets
// of open slots that are possible before each token, from the front and from the end. Bit s-1 of a
// set stands for s slots.
func (v *Vocabulary) possibleArities(ids []int32, exact bool) []arities {
	n := len(ids)
	may := make([]arities, n)
	for i, id := range ids {
		switch a := v.Arity(id); {
		case a >= 0:
			may[i] = 1 << a
		case id == v.mask:
			may[i] = anyArity
		default:
			return may // no expression; nothing is known from here on
		}
	}
	if !exact || n > longest {
		return may
	}
	at := func(k int) int { // the token that is read k-th
		if v.postfix {
			return n - 1 - k
		}
		return k
	}
	var behind [longest + 1]uint64 // from how many slots the tokens k… can end
	last := n - 1
	if may[at(last)]&leafOnly != 0 {
		behind[last] = 1
	}
	for k := last - 1; k >= 0; k-- {
		behind[k] = step(behind[k+1], may[at(k)], -1)
	}
	if behind[0]&1 == 0 {
		return may // no expression: only what is visible counts
	}
	open := uint64(1)
	for k := range n {
		i := at(k)
		var can arities
		for a := range 3 {
			one := arities(1<<a) & may[i]
			if k < last && step(open, one, 1)&behind[k+1] != 0 || k == last && one == leafOnly && open&1 != 0 {
				can |= one
			}
		}
		may[i] = can
		open = step(open, can, 1)
	}
	return may
}

// step returns the set of open slots after a token, and with direction -1 before it, for a set on
// its other side.
func step(open uint64, may arities, direction int) (next uint64) {
	if may&unaryOnly != 0 {
		next = open
	}
	fewer, more := leafOnly, binaryOnly
	if direction < 0 {
		fewer, more = more, fewer
	}
	if may&fewer != 0 {
		next |= open >> 1
	}
	if may&more != 0 {
		next |= open << 1
	}
	return next
}
