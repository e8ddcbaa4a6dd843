package writer

import (
	"bufio"
	"fmt"
	"io"
	"time"

	"artifice/internal/encode"
	"artifice/trace"
)

var perfettoFormat = Format{
	Name: "perfetto", Description: "Perfetto trace: a track per thread, for ui.perfetto.dev and trace_processor",
	Endings: []string{".perfetto-trace", ".pftrace"}, Binary: true, Until: true,
	Open: func(w io.Writer, rec *trace.Recording, o Options) (Writer, error) {
		return newPerfetto(w, rec, o), nil
	},
}

// Field numbers of the messages under protos/perfetto/trace in Perfetto's sources.
const (
	tracePacket = 1

	packetTimestamp, packetSequence      = 8, 10
	packetEvent, packetInterned          = 11, 12
	packetFlags, packetTrack, packetPerf = 13, 60, 66

	trackUUID, trackProcess, trackThread, trackParent, trackCounter = 1, 3, 4, 5, 8

	processPID                       = 1
	threadPID, threadTID, threadName = 1, 2, 5
	counterType                      = 1

	eventType, eventName, eventTrack       = 9, 10, 11
	eventCounterValues, eventCounterTracks = 12, 31

	internedEventNames, internedFunctions            = 2, 5
	internedFrames, internedStacks                   = 6, 7
	internedBuildIDs, internedPaths, internedMapping = 16, 17, 19
	internedID, internedText                         = 1, 2

	mappingBuild, mappingPath                      = 2, 7
	frameFunction, frameMapping, framePC           = 2, 3, 4
	stackID, stackFrame                            = 1, 2
	perfCPU, perfPID, perfTID, perfStack, perfMode = 1, 2, 3, 4, 5
)

// Values of the enumerations in these messages.
const (
	sliceBegin, sliceEnd = 1, 2
	counterThreadTime    = 1 // COUNTER_THREAD_TIME_NS
	stateCleared         = 1 // SEQ_INCREMENTAL_STATE_CLEARED
	stateNeeded          = 2 // SEQ_NEEDS_INCREMENTAL_STATE
	modeUser             = 2
)

// perfetto is a Writer of Perfetto's trace format: a TrackEvent for every enter
// and exit, on a track for each thread. Times are those of the recording plus its
// start, taken for the clock that Perfetto has as its default (BOOTTIME): ART's
// start is on the monotonic clock, which lags behind by what the device slept.
// With a dual clock each event has the thread's CPU time, which Perfetto shows as
// thread duration; a trace of CPU time alone is drawn on that axis.
//
// Of a sampled recording each sample is a PerfSample besides, which Perfetto makes
// flame graphs of. Stack dumps tell them all: of a row of samples that saw the same
// stack only the first one's time is known, and the others are spread evenly up to the
// last. A method trace tells those that saw a change; the others are filled in, see
// sampleFiller, for a flame graph of changes alone would show waiting threads as doing
// next to nothing.
//
// It streams: what is kept is the open frames, which methods have been named and,
// of samples, the distinct stacks; and what the sampleFiller keeps.
type perfetto struct {
	nested
	w      *bufio.Writer
	pid    uint32
	hasCPU bool
	begins []encode.Message // by method: what the TrackEvent of a begin has about it; nil before its name is written
	tracks []encode.Message // by thread: what each of its TrackEvents has about its tracks

	// Of samples: stacks are numbered by stacks, and frames by frameOf.
	stacks  sampledContexts
	filler  *sampleFiller
	filled  time.Duration // the period, where samples were filled in
	samples sampleCount
	cut     bool   // not all were
	written []bool // by node of stacks
	framed  []bool // by frame

	// What cores did, by core, not written yet.
	cores   cores
	bundles []encode.Message
	bundled int

	packet, body, interned, item encode.Message // reused
}

func newPerfetto(w io.Writer, rec *trace.Recording, o Options) *perfetto {
	p := &perfetto{w: bufio.NewWriterSize(w, 1<<16), hasCPU: rec.Info.Clock == trace.Dual, filler: newSampleFiller(rec, o.TempDir), samples: newSampleCount(&o)}
	p.nested = nested{rec: rec, until: o.Until, begin: p.track, event: p.change}
	p.cores.chosen = o.Categories
	return p
}

// WriteEvents implements [trace.Writer].
func (p *perfetto) WriteEvents(events []trace.Event) error {
	if err := p.filler.judge(events); err != nil {
		return err
	}
	return p.nested.WriteEvents(events)
}

// change writes an event and keeps it for the samples.
func (p *perfetto) change(e *trace.Event) error {
	if err := p.filler.add(e); err != nil {
		return err
	}
	return p.slice(e)
}

// flush writes the packet that has been put together.
func (p *perfetto) flush() error {
	p.packet.Uint(packetSequence, 1)
	out := encode.Message(p.w.AvailableBuffer())
	out.Bytes(tracePacket, p.packet)
	_, err := p.w.Write(out)
	return err
}

// at returns a time of the recording on Perfetto's clock.
func (p *perfetto) at(t time.Duration) uint64 { return uint64(max(p.rec.Info.Start, 0) + max(t, 0)) }

// slice writes the begin or end of a call.
func (p *perfetto) slice(e *trace.Event) error {
	if p.cores.hides(p.rec.Symbols, e.Method) {
		return nil
	}
	fields := sliceEndFields
	if e.Action == trace.Enter {
		fields = p.begin(e.Method)
	}
	out := encode.Message(p.w.AvailableBuffer())
	packet := out.Open(tracePacket)
	out.Uint(packetTimestamp, p.at(e.Time(p.rec.Info.Clock)))
	event := out.Open(packetEvent)
	out = append(out, fields...)
	if p.hasCPU {
		out.Uint(eventCounterValues, uint64(e.CPU))
	}
	out = append(out, p.tracks[e.Thread]...)
	out.Shut(event)
	return p.end(out, packet)
}

// sliceEndFields is what the TrackEvent of every end has.
var sliceEndFields = encode.Message{eventType << 3, sliceEnd}

// begin returns what the TrackEvent of every begin of a method has. The method's name
// is interned at its first use.
func (p *perfetto) begin(m trace.MethodID) encode.Message {
	if int(m) >= len(p.begins) {
		p.begins = append(p.begins, make([]encode.Message, len(p.rec.Symbols.Methods)-len(p.begins))...)
	}
	if p.begins[m] == nil {
		id := uint64(m) + 1
		p.intern(internedEventNames, id, p.rec.Symbols.Method(m).FullName())
		p.begins[m].Uint(eventType, sliceBegin)
		p.begins[m].Uint(eventName, id)
	}
	return p.begins[m]
}

// timed writes a packet at a time with body as its field, and what it interns.
func (p *perfetto) timed(at time.Duration, field int) error {
	out := encode.Message(p.w.AvailableBuffer())
	packet := out.Open(tracePacket)
	out.Uint(packetTimestamp, p.at(at))
	out.Bytes(field, p.body)
	return p.end(out, packet)
}

// end writes a packet at a time, with what it interns.
func (p *perfetto) end(out encode.Message, packet int) error {
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
func (p *perfetto) intern(field int, id uint64, text string) {
	p.item = p.item[:0]
	p.item.Uint(internedID, id)
	p.item.Text(internedText, validUTF8(text))
	p.interned.Bytes(field, p.item)
}

// first reports whether seen does not have i, and adds it.
func first(seen *[]bool, i int) bool {
	if i >= len(*seen) {
		*seen = append(*seen, make([]bool, max(64, i+1-len(*seen), len(*seen)))...)
	}
	was := (*seen)[i]
	(*seen)[i] = true
	return !was
}

// Close closes the frames that are open and completes the file.
func (p *perfetto) Close() error {
	err := p.fill()
	if err == nil {
		err = p.finish()
	}
	if err == nil {
		err = p.flushSched()
	}
	if stopped := p.filler.stop(); err == nil {
		err = stopped
	}
	if err != nil {
		return fmt.Errorf("perfetto: %w", err)
	}
	if p.pid == 0 { // a file without a byte would be of no format
		if err := p.start(); err != nil {
			return err
		}
	}
	return p.w.Flush()
}

// processID returns the process id of a recording. Where nobody says it, it is
// the main thread's, as Linux has it; never 0, which viewers take for the idle
// task.
func processID(rec *trace.Recording) uint32 {
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
