package command

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"artifice/internal/cli"
)

// Stdio is the standard input and output of a command. Results go to out and nothing else
// does; warnings, errors and progress go to err.
type Stdio struct {
	In  io.Reader // for a source named "-"
	Out io.Writer // results
	Err io.Writer // everything else
}

// Dressed returns std as commands see it: messages, and on a terminal results too, have strange
// characters quoted; results are buffered until flush, and errors of writing them name standard
// output.
func (std Stdio) Dressed() Stdio {
	std.Err = &messages{Writer: cli.NewQuotingWriter(std.Err), to: std.Err}
	if cli.IsTerminal(std.Out) { // elsewhere, formats for programs keep names as they are
		std.Out = cli.NewQuotingWriter(std.Out)
	}
	std.Out = buffered{bufio.NewWriter(results{std.Out}), std.Out}
	return std
}

// Flush prints the results that wait in a buffer.
func (std Stdio) Flush() error {
	if out, ok := std.Out.(buffered); ok {
		return out.Flush()
	}
	return nil
}

// messages is standard error as commands see it: what is printed is quoted.
type messages struct {
	io.Writer
	to    io.Writer
	quiet bool
}

// Write implements io.Writer. A message never has a name or number of an input in full that is
// longer than a terminal shows.
func (m *messages) Write(p []byte) (int, error) {
	if _, err := io.WriteString(m.Writer, cli.ShortenWords(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Unwrap returns where progress is shown.
func (m *messages) Unwrap() io.Writer {
	if m.quiet {
		return io.Discard
	}
	return m.to
}

// BeQuiet leaves remarks and progress out.
func (std Stdio) BeQuiet(quiet bool) {
	if m, ok := std.Err.(*messages); ok {
		m.quiet = quiet
	}
}

// Remark prints additional information; --quiet suppresses it.
func (std Stdio) Remark(format string, args ...any) {
	if m, ok := std.Err.(*messages); ok && m.quiet {
		return
	}
	fmt.Fprintf(std.Err, format, args...)
}

// buffered is standard output as commands see it.
type buffered struct {
	*bufio.Writer
	to io.Writer
}

// Unwrap returns where the results go.
func (b buffered) Unwrap() io.Writer { return b.to }

// results is standard output; its errors state that.
type results struct{ io.Writer }

// Write implements io.Writer.
func (r results) Write(p []byte) (int, error) {
	n, err := r.Writer.Write(p)
	if err != nil {
		var path *fs.PathError
		if errors.As(err, &path) {
			err = path.Err
		}
		err = &cli.WriteError{Name: "standard output", Err: err}
	}
	return n, err
}
