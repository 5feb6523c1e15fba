package dataset

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"
)

// BenchmarkRead reads 100,000 rows of 10 columns; MB/s counts the text.
func BenchmarkRead(b *testing.B) {
	for _, c := range []struct{ name, format, sep string }{
		{"digits6", "%.6g", ","}, {"digits17", "%.17g", ","}, {"spaces", "%.6g", "  "}, {"quoted", "\"%.6g\"", ","},
	} {
		b.Run(c.name, func(b *testing.B) {
			file := manyRows(100_000, 10, c.format, c.sep)
			b.SetBytes(int64(len(file)))
			b.ReportAllocs()
			for b.Loop() {
				if _, _, err := Read(bytes.NewReader(file), "t.csv", Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func manyRows(rows, columns int, format, sep string) []byte {
	rng := rand.New(rand.NewPCG(1, 1))
	var b bytes.Buffer
	for i := range columns {
		if i > 0 {
			b.WriteString(sep)
		}
		fmt.Fprintf(&b, "v%d", i)
	}
	b.WriteByte('\n')
	for range rows {
		for i := range columns {
			if i > 0 {
				b.WriteString(sep)
			}
			fmt.Fprintf(&b, format, rng.NormFloat64())
		}
		b.WriteByte('\n')
	}
	return b.Bytes()
}
