package sampler_test

import (
	"fmt"
	"log"
	"time"

	"artifice/sampler"

	"artifice/trace"
	"artifice/workload"
)

// Record returns what ART's sampler writes when it samples the app at 10 ms, 20 ms and so on.
func ExampleRecord() {
	truth, err := workload.Must(workload.ByName("scroll-60hz")).Truth(workload.Config{Seed: 1, Duration: time.Second})
	if err != nil {
		log.Fatal(err)
	}
	seen, err := sampler.Record(truth, sampler.Config{Interval: 10 * time.Millisecond})
	if err != nil {
		log.Fatal(err)
	}
	var events trace.Buffer
	if _, err := trace.Copy(&events, seen.Events); err != nil {
		log.Fatal(err)
	}
	stats := seen.Events.(*sampler.Reader).Stats()
	fmt.Println(stats.Ticks, "samples; the first event is at", events.Events[0].Wall)
	// Output: 99 samples; the first event is at 10ms
}

// Run compares several samplers in one pass over the truth. A sample stops the app, which waits
// during most of that time anyway.
func ExampleRun() {
	truth, err := workload.Must(workload.ByName("scroll-60hz")).Truth(workload.Config{Seed: 1, Duration: time.Second})
	if err != nil {
		log.Fatal(err)
	}
	cost := sampler.Cost{Overshoot: 100 * time.Microsecond, PerTick: 50 * time.Microsecond, PerThread: 20 * time.Microsecond}
	var samplers []*sampler.Sampler
	for _, interval := range []time.Duration{time.Millisecond, 10 * time.Millisecond} {
		s, err := sampler.New(truth, sampler.Config{Interval: interval, Cost: cost}, trace.Discard)
		if err != nil {
			log.Fatal(err)
		}
		samplers = append(samplers, s)
	}
	if err := sampler.Run(truth, samplers...); err != nil {
		log.Fatal(err)
	}
	for _, s := range samplers {
		stats := s.Stats()
		fmt.Printf("every %v: %d samples, slowdown %.3f\n", stats.MeanPeriod().Round(time.Microsecond), stats.Ticks, stats.Slowdown())
	}
	// Output:
	// every 1.4ms: 724 samples, slowdown 1.018
	// every 10.428ms: 97 samples, slowdown 1.017
}
