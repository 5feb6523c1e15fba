package figure

import (
	"image/color"
	"strconv"
	"strings"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/physlib/lab/physlib/expr"
)

// Tree draws an expression as a tree, with operators above their operands. vars has the names of
// the columns; free constants are called c0, c1, ….
func Tree(t expr.Tree, vars []string) Picture {
	nodes := t.Nodes()
	if len(nodes) == 0 {
		return fails("the empty expression has no tree to draw")
	}
	l := layout{arrangement: arrangement{nodes: nodes, vars: vars}, at: make([]spot, len(nodes))}
	l.measure()
	l.place(len(nodes)-1, 0)
	return Picture{
		Alt:    "expression tree of " + t.Infix(vars),
		width:  min(max(float64(l.leaves)*1.3, 4), Page),
		height: min(float64(l.depth+1)*1.15+0.4, 20),
		draw:   l.draw,
	}
}

// layout holds the positions of the nodes of a tree. Leaves are side by side, and each operator is
// above the middle of its operands.
type layout struct {
	arrangement
	at            []spot
	leaves, depth int
}

// spot is the position of a node.
type spot struct {
	x     float64 // horizontal position, in units of a leaf's width
	depth int
}

// place computes the positions of subtree i and returns the x of its root.
func (l *layout) place(i, depth int) float64 {
	l.depth = max(l.depth, depth)
	left, right := l.operands(i)
	var x float64
	switch l.nodes[i].Op.Arity() {
	case 0:
		x = float64(l.leaves) + 0.5
		l.leaves++
	case 1:
		x = l.place(left, depth+1)
	default:
		x = (l.place(left, depth+1) + l.place(right, depth+1)) / 2
	}
	l.at[i] = spot{x, depth}
	return x
}

// signs holds the symbols of operators that are shown in their nodes.
var signs = map[expr.Op]string{expr.Add: "+", expr.Sub: "−", expr.Mul: "×", expr.Div: "÷", expr.Pow: "^", expr.Neg: "−", expr.Inv: "1/□", expr.Sqrt: "√",
	expr.Square: "□²", expr.Cube: "□³", expr.Exp: "exp", expr.Log: "ln", expr.Abs: "|□|", expr.Pi: "π", expr.Euler: "e"}

// label returns the text of node i.
func (l *layout) label(i int) string {
	n := l.nodes[i]
	switch n.Op {
	case expr.Number:
		return minus(strconv.FormatFloat(n.Value, 'g', 4, 64))
	case expr.Param:
		return "c" + strconv.Itoa(int(n.Index))
	case expr.Var:
		if int(n.Index) < len(l.vars) {
			return letters(l.vars[n.Index])
		}
		return "x" + strconv.Itoa(int(n.Index))
	}
	if s, ok := signs[n.Op]; ok {
		return s
	}
	return n.Op.Operator().Text
}

// letters replaces the name of a Greek letter by the letter, also before an underscore.
func letters(name string) string {
	base, rest, indexed := strings.Cut(name, "_")
	if g, ok := greek[base]; ok {
		base = g
	}
	if indexed {
		return base + "_" + rest
	}
	return base
}

func (l *layout) draw(c draw.Canvas, s style) {
	size := c.Size()
	step := size.X / vg.Length(l.leaves)
	fall := size.Y / vg.Length(l.depth+1)
	r := min(s.em(1.25), fall*0.36)
	point := func(i int) vg.Point {
		return vg.Point{X: c.Min.X + vg.Length(l.at[i].x)*step, Y: c.Max.Y - (vg.Length(l.at[i].depth)+0.5)*fall}
	}
	for i, n := range l.nodes {
		left, right := l.operands(i)
		for k, j := range []int{left, right} {
			if k < n.Op.Arity() {
				a, b := point(i), point(j)
				c.StrokeLine2(draw.LineStyle{Color: s.muted, Width: vg.Points(0.9)}, a.X, a.Y, b.X, b.Y)
			}
		}
	}
	for i, n := range l.nodes {
		edge := s.series[2] // colour of constants
		switch {
		case n.Op == expr.Var:
			edge = s.data()
		case n.Op.Arity() > 0:
			edge = s.muted
		}
		l.node(c, s, point(i), r, step, edge, l.label(i))
	}
}

// node draws a node as a disc, or wider to fit its label.
func (l *layout) node(c draw.Canvas, s style, at vg.Point, r, room vg.Length, edge color.RGBA, label string) {
	w := s.write(1, text.XCenter, text.YCenter)
	w, label = shrink(s, w, label, max(room-s.em(0.8), r), 0.6)
	half := max(textWidth(w, label)/2+s.em(0.15)-r*0.45, 0)
	var p vg.Path
	p.Move(vg.Point{X: at.X + half, Y: at.Y - r})
	p.Arc(vg.Point{X: at.X + half, Y: at.Y}, r, -halfTurn/2, halfTurn)
	p.Line(vg.Point{X: at.X - half, Y: at.Y + r})
	p.Arc(vg.Point{X: at.X - half, Y: at.Y}, r, halfTurn/2, halfTurn)
	p.Close()
	c.SetColor(s.tint(edge))
	c.Fill(p)
	c.SetColor(edge)
	c.SetLineWidth(vg.Points(0.9))
	c.SetLineDash(nil, 0)
	c.Stroke(p)
	c.FillText(w, at, label)
}

const halfTurn = 3.141592653589793
