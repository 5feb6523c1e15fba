package require

import (
	"slices"

	"github.com/physlib/lab/physlib/expr"
)

// opposites are pairs of properties that exclude each other. Only a trivial law has both: a
// constant, for example, counts as increasing and as decreasing.
var opposites = [][2]kind{{positive, negative}, {even, odd}, {increasing, decreasing}}

// Contradiction returns the texts of two statements that exclude each other, such as two values at
// one point, and whether there are any.
func (s Statements) Contradiction() (a, b string, found bool) {
	for i, one := range s {
		for _, other := range s[:i] {
			if other.contradicts(one) {
				return other.Text, one.Text, true
			}
		}
	}
	return "", "", false
}

// contradicts reports whether s and o concern the same function and column and exclude each other.
func (s Statement) contradicts(o Statement) bool {
	switch {
	case s.Subject != o.Subject || s.over != o.over:
		return false
	case s.kind == value && o.kind == value:
		return slices.Equal(s.point, o.point) && !expr.Equal(s.by, o.by)
	case s.kind == limit && o.kind == limit:
		return s.at == o.at && len(s.by.Vars())+len(o.by.Vars()) == 0 && !expr.Equal(s.by, o.by)
	}
	return slices.ContainsFunc(opposites, func(p [2]kind) bool {
		return p == [2]kind{s.kind, o.kind} || p == [2]kind{o.kind, s.kind}
	})
}
