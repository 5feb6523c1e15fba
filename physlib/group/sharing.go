package group

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/mdl"
	"github.com/physlib/lab/physlib/regression"
)

// noForm prices no form: that of the law is known before its constants are spread over groups.
type noForm struct{}

func (noForm) Bits(expr.Tree, int) float64 { return 0 }

// judge scores forms on all groups.
type judge struct {
	groups Groups
	table  *dataset.Table // of all rows
	wide   *mdl.Scorer    // of all rows, with a column for each group
	each   []*mdl.Scorer  // of the rows of each group
	names  []string       // columns and known constants of table
	far    []string       // the same of the wide table
	first  int            // of the columns for groups in the wide table
	rule   Rule
	units  bool
}

// Rule says which constants have a value for each group. The zero Rule decides all by description
// length.
type Rule struct {
	Given bool     // whether Own decides, not the description length
	Own   []string // names of the constants with a value for each group, c0, c1, …
}

func newJudge(g Groups, t *dataset.Table, units bool, rule Rule) *judge {
	u := regression.Indicators(t, g.Of, len(g.Names))
	j := &judge{groups: g, table: t, names: regression.Columns(t), far: regression.Columns(u), first: len(t.Vars), rule: rule, units: units}
	j.wide = mdl.New(u, noForm{}, units).Scorer()
	for _, rows := range g.Rows() {
		j.each = append(j.each, mdl.New(t.Subset(rows), noForm{}, units).Scorer())
	}
	return j
}

// fewCompared is the number of rows that forms are compared on, evenly spaced in each group.
const fewCompared = 600

// sample returns a judge of at most about fewCompared rows, of each group its share; j itself in
// tables of fewer.
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
	return newJudge(g, j.table.Subset(rows), j.units, j.rule)
}

// form is a form of laws over the columns of the table, with where its constants begin.
type form struct {
	tree expr.Tree // over j.names
	bits float64   // of its prior probability and units
	by   string
}

// choice is a form with some constants shared, fitted to all rows.
type choice struct {
	form
	shared []bool
	mdl.Score
	total float64
}

// separate fits a form to each group by itself. It returns the constants by group and slot and the
// bits of all. It also returns the bits if the groups had the same constants and fitted as well. ok
// is false where a group does not determine so many.
func (j *judge) separate(f form, e mdl.Effort) (values [][]float64, bits, alike float64, ok bool) {
	bits, alike = mdl.FormWeight*f.bits, mdl.FormWeight*f.bits
	t := f.tree
	for _, s := range j.each {
		c, good := s.Score(s.Lift(t), e)
		if !good {
			return nil, math.Inf(1), math.Inf(1), false
		}
		values = append(values, c.Params)
		bits += c.Rest()
		alike += c.Rest() - c.ConstantBits*float64(len(j.each)-1)/float64(len(j.each))
		t = t.WithStarts(c.Params)
	}
	return values, bits, alike, true
}

// together fits a form with some constants shared. Constants begin at values, by group and slot.
func (j *judge) together(f form, shared []bool, values [][]float64, e mdl.Effort) (c choice, ok bool) {
	tree, ok := renumbered(f.tree, j.names, j.far)
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
	spread := regression.GroupTree(j.wide.Lift(tree), shared, j.first, len(j.groups.Names), start)
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
	total := mdl.FormWeight*f.bits + float64(len(shared)) + s.Rest()
	return choice{f, shared, s, total + ownBits*float64(own*(len(j.groups.Names)-1))}, true
}

// ownBits is the price of each further value of a constant that groups do not share, in addition to
// that of any constant. Groups often differ in one constant of several.
const ownBits = 2

// renumbered returns a tree over other names.
func renumbered(t expr.Tree, from, to []string) (expr.Tree, bool) {
	return t.MapVars(func(v int) (int, bool) {
		at := slices.Index(to, from[v])
		return at, at >= 0
	})
}

// fewConstants is up to how many constants every choice of shared ones is fitted.
const fewConstants = 3

// best returns the choices of shared constants of a form that were fitted, the best first. When ctx
// ends no more are fitted.
func (j *judge) best(ctx context.Context, f form, e mdl.Effort) []choice {
	k := f.tree.NumParams()
	values, _, _, ok := j.separate(f, e)
	if !ok { // some groups have too few rows, so that constants begin where those of all rows do
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

// given returns the shared constants by the rule.
func (j *judge) given(k int) []bool {
	shared := make([]bool, k)
	for slot := range shared {
		shared[slot] = !slices.Contains(j.rule.Own, constantName(j.names, slot))
	}
	return shared
}

// climb changes one constant after the other from shared, as long as that makes the law shorter.
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

// byBits orders choices, the shortest description first.
func byBits(a, b choice) int { return cmp.Compare(a.total, b.total) }
