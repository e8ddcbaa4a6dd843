package pprof_test

import (
	"strings"
	"testing"
	"time"

	"artifice/format"
)

// TestFixture reads a profile written by Go. The number of samples of 10 ms with a function on the
// stack equals the cumulative value of "go tool pprof -top -unit=ms", and the number with the
// function innermost equals the flat value.
func TestFixture(t *testing.T) {
	in, err := format.Open("testdata/logged.pb.gz", format.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if in.Info.Interval != 10*time.Millisecond {
		t.Errorf("interval %s, want 10ms", in.Info.Interval)
	}
	cumulated, flat := map[string]int64{}, map[string]int64{}
	for stack, n := range samplesOf(t, in) {
		frames := strings.Split(stack, ";")
		seen := map[string]bool{}
		for _, f := range frames {
			if !seen[f] {
				seen[f] = true
				cumulated[f] += n
			}
		}
		flat[frames[len(frames)-1]] += n
	}
	for name, want := range map[string]int64{
		"main.root": 81, "main.work": 72, "main.p50": 30, "main.p25": 28, "main.p12": 6, "main.p6": 6, "main.p2": 2, "main.deep": 6, "main.bottom": 6,
		"main.leaves": 7, "main.leaf": 7, "main.rest": 2, "main.burst": 2, "main.turn": 84, "time.Since": 2,
	} {
		if cumulated[name] != want {
			t.Errorf("%s is on the stack in %d samples, want %d", name, cumulated[name], want)
		}
	}
	if flat["main.turn"] != 84 || flat["runtime.nanotime"] != 2 || flat["main.(*thread).enter"] != 1 {
		t.Errorf("samples by innermost function: %v", flat)
	}
}
