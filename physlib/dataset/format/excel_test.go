package format

import (
	"encoding/xml"
	"strings"
	"testing"
)

// A superscript after a digit is marked, so that it is not read as a further digit.
func TestRichText(t *testing.T) {
	for in, want := range map[string]string{
		`<r><t>2.5</t></r><r><rPr><vertAlign val="superscript"/></rPr><t>1</t></r>`:                      "2.5^1",
		`<r><t>3×10</t></r><r><rPr><b/><vertAlign val="superscript"/></rPr><t>8</t></r><r><t> m</t></r>`: "3×10^8 m",
		`<r><t>m/s</t></r><r><rPr><vertAlign val="superscript"/></rPr><t>2</t></r><r><t>5</t></r>`:       "m/s25",
		`<t>plain 1</t>`: "plain 1",
	} {
		d := xml.NewDecoder(strings.NewReader("<si>" + in + "</si>"))
		if _, err := d.Token(); err != nil {
			t.Fatal(err)
		}
		if got, err := richText(d); got != want || err != nil {
			t.Errorf("%s: %q, %v, want %q", in, got, err, want)
		}
	}
}
