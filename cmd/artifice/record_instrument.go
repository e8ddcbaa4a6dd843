package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"artifice/instrument"
)

// recordInstrumented writes what the instrumented mode of a runtime records.
func recordInstrumented(_ *cobra.Command, std stdio, f *recordFlags, src *source) error {
	d, err := deviceOf(f.device)
	if err != nil {
		return err
	}
	start, err := f.runtime.start(src.Info.Clock, f.out.format)
	if err != nil {
		return err
	}
	f.out.output = outputOf(start)
	rec, err := instrument.New(src.Recording, instrument.Config{
		Runtime: start.Runtime, Clock: start.Clock, Streaming: start.Streaming, V2: start.V2,
		BufferSize: start.BufferSize, Cost: d.Instrumented, Seed: f.seed, NotDebuggable: f.runtime.release,
	})
	if err != nil {
		return err
	}
	n, err := f.out.write(std, rec)
	if err != nil {
		return err
	}
	printWarnings(std, rec)
	fmt.Fprintf(std.err, "instrumented by %s: %s, %s at %s an event\n", start.Runtime.Name,
		plural(n, "event"), rec.Info.Elapsed.Round(time.Microsecond), d.Instrumented.Event(start.Runtime, start.Clock))
	return nil
}
