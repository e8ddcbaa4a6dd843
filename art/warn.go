package art

import "artifice/trace"

// warn says what is missing in the file.
func (l *Log) warn() {
	warn := func(code trace.WarningCode, format string, args ...any) {
		l.out.Warnings = append(l.out.Warnings, trace.Warnf(code, "", format, args...))
	}
	if l.deaf {
		warn(trace.WarnDeaf, "%s ended the recording when the first thread buffer was full: %d events are in the file, %d are not; stream, or take another runtime",
			l.rt.Name, l.written, l.dropped)
		return
	}
	if l.out.Info.Overflow {
		warn(trace.WarnOverflow, "the buffer of %d bytes was full: %d events are in the file, %d are not; take a larger one, or stream",
			l.cfg.BufferSize, l.written, l.dropped)
	}
}
