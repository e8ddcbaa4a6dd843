package perfetto_test

import (
	"encoding/binary"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"artifice/format/internal/formattest"
	"artifice/format/internal/kind"
	"artifice/internal/testdata"
	"artifice/trace"
)

// at returns a time in ms on the clock of a trace that begins at 1 s.
func at(ms float64) int64 { return 1_000_000_000 + int64(ms*1e6) }

// TestStates checks states that are derived by hand from the events of format/internal/ftrace's
// test. Thread 77 is running on core 0 from 0 to 6 ms, waits for a device until 11, is runnable
// until 12, running until 13, sleeping until 15, and running until the end at 16 ms. Thread 78 is
// runnable from 2 ms on and running on core 1 from 6 to 10 ms. It waits for a kernel lock until 12
// ms, and has no later event. The bundle of core 1 comes first in the file.
func TestStates(t *testing.T) {
	event := func(ms float64, on, field int, fields ...any) []byte {
		return message(2, message(1, at(ms), 2, on, field, message(fields...)))
	}
	data := file(
		message(1, slices.Concat(message(1, 1),
			event(2, 78, 4, 2, 78, 4, 0x100, 6, 0),
			event(6, 0, 4, 2, 0, 4, 0, 6, 78),
			event(6, 78, 3, 2, "B|77|g\n"),
			event(7, 78, 3, 2, "E|77\n"),
			event(10, 78, 4, 2, 78, 4, 2, 6, 0),
			event(11, 0, 20, 2, 77),
			event(11, 0, 18, 1, 77, 3, 1),
			event(11.5, 0, 17, 2, 77),
			event(12, 0, 18, 1, 78, 3, 0),
			event(12, 0, 17, 2, 78))),
		message(1, slices.Concat(message(1, 0),
			event(0, 0, 4, 2, 0, 4, 0, 6, 77),
			event(0, 77, 3, 2, "B|77|f\n"),
			event(6, 77, 4, 2, 77, 4, 0x102, 6, 0),
			event(12, 0, 4, 2, 0, 4, 0, 6, 77),
			event(13, 77, 4, 2, 77, 4, 1, 6, 0),
			event(15, 0, 4, 2, 0, 4, 0, 6, 77),
			event(16, 77, 3, 2, "E|77\n"),
			event(16, 77, 4, 2, 77, 4, 16, 6, 0))))
	const ms = time.Millisecond
	checkStates(t, data, map[uint32]trace.ThreadStates{
		77: {OnCore: 8 * ms, Runnable: 1 * ms, Sleeping: 2 * ms, Uninterruptible: 5 * ms, Device: 5 * ms},
		78: {OnCore: 4 * ms, Runnable: 4 * ms, Uninterruptible: 2 * ms},
	})
}

// checkStates compares the states of a file's threads with want.
func checkStates(t *testing.T, data []byte, want map[uint32]trace.ThreadStates) {
	t.Helper()
	got := map[uint32]trace.ThreadStates{}
	for _, th := range formattest.MustOpen(t, data, kind.Config{}).Recording.Symbols.Threads {
		got[th.TID] = th.States
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

// TestCompactStates checks the same switches and wakings as columns (CompactSched). They contain
// neither devices nor the previous thread of a core's first switch, so the state of 78 is unknown
// before it is running.
func TestCompactStates(t *testing.T) {
	columns := func(core int, switches, states, next []int64, wakings, woken []int64) []byte {
		m := message(1, numbersOf(differences(switches)), 2, numbersOf(states), 3, numbersOf(next), 4, numbersOf(repeat(120, len(next))), 5, "comm", 6, numbersOf(repeat(0, len(next))))
		if len(woken) > 0 {
			m = slices.Concat(m, message(7, numbersOf(differences(wakings)), 8, numbersOf(woken), 9, numbersOf(repeat(0, len(woken))), 10, numbersOf(repeat(120, len(woken))), 11, numbersOf(repeat(0, len(woken)))))
		}
		return message(1, slices.Concat(message(1, core), message(4, m)))
	}
	mark := func(ms float64, tid int, text string) []byte {
		return message(1, slices.Concat(message(1, 0), message(2, message(1, at(ms), 2, tid, 3, message(2, text)))))
	}
	data := file(
		columns(1, []int64{at(2), at(6), at(10)}, []int64{0x100, 0, 2}, []int64{0, 78, 0}, []int64{at(11), at(12)}, []int64{77, 78}),
		columns(0, []int64{at(-1), at(0), at(6), at(12), at(13), at(15), at(16)}, []int64{0, 0, 2, 0, 1, 0, 16}, []int64{0, 77, 0, 77, 0, 77, 0}, nil, nil),
		mark(0, 77, "B|77|f\n"), mark(16, 77, "E|77\n"), mark(6, 78, "B|77|g\n"), mark(7, 78, "E|77\n"))
	const ms = time.Millisecond
	testdata.Save(t, "states.pftrace", data)
	checkStates(t, data, map[uint32]trace.ThreadStates{
		77: {OnCore: 8 * ms, Runnable: 1 * ms, Sleeping: 2 * ms, Uninterruptible: 5 * ms},
		78: {OnCore: 4 * ms, Uninterruptible: 2 * ms},
	})
}

// numbersOf returns numbers as a packed field.
func numbersOf(numbers []int64) (b []byte) {
	for _, v := range numbers {
		b = binary.AppendUvarint(b, uint64(v))
	}
	return b
}

// differences returns the first number, and the difference of each other number from the previous
// one.
func differences(of []int64) (d []int64) {
	last := int64(0)
	for _, v := range of {
		d, last = append(d, v-last), v
	}
	return d
}

func repeat(v int64, n int) (list []int64) {
	for range n {
		list = append(list, v)
	}
	return list
}
