package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"artifice/internal/dmformat"
	"artifice/longrun"
)

// longrunFlags are the flags of record --mode longrun.
type longrunFlags struct {
	threshold time.Duration
}

func (f *longrunFlags) add(cmd *cobra.Command) {
	cmd.Flags().DurationVar(&f.threshold, "threshold", 0, "longrun: the shortest call to keep; default 170.7ms, 2^22 ticks at 24.576 MHz")
}

// recordLongRun writes what ART's long-running-methods tracing keeps.
func recordLongRun(_ *cobra.Command, std stdio, f *recordFlags, src *source) error {
	if f.longrun.threshold < 0 {
		return usagef("--threshold %s is negative", f.longrun.threshold)
	}
	rec, err := longrun.New(src.Recording, longrun.Config{Threshold: f.longrun.threshold, CounterHz: f.out.counterHz})
	if err != nil {
		return err
	}
	n, err := f.out.write(std, rec)
	if err != nil {
		return err
	}
	threshold := f.longrun.threshold
	if threshold == 0 {
		threshold, _ = dmformat.TicksToTime(dmformat.LongRunThreshold, dmformat.DefaultCounterHz)
	}
	fmt.Fprintf(std.err, "kept %s of calls of %s and longer, in %s of %s\n", plural(n, "event"),
		threshold.Round(100*time.Microsecond), plural(int64(len(rec.Source.Blocks)), "block"), rec.Info.Elapsed.Round(time.Microsecond))
	return nil
}
