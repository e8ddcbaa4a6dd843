package matrix

import (
	"bytes"
	"fmt"

	"artifice/art"
	"artifice/format/dmtrace"
	"artifice/instrument"
	"artifice/research/internal/art11"
	"artifice/sampler"
	"artifice/trace"
	"artifice/tracer"
	"artifice/tracer/device"
)

// Cell is one truth, traced in one way.
type Cell struct {
	Name  string // of the truth
	Way   art11.Way
	Truth *art11.Truth
	By    Emulator // nil: that of art11 ([Emulate])
	Whole bool     // By is the whole program, not its packages

	// Same returns what differs in two files of the cell, ART's and ours, or nil; nil: [Compare].
	Same func(art, ours []byte, w art11.Way) error
}

// Emulator returns the file that the emulation of a runtime writes of a truth.
type Emulator func(truth *trace.Recording, w art11.Way) ([]byte, error)

func (c *Cell) String() string { return c.Name + " " + c.Way.String() }

// Outcome is what came of a cell.
type Outcome struct {
	Bytes   int   // of ART's file
	Differs error // what differs in ours, or nil
}

// Run traces the cell's truth with ART and with the emulation.
func (c *Cell) Run(a *art11.ART) (*Outcome, error) {
	result, err := a.Record(c.Truth, c.Way)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.Name, err)
	}
	emulate, compare := c.By, c.Same
	if emulate == nil {
		emulate = Emulate("art11")
	}
	if compare == nil {
		compare = Compare
	}
	ours, err := emulate(c.Truth.Recording(c.Way, result), c.Way)
	if err != nil {
		return nil, fmt.Errorf("%s: the emulation: %w", c, err)
	}
	return &Outcome{len(result.File), compare(result.File, ours, c.Way)}, nil
}

// Emulate returns an [Emulator] of the packages, of a runtime of that name: the tracers that "artifice record" uses are
// given the same options.
func Emulate(runtime string) Emulator {
	return func(truth *trace.Recording, w art11.Way) ([]byte, error) {
		rt, err := art.ByName(runtime)
		if err != nil {
			return nil, err
		}
		return emulate(rt, truth, w)
	}
}

func emulate(runtime *art.Runtime, truth *trace.Recording, w art11.Way) ([]byte, error) {
	t, err := tracer.ByName(modeOf(w))
	if err != nil {
		return nil, err
	}
	rec, err := t.Record(truth, &tracer.Options{
		Seed: w.Costs.Seed, Interval: w.Interval, NotDebuggable: !w.Debuggable, Again: w.Again, Device: deviceOf(w),
		OneClock: true, // a thread that waits has a virtual clock that stands still while the app is stopped
		Start:    art.Config{Runtime: runtime, Clock: w.Clock, Streaming: w.Streaming, BufferSize: w.Buffer},
	})
	if err != nil {
		return nil, err
	}
	var file bytes.Buffer
	d, err := dmtrace.NewWriter(&file, rec, dmtrace.Options{})
	if err != nil {
		return nil, err
	}
	if _, err := trace.Copy(d, rec.Events); err != nil {
		return nil, err
	}
	err = d.Close()
	return file.Bytes(), err
}

// modeOf returns the name of the tracer of a way of tracing.
func modeOf(w art11.Way) string {
	if w.Sampled {
		return "sample"
	}
	return "instrument"
}

// deviceOf returns the device on which tracing costs what the way says.
func deviceOf(w art11.Way) device.Device {
	c := w.Costs
	return device.Device{
		Name:         "matrix",
		Sampling:     sampler.Cost{Overshoot: c.Overshoot, PerTick: c.PerTick, PerThread: c.PerThread, PerFrame: c.PerFrame},
		Instrumented: instrument.Cost{CPURead: c.CPURead, WallRead: c.WallRead, Hook: c.Hook},
	}
}
