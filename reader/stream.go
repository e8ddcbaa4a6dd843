package reader

import (
	"errors"
	"fmt"
	"io"

	"artifice/internal/dmformat"
	"artifice/trace"
)

// stream reads the items of a streaming file.
type stream struct {
	in      *input
	f       *File
	recs    *records
	version uint16
	n       int64 // events so far
	err     error
}

// openStream reads the header of a streaming file.
func (f *File) openStream(in *input) error {
	f.Source = &trace.Source{Format: dmformat.ARTStream}
	f.Info.Events = -1
	f.Info.VM = "art"
	h, err := f.readHeader(in)
	if err != nil {
		return err
	}
	fail := func(err error) error { return &trace.FormatError{Name: in.name, Msg: err.Error()} }
	if h.Version == 1 {
		return fail(errors.New("streaming trace of version 1; there are 2 and 3"))
	}
	if h.Version == 3 {
		f.Info.Clock = trace.Dual
	} else if in, err = f.singleClock(in); err != nil {
		return err
	}
	l := dmformat.LayoutFor(h.Version, f.Info.Clock)
	if err := checkSize(h.RecordSize, l, f.Info.Clock); err != nil {
		return fail(err)
	}
	f.Source.RecordSize = h.RecordSize
	l.Size = f.recordSize(in, h.RecordSize)
	f.Events = &stream{in: in, f: f, version: h.Version,
		recs: &records{tables: newTables(f, l.TIDBytes), layout: l, clock: f.Info.Clock, streaming: true}}
	return nil
}

// singleClock finds out whether the one clock of the file is wall or thread
// CPU, which only the summary at its end says, and returns where to read on.
func (f *File) singleClock(in *input) (*input, error) {
	in, err := f.spool(in)
	if err != nil {
		return nil, err
	}
	options, err := summaryOptions(f.plain, f.size, 7)
	if err != nil {
		return nil, in.cut("looking for the summary", err)
	}
	clock, ok := trace.ParseClock(options[dmformat.KeyClock])
	if !ok || clock == trace.Dual {
		f.warnf(trace.WarnClockAssumed, "no summary says which clock the trace has; its times are taken as wall time")
		clock = trace.Wall
	}
	f.Info.Clock = clock
	return in, nil
}

// ReadEvents implements [trace.Reader].
func (s *stream) ReadEvents(p []trace.Event) (n int, err error) {
	if len(p) == 0 {
		return 0, s.err
	}
	for n == 0 && s.err == nil {
		n, s.err = s.read(p)
		s.n += int64(n)
	}
	if n > 0 {
		return n, nil
	}
	return 0, s.err
}

// read reads one item that is no record, or a run of records.
func (s *stream) read(p []trace.Event) (int, error) {
	raw, err := s.in.window(2, "an item")
	if err != nil {
		if err == io.EOF {
			s.f.warnf(trace.WarnNoSummary, "the file has no summary: its writer did not finish; events may be missing at the end")
			s.recs.warn()
		}
		return 0, err
	}
	if raw[0] == 0 && raw[1] == 0 {
		return 0, s.item()
	}
	size := s.recs.layout.Size
	if raw, err = s.in.window(size, "a record"); err != nil {
		return 0, err
	}
	n, err := s.recs.decode(p[:min(len(p), len(raw)/size)], raw)
	s.in.skip(n * size)
	if err != nil {
		err = s.in.errorf("%v", err)
	}
	return n, err
}

func recordsMissing(n, want int64) string {
	return fmt.Sprintf("the file ends after %d records of the %d that num-method-calls says", n, want)
}
