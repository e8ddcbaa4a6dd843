package command

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"artifice/internal/cli"
	"artifice/internal/words"
	"artifice/internal/yamlfile"
	"artifice/trace"
	"artifice/trace/filter"
)

// UsageError is an error of the command line.
type UsageError struct{ error }

// AsUsage marks err as an error of the command line.
func AsUsage(err error) error { return UsageError{err} }

// Usagef is fmt.Errorf for an error of the command line.
func Usagef(format string, args ...any) error { return UsageError{fmt.Errorf(format, args...)} }

// ErrFound ends a command that did its work and found errors in its input. The findings have been
// printed, so it only sets the exit status.
var ErrFound = errors.New("errors found")

// CutError ends an interrupted command that printed a partial result.
type CutError struct{ partial string } // describes the missing part

// Cut returns the error of an interrupted command; partial describes the missing part of its
// result.
func Cut(partial string) error { return CutError{partial} }

// Error implements error.
func (e CutError) Error() string { return "interrupted: " + e.partial }

// salvagedError is damage of an input after some events, which were written.
type salvagedError struct {
	output string
	events int64
	damage error
}

// Salvaged returns the error of a damaged input, given the number of events before the damage,
// which are in output.
func Salvaged(output string, events int64, damage error) error {
	return &salvagedError{output, events, damage}
}

func (e *salvagedError) Error() string {
	return fmt.Sprintf("%s has the %s before the damage: %v", e.output, words.Count(e.events, "event"), e.damage)
}

func (e *salvagedError) Unwrap() error { return e.damage }

// ErrorOf prefixes an error of processing a file with the file's name, unless the error already
// names a file or is not about a file.
func ErrorOf(name string, err error) error {
	var format *trace.FormatError
	switch {
	case err == nil, errors.Is(err, ErrFound), errors.As(err, new(UsageError)), errors.As(err, new(CutError)), errors.As(err, new(MemoryError)),
		errors.Is(err, context.Canceled), errors.As(err, new(*fs.PathError)), errors.As(err, new(*cli.WriteError)) && bySystem(err), errors.As(err, new(*yamlfile.Error)),
		errors.As(err, &format) && format.Name != "", strings.Contains(err.Error(), name):
		return err
	}
	return fmt.Errorf("%s: %w", name, err)
}

// InWords formats an error for output: parts about a file begin with its name, and errors of the
// system end with advice.
func InWords(err error) string {
	text := err.Error()
	var format *trace.FormatError
	var written *cli.WriteError
	var path *fs.PathError
	switch {
	case errors.As(err, &written) && bySystem(err):
		text = from(text, written)
	case errors.As(err, new(*salvagedError)): // it first states the written events
	case errors.As(err, &format) && format.Name != "":
		text = from(text, format)
	case errors.As(err, &path):
		text = strings.Replace(text, path.Error(), path.Path+": "+path.Err.Error(), 1)
	}
	return text + remedy(err)
}

// bySystem reports whether an error comes from the operating system and not from the content of a
// file.
func bySystem(err error) bool { return errors.As(err, new(syscall.Errno)) }

// from returns the part of text that begins with the text of err.
func from(text string, err error) string {
	if at := strings.Index(text, err.Error()); at >= 0 {
		return text[at:]
	}
	return text
}

// remedy returns advice for an error of the operating system, or "" if the error is sufficient.
func remedy(err error) string {
	var written *cli.WriteError
	var path *fs.PathError
	writing := errors.As(err, &written)
	switch {
	case !writing && errors.As(err, &path) && filepath.Dir(path.Path) == filepath.Clean(os.TempDir()) && strings.HasPrefix(filepath.Base(path.Path), ".artifice"):
		return ": temporary files cannot be created there; set TMPDIR to another folder"
	case errors.Is(err, syscall.ENOSPC) && writing:
		return ": free disk space, or write the output elsewhere"
	case errors.Is(err, syscall.ENOSPC):
		return ": free disk space, or set TMPDIR to another folder for temporary files"
	case errors.Is(err, fs.ErrNotExist) && writing:
		return ": create its folder first"
	case errors.Is(err, syscall.ENOTDIR):
		return ": a folder in its path is a file"
	case errors.Is(err, syscall.EISDIR):
		return ": use a file in it"
	}
	return ""
}

// NothingLeft is the error of a part of a source without events. For a thread that does not exist
// it suggests a similar name.
func NothingLeft(src *Source, part *filter.Part) error {
	like := ""
	if len(part.Threads) == 1 {
		var all []string
		for i := range src.In.Symbols.Threads {
			all = append(all, src.In.Symbols.Threads[i].Name)
		}
		if !slices.Contains(all, part.Threads[0]) {
			like = DidYouMean(part.Threads[0], all)
		}
	}
	return fmt.Errorf("%s has no events in the selected part (%s, from %s to %s)%s; artifice info --threads lists its threads",
		src.Name, ThreadsText(part.Threads), part.From, EndOf(part.To), like)
}

// ThreadsText lists the threads of a part; without names it means all threads.
func ThreadsText(names []string) string {
	switch len(names) {
	case 0:
		return "all threads"
	case 1:
		return "thread " + names[0]
	}
	return "threads " + strings.Join(names, ", ")
}

// EndOf describes the end of a part; 0 is the end of the source.
func EndOf(to time.Duration) string {
	if to == 0 {
		return "the end"
	}
	return to.String()
}
