package stackdump

import (
	"bufio"
	"encoding/json"
	"slices"
	"time"

	"artifice/trace"
)

// jsonEncoder writes our own JSON lines. A dump in which no thread has a frame
// would have no line and not be there: it shows one without frames, the threads
// that have just left theirs or else the first of the trace.
type jsonEncoder struct {
	seen map[trace.ThreadID]bool // threads with frames in the last dump
}

func (j *jsonEncoder) dump(w *bufio.Writer, m *moment) {
	now := map[trace.ThreadID]bool{}
	for _, t := range m.threads {
		now[t.id] = true
		delete(j.seen, t.id)
		writeJSONLine(w, m, t)
	}
	gone := make([]trace.ThreadID, 0, len(j.seen))
	for id := range j.seen {
		gone = append(gone, id)
	}
	slices.Sort(gone)
	if len(now)+len(gone) == 0 && len(m.symbols.Threads) > 0 {
		gone = append(gone, 0)
	}
	for _, id := range gone {
		writeJSONLine(w, m, running{id: id})
	}
	j.seen = now
}

func writeJSONLine(w *bufio.Writer, m *moment, t running) {
	thread := m.symbols.Thread(t.id)
	us := int64(m.at / time.Microsecond)
	line := jsonLine{TimeUS: &us, Thread: thread.String(), TID: int64(thread.TID), Frames: []string{}}
	if cpu := int64(t.cpu / time.Microsecond); m.clock.HasCPU() && len(t.stack) > 0 {
		line.CPUUS = &cpu
	}
	for _, id := range slices.Backward(t.stack) {
		line.Frames = append(line.Frames, javaFrame(m.symbols.Method(id)))
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false) // <init>
	enc.Encode(line)         // fails only as w does, which remembers it
}

func (j *jsonEncoder) end(*bufio.Writer) {}
