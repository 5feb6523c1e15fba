package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/physlib/lab/physlib/corpus"
	"github.com/physlib/lab/physlib/corpus/stream"
	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/each"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/fit"
	"github.com/physlib/lab/physlib/token"
	"github.com/physlib/lab/physlib/unit"
)

// HeldOut is the name of the suite of [Candidates] that has no file: forms that package stream
// excludes from training.
const HeldOut = "heldout"

// CandidatesOptions state for which laws a Proposer is queried, and for how many candidates.
// Proposer must be set. By default the laws are the first 500 held-out forms, with at most 6
// variables and 24 tokens. The Proposer gets 64 rows of each law and gives 128 candidates.
type CandidatesOptions struct {
	Proposer discover.Proposer
	Suite    string // a suite as in corpus.Suite, or HeldOut; "": HeldOut
	// Number of laws, counted from the first; 0: 500 held-out forms, or all laws of another suite.
	Laws       int
	Rows       int               // number of rows of each table; 0: 64
	Samples    int               // number of candidates for each table, with repetitions; 0: 128
	MaxVars    int               // omit laws with more variables; 0: 6
	MaxTokens  int               // omit laws whose skeletons have more nodes; 0: 24
	Vocabulary *token.Vocabulary // omit laws that this vocabulary cannot encode; nil: omit none
	NoUnits    bool              // hide the units
	// NoFit skips fitting the candidates, which takes longer than proposing them.
	// CandidateRecord.Fit is then 0.
	NoFit bool
	Seed  int64
	Out   io.Writer // receives a JSON line for each law; may be nil
	// Done is called after each law with its record, the number of laws done and the number in all.
	// It may be nil.
	Done func(CandidateRecord, int, int)

	version string // commit of this program
}

// CandidateRecord is the outcome of one law.
type CandidateRecord struct {
	ID    string `json:"id"`
	Suite string `json:"suite"`
	// Skeleton of the law, with constants c0, c1, … and no overall factor.
	True      string `json:"true"`
	Tokens    int    `json:"tokens"` // number of nodes of the skeleton
	Variables int    `json:"variables"`
	Monomial  bool   `json:"monomial"`
	Units     bool   `json:"units"` // whether the Proposer saw the units
	// Rank of the true skeleton among the distinct candidates, from 1; 0: not proposed.
	Rank int `json:"rank"`
	// Rank of the first candidate that fits with R² > 1 - 1e-6; 0: none.
	Fit      int     `json:"fit"`
	FitLaw   string  `json:"fit_law"`  // skeleton of the candidate that fits
	First    string  `json:"first"`    // skeleton of the first candidate
	Samples  int     `json:"samples"`  // number of candidates, with repetitions
	Distinct int     `json:"distinct"` // number of distinct skeletons among the candidates
	Seconds  float64 `json:"seconds"`  // wall time for all candidates, without fits
	// Seconds until the true skeleton was proposed; 0: not proposed.
	RankSeconds float64 `json:"rank_seconds"`
	Seed        int64   `json:"seed"`
	Rows        int     `json:"rows"`
	Version     string  `json:"version"`           // commit of this program
	Machine     string  `json:"machine,omitempty"` // see [Machine]
	Error       string  `json:"error,omitempty"`
}

// Candidates queries a Proposer for candidates for the table of each law. It records whether the
// law is among them. When ctx ends, it returns the summary so far and the cause.
//
// A law counts as proposed if a candidate has the same stream.Skeleton: the same form up to an
// overall factor and the values of constants. Candidates with equal skeletons count as one.
//
// Distinct candidates are fitted as in discover.Discover, until one has R² > 1 - 1e-6. For held-out
// forms, R² is computed on the rows that the Proposer saw. For laws of a suite it is computed on
// 500 other rows. So CandidateRecord.Fit also counts a longer form that contains the law, and an
// equivalent form with another skeleton.
func Candidates(ctx context.Context, o CandidatesOptions) (CandidateSummary, error) {
	o = o.withDefaults()
	s := CandidateSummary{Suite: o.Suite, Rows: o.Rows, Samples: o.Samples}
	laws, left, err := o.laws(ctx)
	if err != nil {
		return s, err
	}
	s.LeftOut = left
	for i, l := range laws {
		r := o.one(ctx, l)
		if ctx.Err() != nil {
			return s, context.Cause(ctx)
		}
		s.Records = append(s.Records, r)
		if o.Out != nil {
			if err := json.NewEncoder(o.Out).Encode(r); err != nil {
				return s, fmt.Errorf("results: %w", err)
			}
		}
		if o.Done != nil {
			o.Done(r, i+1, len(laws))
		}
	}
	return s, nil
}

func (o CandidatesOptions) withDefaults() CandidatesOptions {
	or := func(v *int, d int) {
		if *v == 0 {
			*v = d
		}
	}
	if o.Suite == "" {
		o.Suite = HeldOut
	}
	if o.Suite == HeldOut {
		or(&o.Laws, 500)
	}
	or(&o.Rows, 64)
	or(&o.Samples, 128)
	or(&o.MaxVars, 6)
	or(&o.MaxTokens, 24)
	o.version = Version()
	return o
}

// known is a known law with its table.
type known struct {
	id      string
	skel    expr.Tree
	problem *dataset.Problem
	names   []string
	fresh   points // other rows, for R² after a fit; empty: use the problem's rows
}

// laws returns the laws for which candidates are proposed. left is the number of laws of the suite
// that are omitted: they have too many variables, are too long, or cannot be encoded by the
// vocabulary.
func (o CandidatesOptions) laws(ctx context.Context) (laws []known, left int, err error) {
	if o.Suite == HeldOut {
		laws, err = o.heldOut(ctx)
		return laws, 0, err
	}
	all, err := corpus.Suite(o.Suite)
	if err != nil {
		return nil, 0, err
	}
	for _, p := range all {
		if o.Laws > 0 && len(laws) == o.Laws {
			break
		}
		l, ok, err := o.fromSuite(p)
		switch {
		case err != nil:
			return nil, 0, err
		case ok:
			laws = append(laws, l)
		default:
			left++
		}
	}
	return laws, left, nil
}

// heldOutShares has, for each of the first four CandidateGroups, the share of the held-out laws
// that are in it. These groups are by the number of tokens of the skeleton.
var heldOutShares = []float64{0.10, 0.38, 0.36, 0.16}

const (
	block = 256    // problems of the stream that are generated at a time
	tries = 20_000 // number of problems without a new law after which heldOut stops
)

// heldOut returns the first laws of the stream in each group of lengths, each skeleton once. Few of
// the shortest forms are held out, and the same forms recur with their variables in another order.
// So the stream must generate many problems to give enough short forms.
func (o CandidatesOptions) heldOut(ctx context.Context) (laws []known, err error) {
	st, err := stream.New(stream.Config{Rows: o.Rows, MaxVars: o.MaxVars, MaxTokens: o.MaxTokens, HeldOut: true})
	if err != nil {
		return nil, err
	}
	want := make([]int, len(heldOutShares))
	last := slices.IndexFunc(CandidateGroups, func(g CandidateGroup) bool { return g.Of(CandidateRecord{Tokens: o.MaxTokens}) })
	all := 1.0 // sum of the shares of those groups that allow laws of at most MaxTokens tokens
	for _, s := range heldOutShares[last+1:] {
		all -= s
	}
	for i, s := range heldOutShares[:last+1] {
		want[i] = int(math.Ceil(s / all * float64(o.Laws)))
	}
	seen, problems := map[string]bool{}, make([]stream.Problem, block)
	for first, last := 0, 0; len(laws) < o.Laws && first-last < tries; first += block {
		each.Do(block, func(i int) { problems[i] = st.Problem(uint64(o.Seed), uint64(first+i)) })
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		for i, p := range problems {
			group := slices.IndexFunc(CandidateGroups, func(g CandidateGroup) bool { return g.Of(CandidateRecord{Tokens: p.Law.Len()}) })
			key := stream.Form(p.Law)
			if want[group] == 0 || seen[key] || len(laws) == o.Laws || !o.writes(p.Law) {
				continue
			}
			want[group]--
			seen[key], last = true, first
			laws = append(laws, o.fromStream(fmt.Sprint(first+i), p))
		}
	}
	return laws, nil
}

func (o CandidatesOptions) fromStream(id string, p stream.Problem) known {
	p.Units = p.Units && !o.NoUnits
	l := known{id: id, skel: p.Law, problem: p.Posed()}
	l.problem.Seed = o.Seed
	for _, v := range l.problem.Vars {
		l.names = append(l.names, v.Name)
	}
	return l
}

func (o CandidatesOptions) fromSuite(p corpus.Problem) (l known, ok bool, err error) {
	tree, err := p.Tree()
	if err != nil {
		return l, false, err
	}
	skel, _, ok := stream.Skeleton(tree)
	if !ok || len(p.Vars) > o.MaxVars || skel.Len() > o.MaxTokens || !o.writes(skel) {
		return l, false, nil
	}
	h := fnv.New64a()
	h.Write([]byte(p.ID))
	rng := rand.New(rand.NewPCG(h.Sum64(), uint64(o.Seed)))
	seen, err := sample(p, o.Rows, rng)
	if err != nil {
		return l, false, err
	}
	fresh, err := sample(p, 500, rng)
	if err != nil {
		return l, false, err
	}
	dims, target, err := p.Dims()
	if err != nil {
		return l, false, err
	}
	units := p.HasUnits()
	l = known{id: p.ID, skel: skel, names: p.Names(), fresh: fresh,
		problem: &dataset.Problem{Units: units && !o.NoUnits, Seed: o.Seed, Noise: math.NaN(), Target: o.quantity(p.Output, seen.y, target, units)}}
	for c, v := range p.Vars {
		l.problem.Vars = append(l.problem.Vars, o.quantity(v.Name, seen.cols[c], dims[c], units))
	}
	return l, true, nil
}

func (o CandidatesOptions) writes(skel expr.Tree) bool {
	if o.Vocabulary == nil {
		return true
	}
	_, err := o.Vocabulary.Encode(skel)
	return err == nil
}

func (o CandidatesOptions) quantity(name string, values []float64, d unit.Dim, known bool) dataset.Quantity {
	if o.NoUnits || !known {
		d, known = unit.Dim{}, false
	}
	return dataset.Quantity{Name: name, Dim: d, Known: known, Values: values, Scale: 1}
}

// one returns the record for the law l.
func (o CandidatesOptions) one(ctx context.Context, l known) CandidateRecord {
	r := CandidateRecord{ID: l.id, Suite: o.Suite, True: l.skel.Infix(l.names), Tokens: l.skel.Len(), Variables: len(l.skel.Vars()),
		Monomial: monomial(l.skel), Units: l.problem.Units, Seed: o.Seed, Rows: o.Rows, Version: o.version, Machine: Machine()}
	truth := stream.Form(l.skel)
	seen := map[string]bool{}
	var distinct, skeletons []expr.Tree
	start := time.Now()
	for t, err := range o.Proposer.Propose(ctx, l.problem) {
		if err != nil {
			r.Error = err.Error()
			break
		}
		r.Samples++
		skel, _, ok := stream.Skeleton(t)
		if !ok {
			skel = t
		}
		if key := stream.Form(skel); !seen[key] {
			seen[key] = true
			distinct, skeletons = append(distinct, t), append(skeletons, skel)
			if key == truth {
				r.Rank, r.RankSeconds = len(distinct), time.Since(start).Seconds()
			}
		}
		if r.Samples >= o.Samples {
			break
		}
	}
	r.Seconds, r.Distinct = time.Since(start).Seconds(), len(distinct)
	if len(distinct) > 0 {
		r.First = skeletons[0].Infix(l.names)
	}
	if o.NoFit {
		return r
	}
	if i := slices.IndexFunc(distinct, l.fits); i >= 0 {
		r.Fit, r.FitLaw = i+1, skeletons[i].Infix(l.names)
	}
	return r
}

// fits reports whether t has R² > 1 - 1e-6 at fresh rows after a fit to the rows that the Proposer
// saw. If there are no fresh rows, R² is computed at the fitted rows.
func (l known) fits(t expr.Tree) bool {
	cols, y := l.problem.Cols(), l.problem.Target.Values
	res, err := fit.Fit(t, cols, y, nil, fit.Settings{Starts: 1, MaxIter: 40})
	if err != nil {
		return false
	}
	if len(l.fresh.y) > 0 {
		cols, y = l.fresh.cols, l.fresh.y
	}
	value := t.Values(len(y), cols, res.Params)
	return determination(value, y) > 1-1e-6
}

// monomial reports whether a skeleton is a product of powers of variables.
func monomial(skel expr.Tree) bool {
	return !slices.ContainsFunc(skel.Nodes(), func(n expr.Node) bool {
		switch n.Op {
		case expr.Var, expr.Mul, expr.Div, expr.Inv, expr.Sqrt, expr.Square, expr.Cube:
			return false
		}
		return true
	})
}
