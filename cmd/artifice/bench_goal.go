package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"artifice/bench"
	"artifice/cmd/internal/command"
	"artifice/internal/cli"
)

// goalValue is the value of flag --goal.
type goalValue struct {
	bench.Goal
	text string
}

// String implements pflag.Value.
func (g *goalValue) String() string { return g.text }

// Set implements pflag.Value.
func (g *goalValue) Set(text string) error {
	goal, err := bench.ParseGoal(text)
	if err != nil {
		return err
	}
	g.Goal = goal
	g.text = text
	return nil
}

// Type implements pflag.Value.
func (g *goalValue) Type() string { return "goal" }

// requestedGoal returns the goal of --goal and --budget; asked reports whether either is set.
func (f *benchFlags) requestedGoal() (g bench.Goal, asked bool) {
	g = f.goal.Goal
	g.Budget = float64(f.budget)
	asked = g.Wanted > 0 || g.Budget > 0
	if asked && g.Wanted == 0 {
		g.Measure = bench.OverlapRunning // the best within the budget
	}
	return g, asked
}

// unknownMethod converts the error of a flag that names a method that is not called into a usage
// error; flag is the text before the name.
func unknownMethod(flag, name string, e *bench.UnknownMethodError) error {
	short := make([]string, len(e.Known))
	for i, full := range e.Known {
		short[i] = command.LastWords(full, strings.Count(e.Name, ".")+1)
	}
	return command.Usagef("%s%s: no such method is called in the selected part of %s%s", flag, e.Name, name, command.DidYouMean(e.Name, short))
}

// printAdvice prints the goal, a line for each mode and the command to record, for each device. If
// there is no recommendation, it prints the reason.
func printAdvice(w io.Writer, r *bench.Result) {
	if why := r.NoAdvice(); why != "" {
		fmt.Fprintf(w, "\n%s\n", cli.Wrap(why, "", command.TextWidth(w)))
	}
	for _, a := range r.Advise() {
		fmt.Fprintf(w, "\n%s\n", cli.Wrap(cli.Quote(a.Answer()), "", command.TextWidth(w)))
		for _, s := range a.Sentences() {
			text := cli.Wrap(cli.Quote(s), "    ", command.TextWidth(w))
			fmt.Fprintln(w, strings.TrimPrefix(text, "  "))
		}
		if do := a.ToDo(); do != "" {
			fmt.Fprintln(w, cli.Wrap(cli.Quote(do), "", command.TextWidth(w)))
		}
	}
}

// answer is the JSON form of the advice for one device.
type answer struct {
	Device  string        `json:"device"`
	Goal    string        `json:"goal"`
	Reached bool          `json:"met"` // within the budget
	Advised *answerTracer `json:"advised,omitempty"`
	Nearest *answerTracer `json:"nearest,omitempty"`
	Modes   []answerMode  `json:"modes"`
	Text    string        `json:"text"`
}

// answerTracer names a row.
type answerTracer struct {
	Mode       string `json:"mode"`
	IntervalNS int64  `json:"interval_ns,omitempty"`
}

func tracerOf(row bench.Row) *answerTracer {
	return &answerTracer{row.Mode, row.Interval.Nanoseconds()}
}

type answerMode struct {
	answerTracer
	Reached bool         `json:"met"`
	Fits    bool         `json:"within_budget"`
	LimitNS []int64      `json:"longest_interval_ns,omitempty"` // and its 95 % confidence interval; absent if all intervals or none meet the goal
	Share   float64      `json:"traces_meeting_goal"`           // share of traces that meet the goal
	Means   bench.Scores `json:"means"`
}

// writeAnswers prints one JSON object for each device.
func writeAnswers(w io.Writer, r *bench.Result) error {
	enc := json.NewEncoder(w)
	for _, a := range r.Advise() {
		out := answer{Device: a.Device, Goal: a.Goal.String(), Reached: a.Best >= 0, Text: a.String()}
		for _, m := range a.Modes {
			one := answerMode{answerTracer: *tracerOf(m.At), Reached: m.Reached, Fits: m.Fits, Share: m.At.Reaching, Means: m.At.Mean}
			if l := m.Limit[0]; l > 0 && l != bench.Beyond {
				for _, d := range m.Limit {
					one.LimitNS = append(one.LimitNS, clipped(d, m))
				}
			}
			out.Modes = append(out.Modes, one)
		}
		if a.Best >= 0 {
			out.Advised = &out.Modes[a.Best].answerTracer
		} else if a.Near >= 0 {
			near := a.Modes[a.Near]
			out.Nearest = tracerOf(near.At)
			if near.Within != nil {
				out.Nearest = tracerOf(*near.Within)
			}
		}
		if err := enc.Encode(struct {
			Answer answer `json:"answer"`
		}{out}); err != nil {
			return err
		}
	}
	return nil
}

// clipped returns a limit within the intervals tried.
func clipped(d time.Duration, w bench.ModeAdvice) int64 {
	return int64(max(w.Shortest, min(w.Longest, d)))
}
