package system

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/physlib/lab/physlib/expr"
)

// Every system refills laws: visible tokens stay, and the result is an expression.
func TestViews(t *testing.T) {
	for _, name := range small {
		t.Run(name, func(t *testing.T) {
			c := shrunk(t, name)
			c.Refine.WellFormed = c.Refine.Strategy != "small" && c.Refine.Strategy != "beam"
			s := untrained(t, c)
			if err := s.makeVariables(); err != nil {
				t.Fatal(err)
			}
			p := pendulum()
			v := must(s.View(p))
			defer v.Close()
			law := must(expr.Parse("7*sqrt(l/g)*exp(c0*l)", []string{"l", "g"})).WithStarts([]float64{0.25})
			ids, constants, ok := v.Tokens(law)
			if !ok || len(constants) != 1 || constants[0] != 0.25 {
				t.Fatalf("tokens %v, constants %v, ok %v", ids, constants, ok)
			}
			back, ok := v.Law(ids)
			if !ok || back.Hash() != expr.Apply(expr.Mul, expr.C(1, 1), must(expr.Parse("sqrt(l/g)*exp(c0*l)", []string{"l", "g"}))).Hash() {
				t.Fatalf("%s comes back as %s", law, back)
			}
			if logp := v.Lengths(); logp != nil {
				sum := 0.0
				for _, l := range logp {
					sum += math.Exp(l)
				}
				if math.Abs(sum-1) > 1e-6 || len(logp) != c.Seq {
					t.Errorf("%d lengths of probability %v together", len(logp), sum)
				}
			}
			logp := must(v.Confidence(context.Background(), ids))
			if len(logp) != len(ids) || slices.ContainsFunc(logp, func(l float64) bool { return !(l <= 1e-6) || math.IsInf(l, 0) }) {
				t.Errorf("confidence %v", logp)
			}
			const n = 3
			var given []int32
			var priors []Prior
			for i := range n {
				row := slices.Clone(ids)
				row[i], row[len(ids)-1-i] = v.Vocabulary().Mask(), v.Vocabulary().Mask()
				given, priors = append(given, row...), append(priors, Prior{ids, 0.5})
			}
			const draws = 2
			for _, steps := range []int{1, 2} {
				one := must(v.Refill(context.Background(), given, len(ids), steps, draws, priors, 1))
				two := must(v.Refill(context.Background(), given, len(ids), steps, draws, priors, 1))
				if len(one) != n*draws || !slices.ContainsFunc(one, func(ids []int32) bool { return ids != nil }) {
					t.Fatalf("%d steps refill %v", steps, one)
				}
				for i, law := range one {
					if !slices.Equal(law, two[i]) {
						t.Errorf("equal seeds refill %v and %v", law, two[i])
					}
					if law == nil {
						continue
					}
					if _, ok := v.Law(law); !ok {
						t.Errorf("%s is not a law", v.Vocabulary().Text(law))
					}
					for k, id := range given[i/draws*len(ids) : (i/draws+1)*len(ids)] {
						if id != v.Vocabulary().Mask() && law[k] != id {
							t.Errorf("token %d was shown as %s and is %s", k, v.Vocabulary().Token(id), v.Vocabulary().Token(law[k]))
						}
					}
				}
			}
		})
	}
}

// A table without a varying column has no view, and one with too many columns returns an error.
func TestViewOfAwkwardTables(t *testing.T) {
	s := untrained(t, tiny(t))
	p := pendulum()
	p.Vars = p.Vars[:1]
	p.Vars[0].Values = slices.Repeat([]float64{1}, 6)
	if v, err := s.View(p); v != nil || err != nil {
		t.Errorf("a constant column gives %v, %v", v, err)
	}
	p = pendulum()
	for range 4 {
		p.Vars = append(p.Vars, p.Vars[0])
	}
	if _, err := s.View(p); err == nil {
		t.Error("six columns for a network of four give no error")
	}
}
