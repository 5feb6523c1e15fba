package token

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// ids returns the tokens of a text, in which "?" is the mask.
func ids(t testing.TB, v *Vocabulary, text string) []int32 {
	t.Helper()
	var ids []int32
	for _, name := range strings.Fields(text) {
		id, ok := v.ID(name)
		switch {
		case name == "?":
			id = v.Mask()
		case !ok:
			t.Fatalf("%s has no %s", v.Name(), name)
		}
		ids = append(ids, id)
	}
	return ids
}

func TestPositions(t *testing.T) {
	for _, test := range []struct {
		v    *Vocabulary
		text string
		want string // depth, sibling and horizontal index of each token; -: unknown
	}{
		// the example of the ARChitects §3: + * m a 0
		{Small(), "add mul x_0 x_1 int_0", "0,0,0 1,0,0 2,0,0 2,1,1 1,1,1"},
		{Small(), "sin sqrt x_0", "0,0,0 1,0,0 2,0,0"},
		// the same tree in postfix order: horizontal indices count from the right
		{PhysMDT(), "x1 x2 * 0 +", "2,0,-1 2,1,0 1,0,-1 1,1,0 0,0,0"},
		// the position of a mask may be known, while those of its operands are not
		{Small(), "add add ? x_0 ? ? x_1", "0,0,0 1,0,0 2,0,0 - - - -"},
		{Small(), "? ? ?", "0,0,0 1,0,0 -"},
		{Small(), "?", "0,0,0"},
		// the arity of a mask may follow from the length
		{Small(), "add ? x_0", "0,0,0 1,0,0 1,1,1"},
		{Small(), "? x_0", "0,0,0 1,0,0"},
		{Small(), "? sin x_0 x_1", "0,0,0 1,0,0 2,0,0 1,1,1"},
		{Small(), "? sin x_0 ?", "0,0,0 1,0,0 2,0,0 1,1,1"},
		{Small(), "? sin x_0 ? ?", "0,0,0 1,0,0 2,0,0 1,1,1 2,0,1"},
		{Small(), "? sin ? ? ?", "0,0,0 1,0,0 2,0,0 - -"},
		// postfix codes are read from the end: the depth of a right operand is known before its
		// horizontal index
		{PhysMDT(), "? ? ?", "- 1,-1,0 0,0,0"},
		{PhysMDT(), "x1 sin ?", "2,0,0 1,0,0 0,0,0"},
		{PhysMDT(), "? x2 sin ?", "1,0,-1 2,0,0 1,1,0 0,0,0"},
		// control tokens have no position; without an end token the length is unknown
		{Small(), "<SOS> mul ? x_0 <EOS> <PAD>", "- 0,0,0 1,0,0 1,1,1 - -"},
		{Small(), "<SOS> ? x_0 ? <PAD>", "- 0,0,0 1,0,0 - -"},
		{Small(), "<SOS> ? x_0 ? ?", "- 0,0,0 - - -"},
		{PhysMDT(), "BOS x1 ? ?", "- - - -"},
		{PhysMDT(), "BOS x1 ? EOS", "- 1,0,0 0,0,0 -"},
		// not an expression: positions are known as far as the visible tokens determine them
		{Small(), "x_0 x_1", "0,0,0 -"},
		{Small(), "mul x_0", "0,0,0 1,0,0"},
		{Small(), "mul <MASK> x_0 x_1 x_2", "0,0,0 1,0,0 2,0,0 2,1,1 1,1,1"},
		{Small(), "mul reserved_12 x_0", "0,0,0 1,0,0 -"},
	} {
		if got := show(test.v.Positions(ids(t, test.v, test.text))); got != test.want {
			t.Errorf("%s: got %s, want %s", test.text, got, test.want)
		}
	}
	if got := Small().Positions(nil); len(got) != 0 {
		t.Errorf("no tokens: got %v", got)
	}
}

func show(positions []Position) string {
	var s []string
	for _, p := range positions {
		if p.Known {
			s = append(s, fmt.Sprintf("%d,%d,%d", p.Depth, p.Sibling, p.Horizontal))
		} else {
			s = append(s, "-")
		}
	}
	return strings.Join(s, " ")
}

// A known position is the same in every expression that contains the visible tokens. So it neither
// reveals masked tokens nor is wrong. The test also counts positions that are equal in all of these
// expressions but unknown to Positions.
func TestPositionsAgainstBruteForce(t *testing.T) {
	known, equal := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		v := tiny(rapid.Bool().Draw(t, "postfix"))
		seq := rapid.IntRange(1, 6).Draw(t, "seq")
		rng := newRand(rapid.Uint64().Draw(t, "seed"))
		truth, ok := v.Grammar(nil).Sample(rng, make([]float32, seq*v.Size()), seq, nil, 1)
		if !ok {
			t.Fatal("no expression")
		}
		masked := slices.Clone(truth)
		for i := range masked {
			if rng.IntN(3) > 0 {
				masked[i] = v.Mask()
			}
		}
		got := v.Positions(masked)
		first := v.OraclePositions(truth)
		same := slices.Repeat([]bool{true}, seq)
		for _, x := range all(v, seq, masked, func(id int32) bool { return id < 4 }, false) { // one token of each arity is enough
			want := v.Positions(x)
			for i, p := range got {
				q := want[i]
				if !q.Known || q.Sibling < 0 {
					t.Fatalf("%s: %s is not known", v.Text(x), v.Token(x[i]))
				}
				if p.Known && (p.Depth != q.Depth || p.Horizontal != q.Horizontal || p.Sibling >= 0 && p.Sibling != q.Sibling) {
					t.Errorf("%s: place %d is said to be %+v, and is %+v in %s", v.Text(masked), i, p, q, v.Text(x))
				}
				same[i] = same[i] && q.Depth == first[i].Depth && q.Horizontal == first[i].Horizontal
			}
		}
		for i := range same {
			if same[i] {
				equal++
			}
			if got[i].Known {
				known++
			}
		}
	})
	t.Logf("known: %d of %d positions that are the same in all expressions", known, equal)
}

func TestPositionsOfLongCodes(t *testing.T) {
	for _, v := range []*Vocabulary{PARR(), PhysMDT()} {
		for _, seq := range []int{127, 128, 129, 300} {
			zeros := make([]float32, seq*v.Size())
			for seed := range uint64(5) {
				x, ok := v.Grammar(nil).Sample(newRand(seed), zeros, seq, nil, 1)
				if !ok {
					t.Fatal("no expression")
				}
				for i, p := range v.Positions(x) {
					if !p.Known {
						t.Fatalf("%s, %d tokens: place %d is not known", v.Name(), seq, i)
					}
				}
			}
		}
	}
	// The widest tree of 127 tokens, in which only the operators are visible.
	v := Small()
	mul, _ := v.ID("mul")
	x := slices.Concat(slices.Repeat([]int32{mul}, 63), slices.Repeat([]int32{v.Mask()}, 64))
	for i, p := range v.Positions(x) {
		if !p.Known {
			t.Errorf("place %d is not known", i)
		}
	}
}

func BenchmarkPositions(b *testing.B) {
	v := Small()
	x := ids(b, v, "mul div c_0 ? add x_0 sq sin ? ? x_2 ? ? ? x_1 ? ? ? ? ? c_0 ? x_1 ?")
	b.ReportAllocs()
	for b.Loop() {
		v.Positions(x)
	}
}
