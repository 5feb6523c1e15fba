package figure

import (
	"fmt"
	"image/color"
	"slices"
	"strings"
)

// Theme is a set of colours.
type Theme uint8

const (
	Light Theme = iota // dark text on a light page
	Dark               // light text on a dark page
	// Auto is an SVG in light colours. A browser replaces them by dark ones for users who prefer
	// these. The media query prefers-color-scheme also works in an <img>. For PNG and PDF, Auto is
	// the same as Light.
	Auto
)

// House colours: those of Okabe and Ito, with black, and three greys.
var (
	// Black is not #000000, because SVG omits its default colour.
	Black         = color.RGBA{0x1A, 0x1A, 0x1B, 0xFF}
	Orange        = color.RGBA{0xE6, 0x9F, 0x00, 0xFF}
	SkyBlue       = color.RGBA{0x56, 0xB4, 0xE9, 0xFF}
	BluishGreen   = color.RGBA{0x00, 0x9E, 0x73, 0xFF}
	Yellow        = color.RGBA{0xF0, 0xE4, 0x42, 0xFF}
	Blue          = color.RGBA{0x00, 0x72, 0xB2, 0xFF}
	Vermillion    = color.RGBA{0xD5, 0x5E, 0x00, 0xFF}
	ReddishPurple = color.RGBA{0xCC, 0x79, 0xA7, 0xFF}

	grid  = color.RGBA{0xE1, 0xE1, 0xE2, 0xFF}
	muted = color.RGBA{0x8A, 0x8A, 0x8B, 0xFF}
	paper = color.RGBA{0xFE, 0xFE, 0xFE, 0xFF}
)

// style holds the text size and colours of a picture.
type style struct {
	text                    float64 // size of labels in points
	ink, muted, grid, paper color.RGBA
	series                  []color.RGBA
	web                     bool // whether a browser renders the text, in its own fonts
}

// lightStyle and darkStyle have corresponding colours in the same order. The dark ones are Okabe
// and Ito's, lightened to have as much contrast with a nearly black page as the light ones have
// with white.
var (
	lightStyle = style{
		ink: Black, muted: muted, grid: grid, paper: paper,
		series: []color.RGBA{Blue, Vermillion, BluishGreen, Orange, ReddishPurple, SkyBlue},
	}
	darkStyle = style{
		ink: color.RGBA{0xE4, 0xE4, 0xE5, 0xFF}, muted: color.RGBA{0x93, 0x93, 0x94, 0xFF},
		grid: color.RGBA{0x38, 0x38, 0x3A, 0xFF}, paper: color.RGBA{0x18, 0x18, 0x1A, 0xFF},
		series: []color.RGBA{{0x4C, 0xA8, 0xE0, 0xFF}, {0xF0, 0x80, 0x38, 0xFF}, {0x2E, 0xC0, 0x98, 0xFF}, {0xF2, 0xB9, 0x3C, 0xFF},
			{0xE0, 0x9A, 0xC2, 0xFF}, {0x9B, 0xD5, 0xF6, 0xFF}},
	}
)

func (o Options) style() style {
	s := lightStyle
	if o.Theme == Dark {
		s = darkStyle
	}
	s.text, s.web = o.Text, o.Format == "" || o.Format == "svg"
	if s.text <= 0 {
		s.text = 8
	}
	return s
}

// of returns the colour of series i. The six colours repeat.
func (s style) of(i int) color.RGBA { return s.series[i%len(s.series)] }

// data returns the colour of measurements, and chosen the colour of the chosen law.
func (s style) data() color.RGBA   { return s.series[0] }
func (s style) chosen() color.RGBA { return s.series[1] }

// tint returns a pale version of c, for areas behind lines. It is mixed with the colour of the
// paper, because formats differ in how they render transparency.
func (s style) tint(c color.RGBA) color.RGBA {
	mix := func(a, b uint8) uint8 { return uint8((int(a)*22 + int(b)*78 + 50) / 100) }
	return color.RGBA{mix(c.R, s.paper.R), mix(c.G, s.paper.G), mix(c.B, s.paper.B), 0xFF}
}

// all returns the colours of a style in a fixed order.
func (s style) all() []color.RGBA {
	cs := []color.RGBA{s.ink, s.muted, s.grid, s.paper}
	for _, c := range s.series {
		cs = append(cs, c, s.tint(c))
	}
	return append(cs, s.tint(s.muted), s.tint(s.ink))
}

func hex(c color.RGBA) string { return fmt.Sprintf("#%02X%02X%02X", c.R, c.G, c.B) }

// darkRules returns a style sheet that replaces each light colour of an SVG by the dark one, for
// readers who prefer dark colours. Its rules match the text of style attributes. So programs
// without support for style sheets still find the light colours in the attributes.
func darkRules() string {
	var b strings.Builder
	b.WriteString("<style>@media (prefers-color-scheme: dark) {\n")
	dark := darkStyle.all()
	for i, c := range lightStyle.all() {
		fmt.Fprintf(&b, "[style*=\"fill:%[1]s\"] {fill:%[2]s !important}\n[style*=\"stroke:%[1]s\"] {stroke:%[2]s !important}\n", hex(c), hex(dark[i]))
	}
	b.WriteString("}</style>\n")
	return b.String()
}

// themeVariables lists the CSS variable of a [Themed] picture for each house colour.
var themeVariables = []struct {
	colour color.RGBA
	name   string
}{
	{Black, "ink"}, {grid, "grid"}, {muted, "muted"}, {paper, "paper"}, {Blue, "data"}, {Vermillion, "chosen"},
}

// Themed turns a Light SVG into one in the colours of the surrounding page. The colours are the CSS
// variables --ink, --grid, --muted, --paper, --data and --chosen. If the page does not set one, the
// house colour is used. The result is an <svg> element without an XML declaration, for use in HTML.
func Themed(svg []byte) []byte {
	s := string(svg)
	if i := strings.Index(s, "<svg"); i > 0 {
		s = s[i:]
	}
	for _, v := range themeVariables {
		s = strings.ReplaceAll(s, hex(v.colour), "var(--"+v.name+","+strings.ToLower(hex(v.colour))+")")
	}
	return []byte(s)
}

// scale is a sequence of colours. Its method at interpolates between them.
type scale []color.RGBA

// cividis looks alike with and without red-green blindness, and its lightness increases evenly
// (Nuñez, Anderton, Renslow: PLoS ONE 13 (2018) e0199239). sunset, Paul Tol's diverging scheme, is
// for values of both signs.
var (
	cividis = scale{{0x00, 0x22, 0x4E, 0xFF}, {0x12, 0x35, 0x70, 0xFF}, {0x3B, 0x49, 0x6C, 0xFF}, {0x57, 0x5D, 0x6D, 0xFF}, {0x70, 0x71, 0x73, 0xFF},
		{0x8A, 0x86, 0x78, 0xFF}, {0xA5, 0x9C, 0x74, 0xFF}, {0xC3, 0xB3, 0x69, 0xFF}, {0xE1, 0xCC, 0x55, 0xFF}, {0xFE, 0xE8, 0x38, 0xFF}}
	sunset = scale{{0x36, 0x4B, 0x9A, 0xFF}, {0x4A, 0x7B, 0xB7, 0xFF}, {0x6E, 0xA6, 0xCD, 0xFF}, {0x98, 0xCA, 0xE1, 0xFF}, {0xC2, 0xE4, 0xEF, 0xFF},
		{0xEA, 0xEC, 0xCC, 0xFF}, {0xFE, 0xDA, 0x8B, 0xFF}, {0xFD, 0xB3, 0x66, 0xFF}, {0xF6, 0x7E, 0x4B, 0xFF}, {0xDD, 0x3D, 0x2D, 0xFF}, {0xA5, 0x00, 0x26, 0xFF}}
)

// at returns the colour for x from 0 to 1. It has only 64 levels, so that neighbouring cells of
// similar value can be drawn as one.
func (s scale) at(x float64) color.RGBA {
	x = min(max(x, 0), 1)
	x = float64(int(x*63+0.5)) / 63 * float64(len(s)-1)
	i := min(int(x), len(s)-2)
	f := x - float64(i)
	mix := func(a, b uint8) uint8 { return uint8(float64(a)*(1-f) + float64(b)*f + 0.5) }
	a, b := s[i], s[i+1]
	return color.RGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), 0xFF}
}

// on returns the colour for text on c: nearly black or nearly white, whichever is easier to read.
func on(c color.RGBA) color.RGBA {
	if luminance(c) > 0.4 {
		return color.RGBA{0x11, 0x11, 0x12, 0xFF}
	}
	return color.RGBA{0xFD, 0xFD, 0xFD, 0xFF}
}

// luminance approximates the relative luminance of c by the sRGB weights without gamma.
func luminance(c color.RGBA) float64 {
	return (0.2126*float64(c.R) + 0.7152*float64(c.G) + 0.0722*float64(c.B)) / 255
}

// hexes returns colours as strings for Vega-Lite.
func hexes(cs []color.RGBA) []any {
	out := make([]any, len(cs))
	for i, c := range slices.All(cs) {
		out[i] = hex(c)
	}
	return out
}
