package vec

import (
	"math"
	"math/bits"
)

// twoOverPi has 64 zero bits followed by the first 1280 bits of 2/π after the binary point.
var twoOverPi = [...]uint64{
	0,
	0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561,
	0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484,
	0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f,
	0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d, 0x7527bac7ebe5f17b,
	0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab, 0xf0cfbc209af4361d,
}

// reduceFar returns k modulo 4 and r with x = k·π/2 + r and |r| ≤ π/4, for finite |x| ≥ 2²⁸. It
// uses the method of Payne and Hanek (1983). It calculates 192 bits of the product |x|·2/π, from
// the bit with weight 2 downwards. Only some of the bits of 2/π contribute to these.
func reduceFar(x float64) (k int, r float64) {
	b := math.Float64bits(x)
	m, e := b&(1<<52-1)|1<<52, int(b>>52&0x7ff)-1075 // |x| = m·2ᵉ
	// Bit i of 2/π after the binary point has weight 2⁻ⁱ, and so contributes 2ᵉ⁻ⁱ·m to the product.
	// Bits before i = e-1 contribute multiples of 4.
	at := e - 2 + 64
	var w [3]uint64
	for j := range w {
		word, shift := at/64+j, uint(at%64)
		w[j] = twoOverPi[word]<<shift | twoOverPi[word+1]>>(64-shift)
	}
	high, low := bits.Mul64(m, w[2])
	carry, mid := bits.Mul64(m, w[1])
	mid, c := bits.Add64(mid, high, 0)
	top := m*w[0] + carry + c
	k = int(top >> 62)
	// top, mid and low together are a fraction of 190 bits. Make it a signed number of quarter
	// turns.
	top = top<<2 | mid>>62
	mid = mid<<2 | low>>62
	low <<= 2
	minus := top>>63 != 0
	if minus {
		k++
		var borrow uint64
		low, borrow = bits.Sub64(0, low, 0)
		mid, borrow = bits.Sub64(0, mid, borrow)
		top, _ = bits.Sub64(0, top, borrow)
	}
	f := float64(top>>11) * 0x1p-53
	rest := float64(top&(1<<11-1))*0x1p-64 + float64(mid)*0x1p-128 + float64(low)*0x1p-192
	f, rest = f+rest, rest-(f+rest-f)
	r = math.FMA(f, math.Pi/2, math.FMA(f, 6.123233995736766e-17, rest*(math.Pi/2)))
	if minus {
		r = -r
	}
	if x < 0 {
		return -k & 3, -r
	}
	return k & 3, r
}

// farSin, farCos and farTan return the sine, cosine and tangent of x for |x| ≥ 2²⁸. Package math
// may lose digits near the zeros of these functions. For infinities and NaN, the result is NaN.
func farSin(x float64) float64 {
	if math.IsNaN(x - x) {
		return math.NaN()
	}
	switch k, r := reduceFar(x); k {
	case 0:
		return math.Sin(r)
	case 1:
		return math.Cos(r)
	case 2:
		return -math.Sin(r)
	default:
		return -math.Cos(r)
	}
}

func farCos(x float64) float64 {
	if math.IsNaN(x - x) {
		return math.NaN()
	}
	switch k, r := reduceFar(x); k {
	case 0:
		return math.Cos(r)
	case 1:
		return -math.Sin(r)
	case 2:
		return -math.Cos(r)
	default:
		return math.Sin(r)
	}
}

func farTan(x float64) float64 {
	if math.IsNaN(x - x) {
		return math.NaN()
	}
	k, r := reduceFar(x)
	if k%2 == 0 {
		return math.Tan(r)
	}
	return -1 / math.Tan(r)
}

// smallLog returns ln x for zero and for subnormal numbers. math.Log may be wrong for subnormal
// numbers (amd64, Go 1.27).
func smallLog(x float64) float64 { return math.Log(x*0x1p54) - 54*math.Ln2 }
