package encode

import "artifice/trace"

// ProcessID returns the process id of a recording. Where it is not stated, it is
// the main thread's, as Linux has it; never 0, which viewers take for the idle
// task.
func ProcessID(rec *trace.Recording) uint32 {
	if rec.Info.PID > 0 {
		return uint32(rec.Info.PID)
	}
	for i := range rec.Symbols.Threads {
		if t := &rec.Symbols.Threads[i]; t.TID != 0 && t.Name == "main" {
			return t.TID
		}
	}
	if len(rec.Symbols.Threads) > 0 {
		return max(1, rec.Symbols.Threads[0].TID)
	}
	return 1
}
