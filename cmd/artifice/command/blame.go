package command

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"

	"artifice/internal/cli"
	"artifice/internal/yamlfile"
	"artifice/trace"
)

// ErrorOf begins the error of what was done with a file with the file's name, unless the error
// tells a file already or is not about one.
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

// InWords returns an error as the program prints it: what follows in it of a file begins
// with the name of that file, and what the system says is followed by what to do.
func InWords(err error) string {
	text := err.Error()
	var format *trace.FormatError
	var written *cli.WriteError
	var path *fs.PathError
	switch {
	case errors.As(err, &written) && bySystem(err):
		text = from(text, written)
	case errors.As(err, new(*salvagedError)): // it says what was written first
	case errors.As(err, &format) && format.Name != "":
		text = from(text, format)
	case errors.As(err, &path):
		text = strings.Replace(text, path.Error(), path.Path+": "+path.Err.Error(), 1)
	}
	return text + remedy(err)
}

// bySystem reports whether it is the system that refuses, and not the content of a file.
func bySystem(err error) bool { return errors.As(err, new(syscall.Errno)) }

// from returns what a text has from the words of an error on that it contains.
func from(text string, err error) string {
	if at := strings.Index(text, err.Error()); at >= 0 {
		return text[at:]
	}
	return text
}

// remedy says what to do about an error of the system; nothing where that is plain.
func remedy(err error) string {
	var written *cli.WriteError
	writing := errors.As(err, &written)
	switch {
	case errors.Is(err, syscall.ENOSPC) && writing:
		return ": make room, or name an output elsewhere"
	case errors.Is(err, syscall.ENOSPC):
		return ": make room, or name another folder for temporary files in TMPDIR"
	case errors.Is(err, fs.ErrNotExist) && writing:
		return ": make its folder first"
	case errors.Is(err, syscall.ENOTDIR):
		return ": one of the folders in its name is a file"
	case errors.Is(err, syscall.EISDIR):
		return ": name a file in it"
	}
	return ""
}
