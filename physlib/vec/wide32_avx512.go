//go:build goexperiment.simd && amd64

package vec

import (
	"simd/archsimd"
	"unsafe"
)

// The AVX-512 float32 functions that are calculated by the float64 functions. They are correctly
// rounded, except for rare ties.

const wideRows32x16 = 256 // number of rows at a time; they take 2 kB of stack for each operand

func widen32x16(dst []float64, a []float32) {
	for i := 0; i+lanes64x8 <= len(dst); i += lanes64x8 {
		archsimd.LoadFloat32x8Array((*[8]float32)(unsafe.Pointer(&a[i]))).ConvertToFloat64().StoreArray(at64x8(unsafe.Pointer(&dst[i]), 0))
	}
}

func narrow32x16(dst []float32, a []float64) {
	for i := 0; i+lanes64x8 <= len(a); i += lanes64x8 {
		archsimd.LoadFloat64x8Array(at64x8(unsafe.Pointer(&a[i]), 0)).ConvertToFloat32().StoreArray((*[8]float32)(unsafe.Pointer(&dst[i])))
	}
}

// wide32x16 returns the float32 kernel of op, which converts its operand to float64 and calls the
// float64 kernel.
func wide32x16(op Unary) func(dst, a []float32) {
	return func(dst, a []float32) {
		rows := len(dst)
		if step(len(dst), len(a)) == 0 {
			rows = Block
		}
		var x [wideRows32x16]float64
		for i := 0; i < rows; i += wideRows32x16 {
			w := x[:min(wideRows32x16, rows-i)]
			widen32x16(w, a[i:])
			switch op {
			case Tan:
				tan64x8(w, w)
			case Asin:
				asin64x8(w, w)
			case Acos:
				acos64x8(w, w)
			case Atan:
				atan64x8(w, w)
			case Sinh:
				sinh64x8(w, w)
			case Cosh:
				cosh64x8(w, w)
			case Tanh:
				tanh64x8(w, w)
			}
			narrow32x16(dst[i:], w)
		}
		archsimd.ClearAVXUpperBits()
		repeat(dst, rows)
	}
}

// pow32x16 applies pow64x8 to float32 columns.
func pow32x16(dst, a, b []float32) {
	sa, sb := step(len(dst), len(a)), step(len(dst), len(b))
	var x, y [wideRows32x16]float64
	for i := 0; i < len(dst); i += wideRows32x16 {
		n := min(wideRows32x16, len(dst)-i)
		u, v := x[:n], y[:n]
		if sa == 0 {
			u = x[:Block]
		}
		if sb == 0 {
			v = y[:Block]
		}
		widen32x16(u, a[i/Block*sa:][:len(u)])
		widen32x16(v, b[i/Block*sb:][:len(v)])
		repeat(x[:n], len(u))
		u = x[:n]
		pow64x8(u, u, v)
		narrow32x16(dst[i:i+n], u)
	}
	archsimd.ClearAVXUpperBits()
}
