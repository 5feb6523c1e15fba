// Package lane imitates simd/archsimd for vectors of one number. With this package, the scalar
// kernels have the same source as the vector kernels, so that they give the same bits. It contains
// the part of archsimd that the float64 functions use, under the same names.
package lane

import "math"

// Float64x1, Int64x1, Uint64x1 and Mask64x1 are vectors of one number.
type (
	Float64x1 float64
	Int64x1   int64
	Uint64x1  uint64
	Mask64x1  bool
)

func BroadcastFloat64x1(x float64) Float64x1     { return Float64x1(x) }
func BroadcastInt64x1(x int64) Int64x1           { return Int64x1(x) }
func LoadFloat64x1Array(y *[1]float64) Float64x1 { return Float64x1(y[0]) }
func (x Float64x1) StoreArray(y *[1]float64)     { y[0] = float64(x) }
func ClearAVXUpperBits()                         {}
func (x Float64x1) Add(y Float64x1) Float64x1    { return x + y }
func (x Float64x1) Sub(y Float64x1) Float64x1    { return x - y }
func (x Float64x1) Mul(y Float64x1) Float64x1    { return Float64x1(x * y) }
func (x Float64x1) Div(y Float64x1) Float64x1    { return x / y }
func (x Float64x1) Neg() Float64x1               { return -x }
func (x Float64x1) Sqrt() Float64x1              { return Float64x1(math.Sqrt(float64(x))) }
func (x Float64x1) Abs() Float64x1               { return Float64x1(math.Abs(float64(x))) }
func (x Float64x1) MulAdd(y, z Float64x1) Float64x1 {
	return Float64x1(math.FMA(float64(x), float64(y), float64(z)))
}
func (x Float64x1) Equal(y Float64x1) Mask64x1        { return x == y }
func (x Float64x1) Less(y Float64x1) Mask64x1         { return x < y }
func (x Float64x1) LessEqual(y Float64x1) Mask64x1    { return x <= y }
func (x Float64x1) Greater(y Float64x1) Mask64x1      { return x > y }
func (x Float64x1) GreaterEqual(y Float64x1) Mask64x1 { return x >= y }
func (x Float64x1) AsInt64x1() Int64x1                { return Int64x1(math.Float64bits(float64(x))) }
func (x Int64x1) AsFloat64x1() Float64x1              { return Float64x1(math.Float64frombits(uint64(x))) }
func (x Int64x1) AsUint64x1() Uint64x1                { return Uint64x1(x) }
func (x Uint64x1) AsInt64x1() Int64x1                 { return Int64x1(x) }
func (x Int64x1) Add(y Int64x1) Int64x1               { return x + y }
func (x Int64x1) Sub(y Int64x1) Int64x1               { return x - y }
func (x Int64x1) And(y Int64x1) Int64x1               { return x & y }
func (x Int64x1) Or(y Int64x1) Int64x1                { return x | y }
func (x Int64x1) Xor(y Int64x1) Int64x1               { return x ^ y }
func (x Int64x1) Greater(y Int64x1) Mask64x1          { return x > y }
func (x Int64x1) ShiftAllLeft(n uint64) Int64x1       { return x << n }
func (x Uint64x1) ShiftAllRight(n uint64) Uint64x1    { return x >> n }
func (m Mask64x1) And(n Mask64x1) Mask64x1            { return m && n }

// Min returns the smaller of x and y, and y if either is NaN, like the processor's instruction.
func (x Float64x1) Min(y Float64x1) Float64x1 {
	if x < y {
		return x
	}
	return y
}

// Max returns the larger of x and y, and y if either is NaN, like the processor's instruction.
func (x Float64x1) Max(y Float64x1) Float64x1 {
	if x > y {
		return x
	}
	return y
}

// IfElse returns x if m is true, else y.
func (x Float64x1) IfElse(m Mask64x1, y Float64x1) Float64x1 {
	if m {
		return x
	}
	return y
}

// ToBits returns 1 if m is true, and 0 if it is false.
func (m Mask64x1) ToBits() uint8 {
	if m {
		return 1
	}
	return 0
}
