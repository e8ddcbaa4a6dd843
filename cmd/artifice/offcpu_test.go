package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// offCPUSample is a sample of one of two threads, on or off the CPU.
type offCPUSample struct {
	at, count time.Duration
	tid       int
	off       bool
}

// offCPUSamples returns what simpleperf --trace-offcpu records of two threads that alternately run
// and wait for random times. The clock has the given period, and busy is the mean time of running.
// There is a sample for each period of a thread's CPU time. Another sample is taken whenever a
// thread leaves its CPU; its count is the time until the thread runs again.
func offCPUSamples(rng *rand.Rand, period, busy time.Duration) []offCPUSample {
	var all []offCPUSample
	for tid := 101; tid <= 102; tid++ {
		at, left := time.Duration(tid)*time.Microsecond, period
		for range 60 {
			run := time.Duration(rng.ExpFloat64() * float64(busy))
			for ; run >= left; left = period {
				run, at = run-left, at+left
				all = append(all, offCPUSample{at, period, tid, false})
			}
			left, at = left-run, at+run
			wait := time.Duration(rng.ExpFloat64()*float64(20*time.Millisecond)) + time.Microsecond
			all = append(all, offCPUSample{at, wait, tid, true})
			at += wait
		}
	}
	return all
}

// byTime sorts samples in the order of files.
func byTime(all []offCPUSample) {
	slices.SortStableFunc(all, func(a, b offCPUSample) int { return cmp.Compare(a.at, b.at) })
}

// untilNext sets each count to the time until the thread's next sample, as simpleperf did until
// 2021.
func untilNext(all []offCPUSample) {
	for i := range all {
		if i+1 < len(all) && all[i+1].tid == all[i].tid {
			all[i].count = all[i+1].at - all[i].at
		}
	}
}

// TestOffCPU checks that off-CPU samples are waits even if they have the event name of on-CPU
// samples, in the texts of simpleperf and of its scripts. The CPU time of a thread is that of its
// on-CPU samples.
func TestOffCPU(t *testing.T) {
	text := func(s offCPUSample) string {
		leaf := "Work.compute"
		if s.off {
			leaf = "syscall"
		}
		return fmt.Sprintf("sample:\n  event_type: cpu-clock:u\n  time: %d\n  event_count: %d\n  thread_id: %d\n  thread_name: t%d\n  vaddr_in_file: 1\n  file: /x.so\n  symbol: %s\n", s.at, s.count, s.tid, s.tid, leaf)
	}
	script := func(s offCPUSample) string {
		leaf := "Work.compute"
		if s.off {
			leaf = "syscall"
		}
		return fmt.Sprintf("t%d\t100/%d [003] %.6f: %d cpu-clock:u:\n\t1 %s (/x.so)\n\n", s.tid, s.tid, s.at.Seconds(), s.count, leaf)
	}
	for i, c := range []struct {
		write        func(offCPUSample) string
		period, busy time.Duration
		early        bool
	}{
		{text, time.Millisecond, 10 * time.Millisecond, false},
		{text, 250 * time.Microsecond, 300 * time.Microsecond, false},
		{script, time.Millisecond, 3 * time.Millisecond, false},
		{script, 250 * time.Microsecond, 2 * time.Millisecond, true},
		{text, time.Millisecond, 30 * time.Millisecond, true},
	} {
		all := offCPUSamples(rand.New(rand.NewPCG(uint64(i), 5)), c.period, c.busy)
		if c.early {
			untilNext(all)
		}
		byTime(all)
		var file strings.Builder
		want := time.Duration(0)
		waits := 0
		for _, s := range all {
			file.WriteString(c.write(s))
			switch {
			case !s.off:
				want += s.count
			case !c.early || s.count > 2*c.period+c.period/5:
				waits++
			default: // as short as an on-CPU time
				want += s.count
				waits++
			}
		}
		name := filepath.Join(t.TempDir(), "x.txt")
		if err := os.WriteFile(name, []byte(file.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		status, stdout, stderr := artifice("report", name, "--json")
		var rows []struct {
			Method  string
			Running time.Duration `json:"total_running_ns"`
			CPU     time.Duration `json:"self_cpu_ns"`
		}
		if err := json.Unmarshal([]byte(stdout), &rows); status != exitOK || err != nil {
			t.Fatalf("case %d: %v, %s", i, err, stderr)
		}
		got := time.Duration(0)
		for _, r := range rows {
			got += r.CPU
		}
		slack := time.Duration(0)
		if c.early { // a count near twice the period is ambiguous
			slack = want / 50
		}
		if d := got - want; d < -slack || d > slack {
			t.Errorf("case %d: CPU time %v, want %v of %d samples, %d waits: %s", i, got, want, len(all), waits, stderr)
		}
		if !strings.Contains(stderr, "because they measure off-CPU time") {
			t.Errorf("case %d: no warning: %s", i, stderr)
		}
	}
}

// TestOnCPU checks that varying counts are CPU time if they are the time since the thread's
// previous sample.
func TestOnCPU(t *testing.T) {
	var file strings.Builder
	want, at, rng := time.Duration(0), time.Second, rand.New(rand.NewPCG(1, 2))
	for i := range 400 {
		count := time.Millisecond
		if i%2 > 0 {
			count += time.Duration(rng.Int64N(int64(100 * time.Microsecond)))
		}
		at, want = at+count+30*time.Microsecond, want+count
		fmt.Fprintf(&file, "t 100/101 [003] %.6f: %d task-clock:\n\t1 Work.compute (/x.so)\n\n", at.Seconds(), count)
	}
	name := filepath.Join(t.TempDir(), "x.txt")
	if err := os.WriteFile(name, []byte(file.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	_, stdout, stderr := artifice("report", name, "--json")
	if !strings.Contains(stdout, fmt.Sprintf(`"self_cpu_ns": %d`, want)) || strings.Contains(stderr, "off-CPU time") {
		t.Errorf("want CPU time %d: %s%s", want, stdout, stderr)
	}
}
