//go:build pending

package instrument

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"artifice/research/internal/peers/dmtracedump"
	"artifice/trace"
)

// TestDmtracedump: Android's own reader accepts every classic file.
func TestDmtracedump(t *testing.T) {
	dmtracedump.Require(t)
	for _, c := range goldenCases() {
		if c.cfg.Streaming {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			name := filepath.Join(t.TempDir(), "scene.trace")
			if err := os.WriteFile(name, write(t, c.cfg), 0o666); err != nil {
				t.Fatal(err)
			}
			report, stderr, err := dmtracedump.Run(name)
			if err != nil {
				t.Fatalf("%v\n%s", err, stderr)
			}
			if total := spans(t, c.cfg); report.Total != total {
				t.Errorf("total of %s, want %s", report.Total, total)
			}
		})
	}
}

// spans returns the sum over tids of the time from first to last event, which is
// what dmtracedump calls Total cycles: of thread CPU time where there is any.
func spans(t *testing.T, cfg Config) (sum time.Duration) {
	rec, err := Record(scene(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	at := func(e trace.Event) time.Duration {
		if cfg.Clock.HasCPU() {
			return e.CPU
		}
		return e.Wall
	}
	first, last := map[uint32]time.Duration{}, map[uint32]time.Duration{}
	for _, e := range read(t, rec) {
		tid := rec.Symbols.Thread(e.Thread).TID
		if _, ok := first[tid]; !ok {
			first[tid] = at(e)
		}
		last[tid] = at(e)
	}
	for tid := range first {
		sum += last[tid] - first[tid]
	}
	return sum
}
