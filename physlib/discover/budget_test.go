package discover

import (
	"testing"
	"time"
)

func TestShare(t *testing.T) {
	for _, c := range []struct {
		ways, rows int
		want       time.Duration
	}{
		{1, 100, 10500 * time.Millisecond},
		{2, 100, 6 * time.Second},
		{1, largeRows, 10500 * time.Millisecond},
		{2, largeRows, 9 * time.Second},
		{1, largeRows * 5 / 3, 10 * time.Second},
		{1, 2 * largeRows, 9 * time.Second},
		{1, 100 * largeRows, 9 * time.Second},
	} {
		if got := share(12*time.Second, c.ways, c.rows); got != c.want {
			t.Errorf("%d ways, %d rows: %v, want %v", c.ways, c.rows, got, c.want)
		}
	}
}
