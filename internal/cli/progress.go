package cli

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/term"
)

// Bar is a progress bar: one line on a terminal with the completed share of some work and the
// remaining time, without colour. A nil bar shows nothing.
type Bar struct {
	screen *os.File
	what   string // name of the work
	bytes  bool   // the work is counted in bytes, which are shown

	began, shown time.Time // zero while the bar is hidden
}

// NewBar returns a progress bar for the work called what, nil unless w is a terminal.
func NewBar(w io.Writer, what string) *Bar {
	screen := terminal(w)
	if screen == nil {
		return nil
	}
	return &Bar{screen: screen, what: Quote(what)}
}

// NewByteBar returns a progress bar for work that is counted in bytes.
func NewByteBar(w io.Writer, what string) *Bar {
	b := NewBar(w, what)
	if b != nil {
		b.bytes = true
	}
	return b
}

// barEvery is the minimum time between two visible updates.
const barEvery = 100 * time.Millisecond

// Update shows that done of total is completed; a total of -1 is unknown.
func (b *Bar) Update(done, total int64) {
	if b == nil {
		return
	}
	now := time.Now()
	if b.began.IsZero() {
		b.began = now
	}
	if now.Sub(b.shown) < barEvery {
		return
	}
	b.shown = now
	width := TerminalWidth(b.screen)
	if width == 0 {
		width = 80
	}
	amount := ""
	if b.bytes {
		amount = byteCount(done)
	}
	fmt.Fprint(b.screen, "\r\x1b[K", barLine(b.what, amount, done, total, now.Sub(b.began), width-1))
}

// Updates returns the bar's Update as a callback. It is nil for a nil bar, so that invisible
// progress is not computed.
func (b *Bar) Updates() func(done, total int64) {
	if b == nil {
		return nil
	}
	return b.Update
}

// Hide removes the line until the next update.
func (b *Bar) Hide() {
	if b == nil {
		return
	}
	if !b.shown.IsZero() {
		fmt.Fprint(b.screen, "\r\x1b[K")
	}
	b.began, b.shown = time.Time{}, time.Time{}
}

// barLine returns the line for work that began ago, at most width columns, because longer lines
// would remain on the screen. If space is short, the beginning of the work's name is cut, then the
// bar is omitted.
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

// columns returns the maximum number of columns of text.
func columns(text string) (n int) {
	for _, r := range text {
		if n++; r >= 0x1100 {
			n++ // many of these are two columns wide
		}
	}
	return n
}

// byteCount formats a number of bytes with a unit.
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

// terminal returns the terminal that w writes to, or nil.
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

// TerminalWidth returns the number of columns of the terminal that w writes to, or 0 if unknown.
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
