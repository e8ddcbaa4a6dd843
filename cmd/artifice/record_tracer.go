package main

import (
	"slices"

	"github.com/spf13/cobra"

	"artifice/art"
	"artifice/cmd/internal/command"
	"artifice/diffstack"
	"artifice/format/dmtrace"
	"artifice/internal/cli"
	"artifice/internal/dmformat"
	"artifice/sampler"
	"artifice/trace"
	"artifice/tracer"
)

// runtimeFlags select the emulated runtime and how tracing is started.
type runtimeFlags struct {
	name      string
	streaming bool
	exact     bool
	buffer    cli.Size
	clock     string
}

// start returns the configuration of the runtime's trace; have is the clock of the source. The
// output format can imply the runtime, streaming and format V2.
func (f *runtimeFlags) start(have trace.Clock, format string) (cfg art.Config, err error) {
	cfg = art.Config{Streaming: f.streaming, ExactNames: f.exact, BufferSize: int64(f.buffer), Clock: have}
	if f.clock != "" {
		var ok bool
		if cfg.Clock, ok = trace.ParseClock(f.clock); !ok {
			return cfg, command.Usagef("--clock %s: must be dual, wall or thread-cpu", f.clock)
		}
	}
	cfg.Runtime = art.Default()
	if f.name != "" {
		if cfg.Runtime, err = art.ByName(f.name); err != nil {
			return cfg, command.AsUsage(err)
		}
	}
	if v, err := dmformat.ByName(format); err == nil {
		f.imply(&cfg, v)
	}
	if _, err := cfg.WithDefaults(); err != nil {
		return cfg, command.AsUsage(err)
	}
	return cfg, nil
}

// imply sets the options that the output format v implies.
func (f *runtimeFlags) imply(cfg *art.Config, v *dmformat.Variant) {
	cfg.Streaming = cfg.Streaming || v.Streaming
	cfg.V2 = v.V2 != 0
	if v.V2 == dmformat.V2of15 {
		cfg.Streaming = true // Android 15 writes format V2 incorrectly in output mode file
	}
	if f.name == "" {
		cfg.Runtime = art.Writing(v.Name)
	}
}

// outputOf returns the layout of a file in format V2.
func outputOf(start art.Config) dmtrace.Output {
	if start.Streaming {
		return dmtrace.Streamed
	}
	return dmtrace.EntriesLast
}

// isRuntimeFile reports whether a runtime writes files of the format, or the format represents such
// files completely.
func isRuntimeFile(format string) bool {
	_, err := dmformat.ByName(format)
	return err == nil || format == "text"
}

// isOTLP reports whether format is one of OpenTelemetry's profiles.
func isOTLP(format string) bool { return format == "otlp" || format == "otlp-json" }

// samplingFlags are the options in which a sampler can differ from ART's, which is the default.
type samplingFlags struct {
	schedule, safepointBias, sliceEnd, identity string
}

// apply sets the options of a tracer from the flags.
func (f *samplingFlags) apply(o *tracer.Options) (err error) {
	if o.SliceEnd, err = diffstack.ParseSliceEnd(f.sliceEnd); err != nil {
		return command.Usagef("--slice-end: %v", err)
	}
	if o.Identity, err = diffstack.ParseIdentity(f.identity, diffstack.ByCall); err != nil {
		return command.Usagef("--identity: %v", err)
	}
	switch f.safepointBias {
	case "none":
	case "leaf":
		o.Leaves = sampler.LeavesHidden
	default:
		return command.Usagef("--safepoint-bias %s: must be none or leaf", f.safepointBias)
	}
	switch f.schedule {
	case "sleep":
	case "poisson":
		o.Schedule = sampler.Poisson
	default:
		return command.Usagef("--schedule %s: must be sleep or poisson", f.schedule)
	}
	return nil
}

// options returns the options of a tracer from all flags.
func (f *recordFlags) options(cmd *cobra.Command, t tracer.Tracer, src *command.Source) (*tracer.Options, error) {
	o := &tracer.Options{
		Seed: f.seed, Phase: f.phase, NotDebuggable: f.release, CountObjects: f.objects, Again: f.again, UnwindAtOnce: f.unwind, Ring: f.ring, AllThreads: f.threads, Threshold: f.threshold, CounterHz: f.out.Trace.CounterHz,
	}
	if flags := cmd.Flags(); flags.Changed("interval") || flags.Changed("sampling") {
		o.Interval = f.interval
	}
	if ring := t.Ring; ring.Max > 0 && cmd.Flags().Changed("ring") && (f.ring < ring.Min || f.ring > ring.Max) {
		return nil, command.Usagef("--ring %d: the ring of %s has %d to %d entries", f.ring, t.Name, ring.Min, ring.Max)
	}
	if dmformat.IsLongRun(f.out.Format) {
		o.Format = f.out.Format
	}
	var err error
	if o.Device, err = command.Device(f.device); err != nil {
		return nil, err
	}
	if slices.Contains(t.Uses, "runtime") {
		if o.Start, err = f.runtime.start(src.Info.Clock, f.out.Format); err != nil {
			return nil, err
		}
		f.out.Trace.Output = outputOf(o.Start)
	}
	return o, f.sampling.apply(o)
}
