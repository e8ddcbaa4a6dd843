package workload

import (
	"fmt"
	"testing"

	"artifice/trace"
)

// loopProgram returns a loop that calls a leaf, with times of the given distribution, on a number
// of threads.
func loopProgram(b testing.TB, threads int, time string) *Program {
	return mustRead(b, fmt.Sprintf(`
name: bench
methods:
  a.Main.main()V:
  a.Main.leaf()V: {do: [{self: %s}]}
threads:
  - name: worker-%%d
    count: %d
    stack: [a.Main.main]
    do: [{loop: forever, do: [{self: %s}, {call: a.Main.leaf}]}]
`, time, threads, time))
}

// BenchmarkTruth generates events in batches; one operation is one event.
func BenchmarkTruth(b *testing.B) {
	for _, c := range []struct {
		name    string
		threads int
		time    string
	}{
		{"one-thread-fixed", 1, "1us"},
		{"one-thread-exponential", 1, "exp 1us"},
		{"100-threads-exponential", 100, "exp 1us"},
		{"100-threads-fixed", 100, "1us"},
		{"1-thread-lognormal", 1, "lognormal 1us 1"},
	} {
		b.Run(c.name, func(b *testing.B) {
			rec := truthOf(b, loopProgram(b, c.threads, c.time), Config{Duration: maxDuration})
			batch := make([]trace.Event, trace.BatchSize)
			b.ReportAllocs()
			b.ResetTimer()
			for done := 0; done < b.N; {
				n, err := rec.Events.ReadEvents(batch[:min(len(batch), b.N-done)])
				if n == 0 {
					b.Fatal(err)
				}
				done += n
			}
			b.ReportMetric(float64(b.N)/1e6/b.Elapsed().Seconds(), "Mevents/s")
		})
	}
}
