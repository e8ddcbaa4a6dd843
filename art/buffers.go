package art

import (
	"artifice/internal/dmformat"
	"artifice/internal/eventlog"
	"artifice/trace"
)

// logShared takes an event into the one buffer: LogMethodTraceEvent of ART 5 to
// 13, RecordMethodEvent of 14. A record that does not fit is dropped; the last
// one may fill the buffer exactly.
func (l *Log) logShared(e trace.Event) {
	if !l.cfg.Streaming {
		if l.room < RecordSize(l.cfg.Clock) {
			l.out.Info.Overflow = true
			l.dropped++
			return
		}
		l.room -= RecordSize(l.cfg.Clock)
	}
	l.emit(e)
}

// logToThread takes an event into its thread's buffer: LogMethodTraceEvent of
// ART 15 and later, RecordStreamingMethodEvent of 14.
func (l *Log) logToThread(t *thread, e trace.Event) {
	if l.removed {
		l.dropped++
		return
	}
	if l.out.Info.Overflow && !l.rt.namesFirst {
		l.dropped++
		return
	}
	if !t.buffered {
		t.buffered = true
		l.names.announceThread(e.Thread)
	}
	if l.out.Info.Overflow {
		// Nothing more is recorded, and what the buffer holds is forgotten.
		l.forget(t)
		return
	}
	if l.cfg.Unbuffered && l.cfg.Streaming {
		l.emit(e)
		return
	}
	need := l.rt.words(e.Action, l.cfg.Clock)
	if t.words+need > l.rt.capacity() {
		l.makeRoom(e.Thread)
		switch {
		case l.out.Info.Overflow && l.rt.cutsRuns:
			l.dropped++ // the buffer stays as it is, and its first method gets an id at the stop
			return
		case l.out.Info.Overflow:
			l.forget(t)
			return
		}
	}
	e.Site = 0 // where it was called from is nothing that a file says
	t.run.Add(&e)
	t.words += need
}

// forget drops an event with all that its thread's buffer holds.
func (l *Log) forget(t *thread) {
	l.dropped += int64(t.run.Len()) + 1
	t.run.Drop()
	t.words = 0
}

// makeRoom empties a full thread buffer: PrepareBufferForNewEntries. In output
// mode file that means to empty all of them, in list order, until the file is
// full (FlushAllThreadBuffers).
//
// Note: a sampled trace in output mode file would block there for ever in ART
// 15 and 16, since the sampling thread holds the lock that is then taken. Ours
// writes all runs and goes on.
func (l *Log) makeRoom(id trace.ThreadID) {
	if l.cfg.Streaming {
		l.flush(id)
		return
	}
	for _, id := range l.list {
		if l.threads[id].buffered {
			l.flush(id)
			if l.out.Info.Overflow {
				break
			}
		}
	}
	if l.out.Info.Overflow || l.rt.firstFullEnds {
		// Trace::RemoveListeners, which a sampling thread has no use for. The event
		// that asked for room is still recorded where there is room.
		l.removed = l.cfg.Technique != trace.Sampled
	}
}

// flush writes a thread's buffer as one run and empties it: FlushBuffer.
func (l *Log) flush(id trace.ThreadID) {
	t := &l.threads[id]
	n := l.fit(&t.run, t.words)
	if n == 0 && t.run.Len() > 0 && l.cfg.V2 && l.rt.emptyBlocks && l.source != nil {
		l.source.Blocks = append(l.source.Blocks, trace.Block{TID: l.truth.Symbols.Threads[id].TID})
	}
	l.dropped += int64(t.run.Len() - n)
	if l.rt.methodsFirst {
		run := t.run.Cursor()
		for range n {
			l.names.knowMethod(run.Next().Method)
		}
	}
	named := l.box.blocks.Queue()
	run := t.run.Cursor()
	for range n {
		e := run.Next()
		l.name(&e)
		named.Add(&e)
		l.written++
	}
	if l.rt.cutsRuns && n < t.run.Len() {
		l.names.knowMethod(run.Next().Method) // GetMethodEncoding comes before the question whether the record fits
	}
	l.box.addRun(named)
	t.run.Drop()
	t.words = 0
}

// fit returns how many events of a run go into the file, and takes their room.
// In output mode file a run in the classic format is dropped whole unless it
// ends strictly below the end of the buffer (FlushEntriesFormatV1); one in
// format V2 is cut.
func (l *Log) fit(run *eventlog.Queue, words int) int {
	switch {
	case l.cfg.Streaming:
		return run.Len()
	case l.cfg.V2:
		return l.fitV2(run)
	case l.rt.cutsRuns:
		return l.fitCut(run)
	case l.runSize(run.Len(), words) >= l.room:
		l.out.Info.Overflow = true
		return 0
	}
	l.room -= RecordSize(l.cfg.Clock) * int64(run.Len())
	return run.Len()
}

// fitCut returns how many events of a run go into a classic file whose run is cut
// where a record would end at the end of the buffer or beyond it: FlushBuffer of 14 QPR2.
func (l *Log) fitCut(run *eventlog.Queue) int {
	size := RecordSize(l.cfg.Clock)
	n := run.Len()
	if fits := max(0, (l.room-1)/size); fits < int64(n) {
		n = int(fits)
		l.out.Info.Overflow = true
	}
	l.room -= size * int64(n)
	return n
}

// runSize returns how many bytes the runtime thinks a run takes. Where an exit
// takes fewer words than an enter it counts as if all events were exits.
func (l *Log) runSize(events, words int) int64 {
	if exit := l.rt.words(trace.Exit, l.cfg.Clock); exit != l.rt.words(trace.Enter, l.cfg.Clock) {
		return RecordSize(l.cfg.Clock) * int64(words/exit)
	}
	return RecordSize(l.cfg.Clock) * int64(events)
}

// fitV2 returns how many events of a run go into the file in format V2 before
// its buffer is full, and takes the block they make from the room that is left:
// FlushEntriesFormatV2 of ART 16 and later in output mode file. A record is only
// begun where the longest one would fit. A run that is cut overflows the buffer;
// in 17 so does one whose last record leaves no room for another.
func (l *Log) fitV2(run *eventlog.Queue) (n int) {
	longest := int64(dmformat.MaxRecordV2(l.cfg.Clock))
	size := int64(dmformat.BlockHeadSize(l.names.variant.V2, clocks(l.cfg.Clock)))
	sizer := v2Sizer{log: l}
	events := run.Cursor()
	for n < run.Len() && l.room-size >= longest {
		e := events.Next()
		size += sizer.add(&e)
		n++
	}
	l.room -= size
	if n < run.Len() || l.names.variant.V2 == dmformat.V2of17 && l.room < longest {
		l.out.Info.Overflow = true
	}
	return n
}

// v2Sizer tells how many bytes each record of a block has.
type v2Sizer struct {
	log                *Log
	method, first, cpu uint64 // last values; first is the one time there is, or wall
	scratch            []byte
}

func (s *v2Sizer) add(e *trace.Event) int64 {
	b := s.scratch[:0]
	first, id := uint64(e.Wall), s.log.names.methodID(e.Method)
	if !s.log.cfg.Clock.HasWall() {
		first = uint64(e.CPU)
	}
	dual := s.log.cfg.Clock == trace.Dual
	if s.log.names.variant.V2 == dmformat.V2of17 {
		first = first<<2 | uint64(e.Action)
		b = dmformat.AppendSLEB(b, int64(first-s.first))
		if dual {
			b = dmformat.AppendSLEB(b, int64(uint64(e.CPU)-s.cpu))
		}
		if e.Action == trace.Enter {
			b = dmformat.AppendSLEB(b, int64(id-s.method))
			s.method = id
		}
	} else {
		id |= uint64(e.Action)
		b = dmformat.AppendSLEB(b, int64(id-s.method))
		b = dmformat.AppendULEB(b, first-s.first)
		if dual {
			b = dmformat.AppendULEB(b, uint64(e.CPU)-s.cpu)
		}
		s.method = id
	}
	s.first, s.cpu, s.scratch = first, uint64(e.CPU), b
	return int64(len(b))
}

func clocks(c trace.Clock) int {
	if c == trace.Dual {
		return 2
	}
	return 1
}
