package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"sync/atomic"
	"time"

	"artifice/format"
	"artifice/format/dmtrace"
	"artifice/internal/cli"
	"artifice/trace"
	"artifice/trace/filter"
	"artifice/workload"
)

// Source is an input being read, with its progress on the terminal.
type Source struct {
	*trace.Recording
	In      *format.Input        // the input
	Dumps   *format.DumpSequence // the dumps from which it is made; nil for other formats
	File    *trace.Recording     // the recording before names were mapped; nil if they were not
	Renamed *filter.Rename       // set if names were mapped; else nil

	Inlined InlinedFlag // methods to mark as inlined into their callers
	Name    string      // name with which it is opened
	Std     Stdio       // for warnings and progress

	mapping *filter.Mapping // mapping of names; nil: names are unchanged
	bars    bars
	memory  *memoryLimit // nil: the default
	budget  memoryBudget
}

// SourceFlags configures the reading of a source.
type SourceFlags struct {
	format string // format of the input; empty: detected from the content
	// counterHz is the frequency of the counter in a long-running-methods profile; 0 is the
	// reader's default.
	counterHz uint64
	Order     format.Order // order of its events
	// it is read far ahead of the work, so its events do not show the progress
	Ahead   bool
	inPlace bool              // see [dmtrace.ReadOptions]
	nesting bool              // mismatched exits are counted even if events are in file order
	Truth   TruthFlags        // for a workload
	Dumps   format.DumpConfig // options for reading stack dumps
	repair  format.Repair

	// Snapshots returns a receiver of the stacks of a sampler's samples, if the source has them
	// ([trace.SnapshotSource]); nil: none.
	Snapshots func(*trace.Recording) trace.SnapshotWriter
	methods   string    // see [format.Config.Names]
	Value     ValueFlag // for a profile with several values
	// profiles that measure something other than the time of threads are accepted
	quantity bool
	Names    MappingFlag // mapping of its method names
}

// Open opens the source name; "-" is standard input. ctx interrupts the reading of its events.
func Open(ctx context.Context, std Stdio, name string, f SourceFlags) (*Source, error) {
	names, err := f.Names.read()
	if err != nil {
		return nil, err
	}
	if err := f.Truth.check(name); err != nil {
		return nil, err
	}
	s := &Source{Name: name, Std: std, mapping: names, bars: newBars(std.Err, name), budget: budgetOf(ctx)}
	stop := func() error {
		if err := ctx.Err(); err != nil {
			return err
		}
		return s.Exceeded()
	}
	if names != nil {
		f.Dumps.Rename = s.RenameFrames()
	}
	cfg := format.Config{
		Names: f.methods, Order: f.Order, Value: string(f.Value), Quantities: f.quantity, Nesting: f.nesting, Stop: stop, Progress: s.bars.progress(f.Ahead),
		Format: f.format, Repair: f.repair, Limits: LimitsOf(ctx), Workload: f.Truth.Config(),
		Options: []any{dmtrace.ReadOptions{CounterHz: f.counterHz, InPlace: f.inPlace}, f.Dumps},
	}
	limit := limitInProportion(name) // some formats are read completely when they are opened
	if name == "-" {
		s.In, err = format.New(std.In, "standard input", cfg)
	} else {
		s.In, err = format.Open(name, cfg)
	}
	if err != nil {
		limit.release()
		return nil, explainAbsent(name, err)
	}
	s.Recording, s.Dumps = s.In.Recording, s.In.Dumps
	if s.Dumps != nil {
		s.memory = limit
	} else {
		limit.release()
	}
	if f.Value != "" && s.In.Profile == nil {
		s.Close()
		return nil, Usagef("--value selects a value of a profile of pprof or OpenTelemetry, and %s is not one%s", name, f.Value.formerly())
	}
	if f.Truth.Duration != 0 && !format.IsWorkload(name) {
		s.Close()
		return nil, Usagef("--duration applies to workloads; to cut a recorded trace, use artifice convert --from --to")
	}
	if f.Snapshots != nil {
		if source, ok := s.Events.(trace.SnapshotSource); ok {
			source.SnapshotsTo(f.Snapshots(s.Recording))
		}
	}
	if err := s.In.InTimeOrder(); err != nil {
		s.Close()
		return nil, err
	}
	if names != nil && s.Dumps == nil {
		s.Renamed = &filter.Rename{Mapping: names}
		err = s.rename()
	}
	return s, err
}

// rename restores the original names of the recording's methods according to the mapping.
func (s *Source) rename() (err error) {
	s.File = s.Recording
	s.Recording, err = s.Renamed.Apply(s.File)
	return err
}

// RenameFrames returns a function that restores the original frames of dumps according to the
// mapping, or nil without a mapping.
func (s *Source) RenameFrames() func(format.Frame) []format.Frame {
	return format.RestoreFrames(s.mapping)
}

// LimitMemory limits the memory of the program in proportion to the source until the source is
// closed, unless there is such a limit already.
func (s *Source) LimitMemory() {
	if s.memory == nil {
		s.memory = limitInProportion(s.Name)
	}
}

// Blame prefixes an error of processing the source with the source's name, unless the error already
// names a file or is not about the source.
func (s *Source) Blame(err *error) {
	if *err != nil {
		*err = ErrorOf(s.Name, *err)
	}
}

// FromStart returns the source's recording, to be read from its first event on. The second and
// later calls require a source in time order, and invalidate the recording returned by the previous
// call.
func (s *Source) FromStart() (*trace.Recording, error) {
	rec, err := s.In.FromStart()
	if err != nil || rec == s.File {
		return s.Recording, err
	}
	if s.Recording = rec; s.Renamed != nil {
		err = s.rename()
	}
	s.Recording = s.Inline(s.Recording)
	return s.Recording, err
}

// Inline returns a recording of the source in which the methods that the compiler inlined into
// their callers are marked.
func (s *Source) Inline(rec *trace.Recording) *trace.Recording {
	if !s.Inlined.given() {
		return rec
	}
	return filter.Inline(rec, s.Inlined.matches)
}

// Likewise applies the mapping of names and the marks of inlined methods to a recording of another
// run of the source.
func (s *Source) Likewise(rec *trace.Recording) (*trace.Recording, error) {
	if s.Renamed != nil {
		var err error
		if rec, err = (&filter.Rename{Mapping: s.Renamed.Mapping}).Apply(rec); err != nil {
			return nil, err
		}
	}
	return s.Inline(rec), nil
}

// Exceeded returns an error if the work on the source needs more memory than --memory allows.
func (s *Source) Exceeded() error {
	if err := s.budget.exceeded(); err != nil {
		return fmt.Errorf("%s: %w", s.Name, err)
	}
	return nil
}

// Close ends the reading and prints the warnings.
func (s *Source) Close() error {
	s.memory.release()
	err := s.In.Close()
	PrintWarnings(s.Std, s.In.Recording)
	s.warnMapping()
	return err
}

// TruthFlags select the truth of a workload that a command uses. The zero value is the default of
// commands without these flags: seed 1 and the workload's own length.
type TruthFlags struct {
	Seed     *uint64       // nil: 1
	Duration time.Duration // 0: as stated by the workload
	Live     bool          // the app runs while it is traced
}

// DefaultSeed is the default seed.
const DefaultSeed = 1

// Config returns the configuration with which the workload is run.
func (f TruthFlags) Config() workload.Config {
	c := workload.Config{Seed: DefaultSeed, Duration: f.Duration, Live: f.Live}
	if f.Seed != nil {
		c.Seed = *f.Seed
	}
	return c
}

// check returns an error for a duration if the source has no selectable duration.
func (f TruthFlags) check(name string) error {
	switch {
	case f.Duration != 0 && format.IsCallTree(name):
		return Usagef("--duration does not apply to a call tree, which states all times")
	}
	return nil
}

// explainAbsent extends the error of a nonexistent file if its name could be meant as that of a
// workload: no workload has this name either.
func explainAbsent(name string, err error) error {
	if errors.Is(err, fs.ErrNotExist) && !strings.ContainsAny(name, "./\\") {
		return &absentError{name, err}
	}
	return err
}

// absentError is a source that is neither a file nor a workload.
type absentError struct {
	name  string
	cause error
}

func (e *absentError) Error() string {
	return fmt.Sprintf("%v, and there is no built-in workload of that name (see artifice list)%s", e.cause, DidYouMean(e.name, Names(Workloads())))
}

func (e *absentError) Unwrap() error { return e.cause }

// bars show the progress of a source, one bar at a time. While the source is read from its file,
// the bar shows the bytes. After that, or without a file, it shows the time of its events. They are
// nil unless stderr is a terminal.
type bars struct {
	bytes   *cli.Bar     // progress in bytes
	time    *cli.Bar     // progress in time, in µs
	reading *atomic.Bool // the bar of bytes is shown
}

func newBars(w io.Writer, what string) bars {
	return bars{bytes: cli.NewByteBar(w, what), time: cli.NewBar(w, what), reading: new(atomic.Bool)}
}

// progress returns the bars, or only the bar of bytes if the reader is far ahead of the work. It
// returns nil unless stderr is a terminal.
func (b *bars) progress(ahead bool) format.Progress {
	switch {
	case b.bytes == nil:
		return nil
	case ahead:
		return byteBar{b}
	}
	return b
}

// Bytes implements [format.Progress].
func (b *bars) Bytes(done, total int64) {
	b.reading.Store(true)
	b.bytes.Update(done, total)
}

// Time implements [format.Progress].
func (b *bars) Time(done, total int64) { b.time.Update(done, total) }

// byteBar shows only the bytes.
type byteBar struct{ *bars }

// Time implements [format.Progress].
func (byteBar) Time(done, total int64) {}

// Sampling returns two callbacks: one that shows the time reached by samplers, unless the bytes
// read are shown, and one that hides it. The first is nil unless stderr is a terminal.
func (s *Source) Sampling() (reached func(time.Duration), hide func()) {
	bar := cli.NewBar(s.Std.Err, s.Name)
	if bar == nil {
		return nil, bar.Hide
	}
	total := int64(-1)
	if s.Info.Elapsed > 0 {
		total = s.Info.Elapsed.Microseconds()
	}
	return func(at time.Duration) {
		if !s.bars.reading.Load() {
			bar.Update(at.Microseconds(), total)
		}
	}, bar.Hide
}

// Idle implements [format.Progress]: it removes the bar until the next update.
func (b *bars) Idle() {
	b.bytes.Hide()
	b.time.Hide()
	b.reading.Store(false)
}

// PrintWarnings prints the current warnings of rec and removes them.
func PrintWarnings(std Stdio, rec *trace.Recording) {
	for _, w := range rec.Warnings {
		fmt.Fprintf(std.Err, "artifice: warning: %s\n", w)
	}
	rec.Warnings = nil
}

// IsFolded reports whether a source is in the format of folded stacks, which may not state their
// unit.
func IsFolded(src *Source) bool { return src.In.Format.Name == "folded" }

// Interacts reports whether a source is a program in which a delay of one thread changes what
// others do. For other sources an untraced truth determines the events of a tracer.
func Interacts(name string) bool {
	p, err := format.Program(name)
	return err == nil && p != nil && p.Interacts() // errors are reported when it is opened
}

// HideProgress removes the progress bar of a source that is not read to its end.
func (s *Source) HideProgress() { s.bars.Idle() }
