package command

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"artifice/internal/cli"
)

// Stdio is the standard input and output of a command. Only results go to Out; warnings, errors and
// progress go to Err.
type Stdio struct {
	In  io.Reader // read for a source named "-"
	Out io.Writer // results
	Err io.Writer // all other output
}

// Dressed returns the streams used by commands. Control characters are quoted in messages and, on a
// terminal, also in results. Results are buffered until Flush, and errors of writing them name
// standard output.
func (std Stdio) Dressed() Stdio {
	std.Err = &messages{Writer: cli.NewQuotingWriter(std.Err), to: std.Err}
	if cli.IsTerminal(std.Out) { // otherwise, formats for programs keep names unchanged
		std.Out = cli.NewQuotingWriter(std.Out)
	}
	std.Out = buffered{bufio.NewWriter(results{std.Out}), std.Out}
	return std
}

// Flush prints the buffered results.
func (std Stdio) Flush() error {
	if out, ok := std.Out.(buffered); ok {
		return out.Flush()
	}
	return nil
}

// messages is the standard error used by commands: the printed text is quoted.
type messages struct {
	io.Writer
	to    io.Writer
	quiet bool
}

// Write implements io.Writer. Names and numbers from an input are shortened in messages if they are
// too long for a terminal.
func (m *messages) Write(p []byte) (int, error) {
	if _, err := io.WriteString(m.Writer, cli.ShortenWords(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Unwrap returns the writer on which progress is shown.
func (m *messages) Unwrap() io.Writer {
	if m.quiet {
		return io.Discard
	}
	return m.to
}

// BeQuiet suppresses remarks and progress.
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

// buffered is the standard output used by commands.
type buffered struct {
	*bufio.Writer
	to io.Writer
}

// Unwrap returns the underlying writer of results.
func (b buffered) Unwrap() io.Writer { return b.to }

// results is standard output; errors of writing to it name it.
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
