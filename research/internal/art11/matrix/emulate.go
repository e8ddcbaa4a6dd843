package matrix

import (
	"bytes"
	"errors"
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

// Cell is one truth, traced with one set of options.
type Cell struct {
	Name  string // of the truth
	Way   art11.Way
	Truth *art11.Truth
	By    Emulator // nil: art11's ([Emulate])
	Whole bool     // By is the whole program instead of its packages

	// Same returns the difference of two files of the cell, ART's and the emulation's, or nil. A
	// nil function means [Compare].
	Same func(art, ours []byte, w art11.Way) error
}

// Emulator returns the file of an emulated runtime for a truth.
type Emulator func(truth *trace.Recording, w art11.Way) ([]byte, error)

func (c *Cell) String() string { return c.Name + " " + c.Way.String() }

// Outcome is the result of a cell.
type Outcome struct {
	Bytes   int   // of ART's file
	Differs error // difference of the emulation's file, or nil
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
	differs := compare(result.File, ours, c.Way)
	if differs == nil && c.Same == nil {
		differs = roundTrip(result.File)
	}
	return &Outcome{len(result.File), differs}, nil
}

// roundTrip returns an error unless the product reads and writes ART's file byte for byte.
func roundTrip(file []byte) error {
	f, err := dmtrace.New(bytes.NewReader(file), "ART's file", dmtrace.ReadOptions{})
	if err != nil {
		return err
	}
	defer f.Close()
	back, err := write(&f.Recording, dmtrace.Options{})
	if err == nil && !bytes.Equal(back, file) {
		err = errors.New("ART's file is not the same when it is read and written")
	}
	return err
}

// write returns the file of a recording, or the chunk for DDMS with it.
func write(rec *trace.Recording, o dmtrace.Options) ([]byte, error) {
	var file bytes.Buffer
	d, err := dmtrace.NewWriter(&file, rec, o)
	if err != nil {
		return nil, err
	}
	if _, err := trace.Copy(d, rec.Events); err != nil {
		return nil, err
	}
	err = d.Close()
	return file.Bytes(), err
}

// Emulate returns an [Emulator] that uses the packages for the runtime with that name: the tracers
// and options of "artifice record".
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
		Seed: w.Costs.Seed, Interval: w.Interval, NotDebuggable: !w.Debuggable, Again: w.Again, CountObjects: w.Count, Device: deviceOf(w),
		OneClock: true, // a waiting thread's virtual clock does not advance while the app is stopped
		Start:    art.Config{Runtime: runtime, Clock: w.Clock, Streaming: w.Streaming, V2: w.V2, BufferSize: w.Buffer, HostBuild: true, ExactNames: true},
	})
	if err != nil {
		return nil, err
	}
	o := dmtrace.Options{Chunk: w.DDMS}
	if !w.Streaming {
		o.Output = dmtrace.EntriesLast
	}
	return write(rec, o)
}

// modeOf returns the name of the tracer for tracing options.
func modeOf(w art11.Way) string {
	if w.Sampled {
		return "sample"
	}
	return "instrument"
}

// deviceOf returns a device with the costs of the tracing options.
func deviceOf(w art11.Way) device.Device {
	c := w.Costs
	return device.Device{
		Name:         "matrix",
		Sampling:     sampler.Cost{Overshoot: c.Overshoot, PerTick: c.PerTick, PerThread: c.PerThread, PerFrame: c.PerFrame},
		Instrumented: instrument.Cost{CPURead: c.CPURead, WallRead: c.WallRead, Hook: c.Hook},
	}
}
