package artgolden

import (
	"bytes"
	"time"

	"artifice/art"
	"artifice/format/dmtrace"
	"artifice/trace"
	"artifice/tracer"
	"artifice/tracer/device"
	"artifice/writer"
)

// Emulate returns the file that the emulator writes for a cell.
func Emulate(t *Truth, c Cell) ([]byte, error) {
	v, err := versionOf(c.Version)
	if err != nil {
		return nil, err
	}
	runtime, err := art.ByName(v.Runtime)
	if err != nil {
		return nil, err
	}
	o := &tracer.Options{Seed: 1, Interval: time.Millisecond, Device: free(runtime),
		Start: art.Config{Runtime: runtime, Clock: c.Clock, Streaming: c.Streaming, V2: c.V2, BufferSize: c.Buffer}}
	if c.Costs {
		o.OneClock, o.Device.Instrumented.CPURead, o.Device.Instrumented.WallRead = true, CPURead, WallRead
	}
	mode := "instrument"
	truth := t.recording()
	if c.Costs {
		truth.Info.Start += startTime(runtime, c.Clock)
	}
	switch {
	case c.Sampled:
		mode = "sample"
	case c.LongRun:
		mode, o.CounterHz, o.Threshold = "longrun", nsCounter, longTicks*time.Nanosecond
		truth.Symbols = t.addressed()
	}
	way, err := tracer.ByName(mode)
	if err != nil {
		return nil, err
	}
	rec, err := way.Record(truth, o)
	if err != nil {
		return nil, err
	}
	output := dmtrace.EntriesLast
	if c.Streaming {
		output = dmtrace.Streamed
	}
	var file bytes.Buffer
	_, err = writer.Write(&file, rec.Source.Format, rec, dmtrace.Options{Clock: c.Clock, Output: output, CounterHz: o.CounterHz})
	return file.Bytes(), err
}

// startTime returns the time at which ART reads its start time, at the cost of a cell: before or
// after the clocks are measured. The emulation takes it from the truth.
func startTime(r *art.Runtime, c trace.Clock) time.Duration {
	at := WallRead
	if !r.ZeroFirst {
		cost := CPURead
		if c == trace.Dual {
			cost += WallRead
		}
		at += art.ClockReads*cost + time.Duration(r.MeasureReads)*CPURead
	}
	if r.StartReads > 0 { // to convert it, the monotonic clock is read first, then the counter
		at -= WallRead
	}
	return at
}

// The counter of the drivers, in Hz, and the minimum length of a long-running method in its ticks
// (kLongRunningMethodThreshold).
const (
	nsCounter = 1e9
	longTicks = 1 << 23
)

// free returns a device without costs and with clocks of the runtime's resolution.
func free(r *art.Runtime) device.Device {
	d := device.Device{Name: "free"}
	d.Sampling.Granularity, d.Instrumented.Granularity = r.Tick, r.Tick
	return d
}
