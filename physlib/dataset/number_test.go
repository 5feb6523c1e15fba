package dataset

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestParseNumberAgainstStrconv(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringMatching(`[-+]?([0-9]{1,25}(\.[0-9]{0,25})?|\.[0-9]{1,25})([eE][-+]?[0-9]{1,4})?`).Draw(t, "number")
		want, _ := strconv.ParseFloat(s, 64)
		got, point, ok := parseNumber([]byte(s), '.')
		if !ok || math.Float64bits(got) != math.Float64bits(want) || point != strings.Contains(s, ".") {
			t.Errorf("%s: %g, %t, %t; want %g", s, got, point, ok, want)
		}
		comma, _, ok := parseNumber([]byte(strings.ReplaceAll(s, ".", ",")), ',')
		if !ok || math.Float64bits(comma) != math.Float64bits(want) {
			t.Errorf("%s with a comma: %g, %t", s, comma, ok)
		}
	})
	// The shortest form of every float64 is read as the same value.
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.Float64().Draw(t, "v")
		if got, _, ok := parseNumber([]byte(strconv.FormatFloat(v, 'g', -1, 64)), '.'); !ok || got != v {
			t.Errorf("%g reads as %g, %t", v, got, ok)
		}
	})
}

func TestParseNumberRejects(t *testing.T) {
	for _, s := range []string{"", "+", "-", ".", "-.", "e5", ".e5", "1e", "1e+", "1.2.3", "1_000", "1,000", "0x10", "0x1p3", "inf", "nan", "1 ", " 1", "--1", "+-1", "1f", "1e5.", "1e5e5", "٣"} {
		if v, _, ok := parseNumber([]byte(s), '.'); ok {
			t.Errorf("%q reads as %g", s, v)
		}
	}
}

func BenchmarkParseNumber(b *testing.B) {
	for _, s := range []string{"3.25", "-1.5e-13", "0.1234567890123456"} {
		b.Run(s, func(b *testing.B) {
			cell := []byte(s)
			b.ReportAllocs()
			for b.Loop() {
				parseNumber(cell, '.')
			}
		})
	}
}
