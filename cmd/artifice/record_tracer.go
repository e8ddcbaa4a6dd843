package main

import (
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"artifice/art"
	"artifice/diffstack"
	"artifice/instrument"
	"artifice/internal/dmformat"
	"artifice/internal/words"
	"artifice/sampler"
	"artifice/trace"
	"artifice/writer"
)

// runtimeFlags say which runtime traces, and how it is told to.
type runtimeFlags struct {
	name      string
	streaming bool
	buffer    sizeValue
	clock     string
	release   bool
}

// start returns the trace that the flags start of a source with clock have. The
// output format can imply the runtime, streaming and format V2.
func (f *runtimeFlags) start(have trace.Clock, format string) (cfg art.Config, err error) {
	cfg = art.Config{Streaming: f.streaming, BufferSize: int64(f.buffer), Clock: have}
	if f.clock != "" {
		var ok bool
		if cfg.Clock, ok = trace.ParseClock(f.clock); !ok {
			return cfg, usagef("--clock %s: must be dual, wall or thread-cpu", f.clock)
		}
	}
	cfg.Runtime = art.Default()
	if f.name != "" {
		if cfg.Runtime, err = art.ByName(f.name); err != nil {
			return cfg, usageError{err}
		}
	}
	if v, err := dmformat.ByName(format); err == nil {
		f.imply(&cfg, v)
	}
	if _, err := cfg.WithDefaults(); err != nil {
		return cfg, usageError{err}
	}
	return cfg, nil
}

// imply sets what the output format v says of the trace.
func (f *runtimeFlags) imply(cfg *art.Config, v *dmformat.Variant) {
	cfg.Streaming = cfg.Streaming || v.Streaming
	cfg.V2 = slices.ContainsFunc(art.All(), func(r *art.Runtime) bool { return r.V2Format == v.Name })
	if v.V2 == dmformat.V2of15 {
		cfg.Streaming = true // in output mode file Android 15 gets format V2 wrong
	}
	if f.name != "" {
		return
	}
	for _, r := range art.All() {
		if r.V2Format == v.Name || !cfg.V2 && r.VM == v.VM && r.VM == "dalvik" {
			cfg.Runtime = r
		}
	}
}

// outputOf returns how a file in format V2 of a trace is laid out.
func outputOf(start art.Config) writer.Output {
	if start.Streaming {
		return writer.Streamed
	}
	return writer.EntriesLast
}

// isRuntimeFile reports whether a runtime writes files of a format, or the
// format shows all that is in one.
func isRuntimeFile(format string) bool {
	_, err := dmformat.ByName(format)
	return err == nil || format == "text"
}

func runtimeEntries() []entry {
	all := []entry{}
	for _, r := range art.All() {
		all = append(all, entry{r.Name, r.Description})
	}
	return all
}

// printWarnings prints and forgets the warnings that rec has by now.
func printWarnings(std stdio, rec *trace.Recording) {
	for _, w := range rec.Warnings {
		fmt.Fprintf(std.err, "artifice: warning: %s\n", w)
	}
	rec.Warnings = nil
}

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
	rec, err := instrument.Record(src.Recording, instrument.Config{
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
		words.Count(n, "event"), rec.Info.Elapsed.Round(time.Microsecond), d.Instrumented.Event(start.Runtime, start.Clock))
	return nil
}

// samplingFlags are the ways in which a sampler can differ from ART's; without
// them it does what ART's does.
type samplingFlags struct {
	schedule, safepointBias, sliceEnd, identity string
}

// apply sets what the flags say.
func (f *samplingFlags) apply(cfg *sampler.Config) (err error) {
	if cfg.SliceEnd, err = diffstack.ParseSliceEnd(f.sliceEnd); err != nil {
		return usagef("--slice-end: %v", err)
	}
	if cfg.Identity, err = diffstack.ParseIdentity(f.identity, diffstack.ByCall); err != nil {
		return usagef("--identity: %v", err)
	}
	for _, flag := range []struct {
		name, value, usual, other string
		set                       func()
	}{
		{"safepoint-bias", f.safepointBias, "none", "leaf", func() { cfg.Leaves = sampler.LeavesHidden }},
		{"schedule", f.schedule, "sleep", "poisson", func() { cfg.Schedule = sampler.Poisson }},
	} {
		switch flag.value {
		case flag.usual:
		case flag.other:
			flag.set()
		default:
			return usagef("--%s %s: must be %s or %s", flag.name, flag.value, flag.usual, flag.other)
		}
	}
	return nil
}

// samplerConfig turns the flags into a sampler's configuration.
func (f *recordFlags) samplerConfig(start art.Config) (sampler.Config, error) {
	d, err := deviceOf(f.device)
	if err != nil {
		return sampler.Config{}, err
	}
	if err := art.CheckInterval(f.interval); err != nil {
		return sampler.Config{}, usageError{err}
	}
	cfg := sampler.Config{
		Interval: f.interval, Phase: f.phase, Seed: f.seed, Cost: d.Sampling,
		Runtime: start.Runtime, Clock: start.Clock, Streaming: start.Streaming, V2: start.V2, BufferSize: start.BufferSize,
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
	rec, err := sampler.Record(src.Recording, cfg)
	if err != nil {
		return err
	}
	kind, err := f.out.choose(rec)
	if err != nil {
		return err
	}
	if !isRuntimeFile(kind.name) {
		cfg.KeepSymbols, cfg.BufferSize = true, 0
		if rec, err = sampler.Record(src.Recording, cfg); err != nil {
			return err
		}
	}
	if _, err := f.out.write(std, rec); err != nil {
		return err
	}
	printWarnings(std, rec)
	fmt.Fprintln(std.err, describeRun(rec.Events.(*sampler.Reader).Stats()))
	return nil
}

// describeRun says in a line what a run of the sampler came to.
func describeRun(s *sampler.Stats) string {
	text := fmt.Sprintf("sampled %s in %s", words.Count(s.Ticks, "time"), s.AppTime.Round(time.Microsecond))
	if p := s.MeanPeriod(); p > 0 {
		text += fmt.Sprintf(", every %s", p.Round(time.Microsecond))
	}
	text += fmt.Sprintf(": %s, slowdown %.3f", words.Count(s.Events, "event"), s.Slowdown())
	return text
}

// longrunFlags are the flags of record --mode longrun.
type longrunFlags struct {
	threshold time.Duration
}

// recordLongRun writes what ART's long-running-methods tracing keeps.
func recordLongRun(_ *cobra.Command, std stdio, f *recordFlags, src *source) error {
	if f.longrun.threshold < 0 {
		return usagef("--threshold %s is negative", f.longrun.threshold)
	}
	rec, err := instrument.RecordLongRunning(src.Recording, instrument.LongRunningConfig{Threshold: f.longrun.threshold, CounterHz: f.out.counterHz})
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
	fmt.Fprintf(std.err, "kept %s of calls of %s and longer, in %s of %s\n", words.Count(n, "event"),
		threshold.Round(100*time.Microsecond), words.Count(len(rec.Source.Blocks), "block"), rec.Info.Elapsed.Round(time.Microsecond))
	return nil
}
