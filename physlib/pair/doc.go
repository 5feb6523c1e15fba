// Package pair answers one question for all pairs of candidate features at once: how much of the
// target do the two features of a pair explain together?
//
// Features are rows f_i of unit norm over the same points, the target t is a vector of unit norm,
// and r_i = <f_i,t>. With c = <f_i,f_j>, the share of the target that lies in span(f_i, f_j) is
//
//	R² = (r_i² + r_j² - 2 r_i r_j c) / (1 - c²),
//
// the square of the multiple correlation. There may be 10³ to 10⁵ features. A [Kernel] returns the
// K pairs with the largest R².
//
// # Design
//
// The matrix of all c is never stored. It is calculated tile by tile, 8 rows by 32 columns. A tile
// occupies 1 KB and is scored while it is still in registers or in the L1 cache. Only pairs that
// are better than the worst of the best K so far leave the tile. The test inside the tile is num ≥
// threshold·den with R² = num/den, plus a small margin. It needs no division and is only a filter.
// Each pair that passes is scored again in float64 from its c, and the scored pairs are ordered by
// R² and then by their indices. So the result depends neither on the number of workers nor on the
// order of the tiles.
//
// If the build has GOEXPERIMENT=simd, the scalar products are calculated in AVX-512 or AVX2
// assembly, and the scores with simd/archsimd. The program chooses the instruction set when it
// starts. Every other machine and build uses plain Go. BenchmarkSquare reports the speeds as shares
// of the peak speed of a core. An XLA kernel for accelerators implements [Kernel] too.
//
// A NaN in a row, or in its r, fails every comparison, so no pair in the result contains such a
// row.
package pair
