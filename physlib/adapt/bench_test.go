package adapt

import (
	"fmt"
	"testing"

	"github.com/gomlx/compute"

	"github.com/physlib/lab/physlib/backend/backendtest"
	"github.com/physlib/lab/physlib/system"
)

// BenchmarkStep measures a learning step of physdiffuse-small with the settings of its preset, at
// each of its lengths, without compiling.
func BenchmarkStep(b *testing.B) {
	c := must(system.Preset("physdiffuse-small"))
	backendtest.EachB(b, func(b *testing.B, backend compute.Backend) {
		a := must(New(must(system.Untrained(backend, c, 1)), c.Adapt))
		defer a.Close()
		s := must(a.open(pendulum(), nil, 0))
		for _, law := range archive() {
			s.visit(law)
		}
		s.targets = s.order
		byFit(s.targets, 1)
		s.normalize()
		for _, bucket := range c.Corpus.Buckets[:3] {
			s.seq = bucket.Seq
			b.Run(fmt.Sprintf("seq%d", bucket.Seq), func(b *testing.B) {
				rng := s.rng(0, 0)
				must(a.learner.step(newHostInputs(0, 1e-3), s.batch(rng)))
				for b.Loop() {
					must(a.learner.step(newHostInputs(0, 1e-3), s.batch(rng)))
				}
			})
		}
	})
}

// BenchmarkReset measures the time between a new problem and its first step.
func BenchmarkReset(b *testing.B) {
	c := must(system.Preset("physdiffuse-small"))
	a := must(New(must(system.Untrained(backendtest.Go(b), c, 1)), c.Adapt))
	defer a.Close()
	for b.Loop() {
		if err := a.Reset(); err != nil {
			b.Fatal(err)
		}
	}
}
