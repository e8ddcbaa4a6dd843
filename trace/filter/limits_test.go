package filter

import (
	"testing"
	"time"
)

// TestWindowLimits: a window begins at 0 or later, and is not empty; a time at its end is outside.
func TestWindowLimits(t *testing.T) {
	for p, want := range map[[2]int64]string{
		{0, 0}: "", {5, 0}: "", {0, 1}: "", {5, 6}: "",
		{-1, 0}: "the window from -1ns to 0s begins or ends before the trace starts", {0, -1}: "the window from 0s to -1ns begins or ends before the trace starts",
		{5, 5}: "the window from 5ns to 5ns is empty", {5, 4}: "the window from 5ns to 4ns is empty",
	} {
		err := part(p).Check()
		if (err == nil) != (want == "") || err != nil && err.Error() != want {
			t.Errorf("%v: %v, want %q", p, err, want)
		}
	}
	for at, want := range map[int64]bool{4: false, 5: true, 6: true, 7: false} {
		if got := part([2]int64{5, 7}).HasTime(duration(at)); got != want {
			t.Errorf("%d ns is in the window from 5 to 7 ns: %t", at, got)
		}
	}
	if !part([2]int64{5, 0}).HasTime(duration(1<<40)) || part([2]int64{5, 0}).HasTime(4) {
		t.Error("a window without an end")
	}
	for _, c := range []struct {
		threads []string
		name    string
		tid     int64
		want    bool
	}{
		{nil, "main", 1, true}, {[]string{"main"}, "main", 1, true}, {[]string{"other", "main"}, "main", -1, true}, {[]string{"1"}, "main", 1, true},
		{[]string{"0"}, "main", 0, true}, {[]string{"-1"}, "main", -1, false}, {[]string{"other", "2"}, "main", 1, false},
	} {
		if got := (Part{Threads: c.threads}).HasThread(c.name, c.tid); got != c.want {
			t.Errorf("thread %s %d of %v: %t", c.name, c.tid, c.threads, got)
		}
	}
}

func duration(ns int64) time.Duration { return time.Duration(ns) }

func part(p [2]int64) Part { return Part{From: duration(p[0]), To: duration(p[1])} }
