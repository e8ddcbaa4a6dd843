package artifice_test

import (
	"fmt"
	"io"
	"log"
	"time"

	"artifice/format/pprof"
	"artifice/sampler"
	"artifice/trace"
	"artifice/tracer/device"
	"artifice/workload"
)

// A tracer converts one recording into another: this one samples a synthetic app every 5 ms, as on
// phone A. The example writes a profile of the samples.
func Example() {
	truth, err := workload.Must(workload.ByName("scroll-60hz")).Truth(workload.Config{Seed: 1})
	if err != nil {
		log.Fatal(err)
	}
	phone, err := device.Open("A")
	if err != nil {
		log.Fatal(err)
	}
	seen, err := sampler.Record(truth, sampler.Config{
		Interval: 5 * time.Millisecond, Seed: 1, Cost: phone.Sampling, KeepSymbols: true,
	})
	if err != nil {
		log.Fatal(err)
	}
	profile, err := pprof.NewWriter(io.Discard, seen)
	if err != nil {
		log.Fatal(err)
	}
	events, err := trace.Copy(profile, seen.Events)
	if err != nil {
		log.Fatal(err)
	}
	if err := profile.Close(); err != nil {
		log.Fatal(err)
	}
	fmt.Println(events, "events,", seen.Info.Elapsed.Round(time.Millisecond))
	// Output: 3623 events, 10.005s
}
