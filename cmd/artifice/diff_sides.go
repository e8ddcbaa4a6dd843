package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"artifice/cmd/internal/command"
	"artifice/report"
	"artifice/report/diff"
	"artifice/report/estimate"
	"artifice/trace"
	"artifice/trace/calltree"
)

// views reads the traces of both sides.
func (f *diffFlags) views(cmd *cobra.Command, std command.Stdio, names [2][]string, until calltree.EndPolicy, threads *alikeThreads) (sides [2][]*report.View, err error) {
	for i, side := range names {
		for _, name := range side {
			v, err := f.view(cmd, std, name, until, threads)
			if err != nil {
				return sides, err
			}
			sides[i] = append(sides[i], v)
		}
	}
	return sides, nil
}

// keepNamed restricts the difference to the method of --method.
func (f *diffFlags) keepNamed(d *diff.Diff) error {
	if f.method == "" {
		return nil
	}
	err := d.Only(f.method)
	if err == nil {
		return nil
	}
	known := make([]string, len(d.Methods))
	for i := range known {
		known[i] = d.Methods[i].Name
	}
	return command.Usagef("--method: %w%s", err, command.DidYouMean(f.method, command.LikeNames(f.method, known)))
}

// compare compares both sides on the clock of the flags.
func (f *diffFlags) compare(std command.Stdio, sides [2][]*report.View) (*diff.Diff, trace.Clock, error) {
	clock, err := f.chooseClock(sides[0], sides[1])
	if err != nil {
		return nil, 0, err
	}
	test, err := f.chooseTest()
	if err != nil {
		return nil, 0, err
	}
	d, err := diff.Compare(sides[0], sides[1], clock, test)
	if err != nil {
		return nil, 0, err
	}
	if d.Shares && f.sort == "total" && clock.HasWall() {
		return nil, 0, command.Usagef("--sort total: the traces are compared by shares of running time (wall time of methods that do not wait), but total times include waiting; use --clock cpu or --sort self")
	}
	if warning := d.Warning(); warning != "" {
		fmt.Fprintf(std.Err, "artifice: warning: %s\n", warning)
	}
	return d, clock, nil
}

// sideWarning warns if the traces of one side are unlikely to be runs of one app recorded alike;
// else it returns "".
func sideWarning(names []string, views []*report.View, clock trace.Clock) string {
	for i := 1; i < len(views); i++ {
		first, other := views[0].Profile.Clock, views[i].Profile.Clock
		if first != other {
			return fmt.Sprintf("clocks differ on one side (%s: %s, %s: %s), so tracing slowed the traces differently: record all traces of a side with the same clock", names[0], first, names[i], other)
		}
		d, err := diff.Compare(views[:1], views[i:i+1], clock, diff.Student)
		if err == nil && d.Matched < 0.5 {
			return fmt.Sprintf("%s and %s, on one side: only %.0f %% of the time is in methods of both traces: are the traces of the same app?", names[0], names[i], 100*d.Matched)
		}
	}
	return ""
}

func (f *diffFlags) view(cmd *cobra.Command, std command.Stdio, name string, until calltree.EndPolicy, threads *alikeThreads) (*report.View, error) {
	src, err := f.dumps.Open(cmd, std, name)
	if err != nil {
		return nil, err
	}
	defer src.Close()
	choice := threads.of(src.Recording)
	p, err := estimateOf(src, estimate.Config{Until: until, MethodsOnly: true, Threads: choice, Interval: f.sampled}, "")
	if err != nil {
		return nil, err
	}
	switch {
	case choice.Err != nil && len(f.threads) == 0:
		return nil, fmt.Errorf("%s has no main thread, but the first trace has one: use --thread NAME or --thread %s", src.Name, report.AllThreads)
	case choice.Err != nil:
		return nil, noThread(src.Name, choice.Err)
	}
	threads.chose(choice)
	return report.New(p, src.Symbols, report.Filter{}), nil
}

// chooseTest returns the test of --test.
func (f *diffFlags) chooseTest() (diff.Test, error) {
	if f.test == "" {
		return diff.Student, nil
	}
	test, err := diff.ParseTest(f.test)
	if err != nil {
		return 0, command.Usagef("--test: %v", err)
	}
	return test, nil
}

// chooseClock returns the clock to compare, common to all traces.
func (f *diffFlags) chooseClock(old, now []*report.View) (trace.Clock, error) {
	var s diff.Sides
	for side, views := range [2][]*report.View{old, now} {
		for _, v := range views {
			s.Add(v, side)
		}
	}
	clock, err := s.Clock(f.clock)
	switch {
	case err == nil:
		return clock, nil
	case f.clock == "":
		return 0, command.AsUsage(err)
	}
	return 0, command.Usagef("--%w", err)
}

// alikeThreads chooses the same threads of several traces: the named ones, or those that a report
// of the first trace shows by default.
type alikeThreads struct {
	names []string
	first *report.ThreadChoice
}

// of returns the choice of threads for the next trace.
func (a *alikeThreads) of(rec *trace.Recording) *report.ThreadChoice {
	return &report.ThreadChoice{Names: a.names, Recording: rec}
}

// chose records the choice of the first trace for the later ones.
func (a *alikeThreads) chose(c *report.ThreadChoice) {
	if a.first != nil {
		return
	}
	a.first = c
	if len(a.names) > 0 {
		return
	}
	if a.names = []string{report.AllThreads}; c.Chosen.Main {
		a.names = []string{report.MainThread}
	}
}

// words describes the compared threads, and returns the number of other threads of the first trace
// that ran.
func (a *alikeThreads) words() (names string, others int) {
	c := a.first.Chosen
	names = c.Names(a.first.Recording.Symbols)
	if len(c.Kept) == 1 {
		names = "thread " + names
	}
	return names, c.OthersRan
}
