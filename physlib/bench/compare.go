package bench

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Comparison compares two runs, A and B, on the laws that both contain. If a run has several
// records of a law, the last one counts. The same law with another seed or kind of task counts as
// another law.
type Comparison struct {
	Common       int
	A, B         int          // number of the Common laws that each run recovered
	ByA, ByB     Shares       // numbers of recovered laws, by first proposer
	OnlyA, OnlyB []Difference // laws that only one of the runs recovered, sorted by id
	// P is the p-value of the exact two-sided sign test (McNemar's exact test) on len(OnlyA) and
	// len(OnlyB). It is 1 if both lengths are 0.
	P       float64
	Missing []string // laws that only one of the runs contains
	Speed   float64  // geometric mean of (seconds of A)/(seconds of B); above 1: B is faster
}

// Difference is a law that only one of two runs recovered.
type Difference struct {
	// Law is the id of the law. It includes the kind of task and the seed if these differ within a
	// run.
	Law  string
	A, B Record
}

// Shares maps the name of a Proposer to the number of laws that it was the first to propose.
type Shares map[string]int

// add returns s with the law of r counted, if its Proposer is known.
func (s Shares) add(r Record) Shares {
	if r.Proposer == "" {
		return s
	}
	if s == nil {
		s = Shares{}
	}
	s[r.Proposer]++
	return s
}

// String returns text such as "search 90, genetic 3", the largest number first.
func (s Shares) String() string {
	names := slices.SortedFunc(maps.Keys(s), func(a, b string) int { return cmp.Or(cmp.Compare(s[b], s[a]), cmp.Compare(a, b)) })
	for i, name := range names {
		names[i] = fmt.Sprintf("%s %d", name, s[name])
	}
	return cmp.Or(strings.Join(names, ", "), "unknown")
}

// by returns ", by " and the name of the Proposer of the law, or "" if the Proposer is unknown.
func (r Record) by() string {
	if r.Proposer == "" {
		return ""
	}
	return ", by " + r.Proposer
}

// namer returns a function that names records for a comparison. The name is the id of the law. It
// includes the kind of task and the seed if these differ within a run.
func namer(runs ...[]Record) func(Record) string {
	var seed, units, noise, digits, faults bool
	for _, run := range runs {
		for _, r := range run {
			k, first := r.kind(), run[0].kind()
			seed = seed || r.Seed != run[0].Seed
			units = units || k.Units != first.Units
			noise = noise || k.Noise != first.Noise
			digits = digits || k.Digits != first.Digits
			faults = faults || k.Outliers != first.Outliers || k.Fault != first.Fault
		}
	}
	return func(r Record) string {
		name := r.ID
		if noise {
			name += fmt.Sprintf(", noise %v", r.Noise)
		}
		if digits {
			name += fmt.Sprintf(", %d digits", r.Digits)
		}
		if faults {
			name += fmt.Sprintf(", %s %v", cmp.Or(r.Fault, "outliers"), r.Outliers)
		}
		if units && r.Units {
			name += ", units"
		} else if units {
			name += ", no units"
		}
		if seed {
			name += fmt.Sprintf(", seed %d", r.Seed)
		}
		return name
	}
}

// Compare compares the run a with the run b.
func Compare(a, b []Record) Comparison {
	name := namer(a, b)
	type law struct{ suite, name string }
	last := func(records []Record) map[law]Record {
		m := map[law]Record{}
		for _, r := range records {
			m[law{r.Suite, name(r)}] = r
		}
		return m
	}
	sorted := func(m map[law]Record) []law {
		return slices.SortedFunc(maps.Keys(m), func(x, y law) int {
			return cmp.Or(cmp.Compare(x.name, y.name), cmp.Compare(x.suite, y.suite))
		})
	}
	inA, inB := last(a), last(b)
	var c Comparison
	var ratios []float64
	for _, l := range sorted(inA) {
		ra := inA[l]
		rb, ok := inB[l]
		if !ok {
			c.Missing = append(c.Missing, l.name)
			continue
		}
		c.add(l.name, ra, rb)
		if ra.Seconds > 0 && rb.Seconds > 0 {
			ratios = append(ratios, math.Log(ra.Seconds/rb.Seconds))
		}
	}
	for _, l := range sorted(inB) {
		if _, ok := inA[l]; !ok {
			c.Missing = append(c.Missing, l.name)
		}
	}
	slices.Sort(c.Missing)
	c.P = signTest(len(c.OnlyA), len(c.OnlyB))
	c.Speed = 1
	if len(ratios) > 0 {
		c.Speed = math.Exp(stat.Mean(ratios, nil))
	}
	return c
}

// signTest returns the p-value of the two-sided sign test. This is the probability that a+b flips
// of a fair coin are divided at least as unevenly as a and b.
func signTest(a, b int) float64 {
	coin := distuv.Binomial{N: float64(a + b), P: 0.5}
	return min(1, 2*coin.CDF(float64(min(a, b))))
}

func (c *Comparison) add(law string, a, b Record) {
	c.Common++
	if a.Exact {
		c.A++
		c.ByA = c.ByA.add(a)
	}
	if b.Exact {
		c.B++
		c.ByB = c.ByB.add(b)
	}
	switch {
	case a.Exact && !b.Exact:
		c.OnlyA = append(c.OnlyA, Difference{law, a, b})
	case b.Exact && !a.Exact:
		c.OnlyB = append(c.OnlyB, Difference{law, a, b})
	}
}

// String returns the comparison as text, with the laws that only one run recovered.
func (c Comparison) String() string {
	var s strings.Builder
	fmt.Fprintf(&s, "laws in both %d: A recovers %d, B %d; B is %.2f times as fast\n", c.Common, c.A, c.B, c.Speed)
	if len(c.ByA)+len(c.ByB) > 0 {
		fmt.Fprintf(&s, "first proposed by: A %v; B %v\n", c.ByA, c.ByB)
	}
	if len(c.OnlyA)+len(c.OnlyB) > 0 {
		fmt.Fprintf(&s, "by one alone: A %d, B %d; p = %.2g (exact sign test)\n", len(c.OnlyA), len(c.OnlyB), c.P)
	}
	for _, d := range c.OnlyA {
		fmt.Fprintf(&s, "only A: %s%s\n  true  %s\n  B has %s\n", d.Law, d.A.by(), d.A.True, cmp.Or(d.B.Found, "nothing"))
	}
	for _, d := range c.OnlyB {
		fmt.Fprintf(&s, "only B: %s%s\n  true  %s\n  A has %s\n", d.Law, d.B.by(), d.B.True, cmp.Or(d.A.Found, "nothing"))
	}
	if len(c.Missing) > 0 {
		fmt.Fprintf(&s, "in one run only: %s\n", strings.Join(c.Missing, ", "))
	}
	return s.String()
}
