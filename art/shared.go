package art

import "artifice/trace"

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
