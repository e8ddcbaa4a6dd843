package command

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"artifice/format"
	"artifice/format/dmtrace"
	"artifice/format/pprof"
	"artifice/internal/cli"
	"artifice/internal/dmformat"
	"artifice/internal/words"
	"artifice/report/estimate"
	"artifice/trace"
	"artifice/trace/calltree"
)

// OutputFlags are the flags of commands that write a trace.
type OutputFlags struct {
	Name   string // of the file; "-" is standard output
	Format string // its name; empty: by the file's name
	force  bool   // the output may be the input

	// Options of formats, as far as flags set them directly.
	Trace    dmtrace.Options
	Profile  pprof.Options
	folded   format.FoldedOptions
	ftrace   format.FtraceOptions
	perfetto format.PerfettoOptions

	// Flags that options parses.
	until      string
	Value      string // of folded stacks
	unit       string // of folded stacks
	categories []string
	withErrors bool

	Flags *pflag.FlagSet // of the command
}

// Add gives cmd the flags that every output has.
func (f *OutputFlags) Add(cmd *cobra.Command) {
	f.Flags = cmd.Flags()
	cmd.Flags().StringVarP(&f.Name, "output", "o", "", "write to the file `OUT`; - is standard output and needs --format")
	cmd.Flags().StringVar(&f.Format, "format", "", "write this `FORMAT` (see artifice list); default: by OUT's extension")
	cmd.Flags().BoolVar(&f.Trace.Portable, "portable", false, "write a .trace that every known reader accepts, and print what had to change")
	cmd.Flags().BoolVar(&f.force, "force", false, "replace the input if OUT is the same file")
	cmd.MarkFlagRequired("output")
}

// options returns the options of an output of the trace rec.
func (f *OutputFlags) options(rec *trace.Recording) (all outputOptions, err error) {
	if f.ftrace.BufferKB < 0 || f.ftrace.BufferKB > 1<<30 || f.ftrace.Circular && f.ftrace.BufferKB == 0 {
		return all, Usagef("-b %d: want 1 to %d KB, and -c needs -b", f.ftrace.BufferKB, 1<<30)
	}
	if f.ftrace.Categories, err = format.ParseCategories(f.categories); err != nil {
		return all, Usagef("--categories: %v", err)
	}
	f.perfetto.Categories = f.ftrace.Categories
	if all.common.Until, err = calltree.ParseEndPolicy(f.until); err != nil {
		return all, Usagef("--until: %v", err)
	}
	if f.folded.Value, err = words.Parse[format.FoldedValue]("value", []string{"time", "cpu", "calls"}, f.Value); err != nil {
		return all, Usagef("--value: %v", err)
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
	all.ofFormats = []any{f.Trace, f.Profile, f.folded, f.ftrace, f.perfetto}
	return all, nil
}

// outputOptions are the options of an output.
type outputOptions struct {
	common    format.WriteOptions
	ofFormats []any
}

// all returns the options as [format.Format].Write takes them.
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

// Choose returns the format that the flags ask for, by its name or by the
// Output's.
func (f *OutputFlags) Choose(rec *trace.Recording) (*format.Format, error) {
	if f.Format != "" {
		return f.named(f.Format)
	}
	if isPage(f.Name) {
		return format.ByName("ftrace"), nil
	}
	source, vm := rec.Source, rec.Info.VM
	if f.Trace.Portable {
		source, vm = nil, ""
	}
	kind := format.ForFile(f.Name, source, vm)
	if kind == nil {
		return nil, Usagef("cannot tell which format to write to %q: use the extension .trace, .pb.gz, .perfetto-trace, .folded or .txt, or give --format", f.Name)
	}
	return kind, nil
}

// named returns the format of a name.
func (f *OutputFlags) named(want string) (*format.Format, error) {
	if kind := format.ToWrite(want); kind != nil {
		return kind, nil
	}
	if kind := format.ByName(want); kind != nil && kind.Dumps != nil && kind.Dumps.Written() {
		return nil, Usagef("%s is a format for stack dumps; record --mode dump writes it", want)
	} else if kind != nil {
		return nil, Usagef("format %s is read and not written; see artifice list", want)
	}
	var known []string
	for _, kind := range format.Written() {
		known = append(known, kind.Name)
	}
	return nil, Usagef("unknown format %q%s; see artifice list", want, DidYouMean(want, known))
}

// Output is a file being written: it appears only when Commit succeeds.
type output struct {
	format.Writer
	File *cli.File
	std  Stdio
}

// Create starts the output that the flags ask for, of the trace rec.
func (f *OutputFlags) Create(std Stdio, rec *trace.Recording) (*output, error) {
	options, err := f.options(rec)
	if err != nil {
		return nil, err
	}
	kind, err := f.Choose(rec)
	if err != nil {
		return nil, err
	}
	if f.Trace.Portable && kind.Name != dmformat.ART {
		return nil, Usagef("--portable writes format art, not %s", kind.Name)
	}
	if err := f.checkFormat(kind); err != nil {
		return nil, err
	}
	if f.Name == "-" && kind.Holds.Has(format.Binary) && cli.IsTerminal(std.Out) {
		return nil, Usagef("%s is binary and is not written to a terminal; name a file with -o", kind.Name)
	}
	file, err := Create(std, f.Name)
	if err != nil {
		return nil, err
	}
	w, err := f.writer(file, kind, rec, options)
	if err != nil {
		return nil, file.Fail(err)
	}
	return &output{w, file, std}, nil
}

// writer returns the writer of a format, or of systrace's page.
func (f *OutputFlags) writer(file *cli.File, kind *format.Format, rec *trace.Recording, o outputOptions) (format.Writer, error) {
	if kind.Name == "ftrace" && isPage(f.Name) {
		return newPageWriter(file, f.Name, rec, o)
	}
	return kind.Write(file, rec, o.all()...)
}

// Check returns why the output cannot be written or, without --force, that it is the file
// called source that is read. It can be a folder where folders says so.
func (f *OutputFlags) Check(source string, folders bool) error {
	in, inErr := os.Stat(source)
	out, outErr := os.Stat(f.Name)
	if inErr == nil && outErr == nil && in.Mode().IsRegular() && os.SameFile(in, out) && !f.force {
		return Usagef("-o %s is the file that is read: name another, or give --force to replace it", f.Name)
	}
	return CheckWritable(f.Name, folders)
}

// CheckWritable returns why the output called name cannot be written, before the
// source is read. It can be a folder where folders says so.
func CheckWritable(name string, folders bool) error {
	if folders && IsFolder(name) {
		return cli.CheckFolder(name)
	}
	return cli.CheckOutput(name)
}

// Create starts the output called name, "-" being standard output.
func Create(std Stdio, name string) (*cli.File, error) {
	file, err := cli.Create(name, std.Out)
	if text := file.Warning(); text != "" {
		fmt.Fprintf(std.Err, "artifice: warning: %s\n", text)
	}
	return file, err
}

// Save writes the output called name, "-" being standard output, which appears when all of
// it is written.
func Save(std Stdio, name string, write func(*cli.File) error) error {
	file, err := Create(std, name)
	if err != nil {
		return err
	}
	return file.Complete(write)
}

// Write makes the output of all of rec's events, and returns how many they are. No
// Output appears where check, which is asked in the end, returns an error.
func (f *OutputFlags) Write(std Stdio, rec *trace.Recording, check func() error) (events int64, err error) {
	out, err := f.Create(std, rec)
	if err != nil {
		return 0, err
	}
	defer out.File.Abort()
	if events, err = trace.Copy(out.Writer, rec.Events); err != nil {
		return events, err
	}
	if err = check(); err != nil {
		return events, err
	}
	return events, out.Commit()
}

// Commit completes the output, gives it its name and prints what its writer has
// to say about it.
func (o *output) Commit() error {
	if err := o.Close(); err != nil {
		return o.File.Fail(err)
	}
	if err := o.File.Commit(); err != nil {
		return err
	}
	for _, note := range o.Notes() {
		o.std.Remark("artifice: %s: %s\n", o.File.Name(), note)
	}
	return nil
}

// AddProfile adds the flags that only profiles and timelines know.
func (f *OutputFlags) AddProfile(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.until, "until", "last", "let frames open at the end run `UNTIL` their thread's last event (last) or the end of tracing (stop)")
	cmd.Flags().StringVar(&f.Value, "value", "time", "`VALUE` of a folded stack: time, cpu or calls")
	cmd.Flags().StringVar(&f.unit, "unit", "us", "`UNIT` of the times of folded stacks: ns, us or ms")
	cmd.Flags().BoolVar(&f.withErrors, "with-errors", false, "add the ends of 95 % intervals to a pprof profile of a sampled trace, as sample types wall-low, wall-high and the like")
	cmd.Flags().BoolVar(&f.perfetto.PerfSamples, "perf-samples", false, "write the samples of a Perfetto trace as PerfSample, which every release of Perfetto knows, instead of StackSample, which has weights and is known since July 2026")
	cmd.Flags().BoolVar(&f.folded.ByThread, "by-thread", false, "begin each folded stack with the thread name")
}

// AddAtrace adds the flags that atrace has.
func (f *OutputFlags) AddAtrace(flags *pflag.FlagSet) {
	flags.StringSliceVar(&f.categories, "categories", nil, "write only what these `CATEGORIES` of atrace have: the sections and calls of a part of Android (gfx, input, view, am, res, dalvik, database, audio, camera, webview) or of the app (app), what cores do (sched, freq, idle), and calls of other processes (binder_driver, or binder); others of atrace are empty, which is said; default: all")
	flags.Int64VarP(&f.ftrace.BufferKB, "buffer-kb", "b", 0, "give the kernel's buffer this many `KB` for each core, and lose what comes when it is full, in ftrace text; default: all fits")
	flags.BoolVarP(&f.ftrace.Circular, "circular", "c", false, "with -b, overwrite the oldest events instead")
}

// formatOnly are the flags that mean nothing to most formats.
var formatOnly = []struct {
	flag    string
	of      string       // the formats, for people
	holds   format.Holds // 0, or the formats with this content
	formats []string     // names of formats
}{
	{flag: "until", of: "profiles and timelines", holds: format.OpenFrames},
	{flag: "categories", of: "ftrace text and Perfetto traces", holds: format.Scheduling},
	{flag: "buffer-kb", of: "ftrace text", formats: ftraceFormats},
	{flag: "value", of: "folded stacks", formats: []string{"folded"}},
	{flag: "unit", of: "folded stacks", formats: []string{"folded"}},
	{flag: "with-errors", of: "pprof profiles", formats: []string{"pprof"}},
	{flag: "perf-samples", of: "Perfetto traces", formats: []string{"perfetto"}},
	{flag: "by-thread", of: "folded stacks", formats: []string{"folded"}},
}

// ftraceFormats are the formats of ftrace text, as it is and packed.
var ftraceFormats = []string{"ftrace", "atrace"}

// checkFormat refuses flags that the output's format does not know.
func (f *OutputFlags) checkFormat(kind *format.Format) error {
	for _, only := range formatOnly {
		applies := only.holds != 0 && kind.Holds.Has(only.holds) || slices.Contains(only.formats, kind.Name)
		if f.Flags.Changed(only.flag) && !applies {
			return Usagef("--%s applies to %s, but %s is written as %s", only.flag, only.of, f.Name, kind.Name)
		}
	}
	return nil
}

// IsFolder reports whether the name of an output is that of a folder, there or to be made.
func IsFolder(name string) bool {
	info, err := os.Stat(name)
	return strings.HasSuffix(name, string(filepath.Separator)) || err == nil && info.IsDir()
}
