package command

import (
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"artifice/format"
	"artifice/format/dmtrace"
	"artifice/format/pprof"
	"artifice/internal/dmformat"
	"artifice/internal/words"
	"artifice/report/estimate"
	"artifice/trace"
	"artifice/trace/calltree"
)

// OutputFlags are the flags of commands that write a trace.
type OutputFlags struct {
	Name   string // name of the file; "-" is standard output
	Format string // name of the format; empty: determined by the file's name
	force  bool   // the output may replace the input

	// Options of formats that flags set directly.
	Trace    dmtrace.Options
	Profile  pprof.Options
	folded   format.FoldedOptions
	ftrace   format.FtraceOptions
	perfetto format.PerfettoOptions

	// ClosesFrames is set if the command closes open frames in formats that cannot state their
	// ends.
	ClosesFrames bool

	// Flags parsed by options.
	until      string
	Weight     string // for folded stacks
	unit       string // for folded stacks
	categories []string
	withErrors bool

	Flags *pflag.FlagSet // flags of the command
}

// Add adds the common flags of outputs to cmd.
func (f *OutputFlags) Add(cmd *cobra.Command) {
	f.Flags = cmd.Flags()
	cmd.Flags().StringVarP(&f.Name, "output", "o", "", "write to the file `OUT`; - is standard output and needs --format")
	cmd.Flags().StringVar(&f.Format, "format", "", "write this `FORMAT` (artifice help formats); default: by OUT's extension")
	cmd.Flags().BoolVar(&f.Trace.Chunk, "ddms", false, "write the trace inside a DDMS chunk, as Android's debug monitor (DDMS) receives it")
	cmd.Flags().BoolVar(&f.Trace.Portable, "portable", false, "write a .trace that every known reader accepts, and print the changes")
	cmd.Flags().BoolVar(&f.force, "force", false, "allow OUT to replace the input")
	cmd.MarkFlagRequired("output")
}

// options returns the options for an output of the trace rec.
func (f *OutputFlags) options(rec *trace.Recording) (all outputOptions, err error) {
	if f.ftrace.BufferKB < 0 || f.ftrace.BufferKB > 1<<30 || f.ftrace.Circular && f.ftrace.BufferKB == 0 {
		return all, Usagef("-b %d: must be 1 to %d KB; -c requires -b", f.ftrace.BufferKB, 1<<30)
	}
	if len(f.categories) > 0 {
		if f.ftrace.Categories, err = format.ParseCategories(f.categories); err != nil {
			return all, Usagef("--categories: %v", err)
		}
		f.perfetto.Categories = f.ftrace.Categories
	}
	if all.common.Until, err = calltree.ParseEndPolicy(f.until); err != nil {
		return all, Usagef("--until: %v", err)
	}
	if f.folded.Value, err = words.Parse[format.FoldedValue]("weight", []string{"time", "cpu", "calls"}, f.Weight); err != nil {
		return all, Usagef("--weight: %v", err)
	}
	if f.folded.Unit, err = parseUnit(f.unit); err != nil {
		return all, Usagef("--unit: %v", err)
	}
	if f.withErrors {
		f.Profile.Intervals = estimate.NewIntervals(rec, all.common.Until)
	}
	if given, ok := f.Flags.Lookup("limit").Value.(*limitsFlag); ok {
		all.common.Limits = given.Limits
	}
	traces := f.Trace
	traces.Complete = !f.exactNames()
	all.ofFormats = []any{traces, f.Profile, f.folded, f.ftrace, f.perfetto}
	return all, nil
}

// exactNames reports whether --exact is set, in commands that have it. Names in a .trace file are
// then unchanged.
func (f *OutputFlags) exactNames() bool {
	exact, err := f.Flags.GetBool("exact")
	return err == nil && exact
}

// outputOptions are the options of an output.
type outputOptions struct {
	common    format.WriteOptions
	ofFormats []any
}

// all returns the options in the form required by [format.Format].Write.
func (o *outputOptions) all() []any { return append(o.ofFormats, o.common) }

// parseUnit returns the unit of time called ns, us or ms; 0, the format's default, for "".
func parseUnit(name string) (time.Duration, error) {
	if name == "" {
		return 0, nil
	}
	units := []time.Duration{time.Nanosecond, time.Microsecond, time.Millisecond}
	i, err := words.Parse[uint8]("unit", []string{"ns", "us", "ms"}, name)
	if err != nil {
		return 0, err
	}
	return units[i], nil
}

// AddProfile adds the flags that apply only to profiles and timelines.
func (f *OutputFlags) AddProfile(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.until, "until", "end", UntilUsage)
	cmd.Flags().StringVar(&f.Weight, "weight", "time", "`WEIGHT` of each folded stack: time, cpu (CPU time) or calls")
	cmd.Flags().StringVar(&f.unit, "unit", "us", "`UNIT` of folded stacks: ns, us or ms")
	cmd.Flags().BoolVar(&f.withErrors, "with-errors", false, "add the limits of 95 % confidence intervals to a pprof profile, as sample types (wall-low, wall-high, ...)")
	cmd.Flags().BoolVar(&f.perfetto.PerfSamples, "perf-samples", false, "write Perfetto samples as PerfSample (without weights) instead of StackSample, which Perfetto before July 2026 cannot read")
	cmd.Flags().BoolVar(&f.folded.ByThread, "by-thread", false, "start each folded stack with the thread name")
}

// AddAtrace adds the flags that correspond to options of atrace.
func (f *OutputFlags) AddAtrace(flags *pflag.FlagSet) {
	flags.StringSliceVar(&f.categories, "categories", nil, "write only events of these `CATEGORIES` of atrace, such as gfx, view, app, sched or binder_driver; default: all")
	flags.Int64VarP(&f.ftrace.BufferKB, "buffer-kb", "b", 0, "for ftrace text, emulate a kernel buffer of this size in `KB` per core, which drops events when it is full; default: no limit")
	flags.BoolVarP(&f.ftrace.Circular, "circular", "c", false, "with -b, drop the oldest events instead of the newest")
}

// formatOnly lists the flags that apply to few formats.
var formatOnly = []struct {
	flag    string
	of      string       // the formats, as text
	holds   format.Holds // content of the formats; 0: listed by name
	formats []string     // names of formats
}{
	{flag: "until", of: "profiles and timelines", holds: format.OpenFrames},
	{flag: "categories", of: "ftrace text and Perfetto traces", holds: format.Scheduling},
	{flag: "buffer-kb", of: "ftrace text", formats: ftraceFormats},
	{flag: "weight", of: "folded stacks", formats: []string{"folded"}},
	{flag: "unit", of: "folded stacks", formats: []string{"folded"}},
	{flag: "with-errors", of: "profiles of pprof and OpenTelemetry", formats: format.OfProfiles()},
	{flag: "perf-samples", of: "Perfetto traces", formats: []string{"perfetto"}},
	{flag: "by-thread", of: "folded stacks", formats: []string{"folded"}},
}

// ftraceFormats are the formats of ftrace text, plain and compressed.
var ftraceFormats = []string{"ftrace", "atrace"}

// Until returns the value of --until, which Check has validated.
func (f *OutputFlags) Until() calltree.EndPolicy {
	policy, _ := calltree.ParseEndPolicy(f.until)
	return policy
}

// checkFormat returns an error for flags that do not apply to the output's format.
func (f *OutputFlags) checkFormat(kind *format.Format) error {
	for _, only := range formatOnly {
		applies := only.holds != 0 && kind.Holds.Has(only.holds) || slices.Contains(only.formats, kind.Name)
		if only.flag == "until" && f.ClosesFrames {
			ends, _ := dmformat.StatesEnds(kind.Name)
			applies = applies || !ends
		}
		if f.Flags.Changed(only.flag) && !applies {
			return Usagef("--%s applies to %s, but %s is written as %s", only.flag, only.of, f.Name, kind.Name)
		}
	}
	return nil
}
