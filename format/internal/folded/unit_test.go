package folded_test

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"artifice/format/formattest"
	"artifice/format/internal/folded"
	"artifice/format/internal/stackdump"
	"artifice/internal/testdata"
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
		s.SnapshotsTo(formattest.SnapshotFunc(func(snap *trace.Snapshot) {
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
