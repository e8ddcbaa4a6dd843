package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"artifice/sampler"
	"artifice/trace"
)

// samplerConfig turns the flags into a sampler's configuration.
func (f *recordFlags) samplerConfig(rec *trace.Recording) (sampler.Config, error) {
	cost, err := samplingCost(f.device)
	if err != nil {
		return sampler.Config{}, err
	}
	clock := rec.Info.Clock
	if f.clock != "" {
		var ok bool
		if clock, ok = trace.ParseClock(f.clock); !ok {
			return sampler.Config{}, usagef("--clock %s: it is dual, wall or thread-cpu", f.clock)
		}
	}
	if f.interval <= 0 {
		return sampler.Config{}, usagef("--interval %s: ART wants one above 0", f.interval)
	}
	return sampler.Config{
		Interval: f.interval, Phase: f.phase, Seed: f.seed, Clock: clock,
		Buffer: int64(f.buffer), Cost: cost,
	}, nil
}

func recordSampled(cmd *cobra.Command, std stdio, f *recordFlags, src *source) error {
	cfg, err := f.samplerConfig(src.Recording)
	if err != nil {
		return err
	}
	s, err := sampler.New(src.Recording, cfg, nil)
	if err != nil {
		return err
	}
	out, err := f.out.create(std, s.Recording())
	if err != nil {
		return err
	}
	defer out.file.Abort()
	s.SetOutput(out.WriteCloser) // a writer of profiles wants the snapshots too
	if err := sampler.Run(src.Recording, s); err != nil {
		return err
	}
	if err := out.Commit(); err != nil {
		return err
	}
	fmt.Fprintln(std.err, describeRun(s.Stats()))
	return nil
}

// describeRun says in a line what a run of the sampler came to.
func describeRun(s *sampler.Stats) string {
	text := fmt.Sprintf("sampled %s in %s", plural(s.Ticks, "time"), s.AppTime.Round(time.Microsecond))
	if p := s.MeanPeriod(); p > 0 {
		text += fmt.Sprintf(", every %s", p.Round(time.Microsecond))
	}
	text += fmt.Sprintf(": %s, slowdown %.3f", plural(s.Events, "event"), s.Slowdown())
	if s.Dropped > 0 {
		text += fmt.Sprintf("; the buffer was full: %s lost", plural(s.Dropped, "event"))
	}
	return text
}
