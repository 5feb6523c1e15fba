package synthetic

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/physlib/lab/physlib/corpus"
	"github.com/physlib/lab/physlib/corpus/stream"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/unit"
)

// law is a law with all its numbers known.
type law struct {
	name, field string
	// Law in terms of vars in their units; constants are Params with their values.
	tree   expr.Tree
	vars   []variable
	target column
}

// column is a name with its unit.
type column struct {
	name string
	unit unit.Unit
}

// variable is a column with its range.
type variable struct {
	column
	low, high float64
}

// wide reports whether the range is positive and so wide that people would choose values in
// constant ratios.
func (v variable) wide() bool { return v.low > 0 && v.high >= 20*v.low }

// mostColumns is the largest number of inputs that have an effect.
const mostColumns = 4

// constantName matches names of free constants, which no column may have.
var constantName = regexp.MustCompile(`^(c|const)\d+$`)

// commonLaws returns the laws of the catalogue that are not rare.
var commonLaws = sync.OnceValue(func() []corpus.Entry {
	return slices.DeleteFunc(corpus.Catalogue(), func(e corpus.Entry) bool { return e.Rare })
})

// catalogueLaw returns a law of the catalogue with random values of its parameters.
func (d drawer) catalogueLaw() (l law, ok bool) {
	all := commonLaws()
	e := all[d.IntN(len(all))]
	var vars []int
	for i, q := range e.Quantities {
		if q.Role == corpus.Variable {
			vars = append(vars, i)
		}
	}
	// Some of the variables become constants.
	if len(vars) > 1 && (d.chance(0.5) || len(vars) > mostColumns) {
		d.Shuffle(len(vars), func(i, k int) { vars[i], vars[k] = vars[k], vars[i] })
		vars = vars[:min(1+d.IntN(2), len(vars)-1)]
	}
	e.Quantities = slices.Clone(e.Quantities)
	for i, q := range e.Quantities {
		if q.Role != corpus.Constant && !slices.Contains(vars, i) {
			v := variable{low: q.Low, high: q.High}
			e.Quantities[i].Role = corpus.Constant
			e.Quantities[i].Value = significant(d.between(q.Low, q.High, v.wide()), 3)
		}
	}
	return entryLaw(e)
}

// entryLaw returns the law of e in its variables. ok is false if a variable does not occur, has an
// unknown unit, or has the name of a free constant.
func entryLaw(e corpus.Entry) (l law, ok bool) {
	forms, err := e.Forms()
	if err != nil {
		return l, false
	}
	l = law{name: e.Name, field: e.Field, tree: forms[0].Tree}
	for _, q := range forms[0].Vars {
		u, err := unit.Parse(q.Unit)
		if err != nil || constantName.MatchString(q.Name) {
			return l, false
		}
		l.vars = append(l.vars, variable{column{q.Name, u}, q.Low, q.High})
	}
	u, err := unit.Parse(e.Target.Unit)
	l.target = column{e.Target.Name, u}
	return l, err == nil && len(l.tree.Vars()) == len(l.vars)
}

// laws is the stream of random laws for training, limited to laws that suit small tables.
var laws = sync.OnceValue(func() *stream.Stream {
	s, err := stream.New(stream.Config{MaxVars: mostColumns, MaxTokens: 14, Irrelevant: -1, NoUnits: -1})
	if err != nil {
		panic(err) // the configuration is valid
	}
	return s
})

// randomLaw returns a law of package stream.
func (d drawer) randomLaw() (l law, ok bool) {
	p := laws().Problem(d.Uint64(), d.Uint64())
	names := strings.Fields("u v w z q r")
	l = law{field: Random, target: column{"y", unit.SI(p.Target)}}
	l.tree = expr.Apply(expr.Mul, expr.C(p.Law.NumParams(), p.Scale), p.Law)
	for i, x := range p.X {
		v := variable{column{names[i], unit.SI(p.Dims[i])}, slices.Min(x), slices.Max(x)}
		if !(v.low < v.high) {
			return l, false
		}
		l.vars = append(l.vars, v)
	}
	l.name = l.tree.Bind(l.tree.Params()).Format(l.names(), 4)
	return l, len(l.tree.Vars()) == len(l.vars)
}

func (l law) names() []string {
	var names []string
	for _, v := range l.vars {
		names = append(names, v.name)
	}
	return names
}

// at returns the values of the law at points. ok is false if a value is undefined, or too large or
// too small for a plausible table.
func (l law) at(cols [][]float64, rows int) (y []float64, ok bool) {
	y = l.tree.Values(rows, cols, l.tree.Params())
	for _, v := range y {
		if math.IsNaN(v) || math.Abs(v) > 1e30 || v != 0 && math.Abs(v) < 1e-30 {
			return nil, false
		}
	}
	return y, true
}
