package instrument

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"artifice/format/methodtrace"
	"artifice/internal/calltest"
	"artifice/internal/peers/dmtracedump"
	"artifice/reader"
	"artifice/trace"
)

// write returns the file that the runtime would have written of the scene.
func write(t *testing.T, cfg Config) []byte {
	t.Helper()
	rec, err := Record(scene(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	w, err := methodtrace.NewWriter(&b, rec, methodtrace.Config{TempDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	calltest.Fill(t, w, rec.Events)
	return b.Bytes()
}

// TestFilesReadBack: each runtime's file gives back the events, the info and
// the layout of the recording it was made of, and is rewritten byte for byte.
func TestFilesReadBack(t *testing.T) {
	for _, c := range goldenCases() {
		t.Run(c.name, func(t *testing.T) {
			file := write(t, c.cfg)
			back, err := reader.New(bytes.NewReader(file), c.name, reader.Config{TempDir: t.TempDir()})
			if err != nil {
				t.Fatal(err)
			}
			defer back.Close()
			got := lines(back.Symbols, read(t, &back.Recording))

			rec, err := Record(scene(), c.cfg)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(lines(rec.Symbols, read(t, rec)), got); diff != "" {
				t.Errorf("events (-recorded +read):\n%s", diff)
			}
			ours := *rec.Source
			ours.Header, ours.RecordSize = back.Source.Header, back.Source.RecordSize // the writer's
			if diff := cmp.Diff(ours, *back.Source); diff != "" {
				t.Errorf("layout (-recorded +read):\n%s", diff)
			}
		})
	}
}

// lines spells events as text, with ids as a file has them. A file cannot tell
// two threads of one tid apart.
func lines(s *trace.Symbols, events []trace.Event) (all []string) {
	for _, e := range events {
		m := s.Method(e.Method)
		all = append(all, fmt.Sprintf("%s %s %s %s tid %d id %#x", e.Wall, e.CPU, e.Action, m, s.Thread(e.Thread).TID, m.ID))
	}
	return all
}

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
