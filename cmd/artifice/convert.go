package main

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"artifice/cmd/internal/command"
	"artifice/format"
	"artifice/format/pprof"
	"artifice/internal/dmformat"
	"artifice/trace"
	"artifice/trace/calltree"
	"artifice/trace/filter"
)

// convertFlags are the flags of convert.
type convertFlags struct {
	out     command.OutputFlags
	part    filter.Part
	salvage bool
	dumps   command.ReadFlags
}

// convertGroups are the groups of flags in the help of convert.
var convertGroups = append([]command.FlagGroup{
	{Title: "Output", Flags: []string{"output", "format", "portable", "ddms", "exact", "force"}},
	{Title: "Part to convert", Flags: []string{"thread", "from", "to"}},
	{Title: "Profiles and timelines", Flags: []string{"weight", "unit", "by-thread", "with-errors", "until"}},
}, command.ReadGroups("interval", "perf-samples", "salvage", "memory")...)

// convertCommand is the subcommand convert.
var convertCommand = command.Command{Name: "convert", Add: newConvert, Groups: convertGroups}

func newConvert(std command.Stdio) *cobra.Command {
	var f convertFlags
	cmd := &cobra.Command{
		Use:   "convert IN -o OUT",
		Short: "Convert a trace, profile or stack dumps to another format",
		Long: `Read a trace, profile or stack dumps, and write another format. The extension of OUT, or
--format, selects the format. If IN and OUT are .trace files, convert keeps the format version of
IN; without other flags, OUT equals IN byte for byte.

  $ artifice convert testdata/tiny.txt -o - --format folded
  # wall;us 0
  app.Main.main;app.Main.work 5000
  app.Main.main 2000

Stack dumps (a file or a folder) become the trace that Android's sampler would have written for
these stacks. If OUT is a profile or folded stacks (without --weight), convert counts the dumps that
contain each stack.

For a list of the formats, see artifice help formats.`,
		Example: `  artifice convert app.trace -o app.pb.gz           then: go tool pprof -http : app.pb.gz
  artifice convert app.trace -o app.folded          for flame graphs
  artifice convert app.trace -o app.perfetto-trace  for ui.perfetto.dev
  artifice convert app.trace -o app.html            ftrace text in a page, for Perfetto
  artifice convert streamed.trace --format art --portable -o classic.trace
  artifice convert app.trace --thread main --from 2s --to 3s -o part.trace
  artifice convert anr/ -o anr.trace                a folder of ANR files
  artifice convert dumps.jsonl --slice-end mid --last 20s --thread main -o end.trace`,
		Args: command.OneInput("IN"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd, std, args[0])
		},
	}
	f.out.Add(cmd)
	f.out.ClosesFrames = true
	cmd.Flags().Bool("exact", false, "keep empty class names, signatures and thread names in a .trace; otherwise, convert writes \"unknown\", \"()V\" and \"thread-1\" for Perfetto and Android Studio")
	cmd.Flags().StringSliceVar(&f.part.Threads, "thread", nil, "keep only threads with this `NAME` or tid; repeatable")
	cmd.Flags().DurationVar(&f.part.From, "from", 0, "omit events before this time, counted from the start")
	cmd.Flags().DurationVar(&f.part.To, "to", 0, "omit events from this time on, counted from the start")
	cmd.Flags().DurationVar(&f.out.Profile.Interval, "interval", 0, "sampling period to state in a profile (default: estimated), or time between stack dumps without timestamps (default: 10ms)")
	cmd.Flags().BoolVar(&f.salvage, "salvage", false, "if IN is damaged, write everything before the damage; the exit status is still 1")
	f.out.AddProfile(cmd)
	f.dumps.Quantity = true
	f.dumps.Add(cmd)
	return cmd
}

func (f *convertFlags) run(cmd *cobra.Command, std command.Stdio, name string) (err error) {
	if err := f.out.Check(false); err != nil {
		return err
	}
	src, err := f.open(cmd, std, name)
	if err != nil {
		return err
	}
	defer src.Close()
	defer src.Blame(&err)
	src.LimitMemory()
	rec, cut := src.Recording, len(f.part.Threads) > 0 || f.part.From != 0 || f.part.To != 0
	if src.Dumps != nil {
		if command.IsFolded(src) && rec.Info.Technique == trace.Sampled && !cmd.Flags().Changed("weight") {
			f.out.Weight = "calls" // the file does not state the unit of its counts
		}
	} else if cut {
		if rec, err = f.part.Apply(rec); err != nil {
			return command.AsUsage(err)
		}
	}
	if err := errors.Join(f.checkInterval(src), f.checkExact(src)); err != nil {
		return err
	}
	if kind, err := f.out.Choose(rec); err == nil && f.keepsProfile(src, kind) {
		return f.out.WriteProfile(std, kind, src.In.Profile)
	}
	if rec, err = f.closed(rec); err != nil {
		return err
	}
	out, err := f.out.Create(std, rec)
	if err != nil {
		return err
	}
	defer out.File.Abort()
	n, readErr := trace.Copy(out.Writer, rec.Events)
	if readErr != nil && (!f.salvage || cmd.Context().Err() != nil || errors.As(readErr, new(command.MemoryError))) {
		return readErr
	}
	if cut && len(rec.Symbols.Threads) == 0 {
		return command.NothingLeft(src, &f.part)
	}
	if err := out.Commit(); err != nil {
		return err
	}
	f.remarkOmitted(std, src)
	if readErr != nil {
		return command.Salvaged(f.out.Name, n, readErr)
	}
	return nil
}

// keepsProfile reports whether a profile is written completely, including labels, addresses and
// other values. That is the case if the output's format supports them and no flag selects a part or
// another form.
func (f *convertFlags) keepsProfile(src *command.Source, kind *format.Format) bool {
	if src.In.Profile == nil || kind.WriteProfile == nil {
		return false
	}
	keeps := true
	f.out.Flags.Visit(func(flag *pflag.Flag) {
		keeps = keeps && slices.Contains([]string{"output", "format", "force", "limit", "salvage", "memory", "quiet"}, flag.Name)
	})
	return keeps
}

// remarkOmitted prints the content of a profile that the output omits, because the output is made
// from the profile's recording.
func (f *convertFlags) remarkOmitted(std command.Stdio, src *command.Source) {
	if src.In.Profile == nil {
		return
	}
	omitted := pprof.Omitted(src.In.Profile, string(f.dumps.Value), f.out.Profile.Interval)
	if len(omitted) > 0 {
		std.Remark("artifice: %s: written without the profile's %s; to keep everything, convert the whole profile to pprof or otlp\n", f.out.Name, strings.Join(omitted, ", "))
	}
}

// closed returns the recording with exits for the frames open at its end, if the output is of
// another format and cannot state how long they last.
func (f *convertFlags) closed(rec *trace.Recording) (*trace.Recording, error) {
	kind, err := f.out.Choose(rec)
	if err != nil || rec.Source != nil && rec.Source.Format == kind.Name {
		return rec, err
	}
	if f.out.Until() != calltree.UntilEnd {
		return rec, nil
	}
	if ends, atStop := dmformat.StatesEnds(kind.Name); !ends {
		return filter.CloseFrames(rec, !atStop), nil
	}
	return rec, nil
}

// checkInterval rejects --interval if neither the source nor the output uses it.
func (f *convertFlags) checkInterval(src *command.Source) error {
	if src.Dumps != nil || !f.out.Flags.Changed("interval") {
		return nil
	}
	kind, err := f.out.Choose(src.Recording)
	if err == nil && kind.WriteProfile == nil {
		err = command.Usagef("--interval applies to pprof and OTLP profiles and stack dumps, but %s is written as %s", f.out.Name, kind.Name)
	}
	return err
}

// checkExact rejects --exact if the output is not a method trace or has to be portable.
func (f *convertFlags) checkExact(src *command.Source) error {
	if !f.out.Flags.Changed("exact") {
		return nil
	}
	if f.out.Trace.Portable {
		return command.Usagef("--portable completes names and --exact keeps them; use only one of them")
	}
	kind, err := f.out.Choose(src.Recording)
	if err != nil {
		return err
	}
	if _, err := dmformat.ByName(kind.Name); err != nil {
		return command.Usagef("--exact applies to method traces, but %s is written as %s", f.out.Name, kind.Name)
	}
	return nil
}

// open opens the source. Stack dumps are cut dump by dump, so that the number of samples is that of
// the part.
func (f *convertFlags) open(cmd *cobra.Command, std command.Stdio, name string) (*command.Source, error) {
	how, err := f.dumps.Flags()
	if err != nil {
		return nil, err
	}
	how.Dumps.Interval, how.Dumps.Part = f.out.Profile.Interval, f.part
	f.out.Trace.CounterHz = f.dumps.CounterHz
	return f.dumps.OpenAs(cmd, std, name, how)
}
