package figure

import (
	"math"
	"slices"
	"strconv"

	"github.com/physlib/lab/physlib/law"
)

// VegaMIME is the MIME type of a picture's interactive form, which JupyterLab draws without network
// access.
const VegaMIME = "application/vnd.vegalite.v5+json"

// VegaLite returns the interactive form of the picture: the pointer shows values, the wheel zooms,
// a click in the legend selects a series. The form contains its data. ok is false for pictures
// without an interactive form.
func (p Picture) VegaLite(o Options) (spec map[string]any, ok bool) {
	if p.vega == nil || p.err != nil {
		return nil, false
	}
	s := o.style()
	spec = p.vega(s)
	w, h := p.size(o)
	// inner is the number of pixels per cm, multiplied by the share of the picture that the data
	// occupy.
	const inner = 96 / 2.54 * 0.82
	spec["$schema"] = "https://vega.github.io/schema/vega-lite/v5.json"
	if _, parts := spec["vconcat"]; !parts {
		spec["width"], spec["height"] = math.Round(w*inner), math.Round(h*inner)
	}
	spec["config"] = vegaConfig(s)
	spec["description"] = p.Alt
	if o.Title != "" {
		spec["title"] = o.Title
	}
	return spec, true
}

// vegaConfig returns the Vega-Lite configuration of the house style.
func vegaConfig(s style) map[string]any {
	size := math.Round(s.text * 96 / 72)
	axis := map[string]any{"labelColor": hex(s.ink), "titleColor": hex(s.ink), "gridColor": hex(s.grid), "domainColor": hex(s.muted),
		"tickColor": hex(s.muted), "labelFontSize": size, "titleFontSize": size + 1, "titleFontWeight": "normal"}
	return map[string]any{
		"background": hex(s.paper),
		"font":       "Liberation Sans, Arial, Helvetica, sans-serif",
		"axis":       axis,
		"legend":     map[string]any{"labelColor": hex(s.ink), "titleColor": hex(s.ink), "orient": "top", "labelFontSize": size, "labelLimit": 400},
		"title":      map[string]any{"color": hex(s.ink), "fontSize": size + 3, "anchor": "start", "fontWeight": "normal"},
		"view":       map[string]any{"stroke": nil},
		"range":      map[string]any{"category": hexes(s.series)},
	}
}

// position returns the encoding channel of a field on an axis.
func position(field string, a axis) map[string]any {
	scale := map[string]any{"zero": false, "nice": false, "domain": []any{a.value(a.low), a.value(a.high)}}
	if a.log {
		scale["type"] = "log"
	}
	c := map[string]any{"field": field, "type": "quantitative", "title": plainPowers(a.label), "scale": scale}
	if a.fixed != nil {
		values := make([]any, len(a.fixed))
		for i, t := range a.fixed {
			values[i] = a.value(t.Value)
		}
		c["axis"] = map[string]any{"values": values}
	}
	return c
}

// value returns the value at a position of the axis.
func (a axis) value(at float64) float64 {
	if a.log {
		return math.Pow(10, at)
	}
	return at
}

// finite returns v. For NaN and infinities, which JSON lacks, it returns nil, which becomes null.
func finite(v float64) any {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return v
}

// tooltip returns a line of a tooltip. format is the number format; it is "" for text.
func tooltip(field, title, format string) map[string]any {
	t := map[string]any{"field": field, "title": title}
	if format != "" {
		t["format"], t["type"] = format, "quantitative"
	}
	return t
}

// zoom returns a parameter with which the wheel and dragging move both axes.
func zoom() map[string]any {
	return map[string]any{"name": "zoom", "select": "interval", "bind": "scales"}
}

// encoding is an object of a Vega-Lite specification.
type encoding = map[string]any

// vegaSeries holds series for Vega-Lite: rows, names and colours, and the names of series by mark.
type vegaSeries struct {
	rows, names, hues              []any
	dotted, lined, stepped, dashed []any
	// Whether some rows have notes, and whether some have intervals.
	noted, banded bool
}

func vegaLines(series []Series, x, y Axis, h, v axis, s style) map[string]any {
	var all vegaSeries
	for i, line := range series {
		all.add(i, line, h, v, s)
	}
	pick := encoding{"name": "pick", "select": encoding{"type": "point", "fields": []any{"series"}}, "bind": "legend"}
	dim := encoding{"condition": encoding{"param": "pick", "value": 1}, "value": 0.15}
	tips := []any{tooltip("series", " ", ""), tooltip("x", x.Label, ".5~g"), tooltip("y", y.Label, ".4~g")}
	if all.banded {
		tips = append(tips, tooltip("low", "from", ".4~g"), tooltip("high", "to", ".4~g"))
	}
	if all.noted {
		tips = append(tips, tooltip("note", " ", ""))
	}
	layers := all.layers(v)
	// Each point also gets a large invisible point, which is easy to hit with the pointer.
	layers = append(layers, encoding{"mark": encoding{"type": "point", "filled": true, "size": 90, "opacity": 0, "clip": true, "tooltip": true},
		"params": []any{pick, zoom()}, "encoding": encoding{"opacity": encoding{"value": 0}, "tooltip": tips}})
	legend := any(encoding{"title": nil})
	if len(series) < 2 {
		legend = nil
	}
	if all.rows == nil {
		all.rows = []any{}
	}
	return map[string]any{
		"data": encoding{"values": all.rows},
		"encoding": encoding{"x": position("x", h), "y": position("y", v), "opacity": dim,
			"color": encoding{"field": "series", "type": "nominal", "scale": encoding{"domain": all.names, "range": all.hues}, "legend": legend}},
		"layer": layers,
	}
}

// add appends a series with index i. It omits points that have no position on the axes h and v.
func (all *vegaSeries) add(i int, line Series, h, v axis, s style) {
	name := line.Name
	if name == "" {
		name = strconv.Itoa(i + 1)
	}
	all.names, all.hues = append(all.names, name), append(all.hues, hex(line.hue(i, s)))
	switch {
	case line.Loose || len(line.X) == 1:
		all.dotted = append(all.dotted, name)
	case line.Steps:
		all.stepped = append(all.stepped, name)
	case line.Dashed:
		all.dashed = append(all.dashed, name)
	default:
		all.lined = append(all.lined, name)
	}
	if line.Dots && !line.Loose {
		all.dotted = append(all.dotted, name)
	}
	for k := range line.X {
		if math.IsNaN(h.at(line.X[k])) || math.IsNaN(v.at(line.Y[k])) {
			continue
		}
		row := encoding{"series": name, "x": line.X[k], "y": line.Y[k]}
		if line.Low != nil {
			row["low"], row["high"], all.banded = finite(line.Low[k]), finite(line.High[k]), true
		}
		if line.Notes != nil {
			row["note"], all.noted = line.Notes[k], true
		}
		all.rows = append(all.rows, row)
	}
}

// layers returns a layer for the intervals of all series, then one for each kind of mark.
func (all *vegaSeries) layers(v axis) (layers []any) {
	if all.banded {
		layers = append(layers, encoding{"transform": []any{encoding{"filter": "isValid(datum.low)"}}, "mark": encoding{"type": "rule", "clip": true, "opacity": 0.5},
			"encoding": encoding{"y": position("low", v), "y2": encoding{"field": "high"}}})
	}
	add := func(of []any, mark encoding) {
		if len(of) > 0 {
			mark["clip"] = true
			only := encoding{"filter": encoding{"field": "series", "oneOf": of}}
			layers = append(layers, encoding{"transform": []any{only}, "mark": mark})
		}
	}
	add(all.lined, encoding{"type": "line", "strokeWidth": 1.6})
	add(all.stepped, encoding{"type": "line", "strokeWidth": 1.6, "interpolate": "step-after"})
	add(all.dashed, encoding{"type": "line", "strokeWidth": 1.6, "strokeDash": []any{5, 3}})
	add(all.dotted, encoding{"type": "point", "filled": true, "size": 28})
	return layers
}

// vegaFront returns the specification of a front. The tooltip has the law, its error, its
// complexity, and whether its units balance, if that is known.
func vegaFront(laws []law.Law, errors []float64, mark int, front []int, target string, s style) map[string]any {
	type encoding = map[string]any
	rows := []any{}
	complexity := make([]float64, len(laws))
	tips := []any{tooltip("law", "law", ""), tooltip("complexity", "complexity [bit]", ".1f"), tooltip("error", "error", ".3~g"),
		tooltip("r2", "R²", ".8~g"), tooltip("score", "score [bit]", ".1f")}
	if knowUnits(laws...) {
		tips = append(tips, tooltip("units", "units", ""))
	}
	tips = append(tips, tooltip("proposer", "proposed by", ""))
	for i, l := range laws {
		complexity[i] = l.Complexity
		left := l.Target
		if left == "" {
			left = "y"
		}
		rows = append(rows, encoding{"law": left + " = " + l.Display(0), "complexity": finite(l.Complexity), "shown": finite(errors[i]), "error": finite(l.RMSE),
			"r2": finite(l.R2), "score": finite(l.Score), "units": balance(l), "proposer": l.Proposer, "chosen": i == mark, "front": slices.Contains(front, i)})
	}
	x := newAxis("complexity [bit]", false, complexity)
	y := newAxis("root-mean-square error of "+target, true, errors)
	return map[string]any{
		"data":     encoding{"values": rows},
		"encoding": encoding{"x": position("complexity", x), "y": position("shown", y)},
		"layer": []any{
			encoding{"transform": []any{encoding{"filter": "datum.front"}},
				"mark": encoding{"type": "line", "interpolate": "step-after", "color": hex(s.muted), "strokeWidth": 1.2, "clip": true}},
			encoding{"params": []any{zoom()},
				"mark": encoding{"type": "point", "filled": true, "size": 60, "opacity": 1, "clip": true},
				"encoding": encoding{
					"color":   encoding{"condition": encoding{"test": "datum.chosen", "value": hex(s.chosen())}, "value": hex(s.data())},
					"size":    encoding{"condition": encoding{"test": "datum.chosen", "value": 130}, "value": 50},
					"tooltip": tips}},
		},
	}
}

// vegaFit returns the specification of measured against predicted values, above the residuals. The
// tooltip has the number of the row, both values and the residual.
func vegaFit(f comparison, s style) map[string]any {
	type encoding = map[string]any
	rows := []any{}
	for i := range f.measured {
		if math.IsNaN(f.x.at(f.measured[i])) || math.IsNaN(f.y.at(f.predicted[i])) {
			continue
		}
		rows = append(rows, encoding{"row": i + 1, "measured": f.measured[i], "predicted": f.predicted[i], "rest": finite(f.rest[i])})
	}
	tips := []any{tooltip("row", "point", ""), tooltip("measured", "measured "+f.label, ".6~g"), tooltip("predicted", "predicted", ".6~g"), tooltip("rest", f.restLabel, ".3~g")}
	hover := encoding{"name": "hover", "select": encoding{"type": "point", "on": "pointerover", "clear": "pointerout", "fields": []any{"row"}}}
	point := encoding{"type": "point", "filled": true, "opacity": 1, "clip": true}
	look := func(x, y encoding) encoding {
		return encoding{"x": x, "y": y, "tooltip": tips,
			"color": encoding{"condition": encoding{"param": "hover", "empty": false, "value": hex(s.chosen())}, "value": hex(s.data())},
			"size":  encoding{"condition": encoding{"param": "hover", "empty": false, "value": 120}, "value": 24}}
	}
	predicted := f.y
	predicted.label = "predicted " + f.label
	above := position("predicted", predicted)
	ends := []any{encoding{"a": f.x.value(f.x.low)}, encoding{"a": f.x.value(f.x.high)}}
	measured := f.x
	return map[string]any{
		"data": encoding{"values": rows},
		"vconcat": []any{
			encoding{"width": 420, "height": 260, "layer": []any{
				encoding{"data": encoding{"values": ends}, "mark": encoding{"type": "line", "strokeDash": []any{5, 3}, "color": hex(s.chosen()), "clip": true},
					"encoding": encoding{"x": position("a", predicted), "y": position("a", measured)}},
				encoding{"params": []any{hover}, "mark": point, "encoding": look(above, position("measured", measured))},
			}},
			encoding{"width": 420, "height": 110, "layer": []any{
				encoding{"data": encoding{"values": []any{encoding{}}}, "mark": encoding{"type": "rule", "strokeDash": []any{5, 3}, "color": hex(s.chosen())},
					"encoding": encoding{"y": encoding{"datum": 0}}},
				encoding{"mark": point, "encoding": look(above, position("rest", f.restY))},
			}},
		},
	}
}

// vegaHeat returns the specification of a matrix. The tooltip has a cell's value.
func vegaHeat(m Matrix) map[string]any {
	type encoding = map[string]any
	rows := []any{}
	name := func(names []string, i int) any {
		if names != nil {
			return names[i]
		}
		return i
	}
	for r, row := range m.Values {
		for k, v := range row {
			rows = append(rows, encoding{"r": r, "c": k, "row": name(m.Rows, r), "column": name(m.Columns, k), "value": finite(v)})
		}
	}
	axis := func(field, by, title string) encoding {
		return encoding{"field": field, "type": "ordinal", "title": title, "sort": encoding{"field": by}, "axis": encoding{"labelOverlap": true}}
	}
	return map[string]any{
		"data": encoding{"values": rows},
		"mark": encoding{"type": "rect"},
		"encoding": encoding{"x": axis("column", "c", m.X), "y": axis("row", "r", m.Y),
			"color":   encoding{"field": "value", "type": "quantitative", "scale": m.vegaScale(), "legend": encoding{"title": m.Label, "orient": "right"}},
			"tooltip": []any{tooltip("row", orElse(m.Y, "row"), ""), tooltip("column", orElse(m.X, "column"), ""), tooltip("value", orElse(m.Label, "value"), ".4~g")}},
	}
}

func (m Matrix) vegaScale() map[string]any {
	return map[string]any{"range": hexes(m.scale()), "domain": []any{m.Low, m.High}, "type": "linear"}
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// vegaFilm returns the specification of a film. The tooltip has the likeliest tokens of a
// position.
func vegaFilm(f Film, s style) map[string]any {
	type encoding = map[string]any
	rows := []any{}
	for k, frame := range f.Frames {
		for r, cell := range frame.Cells {
			top := ""
			for i, g := range cell.Top {
				if i > 0 {
					top += ", "
				}
				top += g.Token + " " + short(g.P, 2)
			}
			rows = append(rows, encoding{"step": k + 1, "position": r, "token": cell.Token, "p": cell.p(), "fixed": cell.Shown, "top": top})
		}
	}
	m := Matrix{High: 1}
	return map[string]any{
		"data": encoding{"values": rows},
		"mark": encoding{"type": "rect", "strokeWidth": 1},
		"encoding": encoding{
			"x":       encoding{"field": "step", "type": "ordinal", "title": "refinement step", "axis": encoding{"labelOverlap": true}},
			"y":       encoding{"field": "position", "type": "ordinal", "title": "position"},
			"color":   encoding{"field": "p", "type": "quantitative", "scale": m.vegaScale(), "legend": encoding{"title": "probability of the token", "orient": "right"}},
			"stroke":  encoding{"condition": encoding{"test": "datum.fixed", "value": hex(s.chosen())}, "value": nil},
			"tooltip": []any{tooltip("token", "token", ""), tooltip("p", "probability", ".3f"), tooltip("fixed", "fixed", ""), tooltip("top", "likeliest", "")},
		},
	}
}
