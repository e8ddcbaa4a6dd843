package main

import (
	"artifice/report"
	"artifice/trace"
)

// alikeThreads chooses the same threads of several traces: those that are named, or what a
// report of the first one would be about.
type alikeThreads struct {
	names []string
	first *report.ThreadChoice
}

// of returns the choice of the next trace's threads.
func (a *alikeThreads) of(rec *trace.Recording) *report.ThreadChoice {
	return &report.ThreadChoice{Names: a.names, Recording: rec}
}

// chose takes the choice of a trace that was read for all that come after it.
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

// words says whose times are compared, and how many other threads of the first trace ran.
func (a *alikeThreads) words() (who string, others int) {
	c := a.first.Chosen
	return c.Names(a.first.Recording.Symbols), c.OthersRan
}
