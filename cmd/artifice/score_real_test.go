package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"artifice/internal/testdata"
)

// These tests compare score with a second implementation of the same measures, which shares no code
// with it. It reads the text of dump, samples it at every tick, and compares stacks as strings.

// textEvent is an event line of a text trace.
type textEvent struct {
	wall           int64
	thread, method string
	enter          bool
}

// span is an interval that a thread spends in one stack, outermost method first.
type span struct {
	from, to int64
	stack    []string
}

// parseText returns the lines of a text trace that are not events, and the events by thread.
func parseText(t *testing.T, text string) (tables []string, events map[string][]textEvent) {
	t.Helper()
	events = map[string][]textEvent{}
	for line := range strings.Lines(text) {
		if line[0] < '0' || line[0] > '9' {
			tables = append(tables, line)
			continue
		}
		fields := strings.SplitN(strings.TrimSuffix(line, "\n"), " ", 5)
		wall, err := strconv.ParseInt(fields[0], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		events[fields[2]] = append(events[fields[2]], textEvent{wall, fields[2], fields[4], fields[3] == "enter"})
	}
	return tables, events
}

// spans replays the events of a thread that lasts to end, or to its last event if that is later. An
// exit without a frame has no effect; any other exit closes the innermost frame.
func spans(events []textEvent, end int64) (list []span) {
	var stack []string
	for i, e := range events {
		switch {
		case e.enter:
			stack = append(slices.Clone(stack), e.method)
		case len(stack) > 0:
			stack = stack[:len(stack)-1]
		}
		to := end
		if i+1 < len(events) {
			to = events[i+1].wall
		}
		if to > e.wall {
			list = append(list, span{e.wall, to, stack})
		}
	}
	return list
}

// at returns the stack at now, and whether the thread is in a method.
func at(list []span, now int64) ([]string, bool) {
	i, _ := slices.BinarySearchFunc(list, now, func(s span, now int64) int {
		if s.to <= now {
			return -1
		}
		return 1
	})
	if i == len(list) || now < list[i].from {
		return nil, false
	}
	return list[i].stack, true
}

// sampled returns the events that a sampler with this interval writes for a thread.
func sampled(thread string, list []span, interval int64) (events []textEvent) {
	var last []string
	end := list[len(list)-1].to
	for now := interval; now < end; now += interval {
		stack, alive := at(list, now)
		if !alive {
			continue
		}
		same := 0
		for same < min(len(last), len(stack)) && last[same] == stack[same] {
			same++
		}
		for _, m := range slices.Backward(last[same:]) {
			events = append(events, textEvent{now, thread, m, false})
		}
		for _, m := range stack[same:] {
			events = append(events, textEvent{now, thread, m, true})
		}
		last = stack
	}
	return events
}

// sums are times and calls of a trace.
type sums struct {
	run                              float64 // of all threads in methods
	exclusive, inclusive, edge, path map[string]float64
	calls                            float64
	called                           map[string]bool
}

func sumUp(threads map[string][]textEvent, ends map[string]int64) sums {
	s := sums{exclusive: map[string]float64{}, inclusive: map[string]float64{}, edge: map[string]float64{}, path: map[string]float64{}, called: map[string]bool{}}
	for thread, events := range threads {
		for _, e := range events {
			if e.enter {
				s.calls++
				s.called[e.method] = true
			}
		}
		for _, p := range spans(events, ends[thread]) {
			d := float64(p.to - p.from)
			if len(p.stack) == 0 {
				continue
			}
			s.run += d
			top := p.stack[len(p.stack)-1]
			s.exclusive[top] += d
			s.path[thread+" "+strings.Join(p.stack, ";")] += d
			s.edge[strings.Join(p.stack[max(0, len(p.stack)-2):], ";")] += d
			for i, m := range p.stack {
				if !slices.Contains(p.stack[:i], m) {
					s.inclusive[m] += d
				}
			}
		}
	}
	return s
}

// overlap returns Σ min(a/Σa, b/Σb).
func overlap(a, b map[string]float64) (sum float64) {
	total := func(m map[string]float64) (sum float64) {
		for _, v := range m {
			sum += v
		}
		return sum
	}
	totalA, totalB := total(a), total(b)
	for key := range a {
		sum += min(a[key]/totalA, b[key]/totalB)
	}
	return sum
}

// wmape returns Σ|b/runB − a/runA| divided by Σ a/runA.
func wmape(a, b map[string]float64, runA, runB float64) float64 {
	keys := map[string]bool{}
	var wrong, all float64
	for key := range a {
		keys[key] = true
		all += a[key] / runA
	}
	for key := range b {
		keys[key] = true
	}
	for key := range keys {
		wrong += math.Abs(b[key]/runB - a[key]/runA)
	}
	return wrong / all
}

// rightStacks returns the share of thread time with equal stacks, and the share of common frames.
// Both runs have the same length.
func rightStacks(truth, observed map[string][]textEvent, ends map[string]int64) (stacks, frames float64) {
	var time, equal, known, reported, common float64
	for thread, events := range truth {
		if len(events) == 0 {
			continue
		}
		aligned := slices.Clone(observed[thread])
		first, last := events[0].wall, max(events[len(events)-1].wall, ends[thread])
		// A frame that is open at the end never ends in the reported trace.
		aligned = append(aligned, textEvent{wall: max(last, 1<<60), enter: true})
		a, b := spans(events, last), spans(aligned, 0)
		cuts := []int64{first, last}
		for _, s := range slices.Concat(a, b) {
			cuts = append(cuts, min(max(s.from, first), last), min(max(s.to, first), last))
		}
		slices.Sort(cuts)
		cuts = slices.Compact(cuts)
		for i, from := range cuts[:len(cuts)-1] {
			d := float64(cuts[i+1] - from)
			x, _ := at(a, from)
			y, _ := at(b, from)
			n := 0
			for n < min(len(x), len(y)) && x[n] == y[n] {
				n++
			}
			time += d
			if n == len(x) && n == len(y) {
				equal += d
			}
			known += d * float64(len(x))
			reported += d * float64(len(y))
			common += d * float64(n)
		}
	}
	return equal / time, common / (known + reported - common)
}

// stopsOf returns the ends of the threads that were alive at the stop, which the file lists from
// main on (ART up to 13). The tid of main is the process id.
func stopsOf(t *testing.T, file string, tables []string) (ends map[string]int64) {
	t.Helper()
	var stop int64
	main := ""
	for _, line := range tables {
		if text, ok := strings.CutPrefix(line, "info\telapsed-ns\t"); ok {
			stop, _ = strconv.ParseInt(strings.TrimSpace(text), 10, 64)
		}
		if text, ok := strings.CutPrefix(line, "info\tpid\t"); ok {
			main = strings.TrimSpace(text)
		}
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(data), "*threads\n")
	list, _, _ = strings.Cut(list, "*methods\n")
	_, living, ok := strings.Cut("\n"+list, "\n"+main+"\t")
	if !ok || stop == 0 {
		t.Fatalf("no main thread or no stop in %s", file)
	}
	ends = map[string]int64{main: stop}
	for line := range strings.Lines(living) {
		tid, _, _ := strings.Cut(line, "\t")
		if _, err := strconv.Atoi(tid); err == nil {
			ends[tid] = stop
		}
	}
	return ends
}

// TestScoreOfSampled checks score for a real trace that is sampled every ms.
func TestScoreOfSampled(t *testing.T) {
	testdata.Seldom(t, 4)
	in := testdata.Path(t, "traces", "instrumented-art-file.trace")
	status, text, stderr := artifice("dump", in)
	if status != exitOK {
		t.Fatal(stderr)
	}
	tables, truth := parseText(t, text)
	ends := stopsOf(t, in, tables)
	observed := map[string][]textEvent{}
	var all []textEvent
	for thread, events := range truth {
		observed[thread] = sampled(thread, spans(events, ends[thread]), 1_000_000)
		all = append(all, observed[thread]...)
	}
	slices.SortStableFunc(all, func(a, b textEvent) int { return cmp.Compare(a.wall, b.wall) })
	var b strings.Builder
	b.WriteString(strings.Replace(strings.Join(tables, ""), "clock\tdual", "clock\twall", 1))
	for _, e := range all {
		fmt.Fprintf(&b, "%d - %s %s %s\n", e.wall, e.thread, map[bool]string{true: "enter", false: "exit"}[e.enter], e.method)
	}
	file := filepath.Join(t.TempDir(), "sampled.txt")
	if err := os.WriteFile(file, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	status, text, stderr = artifice("score", in, file, "--json")
	if status != exitOK {
		t.Fatal(stderr)
	}
	var got []struct{ Scores map[string]float64 }
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}

	known, seen := sumUp(truth, ends), sumUp(observed, ends)
	stacks, frames := rightStacks(truth, observed, ends)
	both := 0.
	for m := range seen.called {
		if known.called[m] {
			both++
		}
	}
	for key, want := range map[string]float64{
		"methods_seen":            both / float64(len(known.called)),
		"reported_calls_per_true": seen.calls / known.calls,
		"wall_correct":            overlap(known.exclusive, seen.exclusive),
		"edges_correct":           overlap(known.edge, seen.edge),
		"paths_correct":           overlap(known.path, seen.path),
		"self_wmape":              wmape(known.exclusive, seen.exclusive, known.run, seen.run),
		"total_wmape":             wmape(known.inclusive, seen.inclusive, known.run, seen.run),
		"timeline":                stacks,
		"timeline_by_depth":       frames,
	} {
		if math.Abs(got[0].Scores[key]-want) > 1e-9 {
			t.Errorf("%s: %v, want %v", key, got[0].Scores[key], want)
		}
	}
}
