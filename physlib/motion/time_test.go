package motion

import (
	"math"
	"strings"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/unit"
)

// The time is a column with a name or a unit of time that increases, else one that increases. A
// warning names a column that was guessed.
func TestGuessTime(t *testing.T) {
	const n = 40
	shapes := map[string]func(i float64) float64{
		"even":     func(i float64) float64 { return 0.1 * i },
		"uneven":   func(i float64) float64 { return i + 0.3*math.Sin(i) },
		"grows":    func(i float64) float64 { return 1 - math.Exp(-i/15) },
		"restarts": func(i float64) float64 { return math.Mod(i, n/2) },
		"wave":     func(i float64) float64 { return math.Sin(i / 2) },
		"fast":     func(i float64) float64 { return math.Sin(2 * i) },
	}
	kelvin, _ := unit.Parse("K")
	seconds, _ := unit.Parse("s")
	units := map[string]unit.Unit{"K": kelvin, "s": seconds}
	for _, c := range []struct{ table, want, warning string }{
		{"t even, x wave", "t", ""},
		{"day even, T wave", "day", ""},
		{"month uneven, T fast, h wave", "month", ""},
		{"T wave, Day restarts", "Day", ""},
		{"day even, t wave", "day", ""},
		{"when even s, t grows K", "when", ""},
		{"T even s, x wave", "T", ""},
		{"x grows, clock even", "clock", ""},
		{"T even, x wave", "T", "column T is read as the time, as only it increases"},
		{"stamp even, T grows", "stamp", "column stamp is read as the time, not T"},
		{"x grows, T even", "T", "column T is read as the time, not x"},
		{"x wave, v fast, q uneven", "q", "column q is read as the time, as only it increases"},
		{"x wave, v fast, q restarts", "q", "column q is read as the time, as only it increases"},
		{"h grows K, q uneven, x wave", "q", "column q is read as the time, not h"},
		{"year even, t even, x wave", "t", "column t is read as the time, not year"},
	} {
		table := &dataset.Table{Name: "a.csv"}
		for _, text := range strings.Split(c.table, ", ") {
			word := append(strings.Fields(text), "")
			column := dataset.Column{Name: word[0]}
			column.Unit, column.HasUnit = units[word[2]]
			for i := range n {
				column.Values = append(column.Values, shapes[word[1]](float64(i)))
			}
			table.Vars = append(table.Vars, column)
		}
		last := len(table.Vars) - 1
		table.Vars, table.Target = table.Vars[:last], table.Vars[last]
		tr, warnings, err := Read(table, Options{AllRows: true})
		if err != nil {
			t.Errorf("%s: %v", c.table, err)
			continue
		}
		said := strings.Join(warnings, "\n")
		if tr.Time.Name != c.want || !strings.Contains(said, c.warning) || (said == "") != (c.warning == "") {
			t.Errorf("%s: the time is %s, warnings %q", c.table, tr.Time.Name, warnings)
		}
	}
}

// If the time goes back often, the error or the warning names a column that increases throughout.
func TestOtherTime(t *testing.T) {
	for _, c := range []struct {
		option string
		back   func(i int) float64
		want   string
	}{
		{"", func(i int) float64 { return math.Sin(2 * float64(i)) }, "name q, which increases throughout, with --time-column"},
		{"t", func(i int) float64 { return math.Sin(float64(i) / 8) }, "as t goes back 50 times; if the time is q, which increases throughout, name it with --time-column"},
	} {
		table := &dataset.Table{Name: "a.csv", Vars: []dataset.Column{{Name: "t"}, {Name: "x"}}, Target: dataset.Column{Name: "q"}}
		for i := range 100 {
			table.Vars[0].Values = append(table.Vars[0].Values, c.back(i))
			table.Vars[1].Values = append(table.Vars[1].Values, math.Cos(float64(i)/8))
			table.Target.Values = append(table.Target.Values, float64(i)+0.3*math.Sin(float64(i)))
		}
		_, warnings, err := Read(table, Options{Time: c.option, AllRows: true})
		said := strings.Join(warnings, "\n")
		if err != nil {
			said = err.Error()
		}
		if !strings.Contains(said, c.want) {
			t.Errorf("said %q, want %q", said, c.want)
		}
	}
}
