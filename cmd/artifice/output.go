package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"artifice/calltree"
	"artifice/internal/cli"
	"artifice/internal/dmformat"
	"artifice/stackdump"
	"artifice/trace"
	"artifice/writer"
)

// outputFlags are the flags of commands that write a trace.
type outputFlags struct {
	name     string
	format   string
	interval time.Duration // of profiles
	until    string
	value    string
	threads  bool
	clock    trace.Clock // of method traces; Dual: what the recording has
	portable bool

	flags     *pflag.FlagSet
	counterHz uint64        // of long-running-methods profiles; 0: the writer's default
	output    writer.Output // of format V2
}

func (f *outputFlags) add(cmd *cobra.Command) {
	f.flags = cmd.Flags()
	cmd.Flags().StringVarP(&f.name, "output", "o", "", "write this file; `OUT` - is standard output and needs --format")
	cmd.Flags().StringVar(&f.format, "format", "", "write this `FORMAT`, one of artifice list; default by OUT's ending")
	cmd.Flags().BoolVar(&f.portable, "portable", false, "write a .trace that every known reader accepts, and print what changed")
	cmd.MarkFlagRequired("output")
}

// format is a kind of file that artifice writes.
type format struct {
	name        string
	description string
	endings     []string // of file names that mean it
	binary      bool
	open        func(w io.Writer, rec *trace.Recording, f *outputFlags) (trace.WriteCloser, error)
}

// formats are all the kinds of files, in the order of artifice list.
var formats = append(dmtraceFormats(),
	format{dmformat.LongRun, "ART 16 and later: the profile of long-running methods", nil, true, openLongRun},
	format{"pprof", "profile for go tool pprof", []string{".pb.gz", ".pb", ".pprof"}, true, openPprof},
	format{"folded", "folded stacks: a stack and its value per line", []string{".folded", ".collapsed"}, false, openFolded},
	format{"text", "text: one event per line", []string{".txt", ".text"}, false, openText},
)

func formatNames() []string {
	var all []string
	for _, f := range formats {
		all = append(all, f.name)
	}
	return all
}

func dmtraceFormats() []format {
	var all []format
	for _, v := range dmformat.Variants {
		all = append(all, format{v.Name, v.Description, nil, true, openDmtrace})
	}
	return all
}

func openDmtrace(w io.Writer, rec *trace.Recording, f *outputFlags) (trace.WriteCloser, error) {
	if f.portable {
		return writer.NewPortable(w, rec, writer.PortableConfig{})
	}
	return writer.NewDmtrace(w, rec, writer.DmtraceConfig{Format: f.format, Clock: f.clock, Output: f.output})
}

func openLongRun(w io.Writer, rec *trace.Recording, f *outputFlags) (trace.WriteCloser, error) {
	return writer.NewLongRun(w, rec, writer.LongRunConfig{CounterHz: f.counterHz})
}

func openPprof(w io.Writer, rec *trace.Recording, f *outputFlags) (trace.WriteCloser, error) {
	return writer.NewPprof(w, rec, writer.PprofConfig{Interval: f.interval, Until: untils[f.until]})
}

func openFolded(w io.Writer, rec *trace.Recording, f *outputFlags) (trace.WriteCloser, error) {
	cfg := writer.FoldedConfig{Value: foldedValues[f.value], Until: untils[f.until]}
	if f.threads {
		cfg.Threads = writer.ThreadsFirst
	}
	return writer.NewFolded(w, rec, cfg)
}

func openText(w io.Writer, rec *trace.Recording, _ *outputFlags) (trace.WriteCloser, error) {
	return trace.NewTextWriter(w, rec), nil
}

// choose returns the format that the flags ask for. A .trace file keeps the
// variant of rec's source; without one it is ART's classic file.
func (f *outputFlags) choose(rec *trace.Recording) (format, error) {
	if err := f.checkWords(); err != nil {
		return format{}, err
	}
	want := f.format
	if want == "" {
		name := strings.TrimSuffix(f.name, ".gz")
		for _, known := range formats {
			for _, ending := range known.endings {
				if strings.HasSuffix(f.name, ending) || strings.HasSuffix(name, ending) {
					return known, nil
				}
			}
		}
		if f.name == "-" || !strings.HasSuffix(name, ".trace") {
			return format{}, usagef("cannot tell the format of %q: end it in .trace, .pb.gz, .folded or .txt, or give --format", f.name)
		}
		want = dmformat.ART
		if rec.Source != nil && !f.portable {
			want = rec.Source.Format
		}
	}
	return f.named(want)
}

// named returns the format of a name.
func (f *outputFlags) named(want string) (format, error) {
	for _, known := range formats {
		if known.name == want {
			f.format = want
			return known, nil
		}
	}
	if stackdump.Format(want).Description() != "" {
		return format{}, usagef("%s is a format of stack dumps, which record --mode dump writes", want)
	}
	return format{}, usagef("unknown format %q%s; artifice list names them", want, didYouMean(want, formatNames()))
}

// output is a file being written: it appears only when Commit succeeds.
type output struct {
	trace.WriteCloser
	file *cli.File
	std  stdio
}

// create starts the output that the flags ask for, of the trace rec.
func (f *outputFlags) create(std stdio, rec *trace.Recording) (*output, error) {
	kind, err := f.choose(rec)
	if err != nil {
		return nil, err
	}
	if f.portable && kind.name != dmformat.ART {
		return nil, usagef("--portable writes the format art, not %s", kind.name)
	}
	if err := f.checkProfile(kind.name); err != nil {
		return nil, err
	}
	if f.name == "-" && kind.binary && cli.IsTerminal(std.out) {
		return nil, usagef("%s is binary and not written to a terminal; name a file", kind.name)
	}
	file, err := cli.Create(f.name, std.out)
	if err != nil {
		return nil, err
	}
	w, err := kind.open(file, rec, f)
	if err != nil {
		return nil, file.Fail(err)
	}
	return &output{w, file, std}, nil
}

// write makes the output of all of rec's events, and returns how many they are.
func (f *outputFlags) write(std stdio, rec *trace.Recording) (events int64, err error) {
	out, err := f.create(std, rec)
	if err != nil {
		return 0, err
	}
	defer out.file.Abort()
	if events, err = trace.Copy(out.WriteCloser, rec.Events); err != nil {
		return events, err
	}
	return events, out.Commit()
}

// Commit completes the output, gives it its name and prints what its writer has
// to say about it.
func (o *output) Commit() error {
	if err := o.Close(); err != nil {
		return o.file.Fail(err)
	}
	if err := o.file.Commit(); err != nil {
		return err
	}
	for _, note := range o.notes() {
		fmt.Fprintf(o.std.err, "artifice: %s: %s\n", o.file.Name(), note)
	}
	return nil
}

// notes returns what the writer has to say of what it wrote.
func (o *output) notes() []string {
	switch w := o.WriteCloser.(type) {
	case interface{ Notes() []string }:
		return w.Notes()
	case interface{ Changes() []string }:
		return w.Changes()
	}
	return nil
}

// addProfile adds the flags that only profiles know.
func (f *outputFlags) addProfile(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.until, "until", "last", "frames open at the end run `UNTIL` their thread's last event (last) or the stop of the trace (stop)")
	cmd.Flags().StringVar(&f.value, "value", "time", "`VALUE` of a folded stack: time, cpu or calls")
	cmd.Flags().BoolVar(&f.threads, "by-thread", false, "begin each folded stack with the thread's name")
}

// profileOnly are the flags that mean nothing to most formats.
var profileOnly = []struct {
	flag    string
	of      string
	formats []string
}{
	{"until", "profiles", []string{"pprof", "folded"}},
	{"value", "folded stacks", []string{"folded"}},
	{"by-thread", "folded stacks", []string{"folded"}},
}

// checkProfile refuses flags of profiles where the output has another format.
func (f *outputFlags) checkProfile(format string) error {
	for _, only := range profileOnly {
		if f.flags.Changed(only.flag) && !slices.Contains(only.formats, format) {
			return usagef("--%s applies to %s, and %s is written as %s", only.flag, only.of, f.name, format)
		}
	}
	return nil
}

// The words of --until and --value.
var (
	untils       = map[string]calltree.EndPolicy{"last": calltree.UntilLastEvent, "stop": calltree.UntilStop}
	foldedValues = map[string]writer.FoldedValue{"time": writer.FoldedTime, "cpu": writer.FoldedCPU, "calls": writer.FoldedCalls}
)

// checkWords refuses words that the flags do not know.
func (f *outputFlags) checkWords() error {
	if _, ok := untils[f.until]; !ok {
		return usagef("--until %s: must be last or stop", f.until)
	}
	if _, ok := foldedValues[f.value]; !ok {
		return usagef("--value %s: must be time, cpu or calls", f.value)
	}
	return nil
}
