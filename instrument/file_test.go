package instrument

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"artifice/format/dmtrace"
	"artifice/internal/testdata"
	"artifice/internal/testdata/tracetest"

	"artifice/trace"
)

// write returns the file that the runtime writes for the scene.
func write(t *testing.T, cfg Config) []byte {
	t.Helper()
	rec, err := Record(scene(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	w, err := dmtrace.NewWriter(&b, rec, dmtrace.Options{TempDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	tracetest.Fill(t, w, rec.Events)
	return b.Bytes()
}

// TestFilesReadBack checks that reading each runtime's file yields the events, the info and the
// layout of the recording, and that rewriting it yields the same bytes.
func TestFilesReadBack(t *testing.T) {
	for _, c := range goldenCases() {
		t.Run(c.name, func(t *testing.T) {
			file := write(t, c.cfg)
			if !c.cfg.Streaming {
				testdata.Save(t, c.name+".trace", file)
			}
			back, err := dmtrace.New(bytes.NewReader(file), c.name, dmtrace.ReadOptions{TempDir: t.TempDir()})
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

// lines formats events as text with the ids of a file. Threads with the same tid are
// indistinguishable in a file.
func lines(s *trace.Symbols, events []trace.Event) (all []string) {
	for _, e := range events {
		m := s.Method(e.Method)
		all = append(all, fmt.Sprintf("%s %s %s %s tid %d id %#x", e.Wall, e.CPU, e.Action, m, s.Thread(e.Thread).TID, m.ID))
	}
	return all
}
