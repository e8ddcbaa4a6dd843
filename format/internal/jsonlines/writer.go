package jsonlines

import (
	"bufio"
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"artifice/format/internal/stackdump"
	"artifice/trace"
)

// Encoder implements [stackdump.Printer].
func (codec) Encoder(time.Duration, time.Duration) (stackdump.Encoder, error) {
	return &encoder{}, nil
}

// encoder writes artifice's JSON lines. A dump without any frame would have no line. It therefore
// gets lines without frames: for the threads that have just left their frames, or else for the
// first thread of the trace.
type encoder struct {
	seen map[trace.ThreadID]bool // threads with frames in the last dump
}

func (j *encoder) Dump(w *bufio.Writer, m *stackdump.Moment) {
	now := map[trace.ThreadID]bool{}
	for _, t := range m.Threads {
		now[t.ID] = true
		delete(j.seen, t.ID)
		writeJSONLine(w, m, t)
	}
	ended := make([]trace.ThreadID, 0, len(j.seen))
	for id := range j.seen {
		ended = append(ended, id)
	}
	slices.Sort(ended)
	if len(now)+len(ended) == 0 && len(m.Symbols.Threads) > 0 {
		ended = append(ended, 0)
	}
	for _, id := range ended {
		writeJSONLine(w, m, stackdump.Running{ID: id})
	}
	j.seen = now
}

func writeJSONLine(w *bufio.Writer, m *stackdump.Moment, t stackdump.Running) {
	thread := m.Symbols.Thread(t.ID)
	line := object{TimeUS: jsonTime(m.At), Thread: thread.String(), TID: int64(thread.TID), Frames: []string{}}
	if m.Clock.HasCPU() && len(t.Stack) > 0 {
		line.CPUUS = jsonTime(t.CPU)
	}
	for _, id := range slices.Backward(t.Stack) {
		line.Frames = append(line.Frames, stackdump.JavaFrame(m.Symbols.Method(id)))
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false) // for names such as <init>
	enc.Encode(line)         // returns only errors of w, which w keeps
}

func jsonTime(d time.Duration) json.Number {
	return json.Number(strconv.FormatInt(int64(d/time.Microsecond), 10))
}

func (j *encoder) End(*bufio.Writer) {}
