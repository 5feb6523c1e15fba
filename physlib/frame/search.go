package frame

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/mdl"
	"github.com/physlib/lab/physlib/require"
	"github.com/physlib/lab/physlib/survey"
)

// Sizes of the search.
const (
	library  = 2500 // number of forms that are tried for each function
	fewRows  = 600  // number of rows on which forms are scored
	beam     = 6    // number of states that are kept in the beam
	compared = 80   // number of laws that are compared at the end
	shown    = 10   // number of laws in a result

	fewest     = 30 // least number of forms that are tried, even if no time is left
	simplified = 20 // number of laws from which single constants are removed
)

// Fractions of the largest number of laws at which the parts of a run end.
const (
	formsEnd   = 0.4  // end of the trial of the most likely forms
	searchEnd  = 0.65 // end of the search of tables that hold the values of a function
	compareEnd = 0.75 // end of the quick comparison of laws
	reduceEnd  = 0.85 // end of the removal of constants from laws
	adaptEnd   = 0.95 // end of the adaptation of laws to the user's statements
)

// leastSearch is the smallest budget, in laws, with which a table is searched.
const leastSearch = 8

// until sets the number of laws at which the next part of the run ends. This number is the fraction
// share of Settings.Evaluations.
func (q *search) until(share float64) {
	if n := q.s.Evaluations; n > 0 {
		q.limit = max(1, int64(share*float64(n)))
	}
}

// room returns the number of laws that may still be fitted in the present part, at most n.
func (q *search) room(n int) int {
	if q.limit == 0 {
		return n
	}
	return int(min(int64(n), max(0, q.limit-q.tried)))
}

// libraryShare is the fraction of the time in which the most likely forms are tried.
const libraryShare = 0.4

// search is one run of Discover.
type search struct {
	frame *Frame
	table *dataset.Table
	s     discover.Settings
	m     *mdl.Data // all rows
	part  *mdl.Data // the rows on which forms are tried
	forms map[int][]survey.Form
	tried int64 // number of laws fitted so far
	limit int64 // largest number of laws to be fitted before the present part ends; 0: no limit
	cut   bool  // ctx ended before all laws were fitted
	spent bool  // the limit was reached before all laws were fitted
}

func newSearch(t *dataset.Table, f *Frame, s discover.Settings) *search {
	part := t
	if n := t.Rows(); n > fewRows {
		part = t.Subset(dataset.Evenly(n, fewRows))
	}
	// The frame of the law is known, so its form costs nothing. The bits of the functions are added
	// separately.
	return &search{frame: f, table: t, s: s, m: s.Scoring(t, mdl.NoForm{}), part: s.Scoring(part, mdl.NoForm{}), forms: map[int][]survey.Form{}}
}

// likeliest returns the most likely forms of a function with arity arguments. If ctx ends, it
// returns some of them.
func (q *search) likeliest(ctx context.Context, arity int) []survey.Form {
	if have, ok := q.forms[arity]; ok {
		return have
	}
	n := library
	if q.s.Evaluations > 0 {
		n = int(min(int64(n), q.s.Evaluations))
	}
	size := survey.Default(arity)
	size.Forms, size.Operands, size.Rounds, size.Constants = 2*n, 70, 3, 3
	allowed := dataset.Problem{Ops: q.s.Ops}
	// The other conditions of the shape concern columns of the law, not arguments of the function.
	shape := require.Shape{No: q.s.Shape.No, Nesting: q.s.Shape.Nesting}
	forms := slices.DeleteFunc(survey.Enumerate(ctx, survey.Catalogue(), arity, size), func(f survey.Form) bool {
		return len(f.Tree.Vars()) == 0 || !allowed.Allows(f.Tree) || !shape.Allows(f.Tree) || f.Tree.NumParams()+len(q.frame.constants)+2 > q.m.Rows()
	})
	forms = forms[:min(len(forms), n)]
	q.forms[arity] = forms
	return forms
}

// price returns the bits of the forms in s. The polynomials of functions that are not found yet do
// not count.
func (q *search) price(s state) (bits float64) {
	for i, f := range s.forms {
		if s.found[i] {
			bits += q.formBits(f, len(q.frame.Functions[i].Args))
		}
	}
	return bits
}

// formBits returns the bits of the form t of a function. A factor or offset of t costs no bits if
// another function or a constant of the frame can absorb it.
func (q *search) formBits(t expr.Tree, arity int) float64 {
	p := survey.Catalogue()
	bits := p.Bits(t, arity)
	if len(q.frame.Functions)+len(q.frame.constants) > 1 {
		k := t.NumParams()
		bits = min(bits, p.Bits(expr.Apply(expr.Mul, expr.C(k, 1), t), arity), p.Bits(expr.Apply(expr.Add, expr.C(k, 1), t), arity))
	}
	return bits
}

// fit fits states in parallel, each starting from its params. It returns the states whose fit
// succeeded and which are not too complex, by ascending bits.
func (q *search) fit(ctx context.Context, m *mdl.Data, states []state, e mdl.Effort) []state {
	if room := q.room(len(states)); room < len(states) {
		states, q.spent = states[:room], true
	}
	trees := make([]expr.Tree, len(states))
	for i, s := range states {
		t := q.frame.composed(s.forms)
		if len(s.params) == t.NumParams() {
			t = t.WithStarts(s.params)
		}
		// If rewriting merged some constants, the tree is fitted without rewriting.
		if trees[i] = m.FromColumns(t); trees[i].NumParams() != t.NumParams() {
			trees[i] = t
		}
	}
	found, fitted := m.ScoreAll(ctx, trees, len(trees), e)
	q.tried += int64(fitted)
	q.cut = q.cut || fitted < len(trees) || ctx.Err() != nil
	var out []state
	for _, f := range found {
		s := states[f.From]
		if len(f.Params) != q.frame.composed(s.forms).NumParams() {
			continue
		}
		s.score, s.params = f.Score, f.Params
		form := q.price(s)
		s.score.FormBits, s.bits = form, mdl.FormWeight*form+f.BitsWithoutForm()
		s.score.Bits = s.bits
		if s.complete() && q.s.MaxComplexity > 0 && s.score.Complexity() > q.s.MaxComplexity {
			continue
		}
		out = append(out, s)
	}
	slices.SortStableFunc(out, func(a, b state) int { return cmp.Compare(a.bits, b.bits) })
	return out
}

// polynomial returns a polynomial in arity arguments, which replaces an unknown function.
func polynomial(arity, degree int) expr.Tree {
	t := expr.C(0, 1)
	for v := range arity {
		power := expr.X(v)
		for range degree {
			t = expr.Apply(expr.Add, t, expr.Apply(expr.Mul, expr.C(t.NumParams(), 0.1), power))
			power = expr.Apply(expr.Mul, power, expr.X(v))
		}
	}
	return t
}

// first returns the state with polynomials for all functions.
func (q *search) first() state {
	var s state
	arguments := 0
	for _, g := range q.frame.Functions {
		arguments += len(g.Args)
	}
	degree := min(3, max(1, (q.part.Rows()/3-len(q.frame.Functions))/max(arguments, 1)))
	for _, g := range q.frame.Functions {
		s.forms = append(s.forms, polynomial(len(g.Args), degree))
		s.found = append(s.found, false)
	}
	return s
}

// functions tries the most likely forms for each function in turn. It returns the states in which
// all functions are found.
func (q *search) functions(ctx context.Context) []state {
	states := []state{q.first()}
	if len(q.frame.Functions) > 1 {
		if fitted := q.fit(ctx, q.part, states, mdl.Effort{Starts: 4}); len(fitted) > 0 {
			states = fitted
		}
	}
	var complete []state
	rounds := 1
	if len(q.frame.Functions) > 1 {
		rounds = 2
	}
	steps := rounds * len(q.frame.Functions)
	for range rounds {
		for i, g := range q.frame.Functions {
			var next []state
			// each is the largest number of laws for each state.
			each := q.room(math.MaxInt32) / (steps * len(states))
			steps--
			for _, s := range states {
				all := q.withForms(ctx, s, i, len(g.Args))
				if len(all) > each {
					all, q.spent = all[:max(each, 1)], true
				}
				fitted := q.fit(ctx, q.part, all, mdl.Effort{Starts: 2, Quick: true})
				if len(fitted) == 0 && len(next) == 0 { // no time was left
					fitted = q.fit(context.WithoutCancel(ctx), q.part, all[:min(len(all), fewest)], mdl.Effort{Quick: true})
				}
				next = append(next, fitted[:min(len(fitted), compared)]...)
			}
			slices.SortStableFunc(next, func(a, b state) int { return cmp.Compare(a.bits, b.bits) })
			for _, s := range next {
				if s.complete() {
					complete = append(complete, s)
				}
			}
			if len(next) > 0 {
				states = next[:min(len(next), beam)]
			}
		}
	}
	return q.distinct(complete)
}

// withForms returns the states that s becomes with each likely form for function i, which has arity
// arguments.
func (q *search) withForms(ctx context.Context, s state, i, arity int) (out []state) {
	for _, f := range q.likeliest(ctx, arity) {
		out = append(out, q.replaced(s, i, f.Tree, discover.Forms))
	}
	return out
}

// where returns the table on which statements about function i are checked. Its columns are the
// function's arguments.
func (q *search) where(i int) require.Table {
	var cols [][]float64
	for _, c := range q.frame.calls {
		if c.function != i {
			continue
		}
		for _, a := range c.args {
			v := make([]float64, q.part.Rows())
			expr.Compile(q.part.ToColumns(a)).Eval(v, q.part.Cols, nil)
			cols = append(cols, v)
		}
		break
	}
	return require.NewTable(q.frame.Functions[i].Args, cols)
}

// permits reports whether a fitted state has the shape that the user requires and satisfies the
// user's statements. Statements about the whole law are checked on the table in the parameter law.
func (q *search) permits(s state, m *mdl.Data, law require.Table) bool {
	low := m.ToColumns(s.score.Tree)
	if !q.s.Shape.Allows(low) || !q.s.Statements.About("").Hold(low, law) {
		return false
	}
	_, each := q.frame.parts(s.forms, s.params)
	for i, g := range q.frame.Functions {
		if about := q.s.Statements.About(g.Name); len(about) > 0 && !about.Hold(s.forms[i].WithStarts(each[i]), q.where(i)) {
			return false
		}
	}
	return true
}

// left returns how much time remains until the given fraction of the run's time is over.
func (q *search) left(began time.Time, share float64) time.Duration {
	return time.Duration(share*float64(q.s.Time)) - q.s.Clock.Since(began)
}
