package perfetto

import (
	"fmt"
	"strings"
	"time"

	"artifice/internal/protobuf"
)

// counted is the event that a sampler counts, and the default count of a sample.
type counted struct {
	event  string        // perf's name of the event; [wallTime] if samples represent wall time
	each   uint64        // default count of a sample; 0 if the trace does not state it
	period time.Duration // usual time between samples; 0 if the trace does not state it
	times  uint64        // factor of weights
}

const (
	cpuClock = "cpu-clock" // nanoseconds of CPU time, by perf's name
	wallTime = "wall-time" // nanoseconds of wall time, by the name in Python's profiles
)

// perfEvents are perf's names of the values of PerfEvents.Counter.
var perfEvents = [...]string{
	1: cpuClock, "page-faults", "task-clock", "context-switches", "cpu-migrations", "minor-faults",
	"major-faults", "alignment-faults", "emulation-faults", "cpu-cycles", "instructions",
	"cache-references", "cache-misses", "branch-instructions", "branch-misses", "bus-cycles",
	"stalled-cycles-frontend", "stalled-cycles-backend", "ref-cycles", "dummy",
}

// defaults processes the fields of TracePacketDefaults about samples.
func (s *stacks) defaults(b []byte) error {
	return protobuf.Fields(b, func(field int, _ uint64, body []byte) (err error) {
		switch field {
		case defaultsPerf:
			err = protobuf.Fields(body, func(field int, _ uint64, body []byte) (err error) {
				if field == perfDefaultsTimebase {
					s.perf, err = readTimebase(body)
				}
				return err
			})
		case defaultsStackSample:
			s.weight, err = readSampleDefaults(body)
		}
		return err
	})
}

// readTimebase reads a PerfEvents.Timebase. Samples at a frequency of N are 1/N s apart if the
// event is a CPU clock, and usually also for other events.
func readTimebase(b []byte) (c counted, err error) {
	var period, frequency uint64
	var name string
	c = counted{event: cpuClock, times: 1}
	err = protobuf.Fields(b, func(field int, number uint64, body []byte) error {
		switch field {
		case basePeriod:
			period = number
		case baseFrequency:
			frequency = number
		case baseCounter:
			c.event = "another event"
			if number < uint64(len(perfEvents)) && number > 0 {
				c.event = perfEvents[number]
			}
		case baseRaw:
			c.event = "a raw event"
		case baseTracepoint:
			return protobuf.Fields(body, func(field int, _ uint64, text []byte) error {
				if field == tracepointName {
					c.event = string(text)
				}
				return nil
			})
		case baseName:
			name = string(body)
		}
		return nil
	})
	switch {
	case frequency > 0 && c.ofTime():
		c.each = uint64(time.Second) / frequency
	case frequency > 0:
		c.period = time.Second / time.Duration(min(frequency, uint64(time.Second)))
	default:
		c.each = period
	}
	if name != "" && !c.ofTime() {
		c.event = name
	}
	return c, err
}

// ofTime reports whether the event counts nanoseconds.
func (c *counted) ofTime() bool {
	return c.event == cpuClock || c.event == "task-clock" || c.event == wallTime
}

// readSampleDefaults reads a StackSampleDefaults. A source such as "python.wall" counts nanoseconds
// of wall time.
func readSampleDefaults(b []byte) (c counted, err error) {
	var source string
	err = protobuf.Fields(b, func(field int, _ uint64, body []byte) (err error) {
		switch field {
		case sampleDefaultsSource:
			source = string(body)
		case sampleDefaultsDescriptor:
			_, c, err = readDescriptor(body)
		}
		return err
	})
	if c.event == cpuClock && strings.HasSuffix(source, ".wall") {
		c.event = wallTime
	}
	return c, err
}

// readDescriptor reads a CounterDescriptor. Nanoseconds are CPU time, unless the counter's name
// begins with "wall".
func readDescriptor(b []byte) (id uint64, c counted, err error) {
	var unit uint64
	var name, unitText string
	c.times = 1
	err = protobuf.Fields(b, func(field int, number uint64, body []byte) error {
		switch field {
		case internedID:
			id = number
		case descriptorName:
			name = string(body)
		case descriptorUnit:
			unit = number
		case descriptorUnitText:
			unitText = string(body)
		case descriptorTimes:
			c.times = max(1, number)
		}
		return nil
	})
	switch {
	case unit == unitNanoseconds && strings.HasPrefix(strings.ToLower(name), "wall"):
		c.event = wallTime
	case unit == unitNanoseconds:
		c.event = cpuClock
	case name != "":
		c.event = name
	case unitText != "":
		c.event = unitText
	default:
		c.event = fmt.Sprintf("an event of unit %d", unit)
	}
	return id, c, err
}
