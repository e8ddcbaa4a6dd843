package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"time"

	"artifice/internal/truths"
	"artifice/reader"
	"artifice/trace"
	"artifice/writer"
)

// The files.
const (
	repeated = "repeated"
	distinct = "distinct"
)

// file is a method trace that programs read.
type file struct {
	name   string // begins the names of its measures
	path   string
	events int
}

// repeat writes the calls of a trace to a classic file again and again.
func (f *file) repeat(from string) error {
	in, err := reader.Open(from, reader.Config{})
	if err != nil {
		return err
	}
	defer in.Close()
	var all trace.Buffer
	if _, err := trace.Copy(&all, in.Events); err != nil {
		return err
	}
	calls, span := truths.Calls(all.Events)
	if len(calls) == 0 {
		return fmt.Errorf("%s: no call is whole", from)
	}
	return f.write(&trace.Recording{Info: in.Info, Symbols: in.Symbols}, func() []trace.Event {
		truths.Shift(calls, span)
		return calls
	})
}

// distinct writes a classic file whose stacks never repeat: a random walk between
// 8 and 40 frames over 2000 methods.
func (f *file) distinct() error {
	const methods = 2000
	rec := &trace.Recording{Symbols: &trace.Symbols{}}
	rec.Symbols.AddThread(trace.Thread{TID: 1, Name: "main"})
	for i := range methods {
		rec.Symbols.AddMethod(trace.Method{ID: uint64(4 * (i + 1)), Class: "C", Name: fmt.Sprint("m", i), Signature: "()V"})
	}
	rng := rand.New(rand.NewPCG(1, 2))
	batch := make([]trace.Event, trace.BatchSize)
	var open []trace.MethodID
	var at time.Duration
	return f.write(rec, func() []trace.Event {
		for i := range batch {
			at += time.Microsecond
			e := trace.Event{Wall: at, CPU: at, Action: trace.Exit}
			if depth := len(open); depth < 8 || depth < 40 && rng.IntN(2) == 0 {
				e.Method, e.Action = trace.MethodID(rng.IntN(methods)), trace.Enter
				open = append(open, e.Method)
			} else {
				e.Method, open = open[depth-1], open[:depth-1]
			}
			batch[i] = e
		}
		return batch
	})
}

// write writes a classic file with the events that next returns, until there are
// f.events or more.
func (f *file) write(rec *trace.Recording, next func() []trace.Event) error {
	out, err := os.Create(f.path)
	if err != nil {
		return err
	}
	defer out.Close()
	w, err := writer.NewDmtrace(out, rec, writer.DmtraceConfig{Format: "art"})
	if err != nil {
		return err
	}
	wanted := f.events
	for f.events = 0; f.events < wanted; {
		events := next()
		f.events += len(events)
		if err := w.WriteEvents(events); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	return out.Close()
}
