package accept

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/physlib/lab/physlib/corpus/tables"
	"github.com/physlib/lab/physlib/dataset"
)

// Reported is a law in the form in which a search reports it.
type Reported struct {
	Law       string
	Constants []Constant
}

// Verdict states whether the laws found for a table are accepted. The JSON names are those of
// results files.
type Verdict struct {
	Chosen bool `json:"chosen"` // the chosen law has an accepted form
	Front  bool `json:"front"`  // some law of the front has an accepted form
	// ConstantsOK states that the constants are those of the fit, and that the law is not an alias.
	// It is nil unless Chosen is set.
	ConstantsOK *bool `json:"constants_ok"`
	Alias       bool  `json:"alias,omitempty"`
	// Over states that SureWrong is true and that an accepted form describes the table better than
	// the chosen law.
	Over bool `json:"over"`
	// SureWrong states that the chosen law has no accepted form, although the search called it
	// likely, very likely or certain.
	SureWrong bool    `json:"sure_wrong"`
	Form      string  `json:"form,omitempty"` // accepted form of the chosen law
	BIC       float64 `json:"bic,omitempty"`  // BIC of the chosen law
	// Accepted form with the least BIC, with its constants.
	AcceptedFit string  `json:"accepted_fit,omitempty"`
	AcceptedBIC float64 `json:"accepted_bic,omitempty"`
	Unreadable  string  `json:"unreadable,omitempty"` // why a reported law cannot be parsed
}

// betterBIC and asWell define when an accepted form describes the table better than the chosen law.
// Either the BIC of the form is lower by more than betterBIC, or the form has no more constants
// than the law and its sum of squares is not larger.
const (
	betterBIC = 2
	asWell    = 1.001 // ratio of two sums of squares up to which they count as equal
)

// Measured returns the table e without the rows known to be wrong.
func Measured(e tables.Table) (*Table, error) {
	t, _, err := e.Read()
	if err != nil {
		return nil, err
	}
	sigma := t.Sigma
	if e.Errors.Kind == tables.StandardErrors && e.Flags.SigmaColumn() == "" {
		if i := slices.IndexFunc(t.Vars, func(c dataset.Column) bool { return c.Name == e.Errors.Sigma }); i >= 0 {
			sigma = t.Vars[i].Values
			t.Vars = slices.Delete(slices.Clone(t.Vars), i, i+1)
		}
	}
	var drop []int
	for _, row := range e.BadRows {
		drop = append(drop, row-1)
	}
	return NewTable(t, e.Errors.Kind, sigma, drop)
}

// References returns the accepted forms of e with their fits to t. It is an error if a form cannot
// be parsed or has no fit.
func References(e tables.Table, t *Table) ([]*Reference, error) {
	var refs []*Reference
	for _, text := range e.Accepted {
		f, err := ParseForm(text, t.Names)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", e.Name, err)
		}
		r, ok := NewReference(f, t, e.Truth)
		if !ok {
			return nil, fmt.Errorf("%s: accepted form %s has no finite fit", e.Name, text)
		}
		refs = append(refs, r)
	}
	return refs, nil
}

// Judge judges the laws that a search found. chosen is the chosen law, or nil if there is none.
// front holds the laws of Result.Front. sure states that the search called the chosen law
// likely, very likely or certain.
func Judge(t *Table, refs []*Reference, chosen *Reported, front []Reported, sure bool) Verdict {
	top := slices.MinFunc(refs, func(a, b *Reference) int { return cmp.Compare(a.BIC, b.BIC) })
	v := Verdict{AcceptedFit: top.String(), AcceptedBIC: top.BIC}
	parse := func(r Reported) *Law {
		l, err := ParseLaw(r.Law, t.Names, r.Constants)
		if err != nil {
			v.Unreadable = err.Error()
		}
		return l
	}
	if chosen != nil {
		if l := parse(*chosen); l != nil {
			v.choose(t, refs, l, sure)
		}
	}
	v.Front = v.Chosen
	for _, r := range front {
		if v.Front {
			break
		}
		if chosen != nil && r.Law == chosen.Law {
			continue
		}
		if l := parse(r); l != nil {
			match, _ := Match(l, refs)
			v.Front = match != nil
		}
	}
	return v
}

// choose sets the fields of v that concern the chosen law l.
func (v *Verdict) choose(t *Table, refs []*Reference, l *Law, sure bool) {
	bic, rss := t.lawBIC(l)
	v.BIC = bic
	if match, c := Match(l, refs); match != nil {
		v.Chosen, v.Form, v.Alias = true, match.Form.Text, match.alias(l)
		ok := !v.Alias && match.near(c)
		v.ConstantsOK = &ok
		return
	}
	if !sure {
		return
	}
	v.SureWrong = true
	v.Over = slices.ContainsFunc(refs, func(r *Reference) bool {
		return bic > r.BIC+betterBIC || r.RSS <= rss*asWell && r.Form.NumParams() <= l.k
	})
}

// String returns the form with its fitted constants.
func (r *Reference) String() string {
	var c []string
	for _, v := range r.Constants {
		c = append(c, fmt.Sprintf("%.6g", v))
	}
	return r.Form.Text + ": " + strings.Join(c, " ")
}
