package dmtrace

import (
	"errors"
	"fmt"
	"io"
	"os"

	"artifice/internal/eventlog"
	"artifice/trace"
)

// Codes of warnings of this package alone.
const (
	warnClockContested trace.WarningCode = "clock-contested" // the summary names another clock than the times were read as
	warnStartTime      trace.WarningCode = "start-time"      // the start time is beyond what can be represented
	warnCounter        trace.WarningCode = "counter"         // the timestamp counter's frequency is unusual or not known
	warnAfterSummary   trace.WarningCode = "after-summary"   // bytes follow the end of the summary
	warnBlockCount     trace.WarningCode = "block-count"     // a block has another number of records than it states
	warnLayout         trace.WarningCode = "layout"          // bytes would be written back in another way
	warnPadding        trace.WarningCode = "padding"         // bytes past a record's fields are not 0
	warnRecordSize     trace.WarningCode = "record-size"     // records have another size than the header states
	warnStepsBack      trace.WarningCode = "steps-back"      // events are earlier than the one before on their thread
	warnWraps          trace.WarningCode = "wraps"           // a clock of 32 bits wrapped, and times are ambiguous
)

// maxWarnings is the maximum number of warnings for a damaged file.
const maxWarnings = 100

// manyMethods is the message of a file with more methods than the limits allow.
const manyMethods = "too many methods"

// File is an open trace. Its Events deliver the events in file order, unless
// [File.InTimeOrder] was called. Tables of a classic file are complete from the start;
// a streaming file adds to them while it is read.
type File struct {
	trace.Recording

	name     string            // that errors give
	options  ReadOptions       // with all limits set
	plain    *os.File          // the trace itself, uncompressed, when it can be read at any place
	size     int64             // of plain
	base     int64             // offset in the trace of plain's first byte
	total    int64             // bytes of the file as it is stored; -1 when that is unknown
	scratch  []byte            // buffer of blockEnd15
	closers  []io.Closer       // closed with the file
	ordered  *eventlog.Ordered // the merged events; nil before InTimeOrder
	dropped  int               // warnings beyond maxWarnings
	counted  int               // methods of Symbols that tooManyMethods has looked at
	unlisted int               // of these, methods that no table lists

	noClass, noSignature bool // dmformat.KeyCompleted: methods with the text of complete had none
}

// ReadOptions are the options of reading a file. The zero value is valid.
type ReadOptions struct {
	// Format is the variant of the file, by a name printed by artifice list; "" detects it by
	// content. It must fit the content.
	Format string

	// CounterHz is the frequency of the timestamp counter behind the times of a
	// long-running-methods profile, which does not state it; 0 is 24.576 MHz. Other formats state
	// it in their header or do not need it.
	CounterHz uint64

	// Limits bound what a damaged file can make us keep; 0 is their default.
	Limits trace.Limits

	// TempDir is where temporary files go that a merge or a pipe may need; ""
	// is os.TempDir.
	TempDir string

	// Progress, when set, is called as bytes of the file (compressed ones, if it
	// is) have been read: done of total, which is -1 when it is not known.
	Progress func(done, total int64)

	// Stop, when set, is asked before each batch of events: its error ends the
	// reading, also that of InTimeOrder.
	Stop func() error

	// InPlace decodes in the goroutine that reads. By default large files are decoded on
	// several cores. That is faster where much work is done for each event; a caller that
	// hardly uses the events waits as long, and passing them on takes a third of the CPU time.
	InPlace bool

	ahead aheadOptions // of tests
}

// newFile returns the file of that name, which is closed together with closers.
func newFile(name string, o ReadOptions, closers ...io.Closer) *File {
	return &File{name: name, options: o, closers: closers}
}

// warnf adds a warning about the file as a whole.
func (f *File) warnf(code trace.WarningCode, format string, args ...any) {
	f.warn(trace.Warnf(code, f.name, format, args...))
}

// warn adds a warning, up to maxWarnings of them.
func (f *File) warn(w trace.Warning) {
	if len(f.Warnings) < maxWarnings {
		f.Warnings = append(f.Warnings, w)
		return
	}
	f.dropped++
	f.Warnings = append(f.Warnings[:maxWarnings], trace.Warnf(trace.WarnMore, f.name, "%d more warnings", f.dropped))
}

// seekable copies the rest of in to a temporary file, for formats that must be
// looked at out of order, unless the file can be read at any place anyway.
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

// warnReserved warns of n records with the reserved action.
func (f *File) warnReserved(n int64) {
	if n > 0 {
		f.warnf(trace.WarnAction, "%d records have action 3, which is reserved", n)
	}
}

// warnLine warns of a line of the tables that could not be parsed.
func (f *File) warnLine(err error) {
	f.warnf(trace.WarnTableLine, "%v; the line is ignored", err)
}

// warnNotShortest warns of numbers of LEB128 that writers make shorter.
func (f *File) warnNotShortest() {
	f.warnf(warnLayout, "some numbers have more bytes than they need; written back, they are shorter")
}

// Messages of files of blocks.
const (
	blockCut     = "the file ends within a block of entries"
	counterRange = "a time is out of range; is the counter's frequency right?"
)

// tooDeep is the error of an enter that opens a frame too many: event n of the
// trace, at offset.
func (f *File) tooDeep(enter *trace.Event, n, offset int64) error {
	thread := f.Symbols.Thread(enter.Thread).String()
	return &trace.FormatError{Name: f.name, Offset: offset, Msg: fmt.Sprintf("event %d, at %s on thread %s", n, enter.Time(f.Info.Clock), thread),
		Err: &trace.LimitError{Limit: "depth", Most: f.options.Limits.Depth, What: "frames open on one thread"}}
}

// tooManyMethods returns an error when the trace has more methods than the limits
// allow.
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
