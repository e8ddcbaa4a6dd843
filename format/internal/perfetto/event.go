package perfetto

import (
	"bytes"
	"time"

	"artifice/format/internal/timeline"
	"artifice/internal/protobuf"
	"artifice/trace"
)

// intern stores the names of slices, which packets refer to by number.
func (p *reader) intern(b []byte, seq *sequence) error {
	m := protobuf.NewReader(b)
	for m.Next() {
		if m.Field != internedEventNames {
			continue
		}
		id, name, err := readInterned(m.Body)
		if err != nil {
			return err
		}
		seq.names.set(id, bytes.Clone(name))
	}
	return m.Err()
}

// slice contains the used fields of a TrackEvent.
type slice struct {
	protobuf.Integers
	phase             byte // 'B', 'E', 'X', or another value if the event is not a call
	nameID            uint64
	name              []byte
	pid, tid          uint32        // override those of the track
	at, cpu           time.Duration // cpu is -1 if unknown
	length, cpuLength time.Duration // for phase 'X'

	hasPID, hasTID bool

	values, tracks []uint64 // values of extra counters except the first ones, and their tracks
}

// Slots of the integers of a TrackEvent. The last two fields are repeated: their slots have the
// first elements.
const (
	slotType = iota + 1
	slotNameID
	slotTrack
	slotCounterValue
	slotCounterTrack
)

var eventSlots = protobuf.NewSlots(eventType, eventNameID, eventTrack, eventCounterValues, eventCounterTracks)

// trackEvent processes a TrackEvent.
func (p *reader) trackEvent(b []byte, seq *sequence, at time.Duration) error {
	var e slice
	ok, err := p.readEvent(&e, b, seq, at)
	if err != nil || !ok || e.phase != 'B' && e.phase != 'E' && e.phase != 'X' || e.length < 0 {
		return err
	}
	t, ok, err := p.threadOfTrack(&e, seq)
	if err != nil || !ok {
		if e.phase != 'E' {
			p.Async++
		}
		return err
	}
	var method trace.MethodID
	switch {
	case e.phase == 'E' && e.nameID == 0:
		return p.Calls.EndOf(t, e.name, e.at, e.cpu)
	case e.phase == 'E':
		return p.end(t, e.nameID, seq, e.at, e.cpu)
	case e.nameID != 0:
		method, err = seq.names.method(&p.Calls, e.nameID)
	default:
		method, err = p.Calls.Method(e.name)
	}
	if err != nil {
		return err
	}
	if e.phase == 'X' {
		cpuEnd := e.cpu
		if e.cpu >= 0 {
			cpuEnd = e.cpu + e.cpuLength
		}
		return p.Calls.WholeOf(t, method, e.at, e.at+e.length, e.cpu, cpuEnd)
	}
	return p.Calls.BeginOf(t, method, e.at, e.cpu)
}

// end adds the end of a slice with an interned name. The innermost open slice with that name ends,
// as in trace_processor. A number without a name counts as no name.
func (p *reader) end(t trace.ThreadID, nameID uint64, seq *sequence, at, cpu time.Duration) error {
	if seq.names.get(nameID) == nil {
		return p.Calls.EndAs(t, 0, at, cpu)
	}
	method, err := seq.names.method(&p.Calls, nameID)
	if err != nil {
		return err
	}
	return p.Calls.EndAs(t, method+1, at, cpu)
}

// phases contains the phase of each type of event: TYPE_SLICE_BEGIN and TYPE_SLICE_END.
var phases = [...]byte{sliceBegin: 'B', sliceEnd: 'E'}

// readEvent reads a TrackEvent of a packet with a time. ok is false if the reference of its time is
// unknown.
func (p *reader) readEvent(e *slice, b []byte, seq *sequence, at time.Duration) (ok bool, err error) {
	e.at, e.cpu, ok = at, -1, true
	var legacy []byte
	for end := e.Read(eventSlots, b, 0); end < len(b); end = e.Read(eventSlots, b, end) {
		var tag, value uint64
		if tag, value, end = protobuf.Next(b, end); end < 0 {
			return false, protobuf.Err(end)
		}
		switch tag {
		case eventName<<3 | bytesKind:
			e.name = b[end-int(value) : end]
		case eventCounterValues<<3 | bytesKind:
			for _, v := range appendNumbers(nil, 0, b[end-int(value):end]) {
				e.add(eventCounterValues<<3|varintKind, v)
			}
		case eventCounterTracks<<3 | bytesKind:
			for _, v := range appendNumbers(nil, 0, b[end-int(value):end]) {
				e.add(eventCounterTracks<<3|varintKind, v)
			}
		case eventLegacy<<3 | bytesKind:
			legacy = b[end-int(value) : end]
		case eventWallDelta<<3 | varintKind, eventCPUDelta<<3 | varintKind, eventWall<<3 | varintKind, eventCPU<<3 | varintKind:
			ok = p.olderTime(e, seq, int(tag>>3), value) && ok
		default:
			e.add(tag, value)
		}
	}
	if n := e.Value[slotType]; n < uint64(len(phases)) {
		e.phase = phases[n]
	}
	e.nameID = e.Value[slotNameID]
	if legacy != nil {
		err = e.readLegacy(legacy)
	}
	if e.Has(slotCounterValue) {
		p.threadTime(e, seq)
	}
	return ok, err
}

// add adds an integer field that [protobuf.Integers.Read] did not store.
func (e *slice) add(tag, value uint64) {
	switch {
	case tag == eventCounterValues<<3|varintKind && e.Has(slotCounterValue):
		e.values = append(e.values, value)
	case tag == eventCounterTracks<<3|varintKind && e.Has(slotCounterTrack):
		e.tracks = append(e.tracks, value)
	default:
		e.Set(eventSlots, tag, value)
	}
}

// olderTime converts a time in microseconds, which is absolute or relative to the previous event.
// ok is false if the time of that event is unknown.
func (p *reader) olderTime(e *slice, seq *sequence, field int, number uint64) (ok bool) {
	value := time.Duration(number) * time.Microsecond
	t := &seq.thread
	switch field {
	case eventWall:
		e.at = p.clocks.at(clockMonotonic, value)
	case eventCPU:
		e.cpu = value
	case eventWallDelta:
		t.wall += value
		e.at = p.clocks.at(clockMonotonic, t.wall)
		return t.timed
	case eventCPUDelta:
		t.cpu += value
		e.cpu = t.cpu
		return t.timed
	}
	return true
}

// readLegacy reads a LegacyEvent, with the phases of Chrome's JSON.
func (e *slice) readLegacy(b []byte) error {
	return protobuf.Fields(b, func(field int, number uint64, body []byte) error {
		if body != nil {
			return nil
		}
		switch field {
		case legacyNameID:
			if e.nameID == 0 {
				e.nameID = number
			}
		case legacyPhase:
			e.phase = byte(number)
		case legacyLength:
			e.length = time.Duration(number) * time.Microsecond
		case legacyCPULength:
			e.cpuLength = time.Duration(number) * time.Microsecond
		case legacyPID:
			e.pid, e.hasPID = uint32(number), true
		case legacyTID:
			e.tid, e.hasTID = uint32(number), true
		}
		return nil
	})
}

// threadTime sets the thread's CPU time from an event's extra counters. The event states their
// tracks, otherwise its sequence does.
func (p *reader) threadTime(e *slice, seq *sequence) {
	tracks := e.tracks
	switch {
	case e.Has(slotCounterTrack):
		p.count(&e.cpu, e.Value[slotCounterTrack], e.Value[slotCounterValue])
	case len(seq.counters) > 0:
		p.count(&e.cpu, seq.counters[0], e.Value[slotCounterValue])
		tracks = seq.counters[1:]
	}
	for i, v := range e.values[:min(len(e.values), len(tracks))] {
		p.count(&e.cpu, tracks[i], v)
	}
}

// count processes the value of an extra counter of an event. It sets cpu if the counter is a
// thread's CPU time.
func (p *reader) count(cpu *time.Duration, track, v uint64) {
	c, ok := p.counters.Get(track)
	if !ok {
		return
	}
	value := int64(v) * c.unit
	if c.incremental {
		c.value += value
		value = c.value
	}
	if c.threadTime {
		*cpu = time.Duration(value)
	}
}

// appendNumbers appends the value of a field: one number, or several packed numbers.
func appendNumbers(to []uint64, number uint64, packed []byte) []uint64 {
	if packed == nil {
		return append(to, number)
	}
	for len(packed) > 0 {
		v, n := protobuf.ReadVarint(packed)
		if n < 0 {
			break
		}
		to, packed = append(to, v), packed[n:]
	}
	return to
}

// ftrace processes an FtraceEventBundle: its prints, and its events about thread states. Each
// bundle is of one core, so the events of several bundles are not in time order.
func (p *reader) ftrace(b []byte) error {
	core := uint64(0)
	bundle := protobuf.NewReader(b)
	for bundle.Next() {
		var err error
		switch {
		case bundle.Field == bundleCPU:
			core = bundle.Number
		case bundle.Field == bundleCompact && bundle.Body != nil:
			err = p.cores.compact(core, bundle.Body)
		case bundle.Field == bundleEvent && bundle.Body != nil:
			err = p.ftraceEvent(core, bundle.Body)
		}
		if err != nil {
			return err
		}
	}
	return bundle.Err()
}

// ftraceEvent processes an FtraceEvent of a core.
func (p *reader) ftraceEvent(core uint64, b []byte) error {
	var mark timeline.Mark
	var of int // field number of the message
	var body []byte
	event := protobuf.NewReader(b)
	for event.Next() {
		switch event.Field {
		case ftraceTime:
			mark.At = time.Duration(event.Number)
		case ftracePID:
			mark.Tid = uint32(event.Number)
		case ftracePrint, ftraceSwitch, ftraceWakeup, ftraceWaking, ftraceBlocked:
			of, body = event.Field, event.Body
		default:
			begins, err := beginsKernelSlice(event.Field, event.Body)
			if err != nil {
				return err
			}
			if begins {
				p.kernelSlices++
			}
		}
	}
	if err := event.Err(); err != nil {
		return err
	}
	if of != ftracePrint {
		return p.cores.event(mark.At, core, of, body)
	}
	text := protobuf.NewReader(body)
	for text.Next() {
		if text.Field == printText {
			mark.Text = bytes.TrimRight(text.Body, "\n\x00")
		}
	}
	if err := text.Err(); err != nil {
		return err
	}
	return p.marks.Add(&mark)
}
