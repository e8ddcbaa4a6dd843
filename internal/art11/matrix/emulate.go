package matrix

import (
	"bytes"
	"fmt"

	"artifice/art"
	"artifice/device"
	"artifice/instrument"
	"artifice/internal/art11"
	"artifice/sampler"
	"artifice/trace"
	"artifice/tracer"
	"artifice/writer"
)

// Cell is one truth, traced in one way.
type Cell struct {
	Name  string // of the truth
	Way   art11.Way
	Truth *art11.Truth
}

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
	ours, err := Emulate(c.Truth.Recording(c.Way, result), c.Way)
	if err != nil {
		return nil, fmt.Errorf("%s: the emulation: %w", c, err)
	}
	return &Outcome{len(result.File), Compare(result.File, ours, c.Way)}, nil
}

// Emulate returns the file that "artifice record --runtime art11" writes of a truth: the
// same tracer is given the same options.
func Emulate(truth *trace.Recording, w art11.Way) ([]byte, error) {
	runtime, err := art.ByName("art11")
	if err != nil {
		return nil, err
	}
	c, mode := w.Costs, "instrument"
	if w.Sampled {
		mode = "sample"
	}
	t, err := tracer.ByName(mode)
	if err != nil {
		return nil, err
	}
	rec, err := t.Record(truth, &tracer.Options{
		Seed: c.Seed, Interval: w.Interval, NotDebuggable: !w.Debuggable,
		Start: art.Config{Runtime: runtime, Clock: w.Clock, Streaming: w.Streaming, BufferSize: w.Buffer},
		Device: device.Device{
			Sampling:     sampler.Cost{Overshoot: c.Overshoot, PerTick: c.PerTick, PerThread: c.PerThread, PerFrame: c.PerFrame},
			Instrumented: instrument.Cost{CPURead: c.CPURead, WallRead: c.WallRead, Hook: c.Hook},
		},
	})
	if err != nil {
		return nil, err
	}
	var file bytes.Buffer
	d, err := writer.NewDmtrace(&file, rec, writer.DmtraceConfig{})
	if err != nil {
		return nil, err
	}
	if _, err := trace.Copy(d, rec.Events); err != nil {
		return nil, err
	}
	err = d.Close()
	return file.Bytes(), err
}
