package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"artifice/art"
	"artifice/sampler"
)

// samplerConfig turns the flags into a sampler's configuration. The buffer is
// left to the runtime.
func (f *recordFlags) samplerConfig(start art.Config) (sampler.Config, error) {
	d, err := deviceOf(f.device)
	if err != nil {
		return sampler.Config{}, err
	}
	var control art.Control
	if _, err := control.StartSampling(f.interval); err != nil {
		return sampler.Config{}, usageError{err}
	}
	cfg := sampler.Config{Interval: f.interval, Phase: f.phase, Seed: f.seed, Clock: start.Clock, Cost: d.Sampling}
	if start.Runtime.VM == "dalvik" {
		cfg.Runtime = sampler.Dalvik
	}
	err = f.sampling.apply(&cfg)
	return cfg, err
}

// recordSampled writes what the sampling mode of a runtime records. Files get
// the runtime's layout; profiles are made of the stacks that the samples saw.
func recordSampled(_ *cobra.Command, std stdio, f *recordFlags, src *source) error {
	start, err := f.runtime.start(src.Info.Clock, f.out.format)
	if err != nil {
		return err
	}
	f.out.output = outputOf(start)
	cfg, err := f.samplerConfig(start)
	if err != nil {
		return err
	}
	s, err := sampler.New(src.Recording, cfg, nil)
	if err != nil {
		return err
	}
	pipe, err := art.NewPipe(s.Recording(), start)
	if err != nil {
		return err
	}
	rec := pipe.Recording()
	kind, err := f.out.choose(rec)
	if err != nil {
		return err
	}
	if !isRuntimeFile(kind.name) {
		rec, pipe = s.Recording(), nil
	}
	out, err := f.out.create(std, rec)
	if err != nil {
		return err
	}
	defer out.file.Abort()
	if pipe != nil {
		pipe.SetOutput(out.WriteCloser)
		out.WriteCloser = pipe
	}
	s.SetOutput(out.WriteCloser) // a writer of profiles wants the snapshots too
	if err := sampler.Run(src.Recording, s); err != nil {
		return err
	}
	if err := out.Commit(); err != nil {
		return err
	}
	printWarnings(std, rec)
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
	return text
}
