package art

import (
	"artifice/internal/dmformat"
	"artifice/internal/eventlog"
	"artifice/trace"
)

// logShared adds an event to the shared buffer: LogMethodTraceEvent of ART 5 to 13,
// RecordMethodEvent of 14. A record that does not fit is dropped; the last one may fill the buffer
// exactly.
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

// logToThread adds an event to its thread's buffer: LogMethodTraceEvent of ART 15 and later,
// RecordStreamingMethodEvent of 14.
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
		// Recording has ended, and the contents of the buffer are dropped.
		l.forget(t)
		return
	}
	if l.cfg.Unbuffered && l.cfg.Streaming {
		l.emit(e)
		return
	}
	need := l.rt.words(e.Action, l.cfg.Clock)
	if t.words+need > l.rt.capacity() {
		l.prepareBuffer(e.Thread)
		switch {
		case l.out.Info.Overflow && l.rt.cutsRuns:
			l.dropped++ // the buffer keeps its contents, and its first method gets an id at the stop
			return
		case l.out.Info.Overflow:
			l.forget(t)
			return
		}
	}
	e.Site = 0 // files contain no call sites
	t.run.Add(&e)
	t.words += need
}

// forget drops an event and all events in its thread's buffer.
func (l *Log) forget(t *thread) {
	l.dropped += int64(t.run.Len()) + 1
	t.run.Drop()
	t.words = 0
}

// prepareBuffer empties a full thread buffer: PrepareBufferForNewEntries. In output mode file it
// empties all thread buffers, in list order, until the file is full (FlushAllThreadBuffers).
//
// In ART 15 and 16 a sampled trace in output mode file deadlocks there, because the sampling thread
// already holds the lock. This emulation writes all runs and continues.
func (l *Log) prepareBuffer(id trace.ThreadID) {
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
	if l.out.Info.Overflow && !l.rt.keepsListening || l.rt.firstFullEnds {
		// Trace::RemoveListeners, which has no effect on a sampling thread. The event that needed
		// room is still recorded if there is room.
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
		l.names.knowMethod(run.Next().Method) // GetMethodEncoding precedes the check whether the record fits
	}
	l.box.addRun(named)
	t.run.Drop()
	t.words = 0
}

// fit returns the number of events of a run that fit into the file, and takes their room. In output
// mode file a run in the classic format is dropped as a whole unless it ends strictly below the end
// of the buffer (FlushEntriesFormatV1). A run in format V2 is truncated.
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

// fitCut returns the number of events of a run that fit into a classic file. The run is truncated
// where a record would end at or beyond the end of the buffer: FlushBuffer of 14 QPR2.
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

// runSize returns the size of a run as the runtime computes it, in bytes. If an exit takes fewer
// words than an enter, the runtime counts as if all events were exits.
func (l *Log) runSize(events, words int) int64 {
	if exit := l.rt.words(trace.Exit, l.cfg.Clock); exit != l.rt.words(trace.Enter, l.cfg.Clock) {
		return RecordSize(l.cfg.Clock) * int64(words/exit)
	}
	return RecordSize(l.cfg.Clock) * int64(events)
}

// fitV2 returns the number of events of a run that fit into a file in format V2, and takes the size
// of their block from the room left: FlushEntriesFormatV2 of ART 16 and later in output mode file.
// A record is begun only if the longest one would fit. Info.Overflow is set if a run is truncated;
// in 17 also if no further record would fit after a run.
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

// v2Sizer computes the size of each record of a block.
type v2Sizer struct {
	log *Log
	// values of the previous record; first is its wall time, or its CPU time if there is no wall
	// clock
	method, first, cpu uint64
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
