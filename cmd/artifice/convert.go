package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"artifice/filter"
	"artifice/internal/words"
	"artifice/trace"
)

// convertFlags are the flags of convert.
type convertFlags struct {
	out     outputFlags
	part    filter.Part
	salvage bool
	dumps   dumpFlags
}

// convertGroups are the groups of convert's flags.
var convertGroups = append([]flagGroup{
	{"Flags", nil, []string{"output", "format", "portable", "force", "salvage"}},
	{"Part to keep", nil, []string{"thread", "from", "to"}},
	{"Profiles and timelines to write", nil, []string{"interval", "until", "value", "unit", "by-thread", "with-errors", "perf-samples"}},
}, readGroups[1:]...)

func newConvert(std stdio) *cobra.Command {
	var f convertFlags
	cmd := &cobra.Command{
		Use:   "convert IN -o OUT",
		Short: "Convert a trace to another format",
		Long: `Read any trace and write it in another format, chosen by OUT's extension or
--format. A .trace keeps the variant of IN: without other flags, OUT equals IN
byte for byte.

IN can also be what another tracer recorded: atrace and systrace, Perfetto, Chrome
JSON, RheaTrace and others that artifice list names.

Or IN is stack dumps, a file or a folder: ANR files, HotSpot thread dumps, folded
stacks, pprof profiles, perf script, .blockInfo, JSON lines. They become the trace that
ART's sampler would have written had it seen these stacks. In profiles, and in
folded stacks without --value, a stack counts once for each dump that has it.
The packages in artifice/format describe every format.`,
		Example: `  artifice convert app.trace -o app.pb.gz           then: go tool pprof -http : app.pb.gz
  artifice convert app.trace -o app.folded          for flame graphs
  artifice convert app.trace -o app.perfetto-trace  for ui.perfetto.dev
  artifice convert app.trace -o app.html            a page as systrace makes it, which Perfetto opens, too
  artifice convert streamed.trace --format art --portable -o classic.trace
  artifice convert app.trace --thread main --from 2s --to 3s -o part.trace
  artifice convert anr/ -o anr.trace                a folder of ANR files
  artifice convert jstack/ -o hot.pb.gz             then: go tool pprof -sample_index=samples -top hot.pb.gz
  artifice convert perf.txt --by-thread -o perf.folded
  artifice convert dumps.jsonl --slice-end mid --last 20s --thread main -o end.trace`,
		Args: oneInput("IN"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd, std, args[0])
		},
	}
	f.out.add(cmd)
	cmd.Flags().StringSliceVar(&f.part.Threads, "thread", nil, "keep only threads with this `NAME` or tid (repeatable)")
	cmd.Flags().DurationVar(&f.part.From, "from", 0, "drop everything before this time since the start")
	cmd.Flags().DurationVar(&f.part.To, "to", 0, "drop everything from this time since the start on")
	cmd.Flags().DurationVar(&f.out.interval, "interval", 0, "sampling period to state in a profile, by default estimated; also the time between stack dumps that have none, by default 10ms")
	cmd.Flags().BoolVar(&f.salvage, "salvage", false, "if IN is damaged, write what comes before the damage; the exit status is still 1")
	f.out.addProfile(cmd)
	f.dumps.add(cmd)
	return cmd
}

func (f *convertFlags) run(cmd *cobra.Command, std stdio, name string) (err error) {
	if err := f.out.check(name, false); err != nil {
		return err
	}
	src, err := f.open(cmd, std, name)
	if err != nil {
		return err
	}
	defer src.Close()
	defer src.blame(&err)
	if src.release == nil {
		src.release = keepProportion(name)
	}
	rec, cut := src.Recording, len(f.part.Threads) > 0 || f.part.From != 0 || f.part.To != 0
	if src.dumps != nil {
		if isFolded(src) && rec.Info.Technique == trace.Sampled && !cmd.Flags().Changed("value") {
			f.out.value = "calls" // what was counted, nobody knows
		}
	} else if cut {
		if rec, err = f.part.Apply(rec); err != nil {
			return usageError{err}
		}
	}
	if err := f.checkInterval(src); err != nil {
		return err
	}
	out, err := f.out.create(std, rec)
	if err != nil {
		return err
	}
	defer out.file.Abort()
	n, readErr := trace.Copy(out.Writer, rec.Events)
	if readErr != nil && (!f.salvage || cmd.Context().Err() != nil || errors.As(readErr, new(memoryError))) {
		return readErr
	}
	if cut && len(rec.Symbols.Threads) == 0 {
		return nothingLeft(src, &f.part)
	}
	if err := out.Commit(); err != nil {
		return err
	}
	if readErr != nil {
		return &salvagedError{f.out.name, n, readErr}
	}
	return nil
}

// salvagedError is damage of an input whose events before it were written.
type salvagedError struct {
	output string
	events int64
	damage error
}

func (e *salvagedError) Error() string {
	return fmt.Sprintf("%s has the %s before the damage: %v", e.output, words.Count(e.events, "event"), e.damage)
}

func (e *salvagedError) Unwrap() error { return e.damage }

// checkInterval refuses an interval that neither the source nor the output needs.
func (f *convertFlags) checkInterval(src *source) error {
	if src.dumps != nil || !f.out.flags.Changed("interval") {
		return nil
	}
	kind, err := f.out.choose(src.Recording)
	if err == nil && kind.Name != "pprof" {
		err = usagef("--interval applies to pprof profiles and stack dumps, but %s is written as %s", f.out.name, kind.Name)
	}
	return err
}

// open opens the source. A part of stack dumps is cut dump by dump, so that
// their samples are counted right.
func (f *convertFlags) open(cmd *cobra.Command, std stdio, name string) (*source, error) {
	how, err := f.dumps.sourceFlags()
	if err != nil {
		return nil, err
	}
	how.dumps.Interval, how.dumps.Part = f.out.interval, f.part
	src, err := openSource(cmd.Context(), std, name, how)
	f.out.counterHz = f.dumps.counterHz
	if err != nil {
		return nil, err
	}
	if err := f.dumps.check(src); err != nil {
		src.Close()
		return nil, err
	}
	return src, nil
}

// nothingLeft is the error of a part of a source that has no events. A thread that is not
// there may be meant for one of a similar name.
func nothingLeft(src *source, part *filter.Part) error {
	like := ""
	if len(part.Threads) == 1 {
		var all []string
		for i := range src.in.Symbols.Threads {
			all = append(all, src.in.Symbols.Threads[i].Name)
		}
		if !slices.Contains(all, part.Threads[0]) {
			like = didYouMean(part.Threads[0], all)
		}
	}
	return fmt.Errorf("%s has no events in the selected part (%s, from %s to %s)%s; artifice info --threads lists its threads",
		src.name, threadsText(part.Threads), part.From, endOf(part.To), like)
}

func threadsText(names []string) string {
	switch len(names) {
	case 0:
		return "all threads"
	case 1:
		return "thread " + names[0]
	}
	return "threads " + strings.Join(names, ", ")
}

func endOf(to time.Duration) string {
	if to == 0 {
		return "the end"
	}
	return to.String()
}
