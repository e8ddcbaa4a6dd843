package art

import (
	"artifice/internal/dmformat"
	"artifice/internal/eventlog"
	"artifice/trace"
)

// fitV2 returns how many events of a run go into the file in format V2 before
// its buffer is full, and takes the block they make from the room that is left:
// FlushEntriesFormatV2 of ART 16 and later in output mode file. A record is only
// begun where the longest one would fit. A run that is cut overflows the buffer;
// in 17 so does one whose last record leaves no room for another.
func (l *Log) fitV2(run *eventlog.Queue) (n int) {
	longest := int64(dmformat.MaxRecordV2(l.cfg.Clock))
	size := int64(dmformat.BlockHeadSize(l.names.variant.V2, clocks(l.cfg.Clock)))
	sizer := v2Sizer{log: l}
	events := run.Reader()
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
