package regression

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/law"
)

// problem is a fit, prepared from its settings.
type problem struct {
	law    law.Law
	cols   [][]float64
	y      []float64
	sigma  []float64 // standard errors, or their relative sizes; never nil
	known  bool      // sigma holds given, absolute standard errors
	share  float64   // sigma divided by the target, if the errors are proportional to it
	xsigma [][]float64
	lo, hi []float64
	loss   Loss    // the loss that is currently minimized
	scale  float64 // scale of a robust loss
	s      Settings
}

// newProblem checks the law and the settings against the table and returns the problem.
func newProblem(l law.Law, t *dataset.Table, s Settings) (*problem, error) {
	if l.Tree.Len() == 0 {
		return nil, errors.New("the formula is empty; write one such as c0*x**c1")
	}
	p := &problem{law: l, y: t.Target.Values, s: s}
	if p.law.Target == "" {
		p.law.Target = t.Target.Name
	}
	for i, name := range l.Vars {
		column := t.ValuesOf(name)
		if column == nil && slices.Contains(l.Tree.Vars(), i) {
			return nil, fmt.Errorf("%s has no column %q, which the formula needs; its columns are %s", t.Name, name, strings.Join(t.InputNames(), ", "))
		}
		p.cols = append(p.cols, column)
	}
	if err := s.Loss.check(); err != nil {
		return nil, err
	}
	if !(s.LossScale >= 0) || math.IsInf(s.LossScale, 0) {
		return nil, fmt.Errorf("the scale %g of the loss is not a finite number above 0", s.LossScale)
	}
	k := l.Tree.NumParams()
	if k == 0 {
		return nil, fmt.Errorf("the formula %s has no constant to fit; use physlib score", l.Formula())
	}
	if rows := t.Rows(); rows < k {
		return nil, fmt.Errorf("%s has %d rows, too few for %d constants; fix some, or give more rows", t.Name, rows, k)
	}
	p.lo, p.hi = make([]float64, k), make([]float64, k)
	for i := range k {
		p.lo[i], p.hi[i] = math.Inf(-1), math.Inf(1)
	}
	if err := p.byName(s); err != nil {
		return nil, err
	}
	return p, p.errors(t)
}

// byName applies the settings that are given by name: starting values, bounds, and errors of
// columns.
func (p *problem) byName(s Settings) error {
	starts := p.law.Params()
	for name, v := range s.Start {
		slot, err := p.slot(name)
		if err != nil {
			return err
		}
		starts[slot] = v
	}
	for name, b := range s.Bounds {
		slot, err := p.slot(name)
		if err != nil {
			return err
		}
		if !(b.Low < b.High) {
			return fmt.Errorf("the lower bound of %s, %g, is not below its upper bound %g; give the lower one first", name, b.Low, b.High)
		}
		p.lo[slot], p.hi[slot] = b.Low, b.High
		starts[slot] = min(max(starts[slot], b.Low), b.High)
	}
	p.law.Tree = p.law.Tree.WithStarts(starts)
	for name, sigma := range s.XSigma {
		v := slices.Index(p.law.Vars, name)
		if v < 0 || !slices.Contains(p.law.Tree.Vars(), v) {
			return fmt.Errorf("the formula does not depend on %s, whose errors are given; leave it out of --sigma", name)
		}
		if p.xsigma == nil {
			p.xsigma = make([][]float64, len(p.law.Vars))
		}
		p.xsigma[v] = sigma
	}
	return nil
}

// slot returns the slot of the constant called name.
func (p *problem) slot(name string) (int, error) {
	var names []string
	for i, c := range p.law.Constants {
		if c.Name == name {
			return i, nil
		}
		names = append(names, c.Name)
	}
	return 0, fmt.Errorf("the formula has no constant %q; its constants are %s", name, strings.Join(names, ", "))
}

// errors sets the standard errors of the rows.
func (p *problem) errors(t *dataset.Table) error {
	sigma := p.s.Sigma
	if sigma == nil {
		sigma, p.share = t.Sigma, t.Share
	}
	if sigma != nil {
		for i, v := range sigma {
			if !(v > 0) || math.IsInf(v, 0) {
				return fmt.Errorf("%s: the standard error of %s is %g; it must be above 0", t.RowNames([]int{i}), t.Target.Name, v)
			}
		}
		p.sigma, p.known = sigma, !p.s.Scale
		p.law.Errors = law.GivenErrors
		if p.share > 0 {
			p.law.Errors = law.ProportionalErrors
		}
		return nil
	}
	p.sigma, p.share = make([]float64, len(p.y)), 1
	p.law.Errors = law.EqualErrors
	if p.s.Errors != "" {
		p.law.Errors = p.s.Errors
	}
	for i, y := range p.y {
		if p.sigma[i] = relativeSize(p.law.Errors, y); p.sigma[i] == 0 {
			return fmt.Errorf("%s is 0 in %s, so that its error cannot be proportional to it; leave the row out or take equal errors", t.Target.Name, t.RowNames([]int{i}))
		}
	}
	return nil
}

// relativeSize returns the size of the error of a target with the value v, up to a common factor.
func relativeSize(errors string, v float64) float64 {
	switch errors {
	case law.ProportionalErrors:
		return math.Abs(v)
	case law.CountingErrors:
		return math.Sqrt(max(v, 1))
	}
	return 1
}
