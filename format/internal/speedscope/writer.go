package speedscope

import (
	"bufio"
	"fmt"
	"io"

	"artifice/format/internal/kind"
	"artifice/internal/encode"
	"artifice/internal/eventlog"
	"artifice/trace"
	"artifice/trace/calltree"
)

// writer is a Writer of speedscope's own format. Each thread is an evented profile, with an
// event (O, C) for every enter and exit, in nanoseconds since the start. If the samples are known
// (stack dumps), the profile is sampled: each stack weighs the time until the next one or, if no
// sample has a duration (a single dump), its number of samples. Samples of CPU time weigh this
// time, and recorded waits the time until the next sample; other time has no sample.
//
// A profile has the events of one thread, so events and samples are buffered by thread until Close.
// Events are in memory, and beyond 8 MiB in a temporary file.
type writer struct {
	encode.Nested
	w       *bufio.Writer
	log     *eventlog.Log
	samples *encode.SampleLists // nil without snapshots
	frames  encode.FrameTable
	ends    [][]byte       // by the number of a frame: the text of the end of its events
	entry   eventlog.Entry // reused
	text    []byte         // reused
}

func newWriter(w io.Writer, rec *trace.Recording, o kind.WriteOptions) *writer {
	s := &writer{w: bufio.NewWriterSize(w, 1<<16), log: eventlog.NewLog(o.TempDir, eventlog.Memory), frames: encode.FrameTable{Symbols: rec.Symbols}}
	s.Nested = encode.Nested{Rec: rec, Until: o.Until, To: s}
	return s
}

// Event implements [encode.Timeline]: it adds an event to those of its thread.
func (s *writer) Event(e *trace.Event) error {
	s.entry.Event, s.entry.At = *e, e.Wall
	return s.log.Add(&s.entry)
}

// WriteSnapshot implements [trace.SnapshotWriter].
func (s *writer) WriteSnapshot(snap *trace.Snapshot) error {
	if s.samples == nil {
		s.samples = &encode.SampleLists{OfCPU: s.Rec.Info.OfCPU}
	}
	return s.samples.Add(snap, s.Rec.Symbols)
}

// Close writes the file.
func (s *writer) Close() error {
	err := s.Finish()
	if err == nil {
		err = s.writeFile()
	}
	if failed := s.log.Close(); err == nil {
		err = failed
	}
	if err != nil {
		return fmt.Errorf("speedscope: %w", err)
	}
	return nil
}

// writeFile writes the file.
func (s *writer) writeFile() error {
	s.w.WriteString(`{"$schema":"https://www.speedscope.app/file-format-schema.json","exporter":"artifice","profiles":[`)
	separator := ""
	for i := range s.Rec.Symbols.Threads {
		id := trace.ThreadID(i)
		profile := s.evented
		switch {
		case s.samples.Has(id):
			profile = s.sampled
		case !s.log.Has(id): // exits without an enter were skipped
			continue
		}
		s.w.WriteString(separator)
		separator = ","
		if err := profile(id); err != nil {
			return err
		}
	}
	if separator == "" && len(s.Rec.Symbols.Threads) > 0 { // speedscope fails on a file without a profile
		s.head("evented", 0, s.unit(), 0, 0)
		s.w.WriteString(`,"events":[]}`)
	}
	s.w.WriteString("\n],\"shared\":{\"frames\":[")
	s.frames.Write(s.w)
	s.w.WriteString("\n]}}\n")
	return s.w.Flush()
}

// evented writes the profile of a thread's events.
func (s *writer) evented(id trace.ThreadID) error {
	clock := s.Rec.Info.Clock
	r := s.log.Thread(id)
	batch := make([]trace.Event, trace.BatchSize)
	n, err := r.ReadEvents(batch)
	start := int64(0)
	if n > 0 {
		start = int64(batch[0].Time(clock))
	}
	s.head("evented", id, s.unit(), start, int64(trace.Event{Wall: s.Threads[id].Wall, CPU: s.Threads[id].Cpu}.Time(clock)))
	s.w.WriteString(`,"events":[`)
	separator := byte('\n')
	for ; err == nil; n, err = r.ReadEvents(batch) {
		for i := range batch[:n] {
			e := &batch[i]
			kind := `{"type":"O","at":`
			if e.Action != trace.Enter {
				kind = `{"type":"C","at":`
			}
			b := append(append(s.w.AvailableBuffer(), separator), kind...)
			b = encode.AppendInt(b, int64(e.Time(clock)))
			if _, err := s.w.Write(append(b, s.end(e.Method)...)); err != nil {
				return err
			}
			separator = ','
		}
	}
	s.w.WriteString("]}")
	if err != io.EOF {
		return err
	}
	return nil
}

// unit returns the unit of the values of events: the format has ns, bytes and none.
func (s *writer) unit() string {
	switch q := s.Rec.Info.Quantity; {
	case !q.IsSet(), q.Unit == trace.Nanoseconds:
		return "nanoseconds"
	case q.Unit == trace.Bytes:
		return "bytes"
	}
	return "none"
}

// Notes returns the notes on nested events, and a note if the format lacks the unit of a quantity.
func (s *writer) Notes() []string {
	notes := s.Nested.Notes()
	if q := s.Rec.Info.Quantity; q.IsSet() && s.unit() == "none" {
		notes = append(notes, fmt.Sprintf("the values are %s, which the format cannot express", q.Describe()))
	}
	return notes
}

// end returns the text of the end of a method's event, which contains the number of its frame.
func (s *writer) end(m trace.MethodID) []byte {
	number := int(s.frames.Number(m))
	for number >= len(s.ends) {
		s.ends = append(s.ends, fmt.Appendf(nil, `,"frame":%d}`, len(s.ends)))
	}
	return s.ends[number]
}

// head writes the common beginning of all profiles.
func (s *writer) head(kind string, id trace.ThreadID, unit string, from, to int64) {
	t := s.Rec.Symbols.Thread(id)
	s.text = fmt.Appendf(s.text[:0], "\n{\"type\":%q,\"name\":", kind)
	s.text = encode.AppendJSON(s.text, fmt.Sprintf("%s (%d)", t, t.TID))
	s.text = fmt.Appendf(s.text, `,"unit":%q,"startValue":%d,"endValue":%d`, unit, from, to)
	s.w.Write(s.text)
}

// sampled writes the profile of a thread's samples.
func (s *writer) sampled(id trace.ThreadID) error {
	list := s.samples.Of(id)
	unit, start, total := "none", int64(0), int64(0)
	if s.samples.Timed {
		unit, start = "nanoseconds", int64(list[0].At)
	}
	for i := range list {
		if !s.samples.IsGap(&list[i]) {
			total += s.samples.Weight(id, i)
		}
	}
	s.head("sampled", id, unit, start, start+total)
	s.w.WriteString(`,"samples":[`)
	var stack []trace.MethodID
	separator := byte('\n')
	for i, sample := range list {
		if s.samples.IsGap(&list[i]) {
			continue
		}
		stack = s.samples.Contexts.Stack(sample.Node, stack[:0])
		s.text = append(s.text[:0], separator, '[')
		separator = ','
		for k := len(stack) - 1; k >= 0; k-- {
			s.text = encode.AppendInt(s.text, int64(s.frames.Number(stack[k])))
			s.text = append(s.text, ',')
		}
		if len(stack) == 0 {
			s.text = encode.AppendInt(s.text, int64(s.frames.Number(calltree.NoMethod)))
			s.text = append(s.text, ',')
		}
		s.text[len(s.text)-1] = ']'
		if _, err := s.w.Write(s.text); err != nil {
			return err
		}
	}
	s.w.WriteString(`],"weights":[`)
	separator = 0
	for i := range list {
		if s.samples.IsGap(&list[i]) {
			continue
		}
		if separator != 0 {
			s.w.WriteByte(separator)
		}
		separator = ','
		s.w.Write(encode.AppendInt(s.text[:0], s.samples.Weight(id, i)))
	}
	_, err := s.w.WriteString("]}")
	return err
}
