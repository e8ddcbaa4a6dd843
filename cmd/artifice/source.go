package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"artifice/filter"
	"artifice/reader"
	"artifice/stackdump"
	"artifice/trace"
	"artifice/workload"
)

// source is an input being read.
type source struct {
	*trace.Recording
	dumps   *stackdump.Sequence // the same, when it is made of stack dumps; else nil
	file    *trace.Recording    // the same before names were mapped; else nil
	renamed *filter.Rename      // when names were mapped; else nil
	doubt   *doubt              // about a trace that is to be the truth; else nil
	name    string
	order   order
	close   []func() error
	std     stdio

	readings int          // by fromStart
	rewind   func() error // lets the events begin again, of a source in time order
	bars     bars
}

// order is the order in which a command wants its source's events.
type order int

const (
	byFile  order = iota // as the file has them
	byTime               // merged over all threads by wall time
	asTruth              // the same, and taken for what really happened
)

// sourceFlags say how to read a source.
type sourceFlags struct {
	format string // of the input; empty: by content
	// counterHz is the frequency of the counter of a long-running-methods
	// profile; 0 is the reader's default.
	counterHz uint64
	order     order
	truth     truthFlags // of a workload
	dumps     stackdump.Config
	names     mappingFlag
}

// openSource opens what name stands for: a workload, built in or in a file,
// stack dumps in a file or a folder, or a trace, "-" being standard input. ctx
// interrupts the reading of its events.
func openSource(ctx context.Context, std stdio, name string, f sourceFlags) (*source, error) {
	s := &source{name: name, order: f.order, std: std, bars: newBars(std.err, name)}
	names, err := f.names.read()
	if err != nil {
		return nil, err
	}
	if f.truth.duration < 0 {
		return nil, usagef("--duration %s: want a time above 0", f.truth.duration)
	}
	if isWorkload(name) {
		s.rewind = func() error { return s.openWorkload(ctx, f.truth) }
		if err := s.rewind(); err != nil {
			return nil, err
		}
		return s, nil
	}
	in := bufio.NewReaderSize(std.in, stackdump.SniffLen)
	isDumps, err := holdsDumps(name, in)
	if err != nil {
		return nil, explainAbsent(name, err)
	}
	if f.truth.duration != 0 {
		return nil, usagef("--duration is of a workload; cut a recorded trace by artifice convert --from --to")
	}
	if isDumps {
		f.dumps.Rename = renameFrames(names)
		err = s.openDumps(ctx, in, f)
	} else if err = s.openTrace(ctx, in, f); err == nil && names != nil {
		s.file, s.renamed = s.Recording, &filter.Rename{Mapping: names}
		s.Recording, err = s.renamed.Apply(s.file)
	}
	if err != nil {
		return nil, err
	}
	s.deliver(ctx)
	return s, nil
}

// deliver lets the events be interrupted and, where they are not read from the
// file any more, shows their time.
func (s *source) deliver(ctx context.Context) {
	if s.order != byFile || isWorkload(s.name) {
		s.Events = s.showTime(s.Events)
	}
	s.Events = interruptible{ctx, s.Events, s.bars.hide}
}

// fromStart returns the source's recording with its events from the first one
// on. Every call but the first needs a source in time order, and makes what the
// call before returned unreadable. It is a [bench.Opener].
func (s *source) fromStart() (*trace.Recording, error) {
	if s.readings++; s.readings > 1 {
		if err := s.rewind(); err != nil {
			return nil, err
		}
	}
	return s.Recording, nil
}

// openTrace opens s.name, or in when that is "-", as a method trace.
func (s *source) openTrace(ctx context.Context, in io.Reader, f sourceFlags) error {
	cfg := reader.Config{Format: f.format, CounterHz: f.counterHz, Progress: s.bars.bytes, Stop: ctx.Err}
	var file *reader.File
	var err error
	if s.name == "-" {
		file, err = reader.New(in, "standard input", cfg)
	} else {
		file, err = reader.Open(s.name, cfg)
	}
	if err != nil {
		return err
	}
	s.close = append(s.close, file.Close)
	s.Recording, s.rewind = &file.Recording, file.Rewind
	if f.order != byFile {
		err := errors.Join(file.InTimeOrder(), ctx.Err())
		s.bars.hide()
		if err != nil {
			s.Close()
			return err
		}
		if f.order == asTruth && file.Info.Technique != trace.Truth {
			s.doubt = &doubt{Reader: file.Events, name: s.name}
			s.Events = s.doubt
		}
	}
	return nil
}

// Close ends the reading and prints the warnings that it gave.
func (s *source) Close() error {
	s.bars.hide()
	var first error
	for i := len(s.close) - 1; i >= 0; i-- {
		if err := s.close[i](); err != nil && first == nil {
			first = err
		}
	}
	s.close = nil
	if s.Recording != nil {
		for _, w := range s.Warnings {
			fmt.Fprintf(s.std.err, "artifice: warning: %s\n", w)
		}
		s.Recording.Warnings = nil
	}
	s.tellMapping()
	s.doubt.print(s.std.err)
	s.doubt = nil
	return first
}

// interruptible is a Reader that ends with ctx's error once ctx is done. However
// it ends, it calls end.
type interruptible struct {
	ctx context.Context
	r   trace.Reader
	end func()
}

func (i interruptible) ReadEvents(p []trace.Event) (n int, err error) {
	if err = i.ctx.Err(); err == nil {
		n, err = i.r.ReadEvents(p)
	}
	if n == 0 {
		i.end()
	}
	return n, err
}

// Offset implements [trace.Locator].
func (i interruptible) Offset(event int64) int64 {
	if l, ok := i.r.(trace.Locator); ok {
		return l.Offset(event)
	}
	return -1
}

// truthFlags say which truth of a workload a command wants. The zero value is
// what commands without these flags take: seed 1 and the workload's own length.
type truthFlags struct {
	seed     *uint64
	duration time.Duration // 0: as the workload says
}

// defaultSeed is the seed unless a flag says.
const defaultSeed = 1

func (f truthFlags) config() workload.Config {
	c := workload.Config{Seed: defaultSeed, Duration: f.duration}
	if f.seed != nil {
		c.Seed = *f.seed
	}
	return c
}

// openWorkload opens s.name as a workload: one that is built in, one in a file
// that ends in .yaml, or the call tree in one that ends in .tree. Its truth is
// made while it is read, each time that it is opened.
func (s *source) openWorkload(ctx context.Context, f truthFlags) error {
	rec, err := truthOf(s.name, f)
	if err != nil {
		return err
	}
	s.Recording = rec
	s.deliver(ctx)
	return nil
}

// truthOf returns the truth of the workload that name stands for.
func truthOf(name string, f truthFlags) (*trace.Recording, error) {
	switch filepath.Ext(name) {
	case ".yaml", ".yml":
		p, err := readWorkloadFile(name, workload.ReadYAML)
		if err != nil {
			return nil, err
		}
		return p.Truth(f.config())
	case ".tree":
		if f.duration != 0 {
			return nil, usagef("--duration: a call tree is as long as its lines say")
		}
		return readWorkloadFile(name, workload.ReadTree)
	}
	return workload.ByName(name).Truth(f.config())
}

// readWorkloadFile reads the file called name by read.
func readWorkloadFile[T any](name string, read func(io.Reader, string) (T, error)) (made T, err error) {
	file, err := os.Open(name)
	if err != nil {
		return made, err
	}
	defer file.Close()
	return read(file, name)
}

// isWorkload reports whether name stands for a workload.
func isWorkload(name string) bool {
	switch filepath.Ext(name) {
	case ".yaml", ".yml", ".tree":
		return true
	}
	return workload.ByName(name) != nil
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
	return fmt.Sprintf("%v, and no built-in workload is called so (artifice list)%s", e.cause, didYouMean(e.name, names(workloadEntries())))
}

func (e *absentError) Unwrap() error { return e.cause }
