package measure

import (
	"testing"
	"time"
)

// TestInOrder: by hand. 110 is not more than 1.1 times 100, and 111 is.
func TestInOrder(t *testing.T) {
	all := []int64{1, 1, 1, 1}
	for _, c := range []struct {
		truth, seen []time.Duration
		calls       []int64
		want        bool
	}{
		{[]time.Duration{100, 95, 50, 10}, []time.Duration{40, 60, 30, 20}, all, true},
		{[]time.Duration{100, 95, 50, 10}, []time.Duration{40, 60, 45, 20}, all, false},
		{[]time.Duration{100, 95, 50, 10}, []time.Duration{40, 60, 40, 20}, all, false}, // equal is no order
		{[]time.Duration{100, 95, 50, 10}, []time.Duration{40, 60, 30, 90}, all, true},  // the fourth is not asked for
		{[]time.Duration{100, 95, 50, 10}, []time.Duration{40, 60, 30, 20}, []int64{1, 1, 0, 1}, false},
		{[]time.Duration{110, 100}, []time.Duration{1, 2}, all, true},
		{[]time.Duration{111, 100}, []time.Duration{1, 2}, all, false},
		{[]time.Duration{0, 7, 0}, []time.Duration{3, 1, 3}, []int64{0, 1, 0}, true}, // one alone has time
		{[]time.Duration{0, 7, 0}, []time.Duration{3, 0, 3}, []int64{0, 0, 0}, false},
		{[]time.Duration{5, 9, 5, 5}, []time.Duration{1, 3, 2, 2}, []int64{1, 1, 1, 0}, true}, // of equals the first two
		{nil, nil, nil, true},
	} {
		if got := InOrder(c.truth, c.seen, c.calls, 3, 1.1); got != c.want {
			t.Errorf("truth %d, seen %d, calls %d: %t", c.truth, c.seen, c.calls, got)
		}
	}
}
