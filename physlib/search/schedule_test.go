package search

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/search/searchtest"
)

func TestLedger(t *testing.T) {
	laws := ledger()
	if len(laws) < 100 {
		t.Errorf("the ledger has %d laws, want 100 or more", len(laws))
	}
	for _, p := range Parts() {
		if !slices.ContainsFunc(laws, func(e Experience) bool { _, tried := e.Tried[p]; return tried }) {
			t.Errorf("%v: no law was tried; measure again by physlib bench ledger", p)
		}
		if q, ok := ParsePart(p.String()); !ok || q != p {
			t.Errorf("%q is parsed as %v, %v", p.String(), q, ok)
		}
	}
	again, err := ReadLedger(WriteLedger(laws))
	if err != nil || WriteLedger(again) != ledgerText {
		t.Errorf("the ledger changes when it is read and written: %v", err)
	}
}

func TestReadLedgerErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "no table: columns are missing"},
		{"class,noise\n", "no table: columns are missing"},
		{"class,variables,noise,nothing 0\nbound,2,false,+1\n", `ledger:1: there is no part "nothing 0"`},
		{"class,variables,noise,groups simplest\nfree,2,false,+1\n", `ledger:2: there is no class "free"`},
		{"class,variables,noise,groups simplest\nbound,two,false,+1\n", "ledger:2: variables"},
		{"class,variables,noise,groups simplest\nbound,2,false,+x\n", "ledger:2: groups simplest"},
	} {
		if _, err := ReadLedger(c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: error %v, want %q in it", c.text, err, c.want)
		}
	}
}

// order returns the order in which the clock runs the parts for a target that is a product. noise
// is Problem.Noise.
func order(t *testing.T, columns string, noise float64) (parts []Part) {
	p := searchtest.Sampled(t, "a*b*exp(c)", columns, 200)
	p.Noise = noise
	c := newSession(context.Background(), &Search{}, p, func(expr.Tree) bool { return true }).newSchedule()
	for {
		part, ok := c.next()
		if !ok {
			return parts
		}
		c.ran(part)
		parts = append(parts, part)
	}
}

func TestClock(t *testing.T) {
	const units, none = "a:1:5:m b:1:5:m c:1:5:1", "a:1:5 b:1:5 c:1:5"
	for _, c := range []struct {
		columns string
		noise   float64
		first   Part
	}{
		{units, math.NaN(), Part{View: Groups, Method: Simplest}},
		{none, math.NaN(), Part{View: Variables, Method: Simplest}},
		{none, 0.1, Part{View: Variables, Method: Simplest}},
	} {
		parts := order(t, c.columns, c.noise)
		if parts[0] != c.first {
			t.Errorf("%s, noise %g: %v comes first, want %v", c.columns, c.noise, parts[0], c.first)
		}
		if !slices.Equal(parts, order(t, c.columns, c.noise)) {
			t.Errorf("%s, noise %g: the order is not the same again", c.columns, c.noise)
		}
		known := map[Part]bool{}
		for _, p := range parts {
			shallower := p
			if shallower.Depth--; shallower.Depth >= 0 && !known[shallower] {
				t.Errorf("%v comes before %v", p, shallower)
			}
			if known[p] {
				t.Errorf("%v comes twice", p)
			}
			known[p] = true
			if c.noise > 0 && p.Method.exact() && !p.View.reduced() {
				t.Errorf("%v runs on data with noise", p)
			}
		}
	}
	if parts := order(t, none, 0); slices.ContainsFunc(parts, func(p Part) bool { return p.Method == NoisyJoins }) {
		t.Error("exact data are asked for noise")
	}
	if all := order(t, units, math.NaN()); len(all) <= len(order(t, none, math.NaN())) {
		t.Error("units add no parts")
	}
}

// For laws like the one sought, the clock prefers the part that finds more laws in less time.
func TestClockRate(t *testing.T) {
	slow, fast, other := Part{View: Groups, Method: Simplest}, Part{View: Variables, Method: DetrendedWaves}, Part{View: Variables, Method: Waves}
	law := func(class Class, tried map[Part]Trial) Experience {
		return Experience{Class: class, Variables: 2, Tried: tried}
	}
	c := &schedule{left: []Part{slow, fast, other}, tried: map[Part][]Trial{}}
	for range 8 {
		c.laws = append(c.laws, law(Bound, map[Part]Trial{slow: {Found: true, Seconds: 1}, fast: {Found: true, Seconds: 0.1}, other: {Seconds: 0.1}}))
	}
	c.laws = append(c.laws, law(Bound, map[Part]Trial{slow: {Seconds: 1}, fast: {Seconds: 0.1}, other: {Found: true, Seconds: 0.1}}))
	for _, p := range c.left {
		for _, l := range c.laws {
			c.tried[p] = append(c.tried[p], l.Tried[p])
		}
	}
	for range c.laws {
		c.like = append(c.like, 1)
	}
	var got []Part
	for {
		p, ok := c.next()
		if !ok {
			break
		}
		c.ran(p)
		got = append(got, p)
	}
	// slow comes last: it finds only laws that fast found before
	if want := []Part{fast, other, slow}; !slices.Equal(got, want) {
		t.Errorf("the order is %v, want %v", got, want)
	}
}

// A part that is chosen but then skipped says nothing about the law sought.
func TestSkippedPart(t *testing.T) {
	p := searchtest.Sampled(t, "a*b*exp(c)", "a:1:5 b:1:5 c:1:5", 200)
	c := newSession(context.Background(), &Search{}, p, func(expr.Tree) bool { return true }).newSchedule()
	before := slices.Clone(c.like)
	part, _ := c.next()
	if !slices.Equal(c.like, before) {
		t.Error("laws of the ledger have other weights before the part runs")
	}
	c.ran(part)
	if slices.Equal(c.like, before) {
		t.Error("laws that the part finds weigh as much as before")
	}
}

func TestOnly(t *testing.T) {
	p := searchtest.Sampled(t, "a*b", "a:1:5:m b:1:5:m", 100)
	for _, c := range []struct {
		part Part
		want bool // whether the part finds the law
	}{
		{Part{View: Groups, Method: Simplest}, true},
		{Part{View: Variables, Method: Waves}, false},
	} {
		best := math.Inf(1)
		for tree := range (&Search{Only: []Part{c.part}}).Propose(context.Background(), p) {
			best = min(best, searchtest.Misfit(tree, p))
		}
		if (best < 1e-8) != c.want {
			t.Errorf("%v alone: least error %g", c.part, best)
		}
	}
}

// If the data permit no guess about noise, guess changes no weights.
func TestUnknownGuess(t *testing.T) {
	p := searchtest.Sampled(t, "a*b*exp(c)", "a:1:5 b:1:5 c:1:5", 200)
	c := newSession(context.Background(), &Search{}, p, func(expr.Tree) bool { return true }).newSchedule()
	before := slices.Clone(c.like)
	c.applyNoiseGuess(false, false)
	if !slices.Equal(c.like, before) || c.seemsNoisy || !c.guessed {
		t.Error("the laws of the ledger have other weights")
	}
	c.applyNoiseGuess(true, true)
	if slices.Equal(c.like, before) || !c.seemsNoisy {
		t.Error("laws without noise weigh as much as before")
	}
}
