package dmtrace

import (
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"artifice/internal/dmformat"
	"artifice/trace"
)

// classic reads the records of a classic file, which begins with its key section.
type classic struct {
	in    *input
	recs  *records
	ahead *ahead[*recordWorker]
	want  int64 // number of records by num-method-calls; -1 if unknown
	n     int64
	err   error
}

// openChunk opens a file that is the content of a chunk for DDMS.
func openChunk(f *File, in *input) error {
	const head = dmformat.ChunkHead
	n, total := dmformat.ChunkLength(in.head(head)), f.total-head
	in.skip(head)
	if f.plain == nil {
		total = n // the length of a packed file or a pipe is unknown here
	}
	switch {
	case total < n:
		return in.cut(fmt.Sprintf("the chunk states %d bytes, but only %d follow its header", n, total), io.EOF)
	case total > n:
		f.warnf(trace.WarnSections, "%d bytes follow the DDMS chunk of %d bytes; these bytes are read as records", total-n, n)
	}
	if err := openClassic(f, in); err != nil {
		return err
	}
	f.Source.Chunk = true
	return nil
}

// openClassic reads the key section and the header.
func openClassic(f *File, in *input) error {
	f.Source = &trace.Source{HasSummary: true}
	k, err := f.readKey(in, classicKey)
	if err != nil {
		return err
	}
	f.Info.Events = k.Records
	at := in.off
	h, err := readHeader(f, in)
	if err != nil {
		return err
	}
	fail := func(err error) error { return &trace.FormatError{Name: in.name, Offset: at, Msg: err.Error()} }
	if h.Streaming {
		return fail(errors.New("the header after the key section belongs to a streaming file"))
	}
	if h.Version != k.Version {
		return &trace.FormatError{Name: in.name, Offset: at, Msg: versionsDiffer(k.Version, h.Version)}
	}
	f.Info.Clock = classicClock(f, k, h)
	l := dmformat.LayoutFor(h.Version, f.Info.Clock)
	if h.Version >= 3 {
		if err := l.CheckSize(h.RecordSize, f.Info.Clock); err != nil {
			return fail(err)
		}
		l.Size = h.RecordSize
	} else if f.Info.Clock == trace.Dual {
		return fail(l.CheckSize(dmformat.LayoutFor(h.Version, trace.Wall).Size, trace.Dual))
	}
	f.Source.RecordSize = l.Size
	f.Source.Format = classicVariant(h.Version, f.Info)
	t := newTables(f, l.TIDBytes)
	if err := t.addListed(); err != nil {
		return &trace.FormatError{Name: in.name, Offset: at, Msg: "the key section", Err: err}
	}
	recs := &records{tables: t, layout: l, clock: f.Info.Clock, wall: newWallClock(f)}
	f.Events = &classic{in: in, want: k.Records, recs: recs, ahead: recs.newAhead()}
	return nil
}

// classicClock returns the trace's clock: the value of the option, or the clock implied by the
// version.
func classicClock(f *File, k keySection, h dmformat.Header) trace.Clock {
	if k.HasClock {
		return k.Clock
	}
	c := trace.ThreadCPU
	if h.Version == 3 && h.RecordSize >= dmformat.LayoutFor(3, trace.Dual).Size {
		c = trace.Dual
	}
	f.warnf(trace.WarnClockAssumed, "the clock option is missing or unknown; clock=%s is assumed", c)
	return c
}

// classicVariant determines the runtime that wrote the file. ART uses version 3 for two clocks and
// 2 for one; Dalvik uses 3 for both.
func classicVariant(version uint16, info trace.Info) string {
	switch {
	case version == 1:
		return dmformat.Dalvik1
	case info.VM != "dalvik" && (version == 3) == (info.Clock == trace.Dual):
		return dmformat.ART
	case version == 2:
		return dmformat.Dalvik2
	}
	return dmformat.Dalvik3
}

// readHeader reads the header, that is, all bytes up to the first record or item, and keeps it in
// f.Source.
func readHeader(f *File, in *input) (h dmformat.Header, err error) {
	b, err := in.window(8, "the header")
	if err != nil {
		if err == io.EOF {
			err = in.cut("the file ends before the header of its data section", err)
		}
		return h, err
	}
	if string(b[:4]) != dmformat.Magic {
		return h, in.errorf("%s", dmformat.WrongMagic(b[:4]))
	}
	// the interpretation of the other fields depends on the version
	if err := dmformat.CheckVersion(b); err != nil {
		return h, in.errorf("%v", err)
	}
	n := dmformat.HeaderLength(b)
	if n < 8 {
		return h, in.errorf("%s", dmformat.ShortHeader(n))
	}
	if b, err = in.window(n, "the header"); err != nil {
		return h, err
	}
	if h, err = dmformat.ParseHeader(b[:n]); err != nil {
		return h, in.errorf("%v", err)
	}
	f.Source.Header = append([]byte(nil), b[:n]...)
	if h.Start <= math.MaxInt64/1000 {
		f.Info.Start = time.Duration(h.Start) * time.Microsecond
	} else {
		f.warnf(warnStartTime, "the start time %d us is too large to represent; 0 is used instead", h.Start)
	}
	in.skip(n)
	return h, nil
}

// ReadEvents implements [trace.Reader].
func (c *classic) ReadEvents(p []trace.Event) (int, error) {
	if c.err != nil || len(p) == 0 {
		return 0, c.err
	}
	c.ahead.turn(c.in, c.recs.f.Symbols)
	if n := c.recs.ready(c.ahead, c.in, p); n > 0 {
		c.n += int64(n)
		return n, nil
	}
	size := c.recs.layout.Size
	raw, err := c.in.window(size, "a record")
	if err != nil {
		c.err = c.end(err)
		return 0, c.err
	}
	n, err := c.recs.decode(p[:min(len(p), len(raw)/size)], raw)
	c.in.skip(n * size)
	c.n += int64(n)
	if err != nil {
		c.err = c.recs.fail(err, c.in, &p[n], c.n)
	}
	if n > 0 {
		return n, nil
	}
	return 0, c.err
}

// end is called after the last record and checks the number of records.
func (c *classic) end(err error) error {
	c.recs.warn()
	c.recs.setAtStop()
	switch {
	case err != io.EOF || c.want < 0 || c.n == c.want:
		return err
	case c.n < c.want:
		return c.in.cut(dmformat.RecordsMissing(c.n, c.want), err)
	}
	c.recs.f.warnf(trace.WarnEventCount, "%s", dmformat.RecordCount(c.n, c.want))
	return io.EOF
}

// Offset implements [trace.Locator]: records follow each other up to the position of the reader.
func (c *classic) Offset(event int64) int64 {
	if event < 0 || event > c.n {
		return -1
	}
	return c.in.off - (c.n-event)*int64(c.recs.layout.Size)
}

// LimitsDepth reports that decoding checks the limit of open frames.
func (c *classic) LimitsDepth() bool { return true }
