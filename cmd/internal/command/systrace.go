package command

import (
	"errors"
	"io"
	"path/filepath"

	"artifice/format"
	"artifice/internal/cli"
	"artifice/internal/eventlog"
	"artifice/trace"
	"artifice/view"
)

// pageWriter writes a page like systrace's: ftrace text in a page that shows it. systrace's page
// uses Catapult's viewer; this page is that of view.
type pageWriter struct {
	out    io.Writer
	name   string
	intake *view.Intake
	text   format.Writer
	buffer *eventlog.DiskBuffer // the text, stored until the preceding part of the page is complete
}

// newPageWriter returns a writer of the page called name.
func newPageWriter(out io.Writer, name string, rec *trace.Recording, o outputOptions) (*pageWriter, error) {
	p := &pageWriter{out: out, name: filepath.Base(name), buffer: eventlog.NewDiskBuffer("")}
	p.intake = view.NewIntake(rec, view.Options{Until: o.common.Until, Running: true})
	var err error
	p.text, err = format.ByName("ftrace").Write(p.buffer, rec, o.all()...)
	return p, err
}

// WriteEvents implements [trace.Writer].
func (p *pageWriter) WriteEvents(events []trace.Event) error {
	return errors.Join(p.text.WriteEvents(events), p.intake.WriteEvents(events))
}

// WriteSnapshot implements [trace.SnapshotWriter].
func (p *pageWriter) WriteSnapshot(s *trace.Snapshot) error { return p.intake.WriteSnapshot(s) }

// WriteSched implements [trace.SchedWriter].
func (p *pageWriter) WriteSched(events []trace.SchedEvent) error {
	return p.text.(trace.SchedWriter).WriteSched(events)
}

// Close completes the page.
func (p *pageWriter) Close() error {
	defer p.buffer.Close()
	if err := p.text.Close(); err != nil {
		return err
	}
	shown, err := p.intake.Recording(p.name)
	if err != nil {
		return err
	}
	page := view.Page{Title: p.name, Version: "artifice " + cli.Version(), Recordings: []*view.Recording{shown}}
	page.Ftrace = func(w io.Writer) error { return p.buffer.CopySection(w, 0, p.buffer.Size()) }
	return page.WriteHTML(p.out)
}

// Notes implements [format.Writer].
func (p *pageWriter) Notes() []string { return p.text.Notes() }
