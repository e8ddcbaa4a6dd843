package writer_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	"artifice/sampler"
	"artifice/workload"
	"artifice/writer"
)

// The example samples a truth every 5 ms and writes a method trace and a pprof profile.
func Example() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	for _, name := range []string{"app.trace", "app.pb.gz"} {
		truth, err := workload.Must(workload.ByName("scroll-60hz")).Truth(workload.Config{Seed: 1, Duration: time.Second})
		if err != nil {
			log.Fatal(err)
		}
		sampled, err := sampler.Record(truth, sampler.Config{Interval: 5 * time.Millisecond, Seed: 1})
		if err != nil {
			log.Fatal(err)
		}
		if _, err := writer.WriteFile(filepath.Join(dir, name), "", sampled); err != nil {
			log.Fatal(err)
		}
		fmt.Println(name, "is complete after", sampled.Info.Elapsed)
	}
	// Output:
	// app.trace is complete after 1s
	// app.pb.gz is complete after 1s
}
