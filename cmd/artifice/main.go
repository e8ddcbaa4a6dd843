package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"time"

	"artifice/cmd/internal/command"
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

// untilSignal returns a context that the first terminating signal cancels. A second signal, or the
// end of the grace period, ends the process at once.
func untilSignal() context.Context {
	ctx, stop := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, endings()...)
	go func() {
		s := <-signals
		stop(endedBy{s})
		wait := func(d time.Duration) {
			select {
			case <-signals: // a second signal
				endNow(s)
			case <-time.After(d):
			}
		}
		wait(grace)
		endNow(s)
	}()
	return ctx
}

// grace is the time that an interrupted program has to end by itself. Tests, which also run on
// loaded machines, allow more.
var grace = 800 * time.Millisecond

// endNow removes unfinished output and ends the process at once.
func endNow(by os.Signal) {
	cli.RemoveUnfinished()
	clear := ""
	if cli.IsTerminal(os.Stderr) { // clear a progress bar
		clear = "\r\x1b[K"
	}
	fmt.Fprintln(os.Stderr, clear+"artifice: interrupted")
	os.Exit(statusOf(by))
}

// endings returns the signals on which the program removes its unfinished output and ends. Signals
// that the process ignored from the start, as under nohup, remain ignored.
func endings() []os.Signal {
	all := append([]os.Signal{os.Interrupt, syscall.SIGTERM}, hangUp...)
	return slices.DeleteFunc(all, signal.Ignored)
}

// endedBy is the cause of an interruption: a signal.
type endedBy struct{ os.Signal }

func (e endedBy) Error() string { return e.String() }

// interrupted returns the exit status of an interrupted program.
func interrupted(ctx context.Context) int {
	if by, ok := context.Cause(ctx).(endedBy); ok {
		return statusOf(by.Signal)
	}
	return exitFailed
}

// statusOf returns the exit status of a program that a signal ends, as shells define it: 128 plus
// the number of the signal.
func statusOf(s os.Signal) int {
	if number, ok := s.(syscall.Signal); ok {
		return 128 + int(number)
	}
	return exitFailed
}
