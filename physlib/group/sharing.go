package group

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/mdl"
	"github.com/physlib/lab/physlib/regression"
)

// judge scores forms on all groups.
type judge struct {
	groups    Groups
	table     *dataset.Table // all rows
	wide      *mdl.Scorer    // all rows, with an indicator column for each group
	each      []*mdl.Scorer  // one for each group, with the rows of the group
	names     []string       // names of the columns and known constants of table
	wideNames []string       // names of the columns and known constants of wide
	first     int            // index of the first indicator column
	rule      Rule
	set       discover.Settings // settings of the errors of the target, and requirements on the law
}

// Rule states which constants have separate values for each group. For the zero Rule, the
// description length decides.
type Rule struct {
	Given bool     // the constants in Own are separate; if false, the description length decides
	Own   []string // names of the constants with separate values, c0, c1, …
}

func newJudge(g Groups, t *dataset.Table, s discover.Settings, rule Rule) *judge {
	u := regression.Indicators(t, g.Of, len(g.Names))
	j := &judge{groups: g, table: t, names: t.InputNames(), wideNames: u.InputNames(), first: len(t.Vars), rule: rule, set: s}
	// The bits of a law's form are added separately. They are calculated before the constants of
	// the form are replaced by one constant for each group.
	j.wide = s.Scoring(u, mdl.NoForm{}).Scorer()
	for _, rows := range g.Rows() {
		j.each = append(j.each, s.Scoring(t.Subset(rows), mdl.NoForm{}).Scorer())
	}
	return j
}

// fewCompared is the number of rows on which forms are compared quickly. The rows are evenly spaced
// in each group.
const fewCompared = 600

// sample returns a judge for about fewCompared rows. Each group contributes rows in proportion to
// its size. If there are no more than fewCompared rows, sample returns j.
func (j *judge) sample() *judge {
	n := j.table.Rows()
	if n <= fewCompared {
		return j
	}
	var rows []int
	for _, own := range j.groups.Rows() {
		most := min(len(own), max(8, len(own)*fewCompared/n))
		for i := range most {
			rows = append(rows, own[i*(len(own)-1)/(most-1)])
		}
	}
	slices.Sort(rows)
	g := j.groups
	g.Of = nil
	for _, i := range rows {
		g.Of = append(g.Of, j.groups.Of[i])
	}
	return newJudge(g, j.table.Subset(rows), j.set, j.rule)
}

// form is the form of a law, with starting values for the constants.
type form struct {
	tree expr.Tree // in the variables j.names
	bits float64   // bits of the form under the prior, and of the units of its constants
	by   string
}

// choice is a form fitted to all rows, with some constants shared.
type choice struct {
	form
	shared []bool
	mdl.Score
	total float64
}

// separate fits a form to each group separately. It returns
//   - values[g][slot], the constants of group g,
//   - bits, the total bits,
//   - alike, the bits if all groups shared one set of constants without any loss,
//   - ok, false if a group does not determine the constants.
func (j *judge) separate(f form, e mdl.Effort) (values [][]float64, bits, alike float64, ok bool) {
	bits, alike = mdl.FormWeight*f.bits, mdl.FormWeight*f.bits
	t := f.tree
	for _, s := range j.each {
		c, good := s.Score(s.FromColumns(t), e)
		if !good {
			return nil, math.Inf(1), math.Inf(1), false
		}
		values = append(values, c.Params)
		bits += c.BitsWithoutForm()
		alike += c.BitsWithoutForm() - c.ParamBits*float64(len(j.each)-1)/float64(len(j.each))
		t = t.WithStarts(c.Params)
	}
	return values, bits, alike, true
}

// together fits a form to all rows. shared reports, for each slot, whether the constant is shared.
// values[g][slot] is the starting value of a constant for group g.
func (j *judge) together(f form, shared []bool, values [][]float64, e mdl.Effort) (c choice, ok bool) {
	tree, ok := renumbered(f.tree, j.names, j.wideNames)
	if !ok {
		return c, false
	}
	start := func(slot, g int) float64 {
		if !shared[slot] {
			return values[g][slot]
		}
		var all []float64
		for _, v := range values {
			all = append(all, v[slot])
		}
		slices.Sort(all)
		return all[(len(all)-1)/2]
	}
	spread := regression.GroupTree(j.wide.FromColumns(tree), shared, j.first, len(j.groups.Names), start)
	s, ok := j.wide.Score(spread, e)
	if !ok {
		return c, false
	}
	own := 0
	for _, common := range shared {
		if !common {
			own++
		}
	}
	total := mdl.FormWeight*f.bits + float64(len(shared)) + s.BitsWithoutForm()
	return choice{f, shared, s, total + ownBits*float64(own*(len(j.groups.Names)-1))}, true
}

// ownBits is the additional price in bits of each further value of a separate constant, on top of
// the bits that every constant costs. It is small, since groups often differ in only one of several
// constants.
const ownBits = 2

// renumbered returns the tree with the variables renumbered. from lists the names of the variables
// in t. to lists the names of the variables in the result.
func renumbered(t expr.Tree, from, to []string) (expr.Tree, bool) {
	return t.MapVars(func(v int) (int, bool) {
		at := slices.Index(to, from[v])
		return at, at >= 0
	})
}

// fewConstants is the largest number of constants in a form for which all choices of shared
// constants are fitted.
const fewConstants = 3

// best returns the fitted choices of shared constants for a form, the shortest description first.
// It makes no further fits after ctx has ended.
func (j *judge) best(ctx context.Context, f form, e mdl.Effort) []choice {
	k := f.tree.NumParams()
	values, _, _, ok := j.separate(f, e)
	if !ok { // a group has too few rows; the fits start from the constants in the tree
		values = slices.Repeat([][]float64{f.tree.Params()}, len(j.each))
	}
	var tried []choice
	try := func(shared []bool) (choice, bool) {
		if len(tried) > 0 && ctx.Err() != nil {
			return choice{}, false
		}
		c, good := j.together(f, shared, values, e)
		if good {
			tried = append(tried, c)
		}
		return c, good
	}
	switch {
	case j.rule.Given:
		try(j.given(k))
	case k <= fewConstants:
		for mask := range 1 << k {
			shared := make([]bool, k)
			for slot := range shared {
				shared[slot] = mask>>slot&1 == 1
			}
			try(shared)
		}
	default:
		j.climb(make([]bool, k), try)
		j.climb(slices.Repeat([]bool{true}, k), try)
	}
	slices.SortStableFunc(tried, byBits)
	return tried
}

// given returns which constants are shared according to j.rule.
func (j *judge) given(k int) []bool {
	shared := make([]bool, k)
	for slot := range shared {
		shared[slot] = !slices.Contains(j.rule.Own, law.ConstantName(j.names, slot))
	}
	return shared
}

// climb improves the choice shared step by step. Each step changes one constant from shared to
// separate or back, namely the constant whose change shortens the description most. climb ends when
// no change shortens it.
func (j *judge) climb(shared []bool, try func([]bool) (choice, bool)) {
	least := math.Inf(1)
	if c, ok := try(shared); ok {
		least = c.total
	}
	for range shared {
		at := -1
		for slot := range shared {
			next := slices.Clone(shared)
			next[slot] = !next[slot]
			if c, ok := try(next); ok && c.total < least {
				least, at = c.total, slot
			}
		}
		if at < 0 {
			return
		}
		shared = slices.Clone(shared)
		shared[at] = !shared[at]
	}
}

// byBits orders choices by ascending description length.
func byBits(a, b choice) int { return cmp.Compare(a.total, b.total) }
