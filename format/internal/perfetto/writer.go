package perfetto

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"time"

	"artifice/format/internal/kind"
	"artifice/internal/encode"
	"artifice/internal/protobuf"
	"artifice/trace"
)

// file is a Writer of Perfetto's trace format: a TrackEvent for every enter and exit, on a track
// for each thread. Times are those of the recording plus its start, on the clock that is Perfetto's
// default (BOOTTIME): ART's start is on the monotonic clock, which does not count suspended time.
// With a dual clock each event has the thread's CPU time, which Perfetto shows as thread duration.
// A trace with CPU times only uses them as its time axis.
//
// Each sample of a sampled recording is a StackSample in addition, with its time in nanoseconds, or
// a PerfSample with [Options].PerfSamples. Perfetto makes flame graphs of them. Stack dumps contain
// all samples. Of consecutive samples with the same stack, only the time of the first is known, so
// the others are distributed evenly up to the last one. A method trace contains only samples with a
// change; sampleFiller adds the others, because a flame graph of changes alone would show almost no
// time of waiting threads.
//
// It streams. It keeps the open frames, the set of named methods, the distinct stacks of samples,
// and the data of the sampleFiller.
type file struct {
	encode.Nested
	w      *bufio.Writer
	pid    uint32
	hasCPU bool
	// by method: the fields of its TrackEvents at begins; nil before its name is written
	begins []protobuf.Message
	tracks []protobuf.Message // by thread: the fields about tracks of its TrackEvents

	// For samples. Stacks are numbered by stacks, and frames by frameOf.
	stacks  encode.SampledContexts
	filler  *encode.SampleFiller
	filled  time.Duration // the sampling period, if samples were filled in
	samples encode.SampleCount
	cut     string // the limit at which samples were cut off; "" if none
	written []bool // by node of stacks
	framed  []bool // by frame
	tasks   []bool // by thread

	perfSamples bool
	ran         encode.RunTimes // for samples of CPU time

	// Scheduler events not written yet, by core.
	cores   encode.Cores
	bundles []protobuf.Message
	bundled int
	calls   encode.Binder
	frames  frameWriter

	packet, body, interned, item protobuf.Message // reused
}

func create(w io.Writer, rec *trace.Recording, common kind.WriteOptions, o Options) *file {
	p := &file{w: bufio.NewWriterSize(w, 1<<16), hasCPU: rec.Info.Clock == trace.Dual, filler: encode.NewSampleFiller(rec, common.TempDir), samples: encode.NewSampleCount(common.Limits), perfSamples: o.PerfSamples}
	p.Nested = encode.Nested{Rec: rec, Until: common.Until, To: p, ForPerfetto: true}
	p.cores.Chosen = o.Categories
	p.frames = newFrameWriter(rec)
	return p
}

// Numbers of tracks. The process has 1. A thread has an even number, and its counter of CPU time
// the next odd number.
const processTrack = 1

func threadTrack(id trace.ThreadID) uint64 { return 2*uint64(id) + 2 }
func cpuTrack(id trace.ThreadID) uint64    { return threadTrack(id) + 1 }

// descriptor writes a packet with a TrackDescriptor; fill appends its fields.
func (p *file) descriptor(uuid uint64, fill func(m *protobuf.Message)) error {
	p.body = p.body[:0]
	p.body.Uint(trackUUID, uuid)
	fill(&p.body)
	p.packet = p.packet[:0]
	p.packet.Bytes(packetTrack, p.body)
	return p.flush()
}

// start writes the beginning of the file: a packet that clears the interned data, and the process.
func (p *file) start() error {
	p.pid = encode.ProcessID(p.Rec)
	p.packet = p.packet[:0]
	p.packet.Uint(packetFlags, stateCleared)
	if err := p.flush(); err != nil {
		return err
	}
	err := p.descriptor(processTrack, func(m *protobuf.Message) {
		var process protobuf.Message
		process.Uint(processPID, uint64(p.pid))
		m.Bytes(trackProcess, process)
	})
	for i := range p.Rec.DisplayFrames {
		if err == nil {
			err = p.displayFrame(&p.Rec.DisplayFrames[i])
		}
	}
	return err
}

// BeginThread implements [encode.Timeline]: it writes the tracks of a thread.
func (p *file) BeginThread(id trace.ThreadID) error {
	if p.pid == 0 {
		if err := p.start(); err != nil {
			return err
		}
	}
	for int(id) >= len(p.tracks) {
		p.tracks = append(p.tracks, nil)
	}
	var fields protobuf.Message
	fields.Uint(eventTrack, threadTrack(id))
	if p.hasCPU {
		fields.Uint(eventCounterTracks, cpuTrack(id))
	}
	p.tracks[id] = fields
	t := p.Rec.Symbols.Thread(id)
	err := p.descriptor(threadTrack(id), func(m *protobuf.Message) {
		var thread protobuf.Message
		thread.Uint(threadPID, uint64(p.pid))
		thread.Uint(threadTID, uint64(t.TID))
		thread.Text(threadName, encode.ValidUTF8(t.Name))
		m.Uint(trackParent, processTrack)
		m.Bytes(trackThread, thread)
	})
	if err != nil || !p.hasCPU {
		return err
	}
	return p.descriptor(cpuTrack(id), func(m *protobuf.Message) {
		var counter protobuf.Message
		counter.Uint(counterType, counterThreadTime)
		m.Uint(trackParent, threadTrack(id))
		m.Bytes(trackCounter, counter)
	})
}

// WriteEvents implements [trace.Writer].
func (p *file) WriteEvents(events []trace.Event) error {
	if err := p.filler.Judge(events); err != nil {
		return err
	}
	return p.Nested.WriteEvents(events)
}

// Event implements [encode.Timeline]. It writes an event, and stores it for the filling in of
// samples.
func (p *file) Event(e *trace.Event) error {
	if err := p.filler.Add(e); err != nil {
		return err
	}
	if err := p.frameEvent(e); err != nil {
		return err
	}
	if e.Action == trace.Enter {
		return errors.Join(p.slice(e), p.binder(e))
	}
	return errors.Join(p.binder(e), p.slice(e))
}

// flush writes the assembled packet.
func (p *file) flush() error {
	p.packet.Uint(packetSequence, 1)
	out := protobuf.Message(p.w.AvailableBuffer())
	out.Bytes(tracePacket, p.packet)
	_, err := p.w.Write(out)
	return err
}

// at converts a time of the recording to Perfetto's clock.
func (p *file) at(t time.Duration) uint64 { return uint64(max(max(p.Rec.Info.Start, 0)+t, 0)) }

// slice writes the begin or end of a call.
func (p *file) slice(e *trace.Event) error {
	if p.cores.Hides(p.Rec.Symbols, e.Method) {
		return nil
	}
	fields := sliceEndFields
	if e.Action == trace.Enter {
		if fields = p.begin(e.Method); p.Rec.Info.Sections {
			fields = p.section(e, fields)
		}
	}
	out := protobuf.Message(p.w.AvailableBuffer())
	packet := out.Open(tracePacket)
	out.Uint(packetTime, p.at(e.Time(p.Rec.Info.Clock)))
	event := out.Open(packetEvent)
	out = append(out, fields...)
	if p.hasCPU {
		out.Uint(eventCounterValues, uint64(e.CPU))
	}
	out = append(out, p.tracks[e.Thread]...)
	out.Shut(event)
	return p.end(out, packet)
}

// sliceEndFields are the fields of the TrackEvents of all ends.
var sliceEndFields = protobuf.Message{eventType << 3, sliceEnd}

// begin returns the fields of the TrackEvents of a method's begins. The method's name is interned
// at its first use.
func (p *file) begin(m trace.MethodID) protobuf.Message {
	if int(m) >= len(p.begins) {
		p.begins = append(p.begins, make([]protobuf.Message, len(p.Rec.Symbols.Methods)-len(p.begins))...)
	}
	if p.begins[m] == nil {
		id := uint64(m) + 1
		p.intern(internedEventNames, id, p.Rec.Symbols.Method(m).FullName())
		p.begins[m].Uint(eventType, sliceBegin)
		p.begins[m].Uint(eventNameID, id)
	}
	return p.begins[m]
}

// section returns the fields of the TrackEvent that begins a section. If the names of its calls
// differ, the event contains the name instead of an interned one.
func (p *file) section(e *trace.Event, fields protobuf.Message) protobuf.Message {
	name := p.frames.vsyncs.Section(p.Rec, p.Rec.Symbols.Method(e.Method), e.Wall)
	if name == "" {
		return fields
	}
	p.item = p.item[:0]
	p.item.Uint(eventType, sliceBegin)
	p.item.Text(eventName, name)
	return p.item
}

// timed writes a packet at a time, with body as one of its fields, and with its interned data.
func (p *file) timed(at time.Duration, field int) error {
	out := protobuf.Message(p.w.AvailableBuffer())
	packet := out.Open(tracePacket)
	out.Uint(packetTime, p.at(at))
	out.Bytes(field, p.body)
	return p.end(out, packet)
}

// end writes a packet at a time, with its interned data.
func (p *file) end(out protobuf.Message, packet int) error {
	if len(p.interned) > 0 {
		out.Bytes(packetInterned, p.interned)
		p.interned = p.interned[:0]
	}
	out = append(out, packetFlags<<3, stateNeeded, packetSequence<<3, 1)
	out.Shut(packet)
	_, err := p.w.Write(out)
	return err
}

// intern adds an entry to the interned data of the packet.
func (p *file) intern(field int, id uint64, text string) {
	p.item = p.item[:0]
	p.item.Uint(internedID, id)
	p.item.Text(internedText, encode.ValidUTF8(text))
	p.interned.Bytes(field, p.item)
}

// first reports whether i is not in seen, and adds it.
func first(seen *[]bool, i int) bool {
	if i >= len(*seen) {
		*seen = append(*seen, make([]bool, max(64, i+1-len(*seen), len(*seen)))...)
	}
	was := (*seen)[i]
	(*seen)[i] = true
	return !was
}

// Close closes the frames that are open and completes the file.
func (p *file) Close() error {
	err := p.ran.Rest(func(s *trace.Snapshot) error { return p.sample(s, 0) })
	if err == nil {
		err = p.fill()
	}
	if err == nil {
		p.frames.period = 0 // frames that are open at the end have no end
		err = p.Finish()
	}
	if err == nil {
		err = p.flushSched()
	}
	if stopped := p.filler.Stop(); err == nil {
		err = stopped
	}
	if err != nil {
		return fmt.Errorf("perfetto: %w", err)
	}
	if p.pid == 0 { // the format of an empty file could not be detected
		if err := p.start(); err != nil {
			return err
		}
	}
	return p.w.Flush()
}
