package main

import (
	"fmt"
	"os"

	"artifice/format/dmtrace"
	"artifice/internal/testdata"

	"artifice/trace"
)

// The files.
const (
	repeated = "repeated"
	distinct = "distinct"
)

// file is a method trace that programs read.
type file struct {
	name   string // prefix of its measures' names
	path   string
	events int
}

// repeat writes the calls of a trace to a classic file repeatedly.
func (f *file) repeat(from string) error {
	in, err := dmtrace.Open(from, dmtrace.ReadOptions{})
	if err != nil {
		return err
	}
	defer in.Close()
	var all trace.Buffer
	if _, err := trace.Copy(&all, in.Events); err != nil {
		return err
	}
	calls, span := testdata.Calls(all.Events)
	if len(calls) == 0 {
		return fmt.Errorf("%s: no call is whole", from)
	}
	return f.write(&trace.Recording{Info: in.Info, Symbols: in.Symbols}, func() []trace.Event {
		testdata.Shift(calls, span)
		return calls
	})
}

// distinct writes a classic file with stacks that never repeat.
func (f *file) distinct() error {
	walk, batch := testdata.NewDistinct(), make([]trace.Event, trace.BatchSize)
	return f.write(&trace.Recording{Symbols: walk.Symbols}, func() []trace.Event {
		walk.ReadEvents(batch) // it never ends and never fails
		return batch
	})
}

// write writes the events returned by next to a classic file, until there are at least f.events.
func (f *file) write(rec *trace.Recording, next func() []trace.Event) error {
	out, err := os.Create(f.path)
	if err != nil {
		return err
	}
	defer out.Close()
	w, err := dmtrace.NewWriter(out, rec, dmtrace.Options{Format: "art"})
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
