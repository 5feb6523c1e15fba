package vec

import (
	"math"
	"math/bits"
)

// twoOverPi are the first 1280 bits of 2/π after the point, behind 64 zeros.
var twoOverPi = [...]uint64{
	0,
	0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561,
	0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484,
	0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f,
	0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d, 0x7527bac7ebe5f17b,
	0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab, 0xf0cfbc209af4361d,
}

// reduceFar is x = k·π/2 + r with |r| ≤ π/4, k modulo 4, for finite |x| ≥ 2²⁸, by Payne and Hanek
// (1983). It uses the part of 2/π that matters. Of the product with the 53 bits of x, these are 192
// bits that begin at those of weight 2.
func reduceFar(x float64) (k int, r float64) {
	b := math.Float64bits(x)
	m, e := b&(1<<52-1)|1<<52, int(b>>52&0x7ff)-1075 // |x| = m·2ᵉ
	// Bit i of 2/π after the point has weight 2⁻ⁱ in 2/π, and 2ᵉ⁻ⁱ times m here. Those before i =
	// e-1 make multiples of 4.
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
	// The fraction top·mid·low, of 190 bits, as a signed number of quarter turns.
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

// farSin, farCos and farTan are for |x| ≥ 2²⁸, where package math may lose digits near the zeros.
// Infinities and NaN give NaN.
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

// smallLog is ln x of zero and subnormal numbers; math.Log may not know the latter (amd64, Go
// 1.27).
func smallLog(x float64) float64 { return math.Log(x*0x1p54) - 54*math.Ln2 }
