package bench

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/physlib/lab/physlib/discover"
)

// CalibrationSummary compares the probabilities that verdicts state with the share of laws that are
// right.
type CalibrationSummary struct {
	Tables int // number of tables with a law, without failed searches
	Right  int // number of tables whose chosen law is the one that made the table
	Front  int // number of tables with that law on the front
	None   int // number of tables where no law was chosen
	Failed int

	Words []CalibrationCount // for each word of the verdict, by falling mean probability
	Bins  []CalibrationCount // for each bin of the probability

	// Mean scores of the stated probabilities, including laws chosen in noise. The base scores
	// result from always stating the share of right laws. The logarithmic scores are in nats.
	Brier, BaseBrier, Log, BaseLog float64
	Scored                         int

	// Number of tables of noise without a chosen law, and of all tables of noise.
	NoiseRight, Noise int
	Sure              []CalibrationRecord // wrong laws that were called likely or better
}

// CalibrationCount counts the laws with a given verdict, or in a bin of probability.
type CalibrationCount struct {
	Word        string  // word of the verdict; "" for a bin
	Low, High   float64 // limits of a bin: probabilities in [Low, High)
	Laws, Right int
	Mean        float64 // mean of the stated probabilities
	Stated      int     // number of laws with a stated probability
}

// bins are the limits of the bins of probability.
var bins = []float64{0, 0.5, 0.7, 0.9, 0.97, 0.99, 1}

// SummarizeCalibration summarizes records.
func SummarizeCalibration(records []CalibrationRecord) CalibrationSummary {
	var s CalibrationSummary
	for i, low := range bins[:len(bins)-1] {
		s.Bins = append(s.Bins, CalibrationCount{Low: low, High: bins[i+1]})
	}
	var p []float64
	var right []bool
	for _, r := range records {
		if r.Error != "" {
			s.Failed++
			continue
		}
		s.count(r)
		if r.Chosen == "" {
			continue
		}
		i := slices.IndexFunc(s.Words, func(c CalibrationCount) bool { return c.Word == r.Word })
		if i < 0 {
			i = len(s.Words)
			s.Words = append(s.Words, CalibrationCount{Word: r.Word})
		}
		s.Words[i].add(r)
		if r.Probability != nil {
			s.Bins[bin(*r.Probability)].add(r)
			p, right = append(p, *r.Probability), append(right, r.Right)
		}
		if !r.Right && sure.MatchString(r.Verdict) {
			s.Sure = append(s.Sure, r)
		}
	}
	slices.SortStableFunc(s.Words, func(a, b CalibrationCount) int { return cmp.Compare(b.Mean, a.Mean) })
	s.Scored = len(p)
	s.Brier, s.Log = scores(p, right)
	s.BaseBrier, s.BaseLog = scores(slices.Repeat([]float64{shareOf(right)}, len(p)), right)
	return s
}

func (s *CalibrationSummary) count(r CalibrationRecord) {
	if r.Form == "" {
		s.Noise++
		if r.Chosen == "" {
			s.NoiseRight++
		}
		return
	}
	s.Tables++
	if r.Right {
		s.Right++
	}
	if r.Front {
		s.Front++
	}
	if r.Chosen == "" {
		s.None++
	}
}

// bin returns the index of the bin of a probability.
func bin(p float64) int {
	for i, high := range bins[1:] {
		if p < high-1e-9 {
			return i
		}
	}
	return len(bins) - 2
}

func (c *CalibrationCount) add(r CalibrationRecord) {
	c.Laws++
	if r.Right {
		c.Right++
	}
	if r.Probability != nil {
		c.Mean = (c.Mean*float64(c.Stated) + *r.Probability) / float64(c.Stated+1)
		c.Stated++
	}
}

func shareOf(right []bool) float64 {
	n := 0.0
	for _, yes := range right {
		if yes {
			n++
		}
	}
	return n / max(1, float64(len(right)))
}

// leastStated keeps the logarithmic score finite: a probability nearer to 0 or 1 is replaced by
// leastStated or 1 - leastStated.
const leastStated = 1e-3

// scores returns the mean Brier score (G. W. Brier, 1950) and the mean logarithmic score, in nats.
func scores(p []float64, right []bool) (brier, log float64) {
	if len(p) == 0 {
		return math.NaN(), math.NaN()
	}
	for i, q := range p {
		y := 0.0
		if right[i] {
			y = 1
		}
		brier += (q - y) * (q - y) / float64(len(p))
		q = min(max(q, leastStated), 1-leastStated)
		log -= (y*math.Log(q) + (1-y)*math.Log(1-q)) / float64(len(p))
	}
	return brier, log
}

// String returns the summary as text.
func (s CalibrationSummary) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d tables with a law: right %d, on the front %d, no law chosen %d\n", s.Tables, s.Right, s.Front, s.None)
	fmt.Fprintf(&b, "%d tables of noise: no law chosen %d\n", s.Noise, s.NoiseRight)
	if s.Failed > 0 {
		fmt.Fprintf(&b, "%d searches failed\n", s.Failed)
	}
	if s.Scored == 0 && len(s.Words) == 0 {
		return b.String()
	}
	fmt.Fprintf(&b, "\n%-20s laws right  stated  share right (95 %%)\n", "verdict")
	for _, c := range s.Words {
		fmt.Fprintf(&b, "%-20s %v\n", c.Word, c)
	}
	fmt.Fprintf(&b, "\n%-20s laws right  stated  share right (95 %%)\n", "probability")
	for _, c := range s.Bins {
		fmt.Fprintf(&b, "%-20s %v\n", fmt.Sprintf("%g to %g", c.Low, c.High), c)
	}
	fmt.Fprintf(&b, "\nof %d probabilities: Brier score %.3f (base rate %.3f), log score %.3f nats (base rate %.3f)\n",
		s.Scored, s.Brier, s.BaseBrier, s.Log, s.BaseLog)
	counts := map[string]int{}
	for _, r := range s.Sure {
		counts[r.Word]++
	}
	fmt.Fprintf(&b, "wrong though likely: %d, very likely: %d, %s: %d\n",
		counts["likely"], counts["very likely"], discover.Certain, counts[discover.Certain])
	for _, r := range s.Sure {
		fmt.Fprintf(&b, "%v\n", r)
	}
	return b.String()
}

// String returns the count as cells of a line, without the first cell for the word or bin.
func (c CalibrationCount) String() string {
	stated, share := "     -", "-"
	if c.Stated > 0 {
		stated = fmt.Sprintf("%6.3f", c.Mean)
	}
	if c.Laws > 0 {
		low, high := Wilson(c.Right, c.Laws)
		share = fmt.Sprintf("%.3f (%.3f to %.3f)", float64(c.Right)/float64(c.Laws), low, high)
	}
	return fmt.Sprintf("%4d %5d  %s  %s", c.Laws, c.Right, stated, share)
}

// CalibrationHeader is the header that [CalibrationSummary.WriteCSV] writes.
var CalibrationHeader = []string{"kind", "name", "low", "high", "laws", "right", "stated", "share_low", "share_high", "run", "command"}

// WriteCSV writes the data of the calibration figure: a line for each bin and each word, and one
// for noise. share_low and share_high are the 95 % interval of the share of right laws.
func (s CalibrationSummary) WriteCSV(w io.Writer, run, command string) error {
	c := csv.NewWriter(w)
	c.Write(CalibrationHeader) // c.Error returns the first error of all writes
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }
	line := func(kind, name, low, high string, n CalibrationCount) {
		l, h := Wilson(n.Right, n.Laws)
		c.Write([]string{kind, name, low, high, strconv.Itoa(n.Laws), strconv.Itoa(n.Right), number(n.Mean), number(l), number(h), run, command})
	}
	for _, b := range s.Bins {
		line("bin", "", number(b.Low), number(b.High), b)
	}
	for _, word := range s.Words {
		line("word", word.Word, "", "", word)
	}
	line("noise", "no law", "", "", CalibrationCount{Laws: s.Noise, Right: s.NoiseRight})
	c.Flush()
	return c.Error()
}
