package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"artifice/input"
	"artifice/internal/words"
	"artifice/sampler"
)

// recordFlags are the flags of record, for every mode.
type recordFlags struct {
	out      outputFlags
	mode     string
	interval time.Duration
	phase    time.Duration
	device   string
	seed     uint64
	runtime  runtimeFlags
	sampling samplingFlags
	longrun  longrunFlags
	duration time.Duration
}

// mode is one way of tracing that record emulates.
type mode struct {
	name        string
	description string
	order       input.Order // in which it wants the source's events
	record      func(cmd *cobra.Command, std stdio, f *recordFlags, src *source) error
}

// modes are the values of --mode.
var modes = []mode{
	{"truth", "what happened, unobserved, with exact times", input.AsTruth, recordTruth},
	{"instrument", "the instrumented mode: every enter and exit is reported", input.AsTruth, recordInstrumented},
	{"sample", "the sampling mode: stacks are compared at every tick", input.AsTruth, recordSampled},
	{"longrun", "ART's long-running-methods tracing: calls of 170.7 ms and longer", input.AsTruth, recordLongRun},
	{"dump", "stack dumps, as ANR files (default), jstack's, folded stacks or JSON lines", input.AsTruth, recordDumps},
	{"rediff", "rebuild the samples of a sampled trace and compare them again", input.ByFile, recordRediff},
}

// recordGroups say which modes use a flag: the others refuse it. They are the
// groups of the help, too. No modes are all of them.
var recordGroups = []flagGroup{
	{"Flags for every mode", nil, []string{"output", "format", "mode"}},
	{"Truth", []string{"truth", "instrument", "sample", "longrun", "dump"}, []string{"duration", "seed"}},
	{"Device and runtime", []string{"sample", "instrument"}, []string{"device", "runtime", "clock", "streaming", "buffer"}},
	{"Sampling", []string{"sample", "dump"}, []string{"interval", "sampling", "phase"}},
	{"Samplers that differ from ART's", []string{"sample"}, []string{"schedule", "safepoint-bias", "identity", "slice-end"}},
	{"Instrumentation", []string{"instrument"}, []string{"release-build"}},
	{"Long-running methods", []string{"longrun"}, []string{"threshold", "counter-hz"}},
	{"Output", []string{"truth", "instrument", "sample", "longrun", "rediff"}, []string{"portable", "until", "value", "by-thread"}},
}

func newRecord(std stdio) *cobra.Command {
	var f recordFlags
	cmd := &cobra.Command{
		Use:   "record SOURCE -o OUT",
		Short: "Record a source with an emulated tracer",
		Long: `Run one emulated tracer over SOURCE and write what it would have recorded.
SOURCE is the truth: a built-in workload, a workload file (.yaml), a call tree
(.tree) or an instrumented method trace.

Modes:
` + describeModes(),
		Example: `  artifice record w3-on-off --mode truth -o truth.trace
  artifice record app.trace --interval 1ms -o sampled.trace
  artifice record app.trace --sampling 5000 --device A -o slow.pb.gz
  artifice record app.trace --mode instrument --runtime art12 --device A -o instrumented.trace
  artifice record sampled.trace --mode rediff -o same.trace
  artifice record cold-start --mode dump --interval 50ms -o dumps/
  artifice record cold-start --mode dump --format jvm -o dumps.txt`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd, std, args[0])
		},
	}
	f.add(cmd)
	f.addRuntime(cmd.Flags())
	f.addSampling(cmd.Flags())
	cmd.MarkFlagsMutuallyExclusive("interval", "sampling")
	return cmd
}

// add adds the flags of the truth and of the output.
func (f *recordFlags) add(cmd *cobra.Command) {
	f.out.add(cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.mode, "mode", "sample", "tracing `MODE`, one of those above")
	flags.DurationVar(&f.duration, "duration", 0, "how long a workload runs; default what the workload says")
	flags.Uint64Var(&f.seed, "seed", defaultSeed, "seed of the random numbers; the same seed gives the same bytes")
	f.out.addProfile(cmd)
	flags.SetNormalizeFunc(androidNames)
}

// addRuntime adds the flags that say who traces, and how it was started.
func (f *recordFlags) addRuntime(flags *pflag.FlagSet) {
	flags.StringVar(&f.device, "device", "ideal", "`DEVICE` whose timing to emulate: one of artifice list, or a file (.yaml)")
	flags.StringVar(&f.runtime.name, "runtime", "", "`RUNTIME` that traces, one of artifice list; default art15, or what --format implies")
	flags.StringVar(&f.runtime.clock, "clock", "", "record this `CLOCK`: dual, wall or thread-cpu; default what SOURCE has")
	flags.BoolVar(&f.runtime.streaming, "streaming", false, "write the file while tracing")
	flags.Var(&f.runtime.buffer, "buffer", "`SIZE` of the trace buffer; default 8MiB; not with --streaming")
	flags.BoolVar(&f.runtime.release, "release-build", false, "the app is not debuggable")
	flags.DurationVar(&f.longrun.threshold, "threshold", 0, "shortest call to keep; default 170.7ms, 2^22 ticks at 24.576 MHz")
	flags.Uint64Var(&f.out.counterHz, "counter-hz", 0, "frequency of the timestamp counter, in `HZ`; default 24576000")
}

// addSampling adds the flags of samplers. Without them a sampler does what ART's
// does.
func (f *recordFlags) addSampling(flags *pflag.FlagSet) {
	flags.DurationVar(&f.interval, "interval", time.Millisecond, "how long the sampler sleeps between two samples; of dumps, the time from one to the next, 50ms by default")
	flags.Var(microsValue{&f.interval}, "sampling", "the same in microseconds, as am profile start takes it")
	flags.DurationVar(&f.phase, "phase", 0, "app time of the first sample; default one interval")
	flags.StringVar(&f.sampling.schedule, "schedule", "sleep", "sample at these `TIMES`: sleep between samples (ART), or poisson, random and independent of the app")
	flags.StringVar(&f.sampling.safepointBias, "safepoint-bias", "none", "hide `METHODS` that have no suspend check: none, or leaf, compiled leaf methods without a loop")
	flags.StringVar(&f.sampling.identity, "identity", "method", "frames of two samples are one call when they have the same `KEY`: method (ART), method+line (and line of the caller, in workloads) or call (which only the truth knows)")
	flags.StringVar(&f.sampling.sliceEnd, "slice-end", "next", "`WHEN` a call ended that a sample no longer sees: next, at this sample (ART); last, at the last one that saw it; capped, 1 ms after that; mid, between the two")
}

// androidNames accepts the words of Android's "am profile start".
func androidNames(_ *pflag.FlagSet, name string) pflag.NormalizedName {
	if name == "clock-type" {
		name = "clock"
	}
	return pflag.NormalizedName(name)
}

func recordModeNames() []string {
	var all []string
	for _, m := range modes {
		all = append(all, m.name)
	}
	return all
}

func describeModes() string {
	text := ""
	for _, m := range modes {
		text += fmt.Sprintf("  %-10s %s\n", m.name, m.description)
	}
	return text
}

func (f *recordFlags) run(cmd *cobra.Command, std stdio, name string) error {
	for _, m := range modes {
		if m.name != f.mode {
			continue
		}
		if err := refuseFlags(cmd, recordGroups, "mode", m.name); err != nil {
			return err
		}
		src, err := openSource(cmd.Context(), std, name, sourceFlags{order: m.order, truth: truthFlags{&f.seed, f.duration}})
		if err != nil {
			return err
		}
		defer src.Close()
		return m.record(cmd, std, f, src)
	}
	return usagef("unknown --mode %s%s; the modes are\n%s", f.mode, didYouMean(f.mode, recordModeNames()), describeModes())
}

// recordTruth writes the source as it is: what happened, with exact times.
func recordTruth(_ *cobra.Command, std stdio, f *recordFlags, src *source) error {
	n, err := f.out.write(std, src.Recording)
	if err != nil {
		return err
	}
	fmt.Fprintf(std.err, "wrote %s, %s\n", words.Count(n, "event"), src.Info.Elapsed)
	return nil
}

// recordRediff writes what the stacks of a sampled trace, compared again, give:
// the same file.
func recordRediff(_ *cobra.Command, std stdio, f *recordFlags, src *source) error {
	out, err := f.out.create(std, src.Recording)
	if err != nil {
		return err
	}
	defer out.file.Abort()
	if err := sampler.Rediff(out, src.Recording); err != nil {
		return fmt.Errorf("%s: %w", src.name, err)
	}
	return out.Commit()
}
