package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"time"

	"artifice/cmd/artifice/command"
	"artifice/internal/cli"
)

func main() {
	ctx := untilSignal()
	args := os.Args[1:]
	if isDmtracedump(os.Args[0]) {
		args = append([]string{dmtracedumpName}, args...)
	}
	os.Exit(run(ctx, args, command.Stdio{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
}

// untilSignal returns a context that ends with the first signal to end. A second one,
// or when the program takes too long, ends it at once.
func untilSignal() context.Context {
	ctx, stop := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, endings()...)
	go func() {
		s := <-signals
		stop(endedBy{s})
		wait := func(d time.Duration) {
			select {
			case <-signals: // a second one
				endNow(s)
			case <-time.After(d):
			}
		}
		wait(grace)
		endNow(s)
	}()
	return ctx
}

// grace is how long an interrupted program may take to end by itself. Tests, which
// busy machines run too, give it more.
var grace = 800 * time.Millisecond

// endNow ends the program whatever it is doing, and leaves nothing behind.
func endNow(by os.Signal) {
	cli.RemoveUnfinished()
	clear := ""
	if cli.IsTerminal(os.Stderr) { // a bar stands there
		clear = "\r\x1b[K"
	}
	fmt.Fprintln(os.Stderr, clear+"artifice: interrupted")
	os.Exit(statusOf(by))
}

// endings returns the signals that ask the program to end: it removes its
// unfinished output first. Those that it is started to ignore, as by nohup, it
// goes on ignoring.
func endings() []os.Signal {
	all := append([]os.Signal{os.Interrupt, syscall.SIGTERM}, hangUp...)
	return slices.DeleteFunc(all, signal.Ignored)
}

// endedBy is why the work was interrupted: a signal.
type endedBy struct{ os.Signal }

func (e endedBy) Error() string { return e.String() }

// interrupted returns the exit status of an interrupted program.
func interrupted(ctx context.Context) int {
	if by, ok := context.Cause(ctx).(endedBy); ok {
		return statusOf(by.Signal)
	}
	return exitFailed
}

// statusOf returns the exit status of a program that a signal ends, as shells
// have it: 128 and the number of the signal.
func statusOf(s os.Signal) int {
	if number, ok := s.(syscall.Signal); ok {
		return 128 + int(number)
	}
	return exitFailed
}
