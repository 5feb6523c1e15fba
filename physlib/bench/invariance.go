package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/physlib/lab/physlib/bench/accept"
)

// Invariance searches tables and variants of each table. A variant should not change the form of
// the chosen law. It has other units or none, other names, another order of columns or rows, an
// unrelated column, or another seed, for example.
//
// A variant holds if its law and that of the unchanged table have the same form (accept.Same), or
// if no law is chosen for either. For two kinds of variants, more is allowed. A variant with half
// the rows fails only if an accepted law is chosen for the variant but was not for the table. For a
// variant with one digit less, the law may also be simpler, or there may be none.
//
// The records of Tables come first, then those of the variants. Tables and Invariance may share a
// results file.
func Invariance(ctx context.Context, o TablesOptions) ([]TableRecord, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	problems, err := o.problems()
	if err != nil {
		return nil, err
	}
	changed := make([][]*tableProblem, len(problems))
	total := len(problems)
	for i, p := range problems {
		changed[i] = p.variants()
		total += len(changed[i])
	}
	r, err := o.begin(total)
	if err != nil {
		return nil, err
	}
	defer r.file.Close()
	if err := r.search(ctx, problems); err != nil {
		return r.records, err
	}
	before := map[string]*TableRecord{}
	for _, record := range slices.Clone(r.records) {
		before[record.File] = &record
	}
	var all []*tableProblem
	for i, p := range problems {
		for _, v := range changed[i] {
			if v.before = before[p.Name+".csv"]; v.before == nil || v.before.Error != "" {
				r.total--
				continue
			}
			all = append(all, v)
		}
	}
	err = r.search(ctx, all)
	return r.records, err
}

// variants returns the variants that are possible for p.
func (p *tableProblem) variants() (all []*tableProblem) {
	changes, data := variants(p.data, p.Flags.NoUnits())
	for i, v := range changes {
		all = append(all, &tableProblem{Table: p.Table, data: data[i], warnings: p.warnings, fits: p.fits, variant: v})
	}
	return all
}

// holds reports whether the law of a variant agrees with that of the table, see [Invariance].
func (p *tableProblem) holds(r TableRecord) bool {
	if r.Result == nil {
		return false
	}
	law, before := r.Result.Best, p.before.Result.Best
	right := func(v TableVerdict) bool { return v.Chosen || v.NoneRight != nil && *v.NoneRight }
	switch p.variant.kind {
	case HalfTheRows:
		return right(p.before.Judged) || !right(r.Judged)
	case FewerDigits:
		if law == nil || before != nil && law.simpler(*before) {
			return true
		}
	}
	if law == nil || before == nil {
		return law == before
	}
	same, err := p.same(*before, *law)
	return err == nil && same
}

// simpler reports whether l has a lower complexity than o.
func (l TableLaw) simpler(o TableLaw) bool {
	return l.Complexity != nil && o.Complexity != nil && *l.Complexity < *o.Complexity
}

// same reports whether a law of the original table and one of the variant have the same form.
func (p *tableProblem) same(before, law TableLaw) (bool, error) {
	plain := &variant{columns: map[string]source{}, target: source{by: 1}, names: p.variant.names}
	for _, name := range plain.names {
		plain.columns[name] = source{name: name, by: 1}
	}
	a, names, errBefore := plain.undo(before)
	b, _, errAfter := p.variant.undo(law)
	if err := errors.Join(errBefore, errAfter); err != nil {
		return false, err
	}
	if !slices.Equal(names, p.measured.Names) {
		return false, fmt.Errorf("%s: a law may use the column of standard errors; name it with --noise", p.Name)
	}
	return accept.Same(p.measured, a, b), nil
}

// InvarianceSummary counts the variants that hold, for each kind.
type InvarianceSummary struct {
	Kinds []InvarianceCount
	Fail  []TableRecord // variants that do not hold
}

// InvarianceCount counts the variants of one kind.
type InvarianceCount struct {
	Kind         string
	Holds, Cases int
}

// SummarizeInvariance counts the variants among records; other records are ignored.
func SummarizeInvariance(records []TableRecord) (s InvarianceSummary) {
	for _, r := range records {
		if r.Holds == nil {
			continue
		}
		i := slices.IndexFunc(s.Kinds, func(c InvarianceCount) bool { return c.Kind == r.Variant })
		if i < 0 {
			i = len(s.Kinds)
			s.Kinds = append(s.Kinds, InvarianceCount{Kind: r.Variant})
		}
		s.Kinds[i].Cases++
		if *r.Holds {
			s.Kinds[i].Holds++
		} else {
			s.Fail = append(s.Fail, r)
		}
	}
	slices.SortStableFunc(s.Fail, func(a, b TableRecord) int {
		return cmp.Or(cmp.Compare(a.Variant, b.Variant), cmp.Compare(a.File, b.File))
	})
	return s
}

// String lists the variants that do not hold, each with both laws, and then the counts for each
// kind.
func (s InvarianceSummary) String() string {
	var b strings.Builder
	for _, r := range s.Fail {
		fmt.Fprintf(&b, "%s, %s\n  before  %s\n  after   %s\n", strings.TrimSuffix(r.File, ".csv"), r.Variant,
			cmp.Or(r.Before, "no law"), cmp.Or(r.chosen(), r.Error, "no law"))
	}
	all := InvarianceCount{Kind: "all"}
	for _, c := range s.Kinds {
		all.Holds, all.Cases = all.Holds+c.Holds, all.Cases+c.Cases
	}
	fmt.Fprintln(&b, "invariance        holds cases")
	for _, c := range append(slices.Clone(s.Kinds), all) {
		fmt.Fprintf(&b, "%-17s %5d %5d\n", c.Kind, c.Holds, c.Cases)
	}
	return b.String()
}

// chosen returns the chosen law as text, "" if there is none.
func (r TableRecord) chosen() string {
	if r.Result == nil || r.Result.Best == nil {
		return ""
	}
	return r.Result.Best.Law
}
