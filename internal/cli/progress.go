package cli

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/term"
)

// NewBar returns a function that shows how much of the work called what is done,
// on one line with the time left, when w is a terminal; else update is nil. total
// is -1 when it is not known. finish removes the line until the next update. There
// is no colour.
func NewBar(w io.Writer, what string) (update func(done, total int64), finish func()) {
	return newBar(w, what, func(int64) string { return "" })
}

// NewByteBar is NewBar for work that is counted in bytes.
func NewByteBar(w io.Writer, what string) (update func(done, total int64), finish func()) {
	return newBar(w, what, byteCount)
}

// barEvery is the time between two updates that are shown.
const barEvery = 100 * time.Millisecond

func newBar(w io.Writer, what string, amount func(int64) string) (update func(done, total int64), finish func()) {
	screen := terminal(w)
	if screen == nil {
		return nil, func() {}
	}
	var began, shown time.Time
	what = Quote(what)
	update = func(done, total int64) {
		now := time.Now()
		if began.IsZero() {
			began = now
		}
		if now.Sub(shown) < barEvery {
			return
		}
		shown = now
		width := TerminalWidth(screen)
		if width == 0 {
			width = 80
		}
		fmt.Fprint(screen, "\r\x1b[K", barLine(what, amount(done), done, total, now.Sub(began), width-1))
	}
	return update, func() {
		if !shown.IsZero() {
			fmt.Fprint(screen, "\r\x1b[K")
		}
		began, shown = time.Time{}, time.Time{}
	}
}

// barLine returns what is shown of work that was begun some time ago: no longer
// than width, as what is longer would leave lines behind. Where room is short,
// what the work is called is cut in front, then the bar is left out.
func barLine(what, amount string, done, total int64, ago time.Duration, width int) string {
	tail, bar := "", ""
	if amount != "" {
		tail = "  " + amount
	}
	if total > 0 {
		part := min(float64(done)/float64(total), 1)
		tail = fmt.Sprintf("  %3.0f %%%s", 100*part, tail)
		if part > 0 && ago >= time.Second {
			left := time.Duration(float64(ago) * (1 - part) / part)
			tail += "  " + left.Round(time.Second).String() + " left"
		}
		const cells = 20
		full := int(part * cells)
		bar = "  " + strings.Repeat("#", full) + strings.Repeat(".", cells-full)
	} else if ago >= time.Second {
		tail += "  " + ago.Round(time.Second).String()
	}
	if columns(what)+len(bar)+len(tail) > width {
		bar = ""
	}
	for runes := []rune(what); columns(what)+len(bar)+len(tail) > width && len(runes) > 1; {
		runes = runes[1:]
		what = "…" + string(runes[1:])
	}
	line := what + bar + tail
	if columns(line) > width {
		return line[:0]
	}
	return line
}

// columns returns how many columns text takes at most.
func columns(text string) (n int) {
	for _, r := range text {
		if n++; r >= 0x1100 {
			n++ // many of these are two wide
		}
	}
	return n
}

// byteCount returns a number of bytes for people.
func byteCount(n int64) string {
	switch {
	case n >= 10<<30:
		return fmt.Sprintf("%d GiB", n>>30)
	case n >= 10<<20:
		return fmt.Sprintf("%d MiB", n>>20)
	case n >= 10<<10:
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d B", n)
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
