package writer

import (
	"bufio"
	"fmt"
	"io"

	"artifice/internal/eventlog"
	"artifice/trace"
)

// threadwise is what writers of formats have in common that have all of a thread in
// one place: events and samples wait, thread by thread, until Close. Events are in
// memory, and beyond 8 MiB in a temporary file.
type threadwise struct {
	nested
	format  string // for errors
	tempDir string
	w       *bufio.Writer
	log     *eventlog.Log
	samples *sampleLists   // nil without snapshots
	entry   eventlog.Entry // reused
	text    []byte         // reused

	write func() error // writes the file
}

// init prepares t, whose format and write are set, for rec's events.
func (t *threadwise) init(w io.Writer, rec *trace.Recording, o Options) {
	t.tempDir = o.TempDir
	t.w, t.log = bufio.NewWriterSize(w, 1<<16), eventlog.NewLog(o.TempDir, eventlog.Memory)
	t.nested = nested{rec: rec, until: o.Until, event: t.keep, begin: func(trace.ThreadID) error { return nil }}
}

// keep puts an event where its thread's are.
func (t *threadwise) keep(e *trace.Event) error {
	t.entry.Event, t.entry.At = *e, e.Wall
	return t.log.Add(&t.entry)
}

// WriteSnapshot implements [trace.SnapshotWriter].
func (t *threadwise) WriteSnapshot(s *trace.Snapshot) error {
	if t.samples == nil {
		t.samples = &sampleLists{}
	}
	return t.samples.add(s, t.rec.Symbols)
}

// hasSamples reports whether samples of a thread are known.
func (t *threadwise) hasSamples(id trace.ThreadID) bool {
	return t.samples != nil && len(t.samples.of(id)) > 0
}

// hasEvents reports whether a thread has events, other than exits without an entry,
// which are left out.
func (t *threadwise) hasEvents(id trace.ThreadID) bool { return t.log.Has(id) }

// Close writes the file.
func (t *threadwise) Close() error {
	err := t.finish()
	if err == nil {
		err = t.write()
	}
	if failed := t.log.Close(); err == nil {
		err = failed
	}
	if err != nil {
		return fmt.Errorf("%s: %w", t.format, err)
	}
	return nil
}
