package folded_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"artifice/format/internal/folded"
	"artifice/format/internal/formattest"
	"artifice/format/internal/stackdump"
	"artifice/internal/testdata"
	"artifice/internal/testdata/tracetest"
	"artifice/trace"
)

// FuzzUnit checks that, if the first line states a unit, the time of each thread is the sum
// of its numbers times the unit.
func FuzzUnit(f *testing.F) {
	f.Add([]byte{1, 2, 3}, uint8(1), false)
	f.Add([]byte{0, 255, 0, 17, 17, 1}, uint8(0), true)
	f.Add([]byte{9}, uint8(2), false)
	f.Fuzz(func(t *testing.T, numbers []byte, unit uint8, cpu bool) {
		units := []struct {
			word string
			each time.Duration
		}{{"ns", time.Nanosecond}, {"us", time.Microsecond}, {"ms", time.Millisecond}}
		u, clock := units[unit%3], "wall"
		if cpu {
			clock = "cpu"
		}
		text, want := fmt.Sprintf("# %s;%s 0\n", clock, u.word), map[string]time.Duration{}
		for i, b := range numbers {
			thread, n := fmt.Sprint("t", i%3), int64(b)<<(8*(i%2))
			text += fmt.Sprintf("[%s tid=%d];a;b%d %d\n", thread, i%3+1, i%5, n)
			if n > 0 {
				want[thread] += time.Duration(n) * u.each
			}
		}
		s, err := formattest.New(bytes.NewReader([]byte(text)), "fuzz", stackdump.Config{Format: folded.Format.Dumps})
		if len(want) == 0 {
			return // FuzzFolded checks the error for a file without stacks
		}
		if err != nil {
			t.Fatalf("%s\n%v", text, err)
		}
		got := map[string]time.Duration{}
		s.SnapshotsTo(tracetest.SnapshotFunc(func(snap *trace.Snapshot) {
			if len(snap.Stack) > 0 {
				got[s.Symbols.Thread(snap.Thread).Name] += snap.Until - snap.Wall
			}
		}))
		if err := testdata.CheckValid(&s.Recording); err != nil {
			t.Fatalf("%s\n%v", text, err)
		}
		if s.Info.Clock.HasCPU() != cpu {
			t.Errorf("%s\nclock %s", text, s.Info.Clock)
		}
		for thread, d := range want {
			if got[thread] != d {
				t.Errorf("%s\n%s has %s, want %s", text, thread, got[thread], d)
			}
		}
	})
}

// TestHighCounts checks that counts without a unit are read as samples of 10 ms if there can be as
// many samples, otherwise as numbers: the scripts that fold perf's samples write cycles or ns, and
// others write bytes.
func TestHighCounts(t *testing.T) {
	const high, periods = "the counts are too high for samples (more than 100,000,000)", "the counts are multiples of 250,000, and not numbers of samples"
	const warning = ": they may be nanoseconds, microseconds, cycles or bytes, and are not read as times; a first line such as # cpu;ns 0 or # wall;us 0 states the unit"
	for _, c := range []struct {
		name, text string
		interval   time.Duration
		quantity   string
		total      time.Duration // of f
		why        string
	}{
		{"samples", "main;f 60000000\nmain;g 40000000\n", 0, "", 600_000 * time.Second, ""},
		{"cycles", "main;f 60000000\nmain;g 40000001\n", 0, "weight", 60_000_000, high},
		{"bpftrace", "@[\n    f+1\n    main+2\n]: 60000000\n@[\n    g+1\n]: 90000000\n", 0, "weight", 60_000_000, high},
		{"with a unit", "# cpu;ns 0\nmain;f 60000000\nmain;g 40000001\n", 0, "", 60 * time.Millisecond, ""},
		{"with an interval", "main;f 60000000\nmain;g 40000001\n", time.Nanosecond, "", 60 * time.Millisecond, ""},
		{"periods of 4 kHz", "main;f 500000\n" + strings.Repeat("main;g 250000\n", 9), 0, "weight", 500_000, periods},
		{"few multiples", "main;f 500000\n" + strings.Repeat("main;g 250000\n", 8), 0, "", 5000 * time.Second, ""},
		{"small multiples", "main;f 500\n" + strings.Repeat("main;g 250\n", 20), 0, "", 5 * time.Second, ""},
	} {
		s := formattest.Parse(t, stackdump.Config{Interval: c.interval}, c.text)
		var began, took time.Duration
		for _, e := range tracetest.Events(t, s) {
			if s.Symbols.Method(e.Method).Name != "f" {
				continue
			}
			if took = e.Wall - began; e.Action == trace.Enter {
				began = e.Wall
			}
		}
		if s.Info.Quantity.Name != c.quantity || took != c.total {
			t.Errorf("%s: %+v, f %s, want %s", c.name, s.Info.Quantity, took, c.total)
		}
		if c.quantity != "" {
			formattest.Warned(t, s, c.why+warning)
		} else {
			formattest.Warned(t, s)
		}
	}
}
