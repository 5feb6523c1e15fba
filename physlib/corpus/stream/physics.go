package stream

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/unit"
)

// A quantity is a kind of physical quantity with formulas for it.
type quantity struct {
	name     string
	dim      unit.Dim
	constant bool // whether it is a constant of nature
	formulas [2][]formula
}

// A formula is an expression in terms of quantities: its variable i is a quantity of kind args[i].
type formula struct {
	nodes []expr.Node
	args  []*quantity
	label []string // names that distinguish variables of the same kind
}

// The collections of formulas.
const (
	inMechanics = iota
	inFields
)

type physics struct {
	quantities [2][]*quantity // quantities with formulas, by collection
	ratio      *quantity
	angle      *quantity
	speed, c   *quantity
	mass       *quantity
}

// world returns the physical quantities with their formulas. The formulas are parsed once.
var world = sync.OnceValue(func() *physics {
	kinds := map[string]*quantity{}
	kind := func(name, units string) *quantity {
		if q, ok := kinds[name]; ok {
			return q
		}
		u, err := unit.Parse(units)
		if err != nil {
			panic(fmt.Errorf("stream: unit of %s: %w", name, err))
		}
		q := &quantity{name: name, dim: u.Dim, constant: slices.Contains(natural, name)}
		kinds[name] = q
		return q
	}
	for _, line := range lines(plainUnits) {
		name, units, _ := strings.Cut(line, " ")
		kind(name, units)
	}
	w := &physics{}
	tables := [2]string{mechanics, fields}
	for _, text := range tables {
		for _, line := range lines(text) {
			head, _, _ := strings.Cut(line, ":")
			name, units, _ := strings.Cut(head, " ")
			kind(name, units)
		}
	}
	for room, text := range tables {
		for _, line := range lines(text) {
			head, formulas, _ := strings.Cut(line, ":")
			name, _, _ := strings.Cut(head, " ")
			q := kinds[name]
			for _, s := range strings.Split(formulas, ";") {
				f, err := readFormula(strings.TrimSpace(s), kinds)
				if err != nil {
					panic(fmt.Errorf("stream: %s = %s: %w", name, s, err))
				}
				if len(f.nodes) > 1 {
					q.formulas[room] = append(q.formulas[room], f)
				}
			}
			w.quantities[room] = append(w.quantities[room], q)
		}
	}
	w.ratio, w.angle, w.speed, w.c, w.mass = kinds["ratio"], kinds["angle"], kinds["speed"], kinds["c"], kinds["mass"]
	return w
})

func lines(text string) []string { return strings.Split(strings.TrimSpace(text), "\n") }

func readFormula(s string, kinds map[string]*quantity) (formula, error) {
	var names []string
	for name := range strings.FieldsFuncSeq(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9')
	}) {
		if base := strings.TrimRight(name, "0123456789"); kinds[name] != nil || kinds[base] != nil {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	t, err := expr.Parse(s, names)
	if err != nil {
		return formula{}, err
	}
	if t.NumParams() > 0 {
		return formula{}, fmt.Errorf("an unknown quantity")
	}
	f := formula{nodes: t.Nodes(), label: names}
	for _, n := range names {
		q := kinds[n]
		if q == nil {
			q = kinds[strings.TrimRight(n, "0123456789")]
		}
		f.args = append(f.args, q)
	}
	return f, nil
}

// A composer draws a law by substituting formulas into each other.
type composer struct {
	*maker
	room  int
	kinds []*quantity // kinds of the variables so far
	fixed bool        // constants of nature are numbers, not variables
}

// physical returns a law composed of about n formulas from the collection with index room. It also
// returns the quantities of its variables and of the law.
func (m *maker) physical(room, n int) (law form, kinds []*quantity, target *quantity) {
	w := world()
	c := composer{maker: m, room: room, fixed: m.chance(0.3)}
	target = w.quantities[room][m.rng.IntN(len(w.quantities[room]))]
	law = c.expand(target, n)
	return law, c.kinds, target
}

// anyQuantity returns a random quantity.
func (m *maker) anyQuantity() *quantity {
	from := world().quantities[m.rng.IntN(2)]
	return from[m.rng.IntN(len(from))]
}

// leaf returns a variable of kind q. It is a new one, or sometimes one that the law already
// contains.
func (c *composer) leaf(q *quantity) form {
	reuse := 0.3
	if q.constant {
		if c.fixed {
			return c.number()
		}
		reuse = 1
	}
	if c.vars >= c.max {
		reuse = 1
	}
	if c.chance(reuse) {
		var of []int
		for i, k := range c.kinds {
			if k == q {
				of = append(of, i)
			}
		}
		if len(of) > 0 {
			return c.usedVariable(of[c.rng.IntN(len(of))])
		}
	}
	if c.vars >= c.max {
		c.bad = true
		return constant(one)
	}
	c.kinds = append(c.kinds, q)
	return c.fresh()
}

// expand returns an expression for the quantity q that contains up to budget formulas.
func (c *composer) expand(q *quantity, budget int) form {
	if c.bad || budget <= 0 {
		return c.leaf(q)
	}
	w := world()
	if c.chance(0.22) {
		left := c.rng.IntN(budget)
		switch c.pick(30, 14, 14, 8, 8, 6, 5, 4, 4, 3, 4) {
		case 0: // a sum with another term of the same kind
			return c.plus(c.expand(q, left+1), c.sign(c.expand(q, budget-1-left)))
		case 1: // a relative correction
			return c.times(c.expand(q, left), c.plus(constant(one), c.sign(c.coefficient(c.expand(w.ratio, budget-left), 0.3))))
		case 2:
			return c.times(c.expand(q, left), c.expand(w.ratio, budget-left))
		case 3: // a component of a vector
			return c.times(c.expand(q, left), c.call([...]expr.Op{expr.Sin, expr.Cos}[c.rng.IntN(2)], c.expand(w.angle, budget-1-left)))
		case 4: // the length of a sum of perpendicular vectors
			return c.power(c.plus(c.power(c.expand(q, left), 8), c.power(c.expand(q, budget-1-left), 8)), 2)
		case 5: // exponential decay
			return c.times(c.expand(q, left), c.call(expr.Exp, c.minus(c.expand(w.ratio, budget-left))))
		case 6: // half of a harmonic mean
			a, b := c.expand(q, left), c.expand(q, budget-1-left)
			return c.times(a, b, c.power(c.plus(a, b), -4))
		case 7: // a mean weighted by mass
			a, b := c.leaf(w.mass), c.leaf(w.mass)
			return c.times(c.plus(c.times(a, c.expand(q, left)), c.times(b, c.expand(q, budget-1-left))), c.power(c.plus(a, b), -4))
		case 8:
			return c.power(c.times(c.expand(q, left), c.expand(q, budget-1-left)), 2)
		case 9:
			return c.times(c.expand(q, left), c.power(c.plus(constant(one), c.sign(c.power(c.expand(w.ratio, budget-1-left), 8))), [...]int8{2, -2, -4}[c.rng.IntN(3)]))
		case 10:
			if c.room == inFields {
				gamma := c.plus(constant(one), c.minus(c.power(c.times(c.leaf(w.speed), c.power(c.leaf(w.c), -4)), 8)))
				return c.times(c.expand(q, budget-1), c.power(gamma, [...]int8{-2, 2}[c.rng.IntN(2)]))
			}
			return c.plus(c.expand(q, left), c.minus(c.times(c.expand(w.ratio, budget-1-left), c.expand(q, 0))))
		}
	}
	from := q.formulas[c.room]
	if c.room == inFields && c.chance(0.25) || len(from) == 0 {
		from = q.formulas[inMechanics]
	}
	if len(from) == 0 {
		if from = q.formulas[inFields]; len(from) == 0 || c.room == inMechanics {
			return c.leaf(q)
		}
	}
	return c.write(from[c.rng.IntN(len(from))], budget-1)
}

// write returns f with its arguments replaced by formulas, up to budget in total.
func (c *composer) write(f formula, budget int) form {
	var buffer [8]form
	args := buffer[:0]
	share := make([]int, len(f.args))
	for range budget {
		share[c.rng.IntN(len(share))]++
	}
	for i, q := range f.args {
		args = append(args, c.expand(q, share[i]))
	}
	if c.bad {
		return constant(one)
	}
	var stack [16]form
	k := 0
	for _, n := range f.nodes {
		switch n.Op.Arity() {
		case 0:
			if n.Op == expr.Var {
				stack[k] = args[n.Index]
			} else {
				stack[k] = c.algebra.leaf(n)
			}
			k++
		case 1:
			stack[k-1] = c.unary(n.Op, stack[k-1])
		case 2:
			k--
			stack[k-1] = c.binary(n.Op, stack[k-1], stack[k])
		}
		if c.bad {
			return constant(one)
		}
	}
	return stack[0]
}
