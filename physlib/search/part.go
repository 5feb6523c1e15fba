package search

import (
	"fmt"
	"slices"

	"github.com/physlib/lab/physlib/search/pursuit"
)

// Part is a method applied to a view of the problem, up to a depth.
type Part struct {
	View   View
	Method Method
	Depth  int // level of effort of the method, from 0; always 0 if the method has only one level
}

// View is a choice of the variables that the laws contain. A new view also needs a place in
// session.applies, session.idle, session.newWork and schedule.due, and a new ledger.
type View uint8

// The views.
const (
	// Dimensionless Π groups in place of the variables; the laws then respect the units.
	Groups        View = iota
	Variables          // the variables themselves, without their units
	ReducedGroups      // of a table with units: Groups, reduced by the symmetries of the data
	// Of a table without units: Variables, reduced by the symmetries of the data. Scalings act as
	// units.
	ReducedVariables
)

// String returns the name of v, as in "reduced groups".
func (v View) String() string {
	return [...]string{"groups", "variables", "reduced groups", "reduced variables"}[v]
}

// Units reports whether v uses the units of the table. (ReducedVariables may have other units,
// which follow from the symmetries of the data.)
func (v View) Units() bool { return v == Groups || v == ReducedGroups }

// reduced reports whether v is reduced by the symmetries of the data.
func (v View) reduced() bool { return v == ReducedGroups || v == ReducedVariables }

// whole returns the view from which the reduced view v is made, or v itself if it is not reduced.
func (v View) whole() View {
	switch v {
	case ReducedGroups:
		return Groups
	case ReducedVariables:
		return Variables
	}
	return v
}

// Method is a way to find laws.
type Method uint8

// The methods.
const (
	Simplest Method = iota // a constant, a product of powers, a linear function
	// Combinations of one to three features of an enumeration that give the target exactly.
	Joins
	NoisyJoins   // combinations of features that fit a target with errors
	StartedJoins // joins with inner constants that are fitted, starting from the values of a grid
	// A known function of two arguments, the target and a simple quantity, is a product
	// (offsets.go).
	Offsets
	Relations      // exact polynomial relations between the target and the variables
	Waves          // oscillations of a target that is not smooth
	DetrendedWaves // oscillations about a smooth course of the target
	Sums           // sums of many terms with inner constants (package pursuit)
)

// String returns the name of m, as in "joins with errors".
func (m Method) String() string {
	return [...]string{"simplest", "joins", "joins with errors", "joins with starts", "offsets", "relations", "waves", "detrended waves", "sums"}[m]
}

// IsJoin reports whether m joins features of an enumeration. At a higher depth the enumeration is
// larger.
func (m Method) IsJoin() bool { return m == Joins || m == NoisyJoins || m == StartedJoins }

// exact reports whether m looks for laws that hold up to rounding errors.
func (m Method) exact() bool { return m == Joins || m == Offsets || m == Relations }

// oscillates reports whether m finds oscillations.
func (m Method) oscillates() bool { return m == Waves || m == DetrendedWaves }

// pool returns the kind of enumeration that m uses.
func (m Method) pool() poolKind {
	switch m {
	case NoisyJoins:
		return noisyPool
	case StartedJoins:
		return startedPool
	}
	return exactPool
}

// poolKind distinguishes the enumerations of a view.
type poolKind uint8

const (
	exactPool   poolKind = iota
	noisyPool            // like the pool of Joins, but evaluated at more rows
	startedPool          // with further functions whose inner constants start from a grid
)

// points returns the number of rows at which the expressions of a pool are evaluated.
func (k poolKind) points(units bool) int {
	switch {
	case k == startedPool:
		return 160
	case k == noisyPool && units:
		return 400
	case k == noisyPool:
		return 256
	}
	return 64
}

// String returns the name of p, as in "groups joins 1". The name of a part with Offsets ends in 0,
// its only depth, since the ledger uses this name.
func (p Part) String() string {
	if p.Method.IsJoin() || p.Method == Sums || p.Method == Offsets || p.Method == Relations {
		return fmt.Sprintf("%v %v %d", p.View, p.Method, p.Depth)
	}
	return fmt.Sprintf("%v %v", p.View, p.Method)
}

// Parts returns all parts of the search, the simplest first.
func Parts() (all []Part) {
	deep := func(v View, m Method, depths int) {
		for d := range depths {
			all = append(all, Part{v, m, d})
		}
	}
	all = append(all, Part{View: Groups, Method: Simplest}, Part{View: Variables, Method: Simplest})
	for _, v := range []View{Groups, Variables} {
		// In Groups, NoisyJoins have depth 0 only: according to the ledger, depth 1 finds no
		// further laws there.
		noisyDepths := 1
		if v == Variables {
			noisyDepths = 2
			all = append(all, Part{View: v, Method: Waves}, Part{View: v, Method: DetrendedWaves})
			deep(v, Sums, pursuit.Depths)
		}
		deep(v, Joins, len(depths))
		// In Variables there are no Offsets: according to the ledger, other parts find the same
		// laws.
		if v == Groups {
			all = append(all, Part{View: v, Method: Offsets})
		}
		deep(v, Relations, depthsOfRelations)
		deep(v, NoisyJoins, noisyDepths)
		deep(v, StartedJoins, 2)
	}
	// In reduced views, joins have depth 0 only: according to the ledger, deeper joins find no
	// further laws.
	for _, v := range []View{ReducedGroups, ReducedVariables} {
		all = append(all, Part{View: v, Method: Joins}, Part{View: v, Method: Offsets})
		deep(v, Relations, depthsOfRelations)
		all = append(all, Part{View: v, Method: NoisyJoins}, Part{View: v, Method: StartedJoins})
	}
	return all
}

// ParsePart returns the part with the given name, as formatted by String. ok is false if there is
// no such part.
func ParsePart(name string) (p Part, ok bool) {
	all := Parts()
	i := slices.IndexFunc(all, func(p Part) bool { return p.String() == name })
	if i < 0 {
		return p, false
	}
	return all[i], true
}
