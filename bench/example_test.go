package bench_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"artifice/bench"
	"artifice/tracer/device"
	"artifice/workload"
)

// The example measures how much of an app's time a sampler attributes correctly, and its slowdown.
func ExampleRun() {
	truth, err := workload.Must(workload.ByName("cold-start")).Truth(workload.Config{Seed: 1, Duration: 2 * time.Second})
	if err != nil {
		log.Fatal(err)
	}
	phone, err := device.Open("A")
	if err != nil {
		log.Fatal(err)
	}
	result, err := bench.Run(context.Background(), truth, bench.Config{
		Intervals: []time.Duration{time.Millisecond, 10 * time.Millisecond},
		Devices:   []device.Device{phone},
		Phases:    4,
		Seed:      1,
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, row := range result.Rows {
		mean := row.Mean.Accuracy()
		fmt.Printf("%v: %.0f %% of the time right, slowdown %.2f\n", row.Interval, 100*mean.WallCorrect, mean.Slowdown)
	}
	// Output:
	// 1ms: 98 % of the time right, slowdown 1.15
	// 10ms: 99 % of the time right, slowdown 1.02
}
