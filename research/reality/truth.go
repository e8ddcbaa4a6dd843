package main

import (
	"cmp"
	"io"
	"slices"
	"time"

	tracetext "artifice/format/text"
	"artifice/trace"
)

// gaps returns when the goroutine that had its turn did not run, in time order.
func (r *recorded) gaps() []span {
	var all []span
	for _, t := range r.tasks {
		all = append(all, t.gaps...)
	}
	slices.SortFunc(all, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	return all
}

// stops returns when the app was stopped for each sample: the gap, a period in which the goroutine
// that had its turn did not run, from the stop of the world through the stack walk until the
// goroutine was back on a core. A sample between two turns has none.
//
// Of several gaps within a sample, the one that overlaps most with it counts; the others have other
// causes. If the goroutine was not back when the next sample began, another program occupies its
// core, and the gap after the walk does not count. Nor does the part of a gap before the sample.
func stops(samples []sample, gaps []span) []span {
	all := make([]span, len(samples))
	for i, s := range samples {
		for len(gaps) > 0 && gaps[0].to <= s.from {
			gaps = gaps[1:]
		}
		var longest time.Duration
		for _, g := range gaps {
			if g.from >= s.to {
				break
			}
			inside := span{max(g.from, s.from), min(g.to, s.to)}
			if inside.length() <= longest {
				continue
			}
			longest = inside.length()
			if i+1 == len(samples) || g.to <= samples[i+1].from {
				inside.to = g.to
			}
			all[i] = inside
		}
	}
	return all
}

// elsewhere returns the share of the run in which the goroutine that had its turn did not run,
// excluding the stops.
func (r *recorded) elsewhere() float64 {
	var sum time.Duration
	for _, g := range r.gaps() {
		sum += g.length()
	}
	for _, s := range r.stops {
		sum -= s.length()
	}
	return float64(sum) / float64(r.tasks[0].last)
}

// appTime converts times of a run to times of the app without stops: cuts have no duration.
type appTime struct {
	cuts    []span
	cutTime time.Duration // in the cuts before cuts[0]
}

// at returns the app time of a time of the run. Times must not decrease from call to call.
func (a *appTime) at(t time.Duration) time.Duration {
	for len(a.cuts) > 0 && a.cuts[0].to <= t {
		a.cutTime += a.cuts[0].to - a.cuts[0].from
		a.cuts = a.cuts[1:]
	}
	if len(a.cuts) > 0 && a.cuts[0].from < t {
		return a.cuts[0].from - a.cutTime
	}
	return t - a.cutTime
}

// truth returns the app's events without the stops, and the slowdown by the stops, 1 for none.
func (r *recorded) truth() (rec *trace.Recording, slowdown float64) {
	rec = &trace.Recording{Info: trace.Info{Technique: trace.Truth, Clock: trace.Wall}, Symbols: &trace.Symbols{}}
	for m := range methodCount + 1 {
		method := trace.Method{ID: uint64(m+1) << 2, Class: className, Name: methodName(m)}
		if m == idleMethod {
			method.Wait = trace.Sleep
		}
		rec.Symbols.AddMethod(method)
	}
	var events []trace.Event
	end := time.Duration(0)
	for i, t := range r.tasks {
		app := appTime{cuts: r.stops}
		id, _ := rec.Symbols.AddThread(trace.Thread{TID: uint32(i + 1), Name: t.name}) // four
		for _, m := range t.marks {
			e := trace.Event{Wall: app.at(m.at), Thread: id, Method: trace.MethodID(m.method), Action: trace.Exit}
			if m.enter {
				e.Action = trace.Enter
			}
			events = append(events, e)
			end = max(end, m.at)
		}
	}
	slices.SortStableFunc(events, func(a, b trace.Event) int { return cmp.Compare(a.Wall, b.Wall) })
	rec.Events = trace.NewSliceReader(events)
	app := appTime{cuts: r.stops}
	rec.Info.Elapsed = app.at(end)
	return rec, float64(end) / float64(rec.Info.Elapsed)
}

// writeTruth writes the truth in the text format.
func writeTruth(w io.Writer, rec *trace.Recording) error {
	text := tracetext.NewWriter(w, rec)
	if _, err := trace.Copy(text, rec.Events); err != nil {
		return err
	}
	return text.Close()
}
