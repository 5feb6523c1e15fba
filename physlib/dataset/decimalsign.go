package dataset

import (
	"bytes"
	"cmp"
	"math"
)

// The readings of numbers such as 1,200: with a decimal sign, or with a separator of thousands.
const (
	asDecimals = iota
	asThousands
)

// trend counts the rises and falls of a sequence of numbers.
type trend struct {
	last         float64
	any          bool
	rises, falls int
}

func (t *trend) see(v float64) {
	if t.any && v > t.last {
		t.rises++
	} else if t.any && v < t.last {
		t.falls++
	}
	t.last, t.any = v, true
}

// monotone reports whether the numbers only rise or only fall.
func (t *trend) monotone() bool { return t.rises == 0 || t.falls == 0 }

// seeSize notes a number of the sample whose sign is uncertain, in both readings of the sign.
func (c *sampledColumn) seeSize(cell []byte, sign byte, sure bool) {
	v, ok := parseValue(cell, orPoint(sign))
	if !ok || sure && sign != 0 {
		return
	}
	c.trends[asDecimals].see(v.v)
	if sign == 0 {
		c.plainest = max(c.plainest, math.Abs(v.v))
		c.trends[asThousands].see(v.v)
		return
	}
	c.trends[asThousands].see(1000 * v.v)
	if bytes.HasSuffix(cell, []byte("00")) {
		c.rounds++
	}
}

// bySize returns the decimal sign of a column with numbers such as 1,200, either all with a comma
// or all with a point, among whole numbers below 1000. If only one of the two readings makes the
// values rise or fall throughout, this reading is right: 200, 500, 1,200 have thousands. A comma
// also separates thousands if one of the whole numbers is 100 or more. Otherwise bySize returns 0.
func (c *sampledColumn) bySize() byte {
	signs := [2]byte{',', '.'}
	k := 0
	if c.maybe[0] == 0 {
		k = 1
	}
	if c.maybe[k] < 2 || c.maybe[1-k] > 0 || c.plainest == 0 || c.plainest >= 1000 {
		return 0
	}
	switch decimals, thousands := c.trends[asDecimals].monotone(), c.trends[asThousands].monotone(); {
	case decimals && !thousands:
		return signs[k]
	case thousands && !decimals, k == 0 && c.plainest >= 100:
		return signs[1-k]
	}
	return 0
}

// signOfFile returns the decimal sign that bySize finds in a column, if any. Otherwise, some
// columns must have only numbers such as 1,200, and others only numbers such as 103.923. One of the
// two signs then separates thousands: the sign whose numbers end in 00 more often, by a clear
// margin. signOfFile returns 0 if there are no such columns, or if the margin is not clear.
func signOfFile(columns []sampledColumn) byte {
	var all, rounds [2]int
	for _, c := range columns {
		k := 0
		if c.maybe[0] == 0 {
			k = 1
		}
		if c.kind != numberKind || c.maybe[1-k] > 0 {
			continue
		}
		if sign := c.bySize(); sign != 0 {
			return sign
		}
		all[k] += c.maybe[k]
		rounds[k] += c.rounds
	}
	if all[0] == 0 || all[1] == 0 {
		return 0
	}
	const clear = 0.25
	switch more := float64(rounds[0])/float64(all[0]) - float64(rounds[1])/float64(all[1]); {
	case more > clear:
		return '.'
	case more < -clear:
		return ','
	}
	return 0
}

// settle determines the decimal sign of each column, from its own cells or else from those of other
// columns. given is the sign that the user gives, or 0.
func settle(columns []sampledColumn, sep, given byte) {
	commas, points := 0, 0
	for i := range columns {
		c := &columns[i]
		c.decimal, c.settled = '.', false
		switch {
		case given != 0:
			c.decimal, c.settled, c.doubt = given, true, nil
			continue
		case c.commas > c.points || c.commas > 0 && c.commas == c.points && c.first == ',':
			c.decimal, c.settled = ',', true
		case c.points > 0:
			c.settled = true
		}
		if c.settled && c.decimal == ',' {
			commas++
		} else if c.settled {
			points++
		}
	}
	both := byte(0)
	if commas == 0 && points == 0 {
		both = signOfFile(columns)
	}
	for i := range columns {
		c := &columns[i]
		if c.settled {
			c.doubt = nil
			continue
		}
		if c.decimal = c.bySize(); c.decimal == 0 || commas > 0 || points > 0 {
			c.decimal = cmp.Or(both, fallback(c.maybe, sep, commas, points))
		}
		c.settled = c.maybe != [2]int{}
	}
}

// fallback returns the decimal sign of a column with numbers such as 1,234, whose sign is
// uncertain. maybe counts the numbers with a comma and with a point. commas and points are the
// numbers of other columns with a decimal comma or point.
func fallback(maybe [2]int, sep byte, commas, points int) byte {
	switch {
	case commas > 0 && points == 0:
		return ','
	case points > 0 && commas == 0:
		return '.'
	case maybe[0] > maybe[1] && sep != ',':
		return ','
	}
	return '.'
}
