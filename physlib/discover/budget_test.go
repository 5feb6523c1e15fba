package discover

import (
	"testing"
	"time"
)

func TestShare(t *testing.T) {
	for _, c := range []struct {
		ways, rows, vars int
		want             time.Duration
	}{
		{1, 100, 2, 10500 * time.Millisecond},
		{2, 100, 2, 6 * time.Second},
		{2, 100, fewVars + 1, 9 * time.Second},
		{1, largeRows, 2, 10500 * time.Millisecond},
		{2, largeRows, 2, 9 * time.Second},
		{1, largeRows * 5 / 3, 2, 10 * time.Second},
		{1, 2 * largeRows, 2, 9 * time.Second},
		{1, 100 * largeRows, 2, 9 * time.Second},
	} {
		if got := timeOfWay(12*time.Second, c.ways, c.rows, c.vars); got != c.want {
			t.Errorf("%d ways, %d rows, %d variables: %v, want %v", c.ways, c.rows, c.vars, got, c.want)
		}
	}
}

// A share of the shortest limit is a limit as well, since 0 would mean none.
func TestShareOfShortLimit(t *testing.T) {
	if d := (budget{limit: 1}).timeShare(0.5); d <= 0 {
		t.Errorf("half of a nanosecond is %v", d)
	}
	if d := (budget{limit: -1}).timeShare(0.5); d > 0 {
		t.Errorf("half of no limit is %v", d)
	}
}

// The ranking of a table with many rows ends earlier, since the chosen law is then fitted to them.
func TestRankingEnds(t *testing.T) {
	b := budget{start: time.Now(), limit: 20 * time.Second}
	for rows, want := range map[int]time.Duration{100: 22 * time.Second, 1_000_000: 21 * time.Second, 10_000_000: 20 * time.Second} {
		ctx, cancel := b.rankingContext(t.Context(), rows)
		end, _ := ctx.Deadline()
		if got := end.Sub(b.start); (got - want).Abs() > time.Millisecond {
			t.Errorf("%d rows: the ranking ends after %v, want %v", rows, got, want)
		}
		cancel()
	}
}
