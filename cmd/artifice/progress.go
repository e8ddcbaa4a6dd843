package main

import (
	"io"
	"os"
	"slices"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// newProgress returns a function that shows how many bytes of the work are done:
// a bar with the time left on a terminal, nothing elsewhere. total is -1 when it
// is not known. Calling finish removes the bar, until the next update.
func newProgress(w io.Writer, what string) (update func(done, total int64), finish func()) {
	return newBar(w, what, progressbar.OptionShowBytes(true))
}

// newBar is newProgress for work that is counted in anything.
func newBar(w io.Writer, what string, more ...progressbar.Option) (update func(done, total int64), finish func()) {
	file, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) {
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
