// Package file is what the decoders of all method traces share: a file while it is read, with its warnings and limits; its
// bytes with the place; the text that classic files and summaries have; clocks that wrap; numbers of variable length;
// and decoding on several cores.
package dmtrace

import (
	"fmt"
	"io"
	"os"

	"artifice/internal/eventlog"
	"artifice/trace"
)

// MaxWarnings bounds what a damaged file can make us say.
const MaxWarnings = 100

// ManyMethods is the message of a file with more methods than the limits allow.
const ManyMethods = "too many methods"

// File is a trace file while it is read: what its decoder and what holds it share.
type File struct {
	*trace.Recording // what has been read

	Name     string      // that errors give
	Config   FileConfig  // how it is read
	Plain    *os.File    // the trace itself, uncompressed and from its first byte on, when it can be read at any place
	Size     int64       // of plain
	Total    int64       // of the file as it is stored; -1 when it is not known
	Base     int64       // offset in the trace of plain's first byte
	Scratch  []byte      // for looking ahead in V2of15
	Closers  []io.Closer // what ends with it
	dropped  int         // warnings beyond maxWarnings
	named    int         // methods of Symbols that are in unlisted where they belong there
	unlisted int         // methods that nothing names
}

// Config says how to read a file.
type FileConfig struct {
	Format    string       // the variant; "": as the content tells
	CounterHz uint64       // of a long-running-methods profile; 0: as the format says
	Limits    trace.Limits // all set
	TempDir   string       // "": os.TempDir
	InPlace   bool         // one core decodes
	Ahead     AheadConfig  // of tests
}

// Warnf adds a warning about the file as a whole.
func (f *File) Warnf(code trace.WarningCode, format string, args ...any) {
	f.Warn(trace.Warnf(code, f.Name, format, args...))
}

// Warn adds a warning, up to MaxWarnings of them.
func (f *File) Warn(w trace.Warning) {
	if len(f.Warnings) < MaxWarnings {
		f.Warnings = append(f.Warnings, w)
		return
	}
	f.dropped++
	f.Warnings = append(f.Warnings[:MaxWarnings], trace.Warnf(trace.WarnMore, f.Name, "%d more warnings", f.dropped))
}

// Spool copies the rest of in to a temporary file, for formats that must be
// looked at out of order, unless the file can be read at any place anyway.
func (f *File) Spool(in *Input) (*Input, error) {
	if f.Plain != nil {
		return in, nil
	}
	tmp, err := eventlog.CreateFile(f.Config.TempDir)
	if err != nil {
		return nil, err
	}
	f.Closers = append(f.Closers, tmp)
	if f.Size, err = io.Copy(tmp, in.Bytes); err != nil {
		return nil, in.Cut("copying to a temporary file", err)
	}
	if _, err := tmp.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	f.Plain, f.Base, f.Total = tmp.File, in.Off, f.Size
	return NewInput(tmp, in.Name, in.Off), nil
}

// TooDeep is the error of an enter that opens a frame too many: event n of the
// trace, at offset.
func (f *File) TooDeep(enter *trace.Event, n, offset int64) error {
	thread := f.Symbols.Thread(enter.Thread).String()
	return &trace.FormatError{Name: f.Name, Offset: offset, Msg: fmt.Sprintf("event %d, at %s on thread %s", n, enter.Time(f.Info.Clock), thread),
		Err: &trace.LimitError{Limit: "depth", Most: f.Config.Limits.Depth, What: "frames open on one thread"}}
}

// TooManyMethods returns an error when the trace has more methods than the limits
// allow.
func (f *File) TooManyMethods() error {
	methods := f.Symbols.Methods
	for ; f.named < len(methods); f.named++ {
		if methods[f.named].Unlisted {
			f.unlisted++
		}
	}
	return f.Config.Limits.Symbols(len(methods), f.unlisted)
}

// CheckMethods is tooManyMethods with the place where in stands.
func (f *File) CheckMethods(in *Input) error {
	if err := f.TooManyMethods(); err != nil {
		return in.Cut(ManyMethods, err)
	}
	return nil
}
