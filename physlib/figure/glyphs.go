package figure

import (
	"strings"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// outlined is a canvas that draws text as shapes. A PDF needs it: its fonts know the 256 characters of Windows-1252, so
// neither − nor ≤ nor Greek.
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

// raised writes what stands between ^{ and } small and high, as in 10^{−3}. Only the first such part of a line is raised.
type raised struct{ text.Plain }

const small = 0.72

// parts are the text before, in and after the raised part.
func (raised) parts(s string) (before, up, after string) {
	before, rest, ok := strings.Cut(s, "^{")
	if !ok {
		return s, "", ""
	}
	up, after, _ = strings.Cut(rest, "}")
	return before, up, after
}

// Box is the size of one line.
func (h raised) Box(s string, f font.Font) (width, height, depth vg.Length) {
	before, up, after := h.parts(s)
	width, height, depth = h.Plain.Box(before+after, f)
	if up != "" {
		f.Size *= small
		w, _, _ := h.Plain.Box(up, f)
		width += w
	}
	return width, height, depth
}

// Draw writes s; a raised part may only be in a single line.
func (h raised) Draw(c vg.Canvas, s string, sty text.Style, pt vg.Point) {
	before, up, after := h.parts(s)
	plain := sty
	plain.Handler = h.Plain
	if up == "" {
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
	base := plain.Height(before)*vg.Length(sty.YAlign) - face.Extents().Ascent + sty.Font.Size // as Plain places it
	at := vg.Point{X: vg.Length(sty.XAlign) * width, Y: base}
	c.SetColor(sty.Color)
	write := func(s string, size, lift vg.Length) {
		face := h.Fonts.Lookup(sty.Font, size)
		if s != "" {
			c.FillString(face, vg.Point{X: at.X, Y: at.Y + lift}, s)
		}
		at.X += face.Width(s)
	}
	write(before, sty.Font.Size, 0)
	write(up, sty.Font.Size*small, sty.Font.Size*0.34)
	write(after, sty.Font.Size, 0)
}

// textWidth is how wide s is written.
func textWidth(sty text.Style, s string) vg.Length {
	w, _, _ := sty.Handler.Box(s, sty.Font)
	return w
}

// shrink makes text smaller, down to the given scale, until it is no wider than w; what is still wider ends in dots.
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
