package main

import (
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

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
	order       order // in which it wants the source's events
	record      func(cmd *cobra.Command, std stdio, f *recordFlags, src *source) error
	ignores     []string // flags that mean nothing to it
}

// Flags that some modes have no use for.
var (
	samplerFlags = []string{"interval", "sampling", "phase", "safepoint-bias", "slice-end", "identity", "schedule"}
	tracerFlags  = []string{"device", "runtime", "streaming", "buffer", "clock", "release-build"}
	profileFlags = []string{"portable", "until", "value", "by-thread"}
	longrunOnly  = []string{"threshold", "counter-hz"}
)

// modes are the values of --mode.
var modes = []mode{
	{"truth", "what happened, unobserved, with exact times", asTruth, recordTruth, slices.Concat(samplerFlags, tracerFlags, longrunOnly)},
	{"instrument", "the instrumented mode: every enter and exit is reported", asTruth, recordInstrumented, slices.Concat(samplerFlags, longrunOnly)},
	{"sample", "the sampling mode: compare stacks at every tick", asTruth, recordSampled, slices.Concat([]string{"release-build"}, longrunOnly)},
	{"longrun", "ART's long-running-methods tracing: calls of 170.7 ms and longer", asTruth, recordLongRun, slices.Concat(samplerFlags, tracerFlags)},
	{"dump", "stack dumps, as ANR files (default), jstack's, folded stacks or JSON lines", asTruth, recordDumps, slices.Concat(samplerFlags[3:], tracerFlags, profileFlags, longrunOnly)},
	{"rediff", "rebuild the samples of a sampled trace and compare them again", byFile, recordRediff, slices.Concat(samplerFlags, tracerFlags, longrunOnly, []string{"seed"})},
}

func newRecord(std stdio) *cobra.Command {
	var f recordFlags
	cmd := &cobra.Command{
		Use:   "record SOURCE -o OUT",
		Short: "Record what an emulated tracer would have written of SOURCE",
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
	f.out.add(cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.mode, "mode", "sample", "what to emulate, see above")
	flags.DurationVar(&f.interval, "interval", time.Millisecond, "sample: how long the sampler sleeps between two samples. dump: time between two dumps; default 50ms")
	flags.Var(microsValue{&f.interval}, "sampling", "the same in microseconds, as am profile start has it")
	flags.DurationVar(&f.phase, "phase", 0, "sample, dump: app time of the first sample; default after the first interval")
	flags.StringVar(&f.device, "device", "ideal", "whose timing to emulate, one of artifice list or a file of its own (.yaml)")
	flags.Uint64Var(&f.seed, "seed", defaultSeed, "seed of the random numbers; the same seed gives the same bytes")
	f.runtime.add(cmd)
	f.sampling.add(cmd)
	f.longrun.add(cmd)
	flags.Uint64Var(&f.out.counterHz, "counter-hz", 0, "longrun: frequency of the timestamp counter, in `HZ`; default 24576000")
	flags.DurationVar(&f.duration, "duration", 0, "how long a workload runs; default what the workload says")
	f.out.addProfile(cmd)
	flags.SetNormalizeFunc(androidNames)
	cmd.MarkFlagsMutuallyExclusive("interval", "sampling")
	return cmd
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
		for _, flag := range m.ignores {
			if cmd.Flags().Changed(flag) {
				return usagef("--%s means nothing with --mode %s", flag, m.name)
			}
		}
		src, err := openSource(cmd.Context(), std, name, sourceFlags{order: m.order, truth: truthFlags{&f.seed, f.duration}})
		if err != nil {
			return err
		}
		defer src.Close()
		return m.record(cmd, std, f, src)
	}
	return usagef("unknown --mode %s%s; it is one of\n%s", f.mode, didYouMean(f.mode, recordModeNames()), describeModes())
}

// recordTruth writes the source as it is: what happened, with exact times.
func recordTruth(_ *cobra.Command, std stdio, f *recordFlags, src *source) error {
	n, err := f.out.write(std, src.Recording)
	if err != nil {
		return err
	}
	fmt.Fprintf(std.err, "wrote %s, %s\n", plural(n, "event"), src.Info.Elapsed)
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
