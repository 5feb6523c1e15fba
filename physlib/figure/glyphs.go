package figure

import (
	"regexp"
	"strings"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// outlined is a canvas that draws text as shapes. A PDF needs it, because its fonts have only the
// characters of Windows-1252, which lacks −, ≤ and Greek letters.
type outlined struct{ vg.CanvasWriterTo }

// FillString draws s with its left end on pt.
func (c outlined) FillString(f font.Face, pt vg.Point, s string) {
	var buf sfnt.Buffer
	units := f.Face.UnitsPerEm()
	ppem := fixed.Int26_6(units) << 6
	scale := f.Font.Size / vg.Length(units)
	x := pt.X
	at := func(p fixed.Point26_6) vg.Point {
		return vg.Point{X: x + scale*vg.Length(p.X)/64, Y: pt.Y - scale*vg.Length(p.Y)/64}
	}
	for _, r := range s {
		i, err := f.Face.GlyphIndex(&buf, r)
		if err != nil {
			continue
		}
		segments, err := f.Face.LoadGlyph(&buf, i, ppem, nil)
		if err == nil && len(segments) > 0 {
			var path vg.Path
			for k, seg := range segments {
				switch seg.Op {
				case sfnt.SegmentOpMoveTo:
					if k > 0 {
						path.Close()
					}
					path.Move(at(seg.Args[0]))
				case sfnt.SegmentOpLineTo:
					path.Line(at(seg.Args[0]))
				case sfnt.SegmentOpQuadTo:
					path.QuadTo(at(seg.Args[0]), at(seg.Args[1]))
				case sfnt.SegmentOpCubeTo:
					path.CubeTo(at(seg.Args[0]), at(seg.Args[1]), at(seg.Args[2]))
				}
			}
			path.Close()
			c.Fill(path)
		}
		if advance, err := f.Face.GlyphAdvance(&buf, i, ppem, 0); err == nil {
			x += scale * vg.Length(advance) / 64
		}
	}
}

// raised draws the parts of a text between ^{ and } small and raised, as in 10^{−3} or kg m^{2}
// s^{−2}.
type raised struct{ text.Plain }

// small is the size of a raised part, relative to the text.
const small = 0.72

// piece is a part of a line, raised or not.
type piece struct {
	text string
	up   bool
}

// pieces splits a line into its parts.
func pieces(s string) (all []piece) {
	for {
		before, rest, found := strings.Cut(s, "^{")
		up, after, closed := strings.Cut(rest, "}")
		if !found || !closed {
			return append(all, piece{text: s})
		}
		all = append(all, piece{text: before}, piece{up, true})
		if s = after; s == "" {
			return all
		}
	}
}

// Box returns the size of a text. A text of several lines must not have raised parts.
func (h raised) Box(s string, f font.Font) (width, height, depth vg.Length) {
	all := pieces(s)
	if len(all) == 1 {
		return h.Plain.Box(s, f)
	}
	var line strings.Builder
	raisedFont := f
	raisedFont.Size *= small
	for _, p := range all {
		if p.up {
			w, _, _ := h.Plain.Box(p.text, raisedFont)
			width += w
		} else {
			line.WriteString(p.text)
		}
	}
	w, height, depth := h.Plain.Box(line.String(), f)
	return width + w, height, depth
}

// Draw draws s. Raised parts are allowed only in a single line.
func (h raised) Draw(c vg.Canvas, s string, sty text.Style, pt vg.Point) {
	all := pieces(s)
	plain := sty
	plain.Handler = h.Plain
	if len(all) == 1 {
		h.Plain.Draw(c, s, plain, pt)
		return
	}
	c.Push()
	defer c.Pop()
	c.Translate(pt)
	if sty.Rotation != 0 {
		c.Rotate(sty.Rotation)
	}
	width, _, _ := h.Box(s, sty.Font)
	face := h.Fonts.Lookup(sty.Font, sty.Font.Size)
	// The position of the baseline is that of text.Plain.
	base := plain.Height(all[0].text)*vg.Length(sty.YAlign) - face.Extents().Ascent + sty.Font.Size
	at := vg.Point{X: vg.Length(sty.XAlign) * width, Y: base}
	c.SetColor(sty.Color)
	for _, p := range all {
		size, lift := sty.Font.Size, vg.Length(0)
		if p.up {
			size, lift = sty.Font.Size*small, sty.Font.Size*0.34
		}
		face := h.Fonts.Lookup(sty.Font, size)
		if p.text != "" {
			c.FillString(face, vg.Point{X: at.X, Y: at.Y + lift}, p.text)
		}
		at.X += face.Width(p.text)
	}
}

// unitPower matches an exponent in a unit.
var unitPower = regexp.MustCompile(`\^\(?(-?\d+(?:/\d+)?)\)?`)

// unitPowers replaces each power in a label's unit by write(exponent). The unit is in brackets at
// the end, as in E [kg m^2 s^-2].
func unitPowers(label string, write func(exponent string) string) string {
	i := strings.LastIndex(label, "[")
	if i < 0 || !strings.HasSuffix(label, "]") {
		return label
	}
	return label[:i] + unitPower.ReplaceAllStringFunc(label[i:], func(p string) string { return write(minus(unitPower.FindStringSubmatch(p)[1])) })
}

// powers returns a label whose unit has raised powers. If a browser shows the text, the powers are
// Unicode superscripts: parts that are placed separately would overlap, since the browser's font
// has other widths than the fonts of this package. The fonts of this package lack Unicode
// superscripts, so in other pictures the powers are raised parts.
func (s style) powers(label string) string {
	if s.web {
		return plainPowers(label)
	}
	return unitPowers(label, func(e string) string { return "^{" + e + "}" })
}

// plainPowers returns the label with Unicode superscripts, for pages that render text themselves.
func plainPowers(label string) string {
	figures := strings.NewReplacer("0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹", "−", "⁻")
	return unitPowers(label, figures.Replace)
}

// textWidth returns the width of s in the style sty.
func textWidth(sty text.Style, s string) vg.Length {
	w, _, _ := sty.Handler.Box(s, sty.Font)
	return w
}

// shrink reduces the size of a text until it is at most w wide, but not below `least` times the
// usual size. If it is then still wider, it is truncated and ends in an ellipsis.
func shrink(s style, sty text.Style, txt string, w vg.Length, least float64) (text.Style, string) {
	if full := textWidth(sty, txt); full > w {
		sty.Font.Size = max(sty.Font.Size*w/full, s.em(least))
	}
	for runes := []rune(txt); textWidth(sty, txt) > w*1.02 && len(runes) > 1; {
		runes = runes[:len(runes)-1]
		txt = string(runes) + "…"
	}
	return sty, txt
}

var _ draw.TextHandler = raised{}
