package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"sync/atomic"
	"time"

	"artifice/filter"
	"artifice/format"
	"artifice/input"
	"artifice/internal/cli"
	"artifice/reader"
	"artifice/stackdump"
	"artifice/timeline"
	"artifice/trace"
	"artifice/workload"
)

// source is an input being read, with its progress on the terminal.
type source struct {
	*trace.Recording
	in      *input.Input
	dumps   *stackdump.Sequence // what it is made of; nil for other formats
	file    *trace.Recording    // the same before names were mapped; else nil
	renamed *filter.Rename      // when names were mapped; else nil

	renameFrames func(stackdump.Frame) []stackdump.Frame // of dumps likewise
	inlined      func(*trace.Method) bool                // methods that the compiler put into their callers; nil: as the source says
	name         string
	std          stdio
	bars         bars
	release      func() // of what was asked of the garbage collector; nil: nothing
}

// sourceFlags say how to read a source.
type sourceFlags struct {
	format string // of the input; empty: by content
	// counterHz is the frequency of the counter of a long-running-methods
	// profile; 0 is the reader's default.
	counterHz uint64
	order     input.Order
	ahead     bool       // it is read far ahead of the work: its events do not tell how far that is
	inPlace   bool       // see [reader.Config]
	nesting   bool       // whether exits that do not fit are looked for also where the order is the file's
	truth     truthFlags // of a workload
	dumps     stackdump.Config
	repair    format.Repair
	methods   string // see [input.Config.Names]
	names     mappingFlag
}

// openSource opens what name stands for, "-" being standard input. ctx
// interrupts the reading of its events.
func openSource(ctx context.Context, std stdio, name string, f sourceFlags) (*source, error) {
	names, err := f.names.read()
	if err != nil {
		return nil, err
	}
	if err := f.truth.check(name); err != nil {
		return nil, err
	}
	s := &source{name: name, std: std, bars: newBars(std.err, name)}
	limits := limitsOf(ctx)
	f.dumps.Limits = limits
	f.dumps.Rename = stackdump.RenameBy(names)
	s.renameFrames = f.dumps.Rename
	inTime := s.bars.time
	if f.ahead {
		inTime = nil
	}
	cfg := input.Config{
		Names: f.methods, Order: f.order, Nesting: f.nesting, Stop: stopOf(ctx, name), Progress: input.Progress{Bytes: s.bars.bytes, Time: inTime, Idle: s.bars.hide},
		Format: f.format, Traces: reader.Config{CounterHz: f.counterHz, Limits: limits, InPlace: f.inPlace}, Dumps: f.dumps, Repair: f.repair, Timelines: timeline.Config{Limits: limits}, Workload: f.truth.config(),
	}
	if name == "-" {
		s.in, err = input.New(std.in, "standard input", cfg)
	} else {
		s.in, err = input.Open(name, cfg)
	}
	if err != nil {
		return nil, explainAbsent(name, err)
	}
	s.Recording, s.dumps = s.in.Recording, s.in.Dumps
	if s.dumps != nil {
		s.release = keepProportion(name)
	}
	if f.truth.duration != 0 && !input.IsWorkload(name) {
		s.Close()
		return nil, usagef("--duration applies to workloads; to cut a recorded trace, use artifice convert --from --to")
	}
	if err := s.in.InTimeOrder(); err != nil {
		s.Close()
		return nil, err
	}
	if names != nil && s.dumps == nil {
		s.renamed = &filter.Rename{Mapping: names}
		err = s.rename()
	}
	return s, err
}

// rename gives the recording's methods the names that the mapping restores.
func (s *source) rename() (err error) {
	s.file = s.Recording
	s.Recording, err = s.renamed.Apply(s.file)
	return err
}

// blame begins the error of what was done with the source with its name, unless the
// error tells a file already or is not about the source.
func (s *source) blame(err *error) {
	*err = of(s.name, *err)
}

// fromStart returns the source's recording with its events from the first one
// on. Every call but the first needs a source in time order, and makes what the
// call before returned unreadable. It is a [bench.Opener].
func (s *source) fromStart() (*trace.Recording, error) {
	rec, err := s.in.FromStart()
	if err != nil || rec == s.file {
		return s.Recording, err
	}
	if s.Recording = rec; s.renamed != nil {
		err = s.rename()
	}
	s.Recording = s.inline(s.Recording)
	return s.Recording, err
}

// inline returns a recording of the source with its methods marked that the compiler put into their callers.
func (s *source) inline(rec *trace.Recording) *trace.Recording {
	if s.inlined == nil {
		return rec
	}
	return filter.Inline(rec, s.inlined)
}

// Close ends the reading and prints the warnings that it gave.
func (s *source) Close() error {
	if s.release != nil {
		s.release()
	}
	err := s.in.Close()
	printWarnings(s.std, s.in.Recording)
	s.tellMapping()
	return err
}

// truthFlags say which truth of a workload a command wants. The zero value is
// what commands without these flags take: seed 1 and the workload's own length.
type truthFlags struct {
	seed     *uint64
	duration time.Duration // 0: as the workload says
	live     bool          // it runs while it is traced
}

// defaultSeed is the seed unless a flag says.
const defaultSeed = 1

func (f truthFlags) config() workload.Config {
	c := workload.Config{Seed: defaultSeed, Duration: f.duration, Live: f.live}
	if f.seed != nil {
		c.Seed = *f.seed
	}
	return c
}

// check refuses a duration where there is none to choose.
func (f truthFlags) check(name string) error {
	switch {
	case f.duration < 0:
		return usagef("--duration %s: must be above 0", f.duration)
	case f.duration != 0 && input.IsCallTree(name):
		return usagef("--duration does not apply to a call tree, whose lines carry their times")
	}
	return nil
}

// explainAbsent adds to the error of a file that does not exist that no
// workload has its name either, when it could be meant for one.
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
	return fmt.Sprintf("%v, and there is no built-in workload of that name (see artifice list)%s", e.cause, didYouMean(e.name, names(workloadEntries())))
}

func (e *absentError) Unwrap() error { return e.cause }

// bars show how far a source is, one at a time: the bytes while it is read from
// its file, and when that has been done before, or there is none, the time of its
// events. Elsewhere than on a terminal there are none, and the functions that
// show something are nil.
type bars struct {
	bytes func(done, total int64) // shows the bytes read
	time  func(done, total int64) // shows the time, in us

	hideBytes, hideTime func()

	reading *atomic.Bool // the bytes are shown
}

func newBars(w io.Writer, what string) bars {
	b := bars{reading: new(atomic.Bool)}
	bytes, hide := cli.NewByteBar(w, what)
	if b.hideBytes = hide; bytes != nil {
		b.bytes = func(done, total int64) { b.reading.Store(true); bytes(done, total) }
	}
	b.time, b.hideTime = cli.NewBar(w, what)
	return b
}

// sampling returns what shows the time that samplers have reached, when it is not the
// bytes read that are shown, and what takes that away. Elsewhere than on a terminal
// the first is nil.
func (s *source) sampling() (reached func(time.Duration), hide func()) {
	show, hide := cli.NewBar(s.std.err, s.name)
	if show == nil {
		return nil, hide
	}
	total := int64(-1)
	if s.Info.Elapsed > 0 {
		total = s.Info.Elapsed.Microseconds()
	}
	return func(at time.Duration) {
		if !s.bars.reading.Load() {
			show(at.Microseconds(), total)
		}
	}, hide
}

// hide takes the bar away, until there is something to show again.
func (b *bars) hide() {
	b.hideBytes()
	b.hideTime()
	b.reading.Store(false)
}
