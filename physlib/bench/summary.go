package bench

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"
)

// Summary is the result of a run. The zero value is the summary of no laws.
type Summary struct {
	Laws      int
	Recovered int    // number of laws whose chosen law is exact
	Identical int    // number of laws that are exact as printed, before any constant is refitted
	By        Shares // recovered laws by the Proposer that first proposed them
	OnFront   int    // number of searches with an exact law on the front, chosen or not
	// Number of laws that are right by SRBench's rules.
	SymPy     int
	Judged    int     // laws with a verdict by SRBench's rules
	Low, High float64 // Wilson's 95 % interval of Recovered/Laws
	Fitted    int     // number of laws with R² > 0.999 on fresh data without noise
	Median    float64 // median seconds of a search
	P90       float64 // 90th percentile of the seconds of a search
	Rate      float64 // candidates scored per second, over all laws
	Failures  []Record
}

// Summarize returns the summary of records.
func Summarize(records []Record) Summary {
	s := Summary{Laws: len(records)}
	var seconds []float64
	var all, evaluations float64
	for _, r := range records {
		seconds = append(seconds, r.Seconds)
		all += r.Seconds
		evaluations += float64(r.Evals)
		if r.R2 != nil && *r.R2 > 0.999 {
			s.Fitted++
		}
		if r.Exact {
			s.Recovered++
			s.By = s.By.add(r)
		} else {
			s.Failures = append(s.Failures, r)
		}
		if r.Identical {
			s.Identical++
		}
		if r.FrontExact {
			s.OnFront++
		}
		if r.SymPyExact != nil {
			s.Judged++
			if *r.SymPyExact {
				s.SymPy++
			}
		}
	}
	s.Low, s.High = Wilson(s.Recovered, s.Laws)
	if len(seconds) > 0 {
		slices.Sort(seconds)
		s.Median = stat.Quantile(0.5, stat.Empirical, seconds, nil)
		s.P90 = stat.Quantile(0.9, stat.Empirical, seconds, nil)
	}
	if all > 0 {
		s.Rate = evaluations / all
	}
	slices.SortFunc(s.Failures, func(a, b Record) int { return cmp.Compare(a.ID, b.ID) })
	return s
}

// Wilson returns Wilson's 95 % score interval for the probability of success, given k successes in
// n trials (E. B. Wilson, 1927). If n is 0, the interval is 0 to 1.
func Wilson(k, n int) (low, high float64) {
	if n <= 0 {
		return 0, 1
	}
	const z = 1.959963984540054
	m, p := float64(n), float64(k)/float64(n)
	middle := (p + z*z/(2*m)) / (1 + z*z/m)
	half := z / (1 + z*z/m) * math.Sqrt(p*(1-p)/m+z*z/(4*m*m))
	return max(0, middle-half), min(1, middle+half)
}

// String returns the summary as a few lines of text, with the true and found laws of failures last.
func (s Summary) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "recovered %d/%d  %.1f %% (95 %% interval %.1f to %.1f)\n", s.Recovered, s.Laws, share(s.Recovered, s.Laws), 100*s.Low, 100*s.High)
	if s.Identical < s.Recovered {
		fmt.Fprintf(&b, "as printed %d/%d  %.1f %%, the others after refitting free constants\n", s.Identical, s.Laws, share(s.Identical, s.Laws))
	}
	if len(s.By) > 0 {
		fmt.Fprintf(&b, "first proposed by %v\n", s.By)
	}
	fmt.Fprintf(&b, "on front  %d/%d  %.1f %%\n", s.OnFront, s.Laws, share(s.OnFront, s.Laws))
	if s.Judged > 0 {
		fmt.Fprintf(&b, "sympy     %d/%d  %.1f %%\n", s.SymPy, s.Judged, share(s.SymPy, s.Judged))
	}
	fmt.Fprintf(&b, "seconds   median %.3g, nine of ten within %.3g\n", s.Median, s.P90)
	for _, r := range s.Failures {
		fmt.Fprintf(&b, "not recovered: %s%s\n  true  %s\n  found %s\n", r.ID, remark(r), r.True, cmp.Or(r.Found, "nothing"))
	}
	return b.String()
}

func remark(r Record) string {
	switch {
	case r.Error != "":
		first, _, _ := strings.Cut(r.Error, "\n")
		return " (" + first + ")"
	case r.FrontExact:
		return " (on the front)"
	}
	return ""
}

func share(k, n int) float64 { return 100 * float64(k) / math.Max(1, float64(n)) }
