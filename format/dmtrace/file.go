package dmtrace

import (
	"errors"
	"fmt"
	"io"
	"os"

	"artifice/internal/eventlog"
	"artifice/internal/words"
	"artifice/trace"
)

// Codes of warnings specific to this package.
const (
	// the summary states a clock other than the one assumed when the times were read
	warnClockContested trace.WarningCode = "clock-contested"
	warnStartTime      trace.WarningCode = "start-time" // the start time is beyond what can be represented
	// the timestamp counter's frequency is unusual or unknown
	warnCounter      trace.WarningCode = "counter"
	warnAfterSummary trace.WarningCode = "after-summary" // bytes follow the end of the summary
	// the number of a block's records differs from the stated number
	warnBlockCount trace.WarningCode = "block-count"
	// the file would be written back with different bytes
	warnLayout  trace.WarningCode = "layout"
	warnPadding trace.WarningCode = "padding" // bytes past a record's fields are not 0
	// the size of records differs from the size in the header
	warnRecordSize trace.WarningCode = "record-size"
	// events are earlier than the previous event of their thread
	warnStepsBack trace.WarningCode = "steps-back"
	// a 32-bit clock wrapped, so times are ambiguous
	warnWraps trace.WarningCode = "wraps"
)

// maxWarnings is the maximum number of warnings for a damaged file.
const maxWarnings = 100

// manyMethods is the message of a file with more methods than the limits allow.
const manyMethods = "too many methods"

// File is an open trace. Its Events deliver the events in file order, unless [File.InTimeOrder] was
// called. The symbols of a classic file are complete from the start; a streaming file adds symbols
// while it is read.
type File struct {
	trace.Recording

	name     string            // name of the file in errors
	options  ReadOptions       // with all limits filled in
	plain    *os.File          // the uncompressed trace, if it can be read at any offset
	size     int64             // of plain
	base     int64             // offset in the trace of plain's first byte
	total    int64             // bytes of the stored file, which may be compressed; -1 if unknown
	scratch  []byte            // buffer of blockEnd15
	closers  []io.Closer       // closed with the file
	ordered  *eventlog.Ordered // the merged events; nil before InTimeOrder
	dropped  int               // number of warnings beyond maxWarnings
	counted  int               // number of methods of Symbols examined by tooManyMethods
	unlisted int               // number of these methods that no table lists

	noClass, noSignature bool // dmformat.KeyCompleted: methods with the text of complete had none
}

// ReadOptions are the options of reading a file. The zero value is valid.
type ReadOptions struct {
	// Format is the variant of the file, by a name printed by artifice list; "" detects it by
	// content. It must fit the content.
	Format string

	// CounterHz is the frequency of the timestamp counter in a long-running-methods profile, which
	// does not state it; 0 is 24.576 MHz. Other formats state the frequency in their header or do
	// not need it.
	CounterHz uint64

	// Limits bound the memory and disk space used for a damaged file; 0 selects the default of a
	// limit.
	Limits trace.Limits

	// TempDir is the directory of temporary files, which may be needed to merge threads or to read
	// a pipe; "" is os.TempDir.
	TempDir string

	// Progress, if set, is called when bytes of the file have been read (compressed bytes, if it is
	// compressed). done is their number; total is the size of the file, or -1 if it is unknown.
	Progress func(done, total int64)

	// Stop, if set, is called before each batch of events. An error ends the reading, also that of
	// InTimeOrder.
	Stop func() error

	// InPlace decodes in the goroutine of the caller. By default large files are decoded on several
	// cores. That is faster if the caller does much work for each event. A caller that does little
	// with the events waits as long as with InPlace, and passing events between goroutines takes a
	// third of the CPU time.
	InPlace bool

	ahead aheadOptions // set by tests
}

// newFile returns the file with that name. Closing it also closes closers.
func newFile(name string, o ReadOptions, closers ...io.Closer) *File {
	return &File{name: name, options: o, closers: closers}
}

// warnf adds a warning about the file as a whole.
func (f *File) warnf(code trace.WarningCode, format string, args ...any) {
	f.warn(trace.Warnf(code, f.name, format, args...))
}

// warn adds a warning, up to maxWarnings in total.
func (f *File) warn(w trace.Warning) {
	if len(f.Warnings) < maxWarnings {
		f.Warnings = append(f.Warnings, w)
		return
	}
	f.dropped++
	f.Warnings = append(f.Warnings[:maxWarnings], trace.Warnf(trace.WarnMore, f.name, "%d more warnings", f.dropped))
}

// seekable makes the rest of in readable at any offset, for formats that are not read in file
// order. If the file itself does not allow that, it is copied to a temporary file.
func (f *File) seekable(in *input) (*input, error) {
	if f.plain != nil {
		return in, nil
	}
	tmp, err := eventlog.CreateFile(f.options.TempDir)
	if err != nil {
		return nil, err
	}
	f.closers = append(f.closers, tmp)
	if f.size, err = io.Copy(tmp, in.r); err != nil {
		return nil, in.cut("copying to a temporary file", err)
	}
	if _, err := tmp.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	f.plain, f.base, f.total = tmp.File, in.off, f.size
	return newInput(tmp, in.name, in.off), nil
}

// warnReserved warns about n records with the reserved action.
func (f *File) warnReserved(n int64) {
	if n > 0 {
		f.warnf(trace.WarnAction, "reserved action 3 in %s", words.Count(n, "record"))
	}
}

// warnLine warns about a line of the tables that could not be parsed.
func (f *File) warnLine(err error) {
	f.warnf(trace.WarnTableLine, "%v; the line is ignored", err)
}

// warnNotShortest warns about LEB128 numbers that are not encoded in the minimum number of bytes.
func (f *File) warnNotShortest() {
	f.warnf(warnLayout, "some numbers have redundant bytes, which convert does not preserve")
}

// Messages about files with blocks.
const (
	blockCut     = "the file ends within a block of entries"
	counterRange = "a time is out of range; is the counter's frequency correct?"
)

// tooDeep is the error of an enter that exceeds the limit of open frames: event n of the trace, at
// offset.
func (f *File) tooDeep(enter *trace.Event, n, offset int64) error {
	thread := f.Symbols.Thread(enter.Thread).String()
	return &trace.FormatError{Name: f.name, Offset: offset, Msg: fmt.Sprintf("event %d, at %s on thread %s", n, enter.Time(f.Info.Clock), thread),
		Err: &trace.LimitError{Limit: "depth", Most: f.options.Limits.Depth, What: "frames open on one thread"}}
}

// tooManyMethods returns an error if the trace exceeds the limits of methods.
func (f *File) tooManyMethods() error {
	methods := f.Symbols.Methods
	for ; f.counted < len(methods); f.counted++ {
		if methods[f.counted].Unlisted {
			f.unlisted++
		}
	}
	return f.options.Limits.Symbols(len(methods), f.unlisted)
}

// checkMethods is tooManyMethods with the position of in.
func (f *File) checkMethods(in *input) error {
	if err := f.tooManyMethods(); err != nil {
		return in.cut(manyMethods, err)
	}
	return nil
}

// Close closes the file and removes temporary files. Events cannot be read afterwards.
func (f *File) Close() error {
	var err error
	for _, c := range f.closers {
		err = errors.Join(err, c.Close())
	}
	f.closers = nil
	return err
}
