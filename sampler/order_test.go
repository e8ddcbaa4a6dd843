package sampler

import (
	"fmt"
	"slices"
	"testing"

	"artifice/trace"
)

// TestThreadsAreWalkedInOrder checks that a sample walks 200 threads in list order, whatever the
// order of their changes. In Dalvik's list, the newest thread is first after main.
func TestThreadsAreWalkedInOrder(t *testing.T) {
	const threads, step = 200, 77 // no common divisor, so each index occurs once
	var lines []string
	for i := range threads { // threads attach in the order of their names
		lines = append(lines, fmt.Sprintf("0ms t%03d +a", i), fmt.Sprintf("0ms t%03d -a", i))
	}
	for i := range threads {
		lines = append(lines, fmt.Sprintf("1ms t%03d +b", i*step%threads))
	}
	lines = append(lines, "3ms t000 +c")
	var upward []trace.ThreadID
	for i := range threads {
		upward = append(upward, trace.ThreadID(i))
	}
	downward := slices.Clone(upward[1:])
	slices.Reverse(downward)
	for _, test := range []struct {
		cfg  Config
		want []trace.ThreadID
	}{
		{Config{Phase: 2 * ms, KeepSymbols: true}, upward},
		{Config{Phase: 2 * ms, KeepSymbols: true, Runtime: dalvik}, slices.Concat(upward[:1], downward)},
	} {
		rec := script(t, trace.Truth, lines...)
		out := &collect{}
		s, err := New(rec, test.cfg, out)
		if err != nil {
			t.Fatal(err)
		}
		if err := Run(rec, s); err != nil {
			t.Fatal(err)
		}
		var got []trace.ThreadID
		for _, e := range out.Events[:threads] {
			got = append(got, e.Thread)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: threads %v, want %v", s.cfg.Runtime.Name, got, test.want)
		}
	}
}
