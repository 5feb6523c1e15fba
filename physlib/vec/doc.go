// Package vec applies the elementary functions to whole columns of numbers. These functions are the
// inner loops when a law is evaluated.
//
// A Set has one kernel (a loop over blocks of numbers) for each function, in float32 or float64.
// There are up to three sets for a type. AVX-512 and AVX2 sets are built with GOEXPERIMENT=simd on
// amd64, and the CPU decides which of them are used. A scalar set runs everywhere.
//
// # Design
//
// All kernels work on blocks of Block numbers: len(dst) is a multiple of Block. An operand is as
// long as dst, or it is one block of equal numbers, which stands for a constant. dst may be the
// same slice as an operand, but must not overlap an operand otherwise. Kernels keep no state and
// allocate nothing. They panic for lengths that break these rules.
//
// Arithmetic operations, quotients and square roots are rounded after each operation as IEEE 754
// says, without contraction to fused multiply-adds. All sets give the same bits for them, and x*y -
// x*y is 0. The other functions have the error bounds of Bound. In float64 all sets come from one
// source and give the same bits, except for subnormal results. In float32 the scalar set differs
// from the others within the bounds. NaN, infinities, signed zeros and subnormal numbers have the
// results that package math documents.
//
// The functions of the scalar and AVX2 sets are generated from those of the AVX-512 set in
// elem32_avx512.go, elem64_avx512.go and wide32_avx512.go, see internal/gen. Each kernel ends with
// the instruction VZEROUPPER. Without it, SSE code of the compiler would be slow after 512-bit
// instructions.
package vec
