package main

import (
	"context"
	"os"
	"os/signal"
	"slices"
	"syscall"
)

func main() {
	ctx, stop := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, endings()...)
	go func() {
		s := <-signals
		signal.Stop(signals) // a second one ends the program at once
		stop(endedBy{s})
	}()
	os.Exit(run(ctx, os.Args[1:], stdio{os.Stdin, os.Stdout, os.Stderr}))
}

// endings returns the signals that ask the program to end: it removes its
// unfinished output first. Those that it is started to ignore, as by nohup, it
// goes on ignoring.
func endings() []os.Signal {
	all := []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}
	return slices.DeleteFunc(all, signal.Ignored)
}

// endedBy is why the work was interrupted: a signal.
type endedBy struct{ os.Signal }

func (e endedBy) Error() string { return e.String() }

// interrupted returns the exit status of an interrupted program, as shells have
// it: 128 and the number of the signal.
func interrupted(ctx context.Context) int {
	if by, ok := context.Cause(ctx).(endedBy); ok {
		if number, ok := by.Signal.(syscall.Signal); ok {
			return 128 + int(number)
		}
	}
	return exitFailed
}
