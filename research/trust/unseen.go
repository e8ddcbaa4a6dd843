package main

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"artifice/internal/cli"
	"artifice/research/internal/coverage"
	"artifice/tracer/device"
)

// unseen selects the random apps to measure, and the number of their recordings.
type unseen struct {
	first        uint64 // seed of the first app
	apps         int
	runs, phases int // recordings of a cell are their product
	cells        bool
	devices      []string
	intervals    []time.Duration
}

// lowest and highest are the limits of the coverage of a cell.
const lowest, highest = 0.93, 0.99

// run prints the coverage of each app, the calibration of the hottest method, and the correctness
// of warnings.
func (s *unseen) run(w io.Writer) error {
	table := &cli.Table{Columns: []string{"app", "cells", "claims", "cover", "lowest", "highest", "93–99 %", "explained", "left", "width"}, Right: []bool{false, true, true, true, true, true, true, true, true, true}}
	each := &cli.Table{Columns: []string{"app", "device", "interval", "claims", "cover", "explained", "width", "warnings, correct/shown"}, Right: []bool{false, false, true, true, true, true, true, false}}
	var all []*coverage.Unseen
	for i := range s.apps {
		app := coverage.NewRandomApp(s.first + uint64(i))
		var of []*coverage.Unseen
		for _, name := range s.devices {
			d, err := device.Open(name)
			if err != nil {
				return err
			}
			for _, interval := range s.intervals {
				u, err := coverage.MeasureUnseen(app, d, interval, s.runs, s.phases)
				if err != nil {
					return err
				}
				of = append(of, u)
				each.Add(app.Name, name, interval.String(), fmt.Sprint(u.Claims), percent(u.Coverage()), fmt.Sprintf("%d/%d", u.Explained, u.Recordings), ratio(u.Width), listWarnings(u))
			}
		}
		addApp(table, app.Name, of)
		all = append(all, of...)
	}
	if s.cells {
		if err := each.WriteText(w); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	if err := table.WriteText(w); err != nil {
		return err
	}
	fmt.Fprintln(w)
	if err := hottestTable(all).WriteText(w); err != nil {
		return err
	}
	fmt.Fprintln(w)
	return warningsTable(all).WriteText(w)
}

// addApp adds the row of an app. A cell is explained if nine in ten of its recordings state why
// intervals are wider or may not hold.
func addApp(table *cli.Table, name string, cells []*coverage.Unseen) {
	claims, covered, within, explained, left := 0, 0, 0, 0, 0
	low, high := 1.0, 0.0
	var widths []float64
	for _, u := range cells {
		if u.Claims == 0 {
			continue
		}
		claims, covered = claims+u.Claims, covered+u.Covered
		c := u.Coverage()
		low, high = min(low, c), max(high, c)
		switch {
		case c >= lowest && c <= highest:
			within++
		case 10*u.Explained >= 9*u.Recordings:
			explained++
		default:
			left++
		}
		if !math.IsNaN(u.Width) {
			widths = append(widths, u.Width)
		}
	}
	width := math.NaN()
	if len(widths) > 0 {
		slices.Sort(widths)
		width = widths[len(widths)/2]
	}
	table.Add(name, fmt.Sprint(len(cells)), fmt.Sprint(claims), percent(float64(covered)/float64(claims)), percent(low), percent(high), fmt.Sprint(within), fmt.Sprint(explained), fmt.Sprint(left), ratio(width))
}

// hottestTable compares the stated probability that a method is the hottest with how often it is,
// by decile of the claims: a tenth of all recordings with a claim each. In the last row, report states
// that the hottest method is uncertain.
func hottestTable(all []*coverage.Unseen) *cli.Table {
	var claims, uncertain []coverage.HottestClaim
	for _, u := range all {
		for _, c := range u.Hottest {
			if c.Usable {
				claims = append(claims, c)
			} else {
				uncertain = append(uncertain, c)
			}
		}
	}
	slices.SortStableFunc(claims, func(a, b coverage.HottestClaim) int { return cmp.Compare(a.Probability, b.Probability) })
	t := &cli.Table{Columns: []string{"hottest", "recordings", "stated", "right"}, Right: []bool{false, true, true, true}}
	add := func(name string, part []coverage.HottestClaim) {
		if len(part) == 0 {
			return
		}
		stated, right := 0.0, 0
		for _, c := range part {
			stated += c.Probability
			if c.Right {
				right++
			}
		}
		t.Add(name, fmt.Sprint(len(part)), percent(stated/float64(len(part))), percent(float64(right)/float64(len(part))))
	}
	for i := range 10 {
		add(fmt.Sprintf("decile %d", i+1), claims[len(claims)*i/10:len(claims)*(i+1)/10])
	}
	add("uncertain", uncertain)
	return t
}

// warningsTable counts the recordings with a period and each warning, and those in which it is
// correct.
func warningsTable(all []*coverage.Unseen) *cli.Table {
	sums := map[string]coverage.Warned{}
	for _, u := range all {
		s := sums["period"]
		sums["period"] = coverage.Warned{Shown: s.Shown + u.Periods.Shown, Correct: s.Correct + u.Periods.Correct}
		for name, w := range u.Warnings {
			s := sums[name]
			sums[name] = coverage.Warned{Shown: s.Shown + w.Shown, Correct: s.Correct + w.Correct}
		}
	}
	t := &cli.Table{Columns: []string{"statement", "recordings", "correct"}, Right: []bool{false, true, true}}
	for _, name := range slices.Concat([]string{"period"}, warningNames) {
		if s := sums[name]; s.Shown > 0 {
			t.Add(name, fmt.Sprint(s.Shown), percent(float64(s.Correct)/float64(s.Shown)))
		}
	}
	return t
}

// warningNames are the names of warnings in tables.
var warningNames = []string{"aliased", "no samples", "delayed", "more CPU time", "native ends", "never sampled"}

// listWarnings lists the warnings of a cell.
func listWarnings(u *coverage.Unseen) string {
	var list []string
	for _, name := range warningNames {
		if w := u.Warnings[name]; w.Shown > 0 {
			list = append(list, fmt.Sprintf("%s %d/%d", name, w.Correct, w.Shown))
		}
	}
	return strings.Join(list, ", ")
}

func percent(v float64) string { return fmt.Sprintf("%.1f %%", 100*v) }
