package vec

// Block is the number of values in a block; the length of dst is a multiple of it.
const Block = 16

// Float is an element type of kernels.
type Float interface{ float32 | float64 }

// Unary is a function of one operand.
type Unary uint8

// Functions of one operand.
const (
	Neg    Unary = iota // -a
	Inv                 // 1/a
	Abs                 // |a|
	Sqrt                // √a
	Square              // a*a
	Cube                // a*a*a
	Exp
	Log
	Sin
	Cos
	Tan
	Asin
	Acos
	Atan
	Sinh
	Cosh
	Tanh
	NumUnary
)

// Binary is a function of two operands.
type Binary uint8

// Functions of two operands.
const (
	Add Binary = iota
	Sub
	Mul
	Div
	Pow // a ** b, like math.Pow
	NumBinary
)

// Outer is the second operation of a fused pair. It applies to the result t of the first operation
// and a further operand c.
type Outer uint8

// Second operations of a fused pair.
const (
	AddTo   Outer = iota // t + c
	SubBy                // t - c
	SubFrom              // c - t
	MulBy                // t * c
	DivBy                // t / c
	DivInto              // c / t
	NumOuter
)

// A Set is one implementation of all functions for one element type.
type Set[T Float] struct {
	Name   string // scalar, avx2 or avx512
	Unary  [NumUnary]func(dst, a []T)
	Binary [NumBinary]func(dst, a, b []T)
	// Fused[f][g] computes t = a f b, then t g c, in one pass, with the same roundings as two
	// passes.
	Fused [Div + 1][NumOuter]func(dst, a, b, c []T)

	zeros, ones [Block]T
}

var (
	sets32 = []*Set[float32]{scalar32()}
	sets64 = []*Set[float64]{scalar64()}
)

// Sets32 returns the float32 sets that this CPU can run, the slowest first. The first set is the
// scalar one.
func Sets32() []*Set[float32] { return sets32 }

// Sets64 returns the float64 sets that this CPU can run, the slowest first. The first set is the
// scalar one.
func Sets64() []*Set[float64] { return sets64 }

// Best32 returns the fastest float32 set that this CPU can run.
func Best32() *Set[float32] { return sets32[len(sets32)-1] }

// Best64 returns the fastest float64 set that this CPU can run.
func Best64() *Set[float64] { return sets64[len(sets64)-1] }

// step checks the length of an operand against that of dst. It returns the distance between the
// operand's blocks, in elements: Block, or 0 if the operand is a single block for a constant.
func step(dst, operand int) int {
	switch {
	case operand == dst && dst%Block == 0:
		return Block
	case operand == Block && dst%Block == 0:
		return 0
	}
	panic("vec: an operand must be as long as dst, or one block, and dst a whole number of blocks")
}
