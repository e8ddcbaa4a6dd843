package perfetto

import (
	"fmt"
	"math"
	"time"

	"artifice/format/internal/stackdump"
	"artifice/internal/protobuf"
	"artifice/trace"
)

// unwindErrors are the names of the values of Profiling.StackUnwindError. The frame in place of the
// missing callers has such a name (StringifyLibUnwindstackError in Perfetto's
// src/profiling/common/unwind_support.cc).
var unwindErrors = [...]struct{ cause, reason string }{
	{"unknown", "UNKNOWN"}, {"", ""}, {"memory invalid", "MEMORY_INVALID"}, {"no unwind information", "UNWIND_INFO"}, {"unsupported", "UNSUPPORTED"},
	{"invalid map", "INVALID_MAP"}, {"too many frames", "MAX_FRAME_EXCEEDED"}, {"repeated frame", "REPEATED_FRAME"}, {"invalid ELF", "INVALID_ELF"},
}

// unwindErrorOf returns the error value for the name of its frame; 0 is the unknown error.
func unwindErrorOf(reason string) int {
	for i, e := range unwindErrors {
		if e.reason == reason && i != unwindErrorNone {
			return i
		}
	}
	return 0
}

// perfSample processes a PerfSample: a sample, or a number of lost or skipped samples.
func (p *sampleReader) perfSample(b []byte, s *stacks, at time.Duration) error {
	var by task
	var stack uint64
	unwound := uint64(unwindErrorNone)
	skipped, hasStack := false, false
	err := protobuf.Fields(b, func(field int, number uint64, _ []byte) error {
		switch field {
		case perfPID:
			by.pid = uint32(number)
		case perfTID:
			by.tid = uint32(number)
		case perfStack:
			stack, hasStack = number, true
		case perfUnwindError:
			unwound = number
		case perfRecordsLost:
			p.recordsLost += int64(min(number, math.MaxInt32))
		case perfSkipped:
			skipped = true
		}
		return nil
	})
	switch {
	case err != nil:
		return err
	case skipped:
		p.skipped++
		return nil
	case !hasStack:
		if by != (task{}) {
			p.stackless++
		}
		return nil
	}
	what := s.perf
	if what.event == "" {
		what.event = cpuClock
	}
	if unwound != unwindErrorNone {
		p.failed[unwindErrors[min(unwound, uint64(len(unwindErrors)-1))].cause]++
	}
	return p.sample(at, by, what, what.each, p.node(s, stack))
}

// stackSample processes a StackSample.
func (p *sampleReader) stackSample(b []byte, s *stacks, at time.Duration) error {
	var by task
	what, weight, stack := s.weight, uint64(0), int32(stackdump.NoNode)
	why, hasStack := "", false
	err := protobuf.Fields(b, func(field int, number uint64, body []byte) (err error) {
		switch field {
		case sampleTask:
			_, by, err = readTask(body)
		case sampleTaskID:
			by = s.tasks[number]
		case sampleStack:
			stack, err = p.inlineStack(s, body)
			hasStack = true
		case sampleStackID:
			stack, hasStack = p.node(s, number), true
		case sampleUnwindError:
			why = string(body)
		case sampleUnwindErrorID:
			why = unwindErrors[0].reason
		case sampleDescriptor:
			_, what, err = readDescriptor(body)
		case sampleDescriptorID:
			what = s.counters[number]
		case sampleWeight:
			weight = number
		}
		return err
	})
	switch {
	case err != nil:
		return err
	case !hasStack:
		p.stackless++
		return nil
	}
	if why != "" {
		if known := unwindErrorOf(why); known > 0 || why == unwindErrors[0].reason {
			why = unwindErrors[known].cause
		}
		p.failed[why]++
	}
	if what.event == "" {
		what.event, what.times = "samples", 1
	}
	return p.sample(at, by, what, weight*what.times, stack)
}

// sample adds a sample with its count of the event; count is 0 if the sample does not state it.
func (p *sampleReader) sample(at time.Duration, by task, what counted, number uint64, stack int32) error {
	switch {
	case at < 0:
		return damaged{fmt.Errorf("a sample at %d ns", uint64(at))}
	case number > math.MaxInt64:
		return damaged{fmt.Errorf("a sample that counts %d of %s", number, what.event)}
	}
	kind := p.kind(what)
	if p.isWall(kind) != p.isWall(0) {
		p.others++
		return nil
	}
	p.count++
	p.name(by.tid, by.pid, "")
	if last, ok := p.last[by.tid]; what.event == wallTime && (!ok || at >= last.At) {
		p.last[by.tid] = stackdump.Sample{At: at, CPU: time.Duration(number)}
	}
	return p.add(at, time.Duration(number), seen{by.tid, stack, kind})
}

// kind returns the number of the quantity that a sample counts. Traces have few kinds.
func (p *sampleReader) kind(what counted) uint16 {
	for i := range p.kinds {
		if p.kinds[i].event == what.event {
			return uint16(i)
		}
	}
	if len(p.kinds) > math.MaxUint16 {
		return math.MaxUint16
	}
	p.kinds = append(p.kinds, what)
	return uint16(len(p.kinds) - 1)
}

// isWall reports whether samples of a kind represent wall time.
func (p *sampleReader) isWall(kind uint16) bool {
	return int(kind) < len(p.kinds) && p.kinds[kind].event == wallTime
}

// seen is the key of a thread with one of its stacks and the kind of the sample.
type seen struct {
	tid   uint32
	stack int32
	kind  uint16
}

// add adds a sample, identified by the number of its thread and stack.
func (p *sampleReader) add(at, counts time.Duration, what seen) error {
	n, ok := p.numbers[what]
	if !ok {
		n = trace.MethodID(len(p.seen))
		p.seen = append(p.seen, what)
		p.numbers[what] = n
	}
	return p.samples.AddByTime(&trace.Event{Wall: at, CPU: counts, Method: n})
}
