package sampler_test

import (
	"fmt"
	"io"
	"slices"
	"testing"
	"time"

	"artifice/internal/testdata"
	"artifice/reader"
	"artifice/sampler"
	"artifice/trace"
)

// load reads a real trace into memory, in time order.
func load(t testing.TB, name string) (*trace.Recording, []trace.Event) {
	t.Helper()
	f, err := reader.Open(testdata.Path(t, "traces", name), reader.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all trace.Buffer
	if _, err := trace.Copy(&all, f.Events); err != nil {
		t.Fatal(err)
	}
	slices.SortStableFunc(all.Events, func(a, b trace.Event) int { return int(a.Wall - b.Wall) })
	rec := f.Recording
	rec.Source = nil
	return &rec, all.Events
}

// closed returns the events that have their other half.
func closed(events []trace.Event) (out []trace.Event) {
	kept := make([]bool, len(events))
	open := map[trace.ThreadID][]int{}
	for i, e := range events {
		stack := open[e.Thread]
		switch {
		case e.Action == trace.Enter:
			open[e.Thread] = append(stack, i)
		case len(stack) > 0:
			kept[i], kept[stack[len(stack)-1]] = true, true
			open[e.Thread] = stack[:len(stack)-1]
		}
	}
	for i, e := range events {
		if kept[i] {
			out = append(out, e)
		}
	}
	return out
}

// loop repeats events, each time after the last, as often as asked.
type loop struct {
	events []trace.Event
	times  int
	at     int
	shift  time.Duration
}

func (l *loop) ReadEvents(p []trace.Event) (int, error) {
	if l.at == len(l.events) {
		l.times--
		l.at, l.shift = 0, l.shift+l.events[len(l.events)-1].Wall
	}
	if l.times <= 0 {
		return 0, io.EOF
	}
	n := copy(p, l.events[l.at:])
	l.at += n
	for i := range p[:n] {
		p[i].Wall += l.shift
		p[i].CPU += l.shift
	}
	return n, nil
}

// BenchmarkRun samples a real trace, repeated with its open frames closed, with
// 0, 1 and 100 samplers of 1 ms at evenly spread phases in one pass. What is
// beyond the shared pass is 100 ns per sample of a changed thread and 15 ns per
// event written at most: budget-ns/event is twice 25 plus these.
func BenchmarkRun(b *testing.B) {
	rec, events := load(b, "instrumented-art-file.trace")
	events = closed(events)
	const times = 20
	for _, bm := range []struct {
		name string
		cost sampler.Cost
	}{{"ideal", sampler.Ideal}, {"phone61", sampler.Phone61}, {"perframe", sampler.Cost{PerThread: 16000, PerFrame: 100}}} {
		for _, n := range []int{0, 1, 100, 240} {
			b.Run(fmt.Sprintf("%s/samplers=%d", bm.name, n), func(b *testing.B) {
				b.ReportAllocs()
				var written, changed int64
				for b.Loop() {
					rec.Events = &loop{events: events, times: times}
					var samplers []*sampler.Sampler
					for i := range n {
						s, err := sampler.New(rec, sampler.Config{
							Interval: time.Millisecond,
							Phase:    time.Duration(2*i+1) * time.Millisecond / time.Duration(2*n),
							Cost:     bm.cost,
						}, discard{})
						if err != nil {
							b.Fatal(err)
						}
						samplers = append(samplers, s)
					}
					if err := sampler.Run(rec, samplers...); err != nil {
						b.Fatal(err)
					}
					written, changed = 0, 0
					for _, s := range samplers {
						written += s.Stats().Events
						changed += s.Stats().Changed
					}
				}
				total := float64(len(events) * times)
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/total, "ns/event")
				b.ReportMetric((50*total+100*float64(changed)+15*float64(written))/total, "budget-ns/event")
			})
		}
	}
}

type discard struct{}

func (discard) WriteEvents([]trace.Event) error { return nil }
