package token

// Position is the position of a token in the tree of its expression: depth and horizontal index as
// in PhysMDT §4, depth and sibling as in ARChitects §3.
type Position struct {
	Depth      int  // edges to the root
	Sibling    int  // 0 for an only or left operand, 1 for a right one; -1 if unknown
	Horizontal int  // index among the tokens of the same depth, see Vocabulary.Positions
	Known      bool // Depth and Horizontal are known; otherwise they are 0 and Sibling is -1
}

// Positions returns the positions of tokens in the tree, as far as the visible tokens determine
// them. No position depends on a masked token. Tree-aware rotary embeddings use (depth, horizontal)
// in PhysMDT §4 and (depth, sibling) in ARChitects §3.
//
// ids are a whole expression of known length, in which any tokens may be the mask. An SOS before
// it, and EOS and PAD after it, have no position. If there is an SOS but no visible EOS or PAD, the
// length counts as unknown.
//
// A prefix code is read from its front, with a stack of open slots, and a postfix code from its
// end. A token takes the position on top of the stack. So the position is known if the arities of
// all tokens read before are known. The arities of masked tokens are often determined too, by later
// visible tokens or by the length. For example, the last token read is a leaf, and the first of
// several is not. The first token read whose arity is not determined still has a position. If it
// has at least one operand, the tokens of its first operand have positions too. All later tokens
// have none, even visible ones, since their depth is unknown. This finds nearly all positions that
// can be known (6840 of 6841 in TestPositionsAgainstBruteForce -rapid.checks=3000).
//
// Horizontal counts in reading order, since later tokens may be masked. It is 0, 1, 2, … from the
// left in prefix codes, and 0, -1, -2, … from the right in postfix codes. In both, a token further
// to the right has a larger number. A rotary embedding depends only on differences at one depth,
// which equal those of PhysMDT's order from the left.
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

// OraclePositions returns the positions of all tokens in the finished expression truth, including
// masked tokens. The positions reveal the shape of the expression to be predicted, which is unknown
// at inference. So they are only for the ablation that measures their effect.
func (v *Vocabulary) OraclePositions(truth []int32) []Position { return v.Positions(truth) }

// span returns the half-open range of the expression in ids. exact reports whether its end is
// certain.
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
			if first > 0 && end > first { // the token before PAD must be EOS, here masked
				end--
			}
			return first, end, true
		}
	}
	return first, end, exact
}

// slot is an open slot of the tree. A slot that is not certain marks that nothing is known about
// the tokens that follow.
type slot struct {
	depth, sibling int
	certain        bool
}

// place sets the positions of ids. exact says that ids are one whole expression.
func (v *Vocabulary) place(positions []Position, ids []int32, exact bool) {
	arities := v.possibleArities(ids, exact)
	count := make([]int, len(ids)+1) // number of tokens at each depth
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

// longest is the largest length for which possibleArities considers the whole sequence. An
// expression of 128 tokens has at most 64 open slots, which fit the bits of a uint64.
const longest = 128

// possibleArities returns the set of arities that each token may have. A visible token has its own
// arity. If exact is set, a masked token has the arities with which the whole can be one
// expression. They follow from the numbers of open slots that are possible before each token,
// computed from the front and from the end. These numbers form a set, in which bit s-1 stands for s
// slots.
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
			return may // not an expression: later arities stay unknown
		}
	}
	if !exact || n > longest {
		return may
	}
	at := func(k int) int { // index of the k-th token in reading order
		if v.postfix {
			return n - 1 - k
		}
		return k
	}
	// Bit s-1 of behind[k] states that tokens k, k+1, … can complete the expression from s open
	// slots.
	var behind [longest + 1]uint64
	last := n - 1
	if may[at(last)]&leafOnly != 0 {
		behind[last] = 1
	}
	for k := last - 1; k >= 0; k-- {
		behind[k] = step(behind[k+1], may[at(k)], -1)
	}
	if behind[0]&1 == 0 {
		return may // not an expression: only the visible tokens count
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

// step returns the possible numbers of open slots after a token, given those before it. If
// direction is -1, it returns those before the token, given those after it.
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
