package bench

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"testing"
	"time"

	"artifice/trace"
)

// sweepIntervals are ten intervals from 0.1 to 100 ms.
func sweepIntervals() (list []time.Duration) {
	for _, d := range []int{100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000} {
		list = append(list, time.Duration(d)*time.Microsecond)
	}
	return list
}

// repeated is a real trace over and over, its open calls left out.
type repeated struct {
	events []trace.Event
	length time.Duration
	next   int
	round  time.Duration
	left   int64
}

func (r *repeated) ReadEvents(p []trace.Event) (int, error) {
	n := 0
	for ; n < len(p) && r.left > 0; n++ {
		p[n] = r.events[r.next]
		p[n].Wall += r.round * r.length
		p[n].CPU += r.round * r.length
		r.left--
		if r.next++; r.next == len(r.events) {
			r.next, r.round = 0, r.round+1
		}
	}
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

// longTruth returns a truth of n events.
func longTruth(b testing.TB, n int64) *trace.Recording {
	rec, events := realEvents(b, "instrumented-art-file.trace")
	events = nested(events)
	for id := range rec.Symbols.Threads {
		rec.Symbols.Threads[id].End = 0 // every thread lives to the end
	}
	rec.Events = &repeated{events: events, length: events[len(events)-1].Wall, left: n}
	return rec
}

// BenchmarkSweep runs 10 intervals x 24 phases x 4 devices over a truth of 10
// million events (a tenth of it with -short), on one core and on two.
//
//	go test ./bench -run '^$' -bench Sweep -benchtime 1x
func BenchmarkSweep(b *testing.B) {
	n := int64(10e6)
	if testing.Short() {
		n /= 10
	}
	for _, cores := range []int{1, 2} {
		b.Run(fmt.Sprintf("cores=%d", cores), func(b *testing.B) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
			var result *Result
			for b.Loop() {
				var err error
				result, err = Run(context.Background(), longTruth(b, n), Config{Intervals: sweepIntervals(), Devices: devices(b, "ideal", "A", "B", "C"), Cores: cores})
				if err != nil {
					b.Fatal(err)
				}
			}
			ns := float64(b.Elapsed().Nanoseconds()) / float64(b.N)
			b.ReportMetric(ns/float64(n), "ns/event")
			b.ReportMetric(float64(len(result.Cells)), "samplers")
		})
	}
}
