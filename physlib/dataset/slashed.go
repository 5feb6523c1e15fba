package dataset

import (
	"regexp"
	"strings"
	"time"
)

// slashOrder is the order of day and month in dates such as 3/4/2021.
type slashOrder byte

const (
	dayFirst slashOrder = iota
	monthFirst
)

var slashForms = [...]string{dayFirst: "2/1/2006", monthFirst: "1/2/2006"}

// dashes matches dates such as 13-01-2021. They are read like dates with slashes.
var dashes = regexp.MustCompile(`^(\d\d?)-(\d\d?)-(\d{4})$`)

// slashOrders are the names of the orders in messages.
var slashOrders = [...]string{dayFirst: "day/month/year", monthFirst: "month/day/year"}

// parseSlashed reads a date such as 13/01/2021, 3/4/21 or 03-04-2021 18:30 in the given order.
func parseSlashed(cell []byte, order slashOrder) (at time.Time, dayOnly, ok bool) {
	day, clock, timed := strings.Cut(string(cell), " ")
	day = dashes.ReplaceAllString(day, "$1/$2/$3")
	if strings.Count(day, "/") != 2 {
		return at, false, false
	}
	date := slashForms[order]
	if len(day)-strings.LastIndexByte(day, '/') == 3 {
		date = strings.Replace(date, "2006", "06", 1)
	}
	forms := []string{date}
	if timed {
		forms = forms[:0]
		for _, c := range append([]string{"3:04:05 PM", "3:04 PM"}, clockForms...) {
			forms = append(forms, date+" "+c)
		}
		day += " " + thousandths.ReplaceAllString(strings.ToUpper(strings.TrimSpace(clock)), "$1.$2")
	}
	for _, form := range forms {
		if at, err := time.Parse(form, day); err == nil {
			return at, !timed, true
		}
	}
	return at, false, false
}

// slashDates collects what a sample of dates with slashes shows about their order.
type slashDates struct {
	halves int // number of dates with AM or PM, which suggest that months come first
	last   [len(slashForms)]time.Time
	seen   int
	reads  [len(slashForms)]int
	// Sum of the times between neighbouring dates, for each order of day and month.
	apart [len(slashForms)]time.Duration
}

// see adds a cell. It reports whether the cell is a date with slashes.
func (s *slashDates) see(cell []byte) bool {
	some := false
	for order := range slashForms {
		at, _, ok := parseSlashed(cell, slashOrder(order))
		if !ok {
			continue
		}
		some = true
		s.reads[order]++
		if !s.last[order].IsZero() {
			s.apart[order] += at.Sub(s.last[order]).Abs()
		}
		s.last[order] = at
	}
	if some {
		s.seen++
		if last := cell[len(cell)-1] | 0x20; last == 'm' {
			s.halves++
		}
	}
	return some
}

// order returns the order of day and month for which all cells of the sample are dates. If both
// orders are possible, it returns the one with smaller steps between neighbouring dates. sure
// reports whether only one is possible.
func (s *slashDates) order() (order slashOrder, sure bool) {
	switch {
	case s.reads[dayFirst] > s.reads[monthFirst]:
		return dayFirst, true
	case s.reads[monthFirst] > s.reads[dayFirst]:
		return monthFirst, true
	case s.apart[monthFirst] < s.apart[dayFirst], s.apart[monthFirst] == s.apart[dayFirst] && s.halves > 0:
		return monthFirst, false
	}
	return dayFirst, false
}
