package bench

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat"
)

// String returns the record as a line with the judgement and the law.
func (r TableRecord) String() string {
	v := r.Judged
	name := strings.TrimSuffix(r.File, ".csv")
	what := cmp.Or(r.chosen(), "-")
	if r.Error != "" {
		what, _, _ = strings.Cut(r.Error, "\n")
	}
	what = shorten(what, 110)
	if r.Holds != nil {
		say := "FAILS"
		if *r.Holds {
			say = "holds"
		}
		return fmt.Sprintf("%-22s %-17s %-6s %s", name, r.Variant, say, what)
	}
	say := "missed"
	switch {
	case v.Failed:
		say = "failed"
	case v.NoneRight != nil && *v.NoneRight:
		say = "right"
	case v.NoneRight != nil:
		say = "a law"
	case v.Chosen:
		say = "chosen"
	case v.Front:
		say = "front"
	}
	doubt, constants := "", ""
	if v.Over {
		doubt = "over"
	} else if v.SureWrong {
		doubt = "sure"
	}
	if v.Alias {
		constants = "alias"
	} else if v.ConstantsOK != nil && !*v.ConstantsOK {
		constants = "const?"
	}
	return fmt.Sprintf("%-22s %-6s %-4s %-6s %-22s %s", name, say, doubt, constants, shorten(v.Words, 22), what)
}

// TableRow is a table's record in the CSV table of results, with the command that searches the
// tables of its set.
type TableRow struct {
	TableRecord
	Command string
}

var tableColumns = []csvColumn[TableRow]{
	textColumn("set", func(r *TableRow) *string { return &r.Set }),
	textColumn("file", func(r *TableRow) *string { return &r.File }),
	textColumn("class", func(r *TableRow) *string { return &r.Class }),
	boolColumn("chosen", func(r *TableRow) *bool { return &r.Judged.Chosen }),
	boolColumn("front", func(r *TableRow) *bool { return &r.Judged.Front }),
	boolColumn("over", func(r *TableRow) *bool { return &r.Judged.Over }),
	boolColumn("sure_wrong", func(r *TableRow) *bool { return &r.Judged.SureWrong }),
	optional("constants_ok", func(r *TableRow) **bool { return &r.Judged.ConstantsOK }, boolColumn[bool]),
	optional("none_right", func(r *TableRow) **bool { return &r.Judged.NoneRight }, boolColumn[bool]),
	textColumn("verdict", func(r *TableRow) *string { return &r.Judged.Words }),
	textColumn("law", func(r *TableRow) *string { return &r.Judged.Law }),
	columnOf("seconds", func(r *TableRow) *float64 { return &r.Wall },
		func(v float64) string { return strconv.FormatFloat(v, 'f', 1, 64) },
		func(s string) (float64, error) { return strconv.ParseFloat(s, 64) }),
	textColumn("commit", func(r *TableRow) *string { return &r.Version }),
	textColumn("command", func(r *TableRow) *string { return &r.Command }),
}

// WriteTableRows writes rows in the given order as CSV, with a header.
func WriteTableRows(w io.Writer, rows []TableRow) error { return writeTable(w, tableColumns, rows) }

// shorten cuts text to at most n characters.
func shorten(text string, n int) string {
	if r := []rune(text); len(r) > n {
		return string(r[:n])
	}
	return text
}

// TableSummary counts the judgements of tables.
type TableSummary struct {
	Classes []TableCount // counts for each class, in order of appearance, without tables of noise
	All     TableCount
	Noise   TableCount // tables without a law
	Failed  int

	// Mean and Brier score of the probabilities that verdicts state for tables with a law, and the
	// number of these tables.
	Stated, Brier float64
	Scored        int
}

// TableCount counts the judgements of a class of tables, see accept.Verdict. For tables of noise,
// None counts those where no law was chosen. Over counts those where a law was chosen with a
// verdict of likely or better.
type TableCount struct {
	Class                                             string
	Tables                                            int
	Chosen, Front, Over, SureWrong, ConstantsOK, None int
}

// SummarizeTables counts the judgements in records. It ignores variants.
func SummarizeTables(records []TableRecord) TableSummary {
	s := TableSummary{All: TableCount{Class: "all"}, Noise: TableCount{Class: "noise"}}
	var stated []float64
	var right []bool
	for _, r := range records {
		if r.Variant != "" {
			continue
		}
		if r.Judged.Failed {
			s.Failed++
		}
		if r.Judged.NoneRight != nil {
			s.Noise.add(r.Judged)
			continue
		}
		i := slices.IndexFunc(s.Classes, func(c TableCount) bool { return c.Class == r.Class })
		if i < 0 {
			i = len(s.Classes)
			s.Classes = append(s.Classes, TableCount{Class: r.Class})
		}
		s.Classes[i].add(r.Judged)
		s.All.add(r.Judged)
		if r.Probability != nil {
			stated, right = append(stated, *r.Probability), append(right, r.Judged.Chosen)
		}
	}
	if s.Scored = len(stated); s.Scored > 0 {
		s.Stated = stat.Mean(stated, nil)
		s.Brier, _ = scores(stated, right)
	}
	return s
}

func (c *TableCount) add(v TableVerdict) {
	c.Tables++
	for count, yes := range map[*int]bool{
		&c.Chosen: v.Chosen, &c.Front: v.Front, &c.Over: v.Over, &c.SureWrong: v.SureWrong,
		&c.ConstantsOK: v.ConstantsOK != nil && *v.ConstantsOK, &c.None: v.NoneRight != nil && *v.NoneRight,
	} {
		if yes {
			*count++
		}
	}
}

// String returns the counts as a table with a line for each class.
func (s TableSummary) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-20s tables chosen front over sure_wrong constants_ok\n", "class")
	for _, c := range append(slices.Clone(s.Classes), s.All) {
		fmt.Fprintf(&b, "%-20s %6d %6d %5d %4d %10d %12d\n", c.Class,
			c.Tables, c.Chosen, c.Front, c.Over, c.SureWrong, c.ConstantsOK)
	}
	fmt.Fprintf(&b, "noise: %d of %d right, %d called likely or better\n",
		s.Noise.None, s.Noise.Tables, s.Noise.Over)
	if s.Scored > 0 {
		fmt.Fprintf(&b, "stated probability: mean %.2f, Brier score %.3f (%d laws)\n", s.Stated, s.Brier, s.Scored)
	}
	fmt.Fprintf(&b, "failed to run: %d\n", s.Failed)
	return b.String()
}
