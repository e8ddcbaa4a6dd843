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
	if !IsTerminal(w) {
		return nil, func() {}
	}
	var bar *progressbar.ProgressBar
	update = func(done, total int64) {
		if bar == nil {
			options := append(slices.Clip(more), progressbar.OptionSetDescription(what),
				progressbar.OptionSetWriter(w), progressbar.OptionThrottle(100*time.Millisecond),
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

// IsTerminal reports whether w is a terminal.
func IsTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}
