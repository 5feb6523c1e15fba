package notebook

import (
	"encoding/gob"
	"encoding/json"
	"fmt"
	"html"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/protocol"

	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/figure"
	"github.com/physlib/lab/physlib/law"
)

// Show shows things below the cell in turn. They are laws (law.Law), fronts of laws, tables
// (*dataset.Table), pictures (figure.Picture), figure.Contents, and results (*discover.Result),
// with front, law and verdict. A string is Markdown with formulas between $ signs. Anything else is
// printed.
func Show(things ...any) {
	for _, x := range things {
		for _, c := range contents(x) {
			send("", c)
		}
	}
	gonbui.Sync()
}

// Theme returns the theme of pictures: figure.Dark after `%env PHYSLIB_THEME dark`, else
// figure.Light.
func Theme() figure.Theme {
	if os.Getenv("PHYSLIB_THEME") == "dark" {
		return figure.Dark
	}
	return figure.Light
}

// contents returns the outputs that show x.
func contents(x any) []figure.Contents {
	switch x := x.(type) {
	case figure.Contents:
		return []figure.Contents{x}
	case string:
		return []figure.Contents{{"text/markdown": x, "text/plain": x}}
	case *discover.Result:
		return result(x)
	}
	c, err := figure.Display(x, figure.Options{Theme: Theme()})
	if err != nil {
		if p, picture := x.(figure.Picture); picture {
			Check(fmt.Errorf("a picture of %s cannot be drawn: %w", p.Alt, err))
		}
		c = figure.Contents{"text/plain": fmt.Sprint(x)}
	}
	return []figure.Contents{c}
}

// result returns the outputs that show the result of a search.
func result(r *discover.Result) (all []figure.Contents) {
	for _, w := range r.Warnings {
		all = append(all, contents("*warning:* "+w)...)
	}
	if len(r.Front) > 0 {
		all = append(all, contents(r.Front)...)
	}
	if len(r.Best.Tree.Nodes()) == 0 {
		return append(all, contents("**No law better than a constant was found.** "+sentence(r.Verdict))...)
	}
	all = append(all, contents(r.Best)...)
	return append(all, contents(fmt.Sprintf("%s %s candidates were evaluated; the search ended: %s.", sentence(r.Verdict), grouped(r.Evaluations), r.Stopped))...)
}

// sentence returns text with an initial capital and a full stop.
func sentence(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:] + "."
}

// grouped returns n with spaces between groups of three digits.
func grouped(n int64) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + " " + s[i:]
	}
	return s
}

// send sends an output to the page. It becomes a new output, or replaces the earlier output with
// the same id. Outside of a kernel send prints the text.
func send(id string, c figure.Contents) {
	if !gonbui.IsNotebook {
		if text, ok := c["text/plain"].(string); ok {
			fmt.Println(strings.TrimRight(text, "\n"))
		}
		return
	}
	data := make(map[protocol.MIMEType]any, len(c))
	for mime, content := range c {
		switch content.(type) {
		case string, []byte:
			data[protocol.MIMEType(mime)] = content
		default: // GoNB can carry JSON only as plain maps and slices
			if plain, err := jsonValue(content); err == nil {
				data[protocol.MIMEType(mime)] = plain
			}
		}
	}
	gonbui.SendData(&protocol.DisplayData{DisplayID: id, Data: data})
}

func init() {
	gob.Register(map[string]any{})
	gob.Register([]any{})
}

// jsonValue returns the value that results from encoding x as JSON and decoding it. GoNB's protocol
// has no null, so nulls are omitted from objects. In Vega-Lite this means the same, except for a
// stroke: there null means that there is no stroke.
func jsonValue(x any) (any, error) {
	text, err := json.Marshal(x)
	if err != nil {
		return nil, err
	}
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		return nil, err
	}
	return withoutNull(v), nil
}

// withoutNull removes nulls from objects, and replaces nulls in arrays by empty strings.
func withoutNull(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for key, x := range v {
			switch {
			case x == nil && key == "stroke":
				v[key] = "transparent"
			case x == nil:
				delete(v, key)
			default:
				v[key] = withoutNull(x)
			}
		}
	case []any:
		for i, x := range v {
			if x == nil {
				v[i] = ""
				continue
			}
			v[i] = withoutNull(x)
		}
	}
	return v
}

// Columns returns a table for [Show] and [Area.Show]: a header and rows of text. Columns of numbers
// are right-aligned.
func Columns(header []string, rows ...[]string) figure.Contents {
	var page strings.Builder
	widths := make([]int, len(header))
	for i, h := range header {
		widths[i] = utf8.RuneCountInString(h)
	}
	for _, r := range rows {
		for i, c := range r[:min(len(r), len(widths))] {
			widths[i] = max(widths[i], utf8.RuneCountInString(c))
		}
	}
	var plain strings.Builder
	page.WriteString("<table><thead>")
	for k, r := range append([][]string{header}, rows...) {
		tag := "td"
		if k == 0 {
			tag = "th"
		}
		page.WriteString("<tr>")
		for i := range header {
			cell := ""
			if i < len(r) {
				cell = r[i]
			}
			side, space := "left", strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if numeric(rows, i) {
				side = "right"
				plain.WriteString(space + cell + "  ")
			} else {
				plain.WriteString(cell + space + "  ")
			}
			fmt.Fprintf(&page, `<%s style="text-align:%s">%s</%s>`, tag, side, html.EscapeString(cell), tag)
		}
		page.WriteString("</tr>")
		if k == 0 {
			page.WriteString("</thead><tbody>")
		}
		text := strings.TrimRight(plain.String(), " ")
		plain.Reset()
		plain.WriteString(text + "\n")
	}
	page.WriteString("</tbody></table>")
	return figure.Contents{"text/html": page.String(), "text/plain": plain.String()}
}

// numeric reports whether each non-empty cell of a column begins like a number.
func numeric(rows [][]string, column int) bool {
	for _, r := range rows {
		if column >= len(r) || r[column] == "" {
			continue
		}
		if c := r[column][0]; (c < '0' || c > '9') && c != '-' && c != '+' && c != '.' {
			return false
		}
	}
	return true
}

// page returns things as HTML in the colours of the surrounding page, for areas that change.
func page(things ...any) string {
	var b strings.Builder
	b.WriteString(`<div style="--ink:var(--jp-content-font-color1);--grid:var(--jp-border-color2);--muted:var(--jp-content-font-color3);--paper:transparent">`)
	for _, x := range things {
		switch x := x.(type) {
		case figure.Picture:
			svg, err := x.SVG(figure.Options{})
			if err != nil {
				b.WriteString("<p>" + html.EscapeString(err.Error()) + "</p>")
				continue
			}
			b.WriteString("<div>" + string(figure.Themed([]byte(svg))) + "</div>")
		case law.Law:
			// Four digits suffice while the law still changes.
			shown, err := expr.Parse(x.Display(4), x.Vars)
			if err != nil {
				shown = x.Bound()
			}
			b.WriteString(`<p style="font-size:120%;overflow-x:auto;padding:4px 0">` + figure.MathML(x.Target, shown, x.Vars) + "</p>")
		case error:
			b.WriteString(`<p style="color:var(--jp-error-color1)">` + html.EscapeString(x.Error()) + "</p>")
		case string:
			b.WriteString("<p>" + html.EscapeString(x) + "</p>")
		default:
			for _, c := range contents(x) {
				if h, ok := c["text/html"].(string); ok {
					b.WriteString(h)
				} else if t, ok := c["text/plain"].(string); ok {
					b.WriteString("<pre>" + html.EscapeString(t) + "</pre>")
				}
			}
		}
	}
	b.WriteString("</div>")
	return b.String()
}
