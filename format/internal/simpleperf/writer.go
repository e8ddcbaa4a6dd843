package simpleperf

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"time"

	"artifice/format/internal/kind"
	"artifice/internal/encode"
	"artifice/internal/protobuf"
	"artifice/trace"
	"artifice/trace/calltree"
)

// nominalFile is the nominal file of all methods, because traces do not contain their files.
const nominalFile = "base.apk"

// writer is a Writer of the format of simpleperf report-sample --protobuf: the letters
// SIMPLEPERF, u2 version 1, and records of u4 length and a message, ended by a record of length 0.
// All samples have the event cpu-clock, which counts nanoseconds of CPU time. The meta data state
// that no sample was taken off the CPU (trace_offcpu).
//
// Each interval in which a thread's stack did not change becomes a sample at its beginning. Its
// count is the time that the thread ran: its CPU time with a dual clock, otherwise the whole
// interval. Sums of counts are therefore correct. Intervals without running time are omitted,
// because simpleperf does not sample waiting threads. If the samples are known (stack dumps), they
// are written, each with its share of the interval; a sample without time counts 1 ns.
//
// It streams: it keeps the open frames, or the last sample of each thread.
type writer struct {
	encode.Nested
	w       io.Writer
	out     protobuf.Message // data to be written next
	started bool
	at      []stretch // by thread
	frames  encode.FrameTable
	// by the number of a frame: its CallChainEntry, as a field of a Sample
	entries []protobuf.Message
	samples encode.SampleCount
	known   bool            // the samples are known, so those derived from events are omitted
	ran     encode.RunTimes // for the known samples

	body, chain protobuf.Message // reused
}

// stretch is the current interval of a thread.
type stretch struct {
	stack []trace.MethodID // the open frames
	chain encode.FrameList // the entries of the outermost open frames
	since trace.Event
}

func newWriter(w io.Writer, rec *trace.Recording, o kind.WriteOptions) *writer {
	s := &writer{w: w, frames: encode.FrameTable{Symbols: rec.Symbols}, samples: encode.NewSampleCount(o.Limits)}
	s.Nested = encode.Nested{Rec: rec, Until: o.Until, To: s}
	return s
}

// record begins a Record; the caller appends its field of size bytes.
func (s *writer) record(field, size int) {
	head := 1 + protobuf.SizeVarint(uint64(size))
	s.out = binary.LittleEndian.AppendUint32(s.out, uint32(head+size))
	s.out = protobuf.AppendHead(s.out, field, size)
}

// flush writes a Record with body as its field.
func (s *writer) flush(field int) error {
	s.record(field, len(s.body))
	s.out = append(s.out, s.body...)
	return s.write(1 << 16)
}

// write writes the buffered data if there is enough of it.
func (s *writer) write(enough int) error {
	if len(s.out) < enough {
		return nil
	}
	_, err := s.w.Write(s.out)
	s.out = s.out[:0]
	return err
}

// start writes the part before the samples.
func (s *writer) start() error {
	if s.started {
		return nil
	}
	s.started = true
	s.out = append(s.out, "SIMPLEPERF\x01\x00"...)
	s.body = s.body[:0]
	s.body.Text(metaEvent, "cpu-clock")
	s.body.Uint(metaOffCPU, 0)
	return s.flush(recordMeta)
}

// BeginThread implements [encode.Timeline]: it writes the name of a thread.
func (s *writer) BeginThread(id trace.ThreadID) error {
	for int(id) >= len(s.at) {
		s.at = append(s.at, stretch{})
	}
	return s.start()
}

// Event implements [encode.Timeline]: the stack of the event's thread changes.
func (s *writer) Event(e *trace.Event) error {
	state := &s.at[e.Thread]
	ran := e.Wall - state.since.Wall
	if s.Rec.Info.Clock.HasCPU() {
		ran = e.CPU - state.since.CPU
	}
	depth := len(state.stack)
	if depth > 0 && ran > 0 && !s.known {
		s.samples.N++
		if err := s.samples.Stack(depth); err != nil {
			return err
		}
		if err := s.sample(e.Thread, state.since.Time(s.Rec.Info.Clock), s.complete(state), ran); err != nil {
			return err
		}
	}
	state.since = *e
	if e.Action == trace.Enter {
		state.stack = append(state.stack, e.Method)
		return nil
	}
	state.stack = state.stack[:depth-1]
	state.chain.Cut(min(state.chain.Depth(), depth-1))
	return nil
}

// complete adds the missing entries to the chain of a thread, and returns the chain. Frames are
// numbered from the innermost on, in the order in which a reader meets them.
func (s *writer) complete(state *stretch) []byte {
	missing := state.stack[state.chain.Depth():]
	for i := len(missing) - 1; i >= 0; i-- {
		s.entry(missing[i])
	}
	for _, m := range missing {
		entry := s.entry(m)
		copy(state.chain.Push(len(entry)), entry)
	}
	return state.chain.Bytes()
}

// WriteSnapshot implements [trace.SnapshotWriter]. It fails if sums represent more samples than the
// limit.
func (s *writer) WriteSnapshot(snap *trace.Snapshot) error {
	s.known = true
	if err := encode.CheckSnapshot(snap, s.Rec.Symbols); err != nil {
		return err
	}
	if err := s.BeginThread(snap.Thread); err != nil {
		return err
	}
	if !s.Rec.Info.Clock.HasCPU() {
		return s.stack(snap, max(snap.Until-snap.Wall, time.Duration(snap.Count)))
	}
	return s.ran.Take(snap, s.stack)
}

// stack writes the samples of a snapshot. The sum of their counts is ran. A thread that did not run
// has no samples in simpleperf.
func (s *writer) stack(snap *trace.Snapshot, ran time.Duration) error {
	if snap.IsEnd() || ran <= 0 {
		return nil
	}
	s.chain = s.chain[:0]
	for i := len(snap.Stack) - 1; i >= 0; i-- {
		s.chain = append(s.chain, s.entry(snap.Stack[i])...)
	}
	if len(snap.Stack) == 0 {
		s.chain = append(s.chain, s.entry(calltree.NoMethod)...)
	}
	return s.samples.Each(snap, ran, func(at, counts time.Duration) error {
		if err := s.samples.Stack(len(snap.Stack)); err != nil {
			return err
		}
		return s.sample(snap.Thread, at, s.chain, counts)
	})
}

// sample writes a Sample, with the entries of its frames innermost first. Its size is computed
// first, so that no part of it, such as a long stack, is copied twice.
func (s *writer) sample(id trace.ThreadID, at time.Duration, chain []byte, ran time.Duration) error {
	start := min(uint64(max(s.Rec.Info.Start, 0))+uint64(max(at, 0)), math.MaxInt64)
	thread, count := uint64(s.Rec.Symbols.Thread(id).TID), uint64(ran)
	s.record(recordSample, 3+protobuf.SizeVarint(start)+protobuf.SizeVarint(thread)+len(chain)+protobuf.SizeVarint(count))
	s.out.Uint(sampleTime, start)
	s.out.Uint(sampleThread, thread)
	s.out = append(s.out, chain...)
	s.out.Uint(sampleCount, count)
	return s.write(1 << 16)
}

// entry returns the field for a method's frame.
func (s *writer) entry(m trace.MethodID) protobuf.Message {
	number := int(s.frames.Number(m))
	if number == len(s.entries) { // numbers are assigned consecutively
		var entry, field protobuf.Message
		entry.Uint(entryAddress, uint64(number)+1) // the address is unknown in traces
		entry.Uint(entryFile, 0)
		entry.Uint(entrySymbol, uint64(number))
		entry.Uint(entryKind, interpretedMethod)
		field.Bytes(sampleFrame, entry)
		s.entries = append(s.entries, field)
	}
	return s.entries[number]
}

// Close writes the names of methods and threads and completes the file.
func (s *writer) Close() error {
	err := s.start()
	if err == nil {
		err = s.Finish()
	}
	if err == nil {
		err = s.names()
	}
	if err == nil {
		s.out = append(s.out, 0, 0, 0, 0)
		err = s.write(0)
	}
	if err != nil {
		return fmt.Errorf("simpleperf: %w", err)
	}
	return nil
}

// names writes the records after the samples.
func (s *writer) names() error {
	s.body = s.body[:0]
	s.body.Uint(lostSamples, uint64(s.samples.N))
	s.body.Uint(lostLost, 0)
	if err := s.flush(recordLost); err != nil {
		return err
	}
	s.body = s.body[:0]
	s.body.Uint(fileID, 0)
	s.body.Text(filePath, nominalFile)
	for _, m := range s.frames.Used {
		s.body.Bytes(fileSymbol, []byte(encode.ValidUTF8(s.frames.Method(m).FullName())))
	}
	if err := s.flush(recordFile); err != nil {
		return err
	}
	pid := encode.ProcessID(s.Rec)
	for i := range s.Rec.Symbols.Threads {
		t := &s.Rec.Symbols.Threads[i]
		s.body = s.body[:0]
		s.body.Uint(threadID, uint64(t.TID))
		s.body.Uint(threadPID, uint64(pid))
		s.body.Text(threadName, encode.ValidUTF8(t.String()))
		if err := s.flush(recordThread); err != nil {
			return err
		}
	}
	return nil
}

// Notes describes repairs of the nesting, and the meaning of the samples.
func (s *writer) Notes() []string {
	notes := s.Nested.Notes()
	if !s.known && !s.Rec.Info.Clock.HasCPU() {
		notes = append(notes, "the recording has no CPU time: threads are treated as always running")
	}
	if s.Rec.Info.Waits {
		notes = append(notes, "waiting time is not written")
	}
	return notes
}
