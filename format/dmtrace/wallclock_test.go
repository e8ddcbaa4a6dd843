package dmtrace

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"artifice/internal/testdata"
)

// at is an event of a generated file: its thread and its true times.
type at struct {
	tid       uint16
	wall, cpu time.Duration
}

// madeLong returns a classic file with dual clocks and the given elapsed time, or a streaming file
// if elapsed is negative. Records have the low 32 bits of microseconds, in the given order. Enters
// and exits of each thread alternate.
func madeLong(elapsed time.Duration, events []at) []byte {
	var recs []rec
	open := map[uint16]uint32{}
	for _, e := range events {
		recs = append(recs, rec{e.tid, 0x10 | open[e.tid], []uint32{uint32(e.cpu.Microseconds()), uint32(e.wall.Microseconds())}})
		open[e.tid] ^= 1
	}
	if elapsed < 0 {
		summary := madeSummary(madeKey(3, "clock=dual", fmt.Sprintf("elapsed-time-usec=%d", (-elapsed).Microseconds()), "vm=art"))
		return append(append(madeHeader(0xf3, 14), madeRecords(2, recs...)...), summary...)
	}
	key := madeKey(3, "clock=dual", fmt.Sprintf("elapsed-time-usec=%d", elapsed.Microseconds()))
	return append(append([]byte(key), madeHeader(3, 14)...), madeRecords(2, recs...)...)
}

// TestWallClock: in a file in time order, threads share a wall clock, even if a thread has no
// events for hours. In a file with thread buffers, each thread has its own wall clock.
func TestWallClock(t *testing.T) {
	const m, us = time.Minute, time.Microsecond
	const wrap = 1 << 32 * us // 71 min 35 s
	for name, c := range map[string]struct {
		elapsed time.Duration
		events  []at
		warning string
	}{
		"in order, a thread is silent for 200 minutes": {250 * m, []at{
			{1, m, 0}, {2, 2 * m, 0}, {1, 30 * m, m}, {1, 60 * m, m}, {1, 90 * m, m}, {1, 120 * m, m}, {1, 150 * m, m}, {1, 180 * m, m}, {2, 202 * m, 200 * m}, {1, 220 * m, m}}, ""},
		"in order, written late after a wrap": {80 * m, []at{
			{1, m, 0}, {2, 50 * m, 0}, {1, wrap - 5*us, m}, {1, wrap + 2*us, m}, {2, wrap - us, 0}, {1, wrap + 3*us, m}, {2, wrap + 1*us, 0}}, ""},
		"in order, a thread begins after the wrap": {90 * m, []at{{1, m, 0}, {1, 60 * m, 0}, {2, 72 * m, 0}, {1, 73 * m, 0}, {2, 74 * m, 0}},
			"thread worker begins where the clock steps back"},
		"in order, a streaming file": {-250 * m, []at{
			{1, m, 0}, {2, 2 * m, 0}, {1, 60 * m, 0}, {1, 110 * m, 0}, {1, 140 * m, 0}, {1, 170 * m, 0}, {2, 202 * m, 0}},
			"the CPU time of 1 gap between two events of a thread is ambiguous"},
		"CPU time of a thread that ran throughout": {150 * m, []at{{1, m, 0}, {2, m, 0}, {1, 60 * m, 0}, {1, 100 * m, 0}, {2, 101 * m, 100 * m}}, ""},
		"CPU time of a thread that slept": {150 * m, []at{{1, m, 0}, {2, m, 0}, {1, 60 * m, 0}, {1, 100 * m, 0}, {2, 101 * m, m}},
			"the CPU time of 1 gap"},
		"buffers of threads, the first wraps": {80 * m, []at{
			{1, m, 0}, {1, 60 * m, 0}, {1, 79 * m, 0}, {2, 2 * m, 0}, {2, 3 * m, 0}, {2, 60 * m, 0}, {2, 78 * m, 0}}, ""},
		"buffers of threads, the second wraps": {80 * m, []at{
			{2, 2 * m, 0}, {2, 3 * m, 0}, {2, 60 * m, 0}, {2, 78 * m, 0}, {1, m, 0}, {1, 60 * m, 0}, {1, 79 * m, 0}}, ""},
		"buffers of threads, one with its end only": {100 * m, []at{{1, m, 0}, {1, 60 * m, 0}, {1, 99 * m, 0}, {2, 2 * m, 0}, {2, 3 * m, 0}},
			"the times of 1 thread are ambiguous"},
		"buffers of threads, in a trace of an hour": {60 * m, []at{{1, m, 0}, {1, 60 * m, 0}, {2, 2 * m, 0}, {2, 3 * m, 0}}, ""},
		"the same as a stream":                      {-60 * m, []at{{1, m, 0}, {1, 60 * m, 0}, {2, 2 * m, 0}, {2, 3 * m, 0}}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "x.trace")
			if err := os.WriteFile(path, madeLong(c.elapsed, c.events), 0o666); err != nil {
				t.Fatal(err)
			}
			f, err := Open(path, ReadOptions{})
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			var got []at
			for _, e := range readAll(t, f.Events) {
				got = append(got, at{uint16(f.Symbols.Threads[e.Thread].TID), e.Wall, e.CPU})
			}
			if !slices.Equal(got, c.events) {
				t.Errorf("got %v\nwant %v", got, c.events)
			}
			var warnings []string
			for _, w := range f.Warnings {
				if w.Code == warnWraps {
					warnings = append(warnings, w.Text)
				}
			}
			if text := strings.Join(warnings, "\n"); !strings.Contains(text, c.warning) || c.warning == "" && text != "" {
				t.Errorf("warnings %q, want %q", text, c.warning)
			}
		})
	}
}

// TestWrapOfAndroid11 checks a trace of 250 minutes, sampled by Android 11. Thread b has one call
// of 5,000 s, in which it always runs.
func TestWrapOfAndroid11(t *testing.T) {
	f, err := Open(testdata.Path(t, "field", "wrap-art11.trace"), ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var wall, cpu []time.Duration
	for _, e := range readAll(t, f.Events) {
		if f.Symbols.Threads[e.Thread].Name == "b" {
			wall, cpu = append(wall, e.Wall), append(cpu, e.CPU)
		}
	}
	if len(wall) != 2 || wall[0] != 5000*time.Second || wall[1]-wall[0] != 5000*time.Second || cpu[1]-cpu[0] != 5000*time.Second {
		t.Errorf("b has events at %v, CPU %v; want a call from 5,000 s to 10,000 s", wall, cpu)
	}
	if len(f.Warnings) > 0 {
		t.Errorf("warnings %q", f.Warnings)
	}
}
