package main

import (
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"artifice/input"
	"artifice/sampler"
	"artifice/trace"
	"artifice/tracer"
)

// recordFlags are the flags of record, for every mode.
type recordFlags struct {
	out       outputFlags
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
	inlined   inlinedFlag
}

// recordGroups are the groups of flags in the help. A mode refuses the flags of
// options that it does not use ([tracer.Tracer.Uses]).
var recordGroups = []flagGroup{
	{"Flags for every mode", nil, []string{"output", "format", "mode", "force"}},
	{"Truth", tracer.Using("seed"), []string{"duration", "seed", "inlined"}},
	{"What atrace records", []string{"truth", "sections"}, []string{"categories", "buffer-kb", "circular"}},
	{"Device", tracer.Using("device"), []string{"device"}},
	{"Runtime", tracer.Using("runtime"), []string{"runtime"}},
	{"The runtime's trace", tracer.Using("clock"), []string{"clock", "streaming", "buffer", "count-allocs"}},
	{"Sampling", tracer.Using("interval"), []string{"interval", "sampling", "phase"}},
	{"Samplers that differ from ART's", tracer.Using("schedule"), []string{"schedule", "safepoint-bias", "identity", "slice-end"}},
	{"Instrumentation", tracer.Using("release-build"), []string{"release-build", "again"}},
	{"simpleperf", tracer.Using("no-post-unwind"), []string{"no-post-unwind"}},
	{"RheaTrace 1", tracer.Using("all-threads"), []string{"all-threads"}},
	{"Rings", tracer.Using("ring"), []string{"ring"}},
	{"Long-running methods", tracer.Using("threshold"), []string{"threshold", "counter-hz"}},
	{"Output", tracersOf(func(t tracer.Tracer) bool { return !t.Dumps }), []string{"portable", "until", "value", "unit", "by-thread", "with-errors", "perf-samples"}},
}

// tracersOf returns the names of the tracers that fit.
func tracersOf(fits func(tracer.Tracer) bool) (names []string) {
	for _, t := range tracer.All() {
		if fits(t) {
			names = append(names, t.Name)
		}
	}
	return names
}

func newRecord(std stdio) *cobra.Command {
	var f recordFlags
	cmd := &cobra.Command{
		Use:   "record SOURCE -o OUT",
		Short: "Record a source with an emulated tracer",
		Long: `Replay SOURCE through an emulated tracer and write the trace it would have
recorded. SOURCE is the truth: a built-in workload, a workload file (.yaml), a
call tree (.tree) or an instrumented method trace.

Modes:
` + describeModes(),
		Example: `  artifice record w3-on-off --mode truth -o truth.trace
  artifice record app.trace --interval 1ms -o sampled.trace
  artifice record app.trace --sampling 5000 --device A -o slow.pb.gz
  artifice record app.trace --mode instrument --runtime art12 --device A -o instrumented.trace
  artifice record sampled.trace --mode rediff -o same.trace
  artifice record cold-start --mode dump --interval 50ms -o dumps/
  artifice record cold-start --mode dump --format jvm -o dumps.txt`,
		Args: oneInput("SOURCE"),
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
	f.out.add(cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.mode, "mode", "sample", "tracing `MODE`, one of the above")
	flags.DurationVar(&f.duration, "duration", 0, "how long a workload runs; default: its own duration")
	flags.Var(&f.inlined, "inlined", inlinedUsage)
	flags.Uint64Var(&f.seed, "seed", defaultSeed, "random seed; the same seed gives the same bytes")
	f.out.addProfile(cmd)
	f.out.addAtrace(flags)
	flags.SetNormalizeFunc(androidNames)
}

// addRuntime adds the flags that say who traces, and how it was started.
func (f *recordFlags) addRuntime(flags *pflag.FlagSet) {
	flags.StringVar(&f.device, "device", "ideal", "emulate the timing of this `DEVICE`: a name from artifice list, or a .yaml file")
	flags.StringVar(&f.runtime.name, "runtime", "", "emulate this `RUNTIME` (see artifice list); default: art15, or what --format implies")
	flags.StringVar(&f.runtime.clock, "clock", "", "record this `CLOCK`: dual, wall or thread-cpu; default: the clock of SOURCE")
	flags.BoolVar(&f.runtime.streaming, "streaming", false, "write the file while tracing")
	flags.Var(&f.runtime.buffer, "buffer", "`SIZE` of the trace buffer, without --streaming; default: 8MiB")
	flags.BoolVar(&f.objects, "count-allocs", false, "count objects as Debug.TRACE_COUNT_ALLOCS does (alloc-count, alloc-size, gc-count): those of methods that a workload says allocate, 48 bytes every 2µs that they run themselves")
	flags.BoolVar(&f.release, "release-build", false, "the app is not debuggable; up to Android 13 it is interpreted")
	flags.BoolVar(&f.again, "again", false, "the process has been traced before: CPU times of threads that are there at the start count from their beginning, as ART keeps their zero")
	flags.Int64Var(&f.ring, "ring", 0, "how many `ENTRIES` the buffer keeps, the last ones; default: 100000 for rheatrace1, 1000000 for matrix")
	flags.BoolVar(&f.threads, "all-threads", false, "record all threads, which share the buffer (RheaTrace with mainThreadOnly off)")
	flags.BoolVar(&f.unwind, "no-post-unwind", false, "unwind each sample at once, which is ten times the work and can lose samples")
	flags.DurationVar(&f.threshold, "threshold", 0, "shortest call to keep; default: 341.3ms (2^23 ticks at 24.576 MHz), or 170.7ms with --format art-longrun-2025-02")
	flags.Uint64Var(&f.out.counterHz, "counter-hz", 0, "frequency of the timestamp counter in `HZ`; default: 24576000")
}

// addSampling adds the flags of samplers. Without them a sampler does what ART's
// does.
func (f *recordFlags) addSampling(flags *pflag.FlagSet) {
	flags.DurationVar(&f.interval, "interval", time.Millisecond, "how long the sampler sleeps between samples; for dumps, the time between two of them, by default 50ms; simpleperf's, perfetto's and profilo's is CPU time of a thread, by default 250µs, 10ms and 23ms")
	flags.Var(microsValue{&f.interval}, "sampling", "the same in microseconds, as for am profile start")
	flags.Lookup("sampling").DefValue = "" // it is that of --interval
	flags.DurationVar(&f.phase, "phase", 0, "app time of the first sample; default: one interval")
	flags.StringVar(&f.sampling.schedule, "schedule", "sleep", "take samples at these `TIMES`: sleep between samples (as ART does) or poisson (at random, independently of the app)")
	flags.StringVar(&f.sampling.safepointBias, "safepoint-bias", "none", "hide `METHODS` without a suspend check: none, or leaf (compiled leaf methods without loops)")
	flags.StringVar(&f.sampling.identity, "identity", "method", "take frames of two samples for the same call if they have the same `KEY`: method (as ART does), method+line (with the caller's line; workloads only) or call (known only to the truth)")
	flags.StringVar(&f.sampling.sliceEnd, "slice-end", "next", "`WHEN` to end a call that a sample no longer sees: next (at this sample, as ART does), last (at the last sample that saw it), capped (at most 1 ms after that) or mid (halfway between)")
}

// androidNames accepts the words of Android's "am profile start".
func androidNames(_ *pflag.FlagSet, name string) pflag.NormalizedName {
	if name == "clock-type" {
		name = "clock"
	}
	return pflag.NormalizedName(name)
}

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

// inLoop reports whether a source runs while it is traced.
func inLoop(name string, t *tracer.Tracer) bool {
	return !t.Unmeasured && interacts(name) // such a tracer takes nothing
}

// interacts reports whether a source is a program in which what one thread loses changes what others do. Of all others
// an untraced truth tells what a tracer makes of them, event for event.
func interacts(name string) bool {
	p, err := input.Program(name)
	return err == nil && p != nil && p.Interacts() // what is wrong with it is said when it is opened
}

func (f *recordFlags) run(cmd *cobra.Command, std stdio, name string) (err error) {
	t, err := tracer.ByName(f.mode)
	if err != nil {
		names := tracersOf(func(tracer.Tracer) bool { return true })
		return usagef("unknown --mode %s%s; the modes are:\n%s", f.mode, didYouMean(f.mode, names), describeModes())
	}
	if err := refuseFlags(cmd, recordGroups, "mode", t.Name); err != nil {
		return err
	}
	if err := f.out.check(name, t.Dumps); err != nil {
		return err
	}
	order := input.AsTruth
	if t.Again {
		order = input.ByFile
	}
	live := inLoop(name, &t)
	src, err := openSource(cmd.Context(), std, name, sourceFlags{order: order, truth: truthFlags{&f.seed, f.duration, live}})
	if err != nil {
		return err
	}
	defer src.Close()
	if src.dumps != nil { // their names and stacks stay in memory, in tables that double: garbage is little
		defer debug.SetGCPercent(debug.SetGCPercent(4))
	}
	defer src.blame(&err)
	o, err := f.options(cmd, t, src)
	if err != nil {
		return err
	}
	src.inlined = f.inlined.of
	src.Recording = src.inline(src.Recording)
	run := t.New(&src.Info, o)
	rec, err := run.Record(src.Recording)
	if err != nil {
		return err
	}
	if t.Dumps {
		return f.writeDumps(std, src, rec)
	}
	kind, err := f.out.choose(rec)
	if err != nil {
		return err
	}
	if o.Profile = !isRuntimeFile(kind.Name); o.Profile {
		run = t.New(&src.Info, o)
		if rec, err = run.Record(src.Recording); err != nil {
			return err
		}
	}
	return f.writeTrace(std, src, run, rec)
}

// writeTrace writes what was recorded and says in a line what it came to.
func (f *recordFlags) writeTrace(std stdio, src *source, run tracer.Run, rec *trace.Recording) error {
	n, err := f.out.write(std, rec, func() error { return run.Empty(src.name, rec) })
	if refusal := (*sampler.RediffError)(nil); errors.As(err, &refusal) {
		return fmt.Errorf("%s: %w", src.name, err)
	}
	if err != nil {
		return err
	}
	if rec != src.Recording { // whose own are printed in the end
		printWarnings(std, rec)
	}
	if text := run.Summary(rec, n); text != "" {
		std.remark("%s\n", text)
	}
	return nil
}
