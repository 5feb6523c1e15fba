package search

import (
	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/unit"
)

// clock decides which part is asked next.
type clock struct {
	left []Part
}

// clock returns the parts of the session in the order in which they are asked.
func (s *session) clock() *clock {
	if s.Only != nil {
		return &clock{left: s.Only}
	}
	return &clock{left: plan}
}

var plan = []Part{
	{Groups, Simplest, 0},
	{Groups, Joins, 0}, {Groups, Offsets, 0}, {Variables, Simplest, 0}, {Variables, Waves, 0}, {Groups, ManyTerms, 0},
	{ReducedGroups, Joins, 0}, {ReducedGroups, Offsets, 0},
	{Variables, Joins, 0}, {Variables, Sums, 0}, {ReducedVariables, Joins, 0}, {ReducedVariables, Offsets, 0}, {Variables, Offsets, 0}, {Variables, Ripples, 0}, {Variables, Sums, 1},
	{ReducedVariables, ManyTerms, 0}, {Variables, ManyTerms, 0}, {Variables, Sums, 2},
	{Groups, NoisyJoins, 0},
	{Groups, Joins, 1}, {ReducedGroups, Joins, 1},
	{Groups, StartedJoins, 0}, {Variables, NoisyJoins, 0}, {Variables, StartedJoins, 0},
	{Groups, NoisyJoins, 1},
	{ReducedVariables, Joins, 1}, {Variables, Joins, 1},
	{Groups, Offsets, 1}, {Groups, StartedJoins, 1}, {Variables, NoisyJoins, 1}, {Variables, StartedJoins, 1},
	{Groups, Joins, 2}, {ReducedGroups, Joins, 2}, {ReducedVariables, Joins, 2}, {Variables, Joins, 2},
}

// next returns the part to be asked; ok is false when all were.
func (c *clock) next() (p Part, ok bool) {
	if len(c.left) == 0 {
		return p, false
	}
	p = c.left[0]
	c.left = c.left[1:]
	return p, true
}

// clean tells that the data have no noise to speak of.
func (c *clock) clean() {}

// Class is what the units of a problem allow.
type Class uint8

// The classes.
const (
	Unitless Class = iota // units are not known
	Unbound               // the variables cannot give the target's dimension
	Bound                 // they can
)

// String returns the name of c.
func (c Class) String() string { return [...]string{"unitless", "unbound", "bound"}[c] }

// ClassOf returns the class of p.
func ClassOf(p *dataset.Problem) Class {
	if !p.Units {
		return Unitless
	}
	var dims []unit.Dim
	for _, v := range p.Vars {
		if v.Const || !constant(v.Values) {
			dims = append(dims, v.Dim)
		}
	}
	if _, ok := unit.SolveExponents(dims, p.Target.Dim); !ok {
		return Unbound
	}
	return Bound
}
