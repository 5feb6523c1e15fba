package stream

import (
	"testing"
)

func TestSample(t *testing.T) {
	s, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 80 {
		p := s.Problem(1, uint64(i))
		t.Logf("%d %s %g * %s   %v -> %v", p.Law.Len(), p.Family, p.Scale, p.Law, p.Dims, p.Target)
	}
}

func BenchmarkProblem(b *testing.B) {
	s, _ := New(Config{})
	s.Problem(0, 0)
	i := uint64(0)
	for b.Loop() {
		s.Problem(1, i)
		i++
	}
}
