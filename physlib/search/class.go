package search

import (
	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/search/column"
	"github.com/physlib/lab/physlib/unit"
)

// Class is what the units of a problem allow.
type Class uint8

// The classes.
const (
	Unitless Class = iota // units are not known
	Unbound               // the variables cannot give the target's dimension
	Bound                 // they can
)

var classes = [...]string{"unitless", "unbound", "bound"}

// String returns the name of c.
func (c Class) String() string { return classes[c] }

func parseClass(name string) (c Class, ok bool) {
	for i, n := range classes {
		if n == name {
			return Class(i), true
		}
	}
	return 0, false
}

// ClassOf returns the class of p.
func ClassOf(p *dataset.Problem) Class {
	if !p.Units {
		return Unitless
	}
	var dims []unit.Dim
	for _, v := range p.Vars {
		if v.Const || !column.Constant(v.Values) {
			dims = append(dims, v.Dim)
		}
	}
	if _, ok := unit.SolveExponents(dims, p.Target.Dim); !ok {
		return Unbound
	}
	return Bound
}
