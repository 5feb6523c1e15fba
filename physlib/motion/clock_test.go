package motion

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/physlib/lab/physlib/dataset"
)

// A time in columns of its parts is one time, also past midnight and at the end of a year. Columns
// that are no such parts, or whose sum goes back, stay apart.
func TestJoinClock(t *testing.T) {
	const n = 60
	begin := time.Date(2023, 12, 30, 9, 0, 0, 0, time.UTC)
	at := func(i int, step time.Duration) time.Time { return begin.Add(time.Duration(i) * step) }
	part := map[string]func(time.Time) int{
		"year": time.Time.Year, "month": func(t time.Time) int { return int(t.Month()) }, "day": time.Time.Day,
		"doy": time.Time.YearDay, "hour": time.Time.Hour, "minute": time.Time.Minute, "height": time.Time.Hour,
		"run": func(t time.Time) int { return int(t.Sub(begin) / (30 * time.Hour)) },
	}
	for _, c := range []struct {
		columns, want string
		step          time.Duration
		per           time.Duration // unit of the joined time; 0: the columns stay apart
		runs          int
	}{
		{"day hour x", "hour", 30 * time.Minute, time.Hour, 1},
		{"year month day hour x", "hour", time.Hour, time.Hour, 1},
		{"month day hour x", "", time.Hour, 0, 0},
		{"day hour minute x", "minute", 20 * time.Minute, time.Minute, 1},
		{"hour minute x", "minute", 7 * time.Minute, time.Minute, 1},
		{"year month day x", "day", 24 * time.Hour, 24 * time.Hour, 1},
		{"run day hour x", "hour", time.Hour / 2, time.Hour, 1},
		{"doy height x", "", time.Hour, 0, 0},
	} {
		table := &dataset.Table{Name: "a.csv"}
		for _, name := range strings.Fields(c.columns) {
			column := dataset.Column{Name: name}
			for i := range n {
				v := math.Exp(-float64(i) / 20)
				if name != "x" {
					now := at(i, c.step)
					v = float64(part[name](now))
					if name == "hour" && !strings.Contains(c.columns, "minute") {
						v += float64(now.Minute()) / 60
					}
				}
				column.Values = append(column.Values, v)
			}
			table.Vars = append(table.Vars, column)
		}
		last := len(table.Vars) - 1
		table.Vars, table.Target = table.Vars[:last], table.Vars[last]
		tr, warnings, err := Read(table, Options{AllRows: true})
		joined := strings.Contains(strings.Join(warnings, "\n"), " are read as ")
		if c.per == 0 {
			if joined {
				t.Errorf("%s: joined", c.columns)
			}
			continue
		}
		if err != nil || !joined || tr.Time.Name != c.want || len(tr.Runs) != c.runs {
			t.Errorf("%s: joined %v, %v, %v", c.columns, joined, err, warnings)
			continue
		}
		for i, v := range tr.Time.Values {
			if want := float64(at(i, c.step).Sub(begin))/float64(c.per) + tr.Time.Values[0]; math.Abs(v-want) > 1e-9 {
				t.Errorf("%s: %s is %g in row %d, want %g", c.columns, c.want, v, i, want)
				break
			}
		}
		if kept, _, err := Read(table, Options{AllRows: true, Time: c.want}); err == nil && slices.Equal(kept.Time.Values, tr.Time.Values) {
			t.Errorf("%s: joined although the time is named", c.columns)
		}
	}
}
