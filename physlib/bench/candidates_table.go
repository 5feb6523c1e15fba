package bench

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"gonum.org/v1/gonum/stat"
)

// CandidateSummary is the outcome of [Candidates]. String formats it as a table of how often the
// true skeleton is among the first k distinct candidates.
type CandidateSummary struct {
	Suite         string
	Rows, Samples int
	LeftOut       int // laws of the suite that are omitted, see CandidatesOptions
	Records       []CandidateRecord
}

// firsts are the values of k in the table.
var firsts = []int{1, 8, 32, 128}

// CandidateGroup selects the laws of one line of the table.
type CandidateGroup struct {
	Name string
	Of   func(CandidateRecord) bool
}

// CandidateGroups are the lines of the table. The first lines group laws by the number of tokens of
// their skeleton. The last three are products of powers, all other laws, and all laws.
var CandidateGroups = []CandidateGroup{
	{"≤5", func(r CandidateRecord) bool { return r.Tokens <= 5 }},
	{"6–9", func(r CandidateRecord) bool { return r.Tokens >= 6 && r.Tokens <= 9 }},
	{"10–13", func(r CandidateRecord) bool { return r.Tokens >= 10 && r.Tokens <= 13 }},
	{"14+", func(r CandidateRecord) bool { return r.Tokens >= 14 }},
	{"monomials", func(r CandidateRecord) bool { return r.Monomial }},
	{"others", func(r CandidateRecord) bool { return !r.Monomial }},
	{"all", func(CandidateRecord) bool { return true }},
}

// Among returns how many of records have the true skeleton among their first k distinct candidates.
func Among(records []CandidateRecord, k int) int {
	n := 0
	for _, r := range records {
		if 0 < r.Rank && r.Rank <= k {
			n++
		}
	}
	return n
}

// String returns the table, followed by the time taken and by the first error, if any.
func (s CandidateSummary) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d laws, %d rows, %d candidates each", s.Suite, len(s.Records), s.Rows, s.Samples)
	if s.LeftOut > 0 {
		fmt.Fprintf(&b, "; %d more laws are beyond the vocabulary, the variables or the length", s.LeftOut)
	}
	b.WriteString("\n")
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "tokens\tlaws\t")
	for _, k := range firsts {
		fmt.Fprintf(w, "k=%d\t", k)
	}
	fmt.Fprint(w, "R²\tdistinct\ts\t\n")
	for _, g := range CandidateGroups {
		s.line(w, g)
	}
	w.Flush()
	if len(s.Records) > 0 {
		low, high := Wilson(Among(s.Records, s.Samples), len(s.Records))
		seconds, _ := times(s.Records)
		fmt.Fprintf(&b, "true skeleton among all: %d of %d (95 %% interval %.0f to %.0f %%); the first table took %.2f s, nine of ten at most %.2f s\n",
			Among(s.Records, s.Samples), len(s.Records), 100*low, 100*high, s.Records[0].Seconds, stat.Quantile(0.9, stat.Empirical, seconds, nil))
	}
	if failed := slices.IndexFunc(s.Records, func(r CandidateRecord) bool { return r.Error != "" }); failed >= 0 {
		n := 0
		for _, r := range s.Records {
			if r.Error != "" {
				n++
			}
		}
		fmt.Fprintf(&b, "%d tables failed, the first: %s\n", n, s.Records[failed].Error)
	}
	return b.String()
}

func (s CandidateSummary) line(w *tabwriter.Writer, g CandidateGroup) {
	var in []CandidateRecord
	fits, distinct := 0, 0
	for _, r := range s.Records {
		if !g.Of(r) {
			continue
		}
		in = append(in, r)
		distinct += r.Distinct
		if r.Fit > 0 {
			fits++
		}
	}
	if len(in) == 0 {
		return
	}
	fmt.Fprintf(w, "%s\t%d\t", g.Name, len(in))
	for _, k := range firsts {
		fmt.Fprintf(w, "%.0f %%\t", share(Among(in, k), len(in)))
	}
	_, median := times(in)
	fmt.Fprintf(w, "%.0f %%\t%.0f\t%.2f\t\n", share(fits, len(in)), float64(distinct)/float64(len(in)), median)
}

// times returns the seconds of records in ascending order, and their median.
func times(records []CandidateRecord) (seconds []float64, median float64) {
	for _, r := range records {
		seconds = append(seconds, r.Seconds)
	}
	slices.Sort(seconds)
	return seconds, stat.Quantile(0.5, stat.Empirical, seconds, nil)
}
