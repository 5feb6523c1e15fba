package skeleton

import (
	"strconv"
	"strings"

	"github.com/physlib/lab/physlib/expr"
)

// String returns f as nested symbols, such as (product c (exp (product c x0))).
func (f *Tree) String() string {
	if f.Root < 0 || len(f.Nodes) == 0 {
		return ""
	}
	var b strings.Builder
	f.write(&b, f.Root)
	return b.String()
}

// write appends node a and its operands, in parentheses if it has any.
func (f *Tree) write(b *strings.Builder, a int32) {
	n := &f.Nodes[a]
	if n.First >= 0 {
		b.WriteByte('(')
	}
	if n.Symbol == Other {
		b.WriteString(expr.Op(n.Value).String())
	} else {
		b.WriteString(n.Symbol.String())
	}
	if n.Symbol == Var || n.Symbol == Param && n.Index >= 0 {
		b.WriteString(strconv.Itoa(int(n.Index)))
	}
	if n.Value != 0 && n.Symbol != Other {
		b.WriteString(" " + strconv.FormatFloat(n.Value, 'g', 6, 64))
	}
	for i := n.First; i >= 0; i = f.Nodes[i].Next {
		b.WriteByte(' ')
		f.write(b, i)
	}
	if n.First >= 0 {
		b.WriteByte(')')
	}
}
