package pair

const (
	tileRows = 8  // rows of one tile
	tileCols = 32 // columns of one tile: two AVX-512 registers
)

// tile is one block of the matrix c = <f_i,f_j>: its rows and columns, the condition for a hit, and
// the result.
//
// R² is num/den with den = 1 - c². With the target t and r_i = <f_i,t>, a pair is a hit if
// num - thr·den + margin ≥ 0 and den ≥ minDen. That is,
//
//	(thr·c - 2 r_i r_j)·c + (r_i² + r_j² - thr) + margin ≥ 0,   c² ≤ 1 - minDen.
type tile struct {
	p     int       // number of points, with padding
	rows  []float32 // [8, p]
	panel []float32 // [p, 32]: the columns, transposed

	rowLin, rowSq *[tileRows]float32 // -2 r_i and r_i² + margin/2
	colLin, colSq *[tileCols]float32 // r_j and r_j² + margin/2
	thr, maxSq    float32            // a hit has R² ≥ thr and c² ≤ maxSq = 1 - minDen

	c    [tileRows * tileCols]float32 // [8, 32]: scalar products <f_i,f_j>
	hits [tileRows]uint32             // bit j of hits[i] is set if the pair (i, j) is a hit
}

// plain are the loops in Go without SIMD.
var plain = loops{name: "scalar", dot: dotTile, find: findTile}

// dotTile sets c, four rows by two columns at a time.
func dotTile(t *tile) {
	for i := 0; i < tileRows; i += 4 {
		a0, a1 := t.rows[i*t.p:][:t.p], t.rows[(i+1)*t.p:][:t.p]
		a2, a3 := t.rows[(i+2)*t.p:][:t.p], t.rows[(i+3)*t.p:][:t.p]
		for j := 0; j < tileCols; j += 2 {
			var c00, c01, c10, c11, c20, c21, c30, c31 float32
			for k, b := 0, t.panel[j:]; k < t.p; k++ {
				b0, b1 := b[k*tileCols], b[k*tileCols+1]
				c00 += a0[k] * b0
				c01 += a0[k] * b1
				c10 += a1[k] * b0
				c11 += a1[k] * b1
				c20 += a2[k] * b0
				c21 += a2[k] * b1
				c30 += a3[k] * b0
				c31 += a3[k] * b1
			}
			c := t.c[i*tileCols+j:]
			c[0], c[1] = c00, c01
			c[tileCols], c[tileCols+1] = c10, c11
			c[2*tileCols], c[2*tileCols+1] = c20, c21
			c[3*tileCols], c[3*tileCols+1] = c30, c31
		}
	}
}

// findTile sets c and hits and reports whether there is any hit.
func findTile(t *tile) bool {
	dotTile(t)
	var seen uint32
	for i := range t.hits {
		t.hits[i] = 0
		for j := range t.colLin {
			c := t.c[i*tileCols+j]
			gain := (t.thr*c+t.rowLin[i]*t.colLin[j])*c + (t.rowSq[i] + (t.colSq[j] - t.thr))
			if gain >= 0 && c*c <= t.maxSq {
				t.hits[i] |= 1 << j
			}
		}
		seen |= t.hits[i]
	}
	return seen != 0
}
