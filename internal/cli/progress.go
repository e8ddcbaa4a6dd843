package cli

import (
	"io"
	"os"
	"slices"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// NewBar returns a function that shows how much of the work called what is done:
// a bar with the time left, when w is a terminal; else update is nil. total is -1
// when it is not known. finish removes the bar until the next update.
func NewBar(w io.Writer, what string) (update func(done, total int64), finish func()) {
	return newBar(w, what)
}

// NewByteBar is NewBar for work that is counted in bytes.
func NewByteBar(w io.Writer, what string) (update func(done, total int64), finish func()) {
	return newBar(w, what, progressbar.OptionShowBytes(true))
}

func newBar(w io.Writer, what string, more ...progressbar.Option) (update func(done, total int64), finish func()) {
	screen := terminal(w)
	if screen == nil {
		return nil, func() {}
	}
	what = Quote(what)
	var bar *progressbar.ProgressBar
	update = func(done, total int64) {
		if bar == nil {
			options := append(slices.Clip(more), progressbar.OptionSetDescription(what),
				progressbar.OptionSetWriter(screen), progressbar.OptionThrottle(100*time.Millisecond),
				progressbar.OptionClearOnFinish(), progressbar.OptionSetPredictTime(true),
				progressbar.OptionUseANSICodes(true))
			bar = progressbar.NewOptions64(total, options...)
		}
		bar.Set64(done)
	}
	return update, func() {
		if bar != nil {
			bar.Clear()
			bar = nil
		}
	}
}

// IsTerminal reports whether w is a terminal, or writes to one.
func IsTerminal(w io.Writer) bool { return terminal(w) != nil }

// terminal returns the terminal that w writes to, nil when it writes elsewhere.
func terminal(w io.Writer) *os.File {
	for {
		switch to := w.(type) {
		case interface{ Unwrap() io.Writer }:
			w = to.Unwrap()
		case *os.File:
			if term.IsTerminal(int(to.Fd())) {
				return to
			}
			return nil
		default:
			return nil
		}
	}
}

// TerminalWidth returns how many columns the terminal has that w writes to; 0 when
// that is not known.
func TerminalWidth(w io.Writer) int {
	file := terminal(w)
	if file == nil {
		return 0
	}
	width, _, err := term.GetSize(int(file.Fd()))
	if err != nil {
		return 0
	}
	return width
}
