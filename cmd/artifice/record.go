package main

import (
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"artifice/cmd/internal/command"
	"artifice/diffstack"
	"artifice/format"
	"artifice/internal/cli"
	"artifice/trace"
	"artifice/tracer"
)

// recordFlags are the flags of record, of all modes.
type recordFlags struct {
	out       command.OutputFlags
	mode      string
	duration  time.Duration
	seed      uint64
	device    string
	runtime   runtimeFlags
	interval  time.Duration
	phase     time.Duration
	sampling  samplingFlags
	objects   bool
	release   bool
	again     bool
	unwind    bool
	threads   bool
	ring      int64
	threshold time.Duration
	inlined   command.InlinedFlag
	slow      slowValue
}

// recordGroups are the groups of flags in the help of record. A mode rejects the flags of
// options that it does not use ([tracer.Tracer.Uses]).
var recordGroups = []command.FlagGroup{
	{Title: "Output", Flags: []string{"output", "format", "mode", "force"}},
	{Title: "Truth", Users: tracer.Using("seed"), Flags: []string{"duration", "seed", "slow"}},
	{Title: "Device", Users: tracer.Using("device"), Flags: []string{"device"}},
	{Title: "Runtime", Users: tracer.Using("runtime"), Flags: []string{"runtime"}},
	{Title: "Trace", Users: tracer.Using("clock"), Flags: []string{"clock", "streaming", "buffer"}},
	{Title: "Sampling", Users: tracer.Using("interval"), Flags: []string{"interval", "sampling", "phase"}},
	{Title: "Inlining", Users: tracer.Using("seed"), Flags: []string{"inlined"}, Rare: true},
	{Title: "Names", Users: tracer.Using("clock"), Flags: []string{"exact"}, Rare: true},
	{Title: "Allocations", Users: tracer.Using("clock"), Flags: []string{"count-allocs"}, Rare: true},
	{Title: "Samplers other than ART's", Users: tracer.Using("schedule"), Flags: []string{"schedule", "safepoint-bias", "identity", "slice-end"}, Rare: true},
	{Title: "Second trace", Users: tracer.Using("again"), Flags: []string{"again"}, Rare: true},
	{Title: "Instrumentation", Users: tracer.Using("release-build"), Flags: []string{"release-build"}, Rare: true},
	{Title: "Unwinding", Users: tracer.Using("no-post-unwind"), Flags: []string{"no-post-unwind"}, Rare: true},
	{Title: "Threads", Users: tracer.Using("all-threads"), Flags: []string{"all-threads"}, Rare: true},
	{Title: "Ring buffers", Users: tracer.Using("ring"), Flags: []string{"ring"}, Rare: true},
	{Title: "Long-running methods", Users: tracer.Using("threshold"), Flags: []string{"threshold", "counter-hz"}, Rare: true},
	{Title: "Categories of atrace", Users: []string{"truth", "sections"}, Flags: []string{"categories", "buffer-kb", "circular"}, Rare: true},
	{Title: "Trace and profile output", Users: tracersOf(func(t tracer.Tracer) bool { return !t.Dumps }), Flags: []string{"portable", "ddms", "until", "weight", "unit", "by-thread", "with-errors", "perf-samples"}, Rare: true},
	{Title: "Advanced", Flags: []string{"limit"}, Rare: true},
}

// tracersOf returns the names of the tracers for which fits is true.
func tracersOf(fits func(tracer.Tracer) bool) (names []string) {
	for _, t := range tracer.All() {
		if fits(t) {
			names = append(names, t.Name)
		}
	}
	return names
}

// recordCommand is the subcommand record.
var recordCommand = command.Command{Name: "record", Add: newRecord, Groups: recordGroups}

func newRecord(std command.Stdio) *cobra.Command {
	var f recordFlags
	cmd := &cobra.Command{
		Use:   "record SOURCE -o OUT",
		Short: "Replay a ground truth through an emulated tracer",
		Long: `Replay SOURCE through an emulated tracer, and write the trace that the tracer would record. SOURCE
is the ground truth: a built-in workload, a workload file (.yaml), a call tree (.tree) or a trace
of every call. For a workload, -o x.otlp (an OpenTelemetry profile) also writes the ground truth,
x.truth.otlp.

  $ artifice record cold-start --interval 5ms --device A -o cold.trace
  328 samples in 2 s (period 6.35 ms): 14,422 events, slowdown 1.042

Modes of ART:
  sample       stop all threads at every interval and compare their stacks (default)
  instrument   record each method entry and exit
  longrun      record long calls only
  dump         write stack dumps instead of a trace
Other modes:
  truth        write SOURCE itself: its events with exact times, without tracing overhead
  rediff       compare consecutive stacks of a sampled trace, and write entries and exits
Other tools:
` + otherModes() + `
A flag that the mode does not use is an error. artifice help tracers explains the modes.`,
		Example: `  artifice record app.trace --interval 1ms -o sampled.trace
  artifice record app.trace --sampling 5000 --device A -o slow.pb.gz
  artifice record app.trace --mode instrument --runtime art12 --device A -o instrumented.trace
  artifice record cold-start --mode dump --interval 50ms -o dumps/`,
		Args: command.OneInput("SOURCE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd, std, args[0])
		},
	}
	f.add(cmd)
	f.addRuntime(cmd.Flags())
	f.addSampling(cmd.Flags())
	return cmd
}

// add adds the flags of the truth and of the output.
func (f *recordFlags) add(cmd *cobra.Command) {
	f.out.Add(cmd)
	flags := cmd.Flags()
	flags.String("value", "", "`VALUE` of folded stacks, now --weight")
	flags.MarkHidden("value")
	flags.StringVar(&f.mode, "mode", "sample", "emulate the tracer with this `MODE`")
	flags.DurationVar(&f.duration, "duration", 0, command.DurationUsage)
	flags.Var(&f.inlined, "inlined", command.InlinedUsage)
	flags.Uint64Var(&f.seed, "seed", command.DefaultSeed, "random seed; the same seed gives the same bytes")
	flags.Var(&f.slow, "slow", "emulate a changed build: `METHOD=FACTOR` multiplies METHOD's self time by FACTOR")
	f.out.AddProfile(cmd)
	f.out.AddAtrace(flags)
	flags.SetNormalizeFunc(androidNames)
}

// addRuntime adds the flags of the device, of the runtime, and of how the trace is started.
func (f *recordFlags) addRuntime(flags *pflag.FlagSet) {
	flags.StringVar(&f.device, "device", "ideal", "emulate the costs of this `DEVICE`: a name (artifice list devices) or a file (.yaml)")
	flags.StringVar(&f.runtime.name, "runtime", "", "emulate this `RUNTIME` (artifice list runtimes); default: art15, or the runtime that writes --format")
	flags.StringVar(&f.runtime.clock, "clock", "", "`CLOCK` that the trace contains: wall, thread-cpu or dual (both); default: as in SOURCE")
	flags.BoolVar(&f.runtime.streaming, "streaming", false, "emulate streaming: ART writes the file while tracing, so the buffer cannot overflow")
	flags.Var(&f.runtime.buffer, "buffer", "without --streaming, `SIZE` of the buffer; a full buffer drops events; default: 8MiB")
	flags.BoolVar(&f.runtime.exact, "exact", false, "write names as ART does, even if they are empty or contain tabs or line ends; some readers reject such files")
	flags.BoolVar(&f.objects, "count-allocs", false, "write the counters of Debug.TRACE_COUNT_ALLOCS; in a workload, methods with the flag allocates allocate 48 bytes per 2µs of self time")
	flags.BoolVar(&f.release, "release-build", false, "emulate an app that is not debuggable; up to Android 13, ART then interprets its code while tracing")
	flags.BoolVar(&f.again, "again", false, "emulate the second trace of a process: as in ART, the CPU times of existing threads then include the first trace")
	flags.Int64Var(&f.ring, "ring", 0, "size of the ring buffer in `ENTRIES`; older events are overwritten; default: 100000 for rheatrace1, 1000000 for matrix")
	flags.BoolVar(&f.threads, "all-threads", false, "record all threads instead of main (RheaTrace without mainThreadOnly); all threads share the buffer")
	flags.BoolVar(&f.unwind, "no-post-unwind", false, "unwind each stack while recording, which takes ten times as long and can lose samples")
	flags.DurationVar(&f.threshold, "threshold", 0, "record only calls of at least this length; default: 341.3ms, or 170.7ms with --format art-longrun-2025-02")
	flags.Uint64Var(&f.out.Trace.CounterHz, "counter-hz", 0, "frequency of the phone's timestamp counter in `HZ`; default: 24576000")
}

// addSampling adds the flags of samplers. The defaults are those of ART's sampler.
func (f *recordFlags) addSampling(flags *pflag.FlagSet) {
	flags.DurationVar(&f.interval, "interval", time.Millisecond, "sampling interval, in wall or CPU time; dump has a default of 50ms, and each other tool its own (artifice help tracers); for ART")
	flags.Var(command.Micros(&f.interval), "sampling", "sampling interval in µs, as for am profile start --sampling")
	flags.Lookup("sampling").DefValue = "" // it is that of --interval
	flags.DurationVar(&f.phase, "phase", 0, "time from the start of tracing to the first sample; default: one interval")
	flags.StringVar(&f.sampling.schedule, "schedule", "sleep", "`TIMES` of samples: sleep (the sampler sleeps for an interval after each sample, as in ART) or poisson (random)")
	flags.StringVar(&f.sampling.safepointBias, "safepoint-bias", "none", "`METHODS` that samples miss because they have no suspend check: none, or leaf (compiled leaf methods without loops)")
	flags.StringVar(&f.sampling.identity, "identity", "method", "merge frames of consecutive samples into one call if their `KEY` is equal: method (as in ART), method+line (also the caller's line; workloads only) or call (as in the truth)")
	flags.StringVar(&f.sampling.sliceEnd, "slice-end", "next", command.SliceEndUsage)
}

// androidNames accepts the flag names of Android's "am profile start".
func androidNames(_ *pflag.FlagSet, name string) pflag.NormalizedName {
	if name == "clock-type" {
		name = "clock"
	}
	return pflag.NormalizedName(name)
}

// truthMode is the mode that records without a tracer.
const truthMode = "truth"

// artModes are the modes that the help of record lists separately; the other modes are tools.
var artModes = []string{"sample", "instrument", "longrun", "dump", "truth", "rediff"}

// otherModes returns the names of all other modes, in indented lines.
func otherModes() string {
	names := tracersOf(func(t tracer.Tracer) bool { return !slices.Contains(artModes, t.Name) })
	return cli.Wrap(strings.Join(names, " "), "  ", command.HelpColumns)
}

// describeModes returns a line with the name and the description of each mode.
func describeModes() string {
	text, width := "", 0
	for _, t := range tracer.All() {
		width = max(width, len(t.Name))
	}
	for _, t := range tracer.All() {
		text += fmt.Sprintf("  %-*s %s\n", width, t.Name, t.Description)
	}
	return text
}

// inLoop reports whether the source has to run live, because the tracer's cost to one thread
// affects the others.
func inLoop(name string, t *tracer.Tracer) bool {
	return !t.Unmeasured && command.Interacts(name) // an unmeasured tracer costs nothing
}

func (f *recordFlags) run(cmd *cobra.Command, std command.Stdio, name string) (err error) {
	if former := cmd.Flags().Lookup("value"); former.Changed {
		return command.Usagef("--value of folded stacks is now --weight: give --weight %s", former.Value)
	}
	t, err := tracer.ByName(f.mode)
	if err != nil {
		names := tracersOf(func(tracer.Tracer) bool { return true })
		return command.Usagef("unknown --mode %s%s; the modes are:\n%s", f.mode, command.DidYouMean(f.mode, names), describeModes())
	}
	if err := command.RefuseFlags(cmd, recordGroups, "mode", t.Name); err != nil {
		return err
	}
	if err := f.out.Check(t.Dumps); err != nil {
		return err
	}
	kind, err := f.record(cmd, std, name, &t)
	if err != nil || kind == nil || !isOTLP(kind.Name) || t.Name == truthMode || f.out.Name == "-" || !format.IsWorkload(name) {
		return err
	}
	return f.recordTruth(cmd, std, name)
}

// recordTruth writes the ground truth of a workload next to the OpenTelemetry profile of its
// samples: x.truth.otlp for x.otlp.
func (f *recordFlags) recordTruth(cmd *cobra.Command, std command.Stdio, name string) error {
	t, err := tracer.ByName(truthMode)
	if err != nil {
		return err
	}
	truth := *f
	at := strings.LastIndex(f.out.Name, ".otlp")
	if at < 0 {
		at = len(f.out.Name)
	}
	truth.out.Name = f.out.Name[:at] + ".truth" + f.out.Name[at:]
	std.Remark("ground truth: %s\n", truth.out.Name)
	_, err = truth.record(cmd, std, name, &t)
	return err
}

// record records in a mode and writes the output. It returns the output's format; nil: stack dumps.
func (f *recordFlags) record(cmd *cobra.Command, std command.Stdio, name string, t *tracer.Tracer) (kind *format.Format, err error) {
	order := format.AsTruth
	if t.Again {
		order = format.ByFile
	}
	truth := command.TruthFlags{Seed: &f.seed, Duration: f.duration, Live: inLoop(name, t)}
	src, err := command.Open(cmd.Context(), std, name, command.SourceFlags{Order: order, Truth: truth})
	if err != nil {
		return nil, err
	}
	defer src.Close()
	if !format.IsWorkload(name) {
		src.LimitMemory()
	}
	// with names and stacks in memory, in tables that double in size, little memory is garbage
	if src.Dumps != nil {
		defer debug.SetGCPercent(debug.SetGCPercent(4))
	}
	defer src.Blame(&err)
	o, err := f.options(cmd, *t, src)
	if err != nil {
		return nil, err
	}
	src.Inlined = f.inlined
	src.Recording = src.Inline(src.Recording)
	if f.slow.method != "" {
		slow, err := newSlowedTruths(src, f.slow.method, truth)
		if err != nil {
			return nil, err
		}
		defer slow.Close()
		if src.Recording, err = slow.slowed(f.slow.factor); err != nil {
			return nil, err
		}
	}
	run := t.New(&src.Info, o)
	rec, err := run.Record(src.Recording)
	if err != nil {
		return nil, err
	}
	if t.Dumps {
		return nil, f.writeDumps(std, src, rec, command.LimitsOf(cmd.Context()))
	}
	if kind, err = f.out.Choose(rec); err != nil {
		return nil, err
	}
	if o.Profile = !isRuntimeFile(kind.Name); o.Profile {
		run = t.New(&src.Info, o)
		if rec, err = run.Record(src.Recording); err != nil {
			return nil, err
		}
	}
	return kind, f.writeTrace(std, src, run, rec)
}

// writeTrace writes the recording and prints a summary line.
func (f *recordFlags) writeTrace(std command.Stdio, src *command.Source, run tracer.Run, rec *trace.Recording) error {
	n, err := f.out.Write(std, rec, func() error { return run.Empty(src.Name, rec) })
	if refusal := (*diffstack.RediffError)(nil); errors.As(err, &refusal) {
		return fmt.Errorf("%s: %w", src.Name, err)
	}
	if err != nil {
		return err
	}
	if rec != src.Recording { // the warnings of src.Recording are printed when it is closed
		command.PrintWarnings(std, rec)
	}
	if text := run.Summary(rec, n); text != "" {
		std.Remark("%s\n", text)
	}
	return nil
}
