package bench

import (
	"context"
	"math"
	"strings"
	"testing"
	"time"

	"artifice/internal/testdata"
	"artifice/internal/testdata/tracetest"
	"artifice/trace"
	"artifice/workload"
)

// sleeper is an app with one thread that works and sleeps for continuously distributed times.
const sleeper = `
name: sleeper
duration: 2s
methods:
  a.F.work()V: {do: [{self: exp 3ms}, {call: a.F.inner, prob: 0.5}]}
  a.F.inner()V: {do: [{self: exp 500us}]}
  a.F.sleep()V: {wait: sleep, do: [{self: exp 6ms}]}
threads:
  - {name: main, do: [{loop: forever, do: [{call: a.F.work}, {call: a.F.sleep}]}]}
`

// TestLawsOfWaits checks that, over apps with waiting threads, 95 of 100 values are within two
// standard errors of their closed form.
func TestLawsOfWaits(t *testing.T) {
	testdata.Seldom(t, 4)
	within, all := map[Measure]int{}, map[Measure]int{}
	good, values := 0, 0
	known := []string{"w2-frame-60hz", "w2-periodic", "w3-on-off", "w9-rare-bursts", "w11-messages", "scroll-60hz", "game-loop", "network-client", "mid-program", "sleeper"}
	apps := testdata.SomeUnlessNamed(t, known, 3)
	for _, app := range apps {
		r, err := Run(context.Background(), waiting(t, app), Config{Devices: devices(t, "A", "B"), CPU: true, Phases: 24})
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range r.Rows {
			for _, m := range Measures() {
				a, ok := row.Against(m)
				if !ok {
					continue
				}
				all[m]++
				values++
				if math.IsNaN(a.Z) || math.Abs(a.Z) <= 2 {
					within[m]++
					good++
				} else {
					if !a.OK() {
						t.Errorf("%s, device %s, %v: %s is %.1f standard errors off", app, row.Device, row.Interval, m.Key(), a.Z)
					}
					t.Logf("%s, device %s, %v: %s %.5f, closed form %.5f, z %+.1f", app, row.Device, row.Interval, m.Key(), a.Measured.Value, a.Law, a.Z)
				}
			}
		}
		if a, ok := r.Rows[0].Against(Slowdown); app == "sleeper" && (!ok || !a.OK()) {
			t.Errorf("slowdown of one thread that sleeps: %+v, %t", a, ok)
		}
	}
	want := 0.95 * float64(values)
	if len(apps) < len(known) { // A subset can have three standard deviations fewer by chance, with a probability of 1/700.
		want -= 3 * math.Sqrt(0.95*0.05*float64(values))
	}
	if float64(good) < want {
		t.Errorf("%d of %d values are within two standard errors, want %.0f", good, values, want)
	}
	for _, m := range []Measure{CPUOverhead, CallRecall} {
		if all[m] < 10*len(apps) {
			t.Errorf("%d rows have a closed form of %s, want at least %d", all[m], m.Key(), 10*len(apps))
		}
	}
	for m, n := range all {
		t.Logf("%s: %d of %d values within two standard errors", m.Key(), within[m], n)
	}
}

// waiting returns the truth of an app with threads that wait.
func waiting(t *testing.T, app string) *trace.Recording {
	if app != "sleeper" {
		return tracetest.Workload(t, app, 2*time.Second)
	}
	p, err := workload.ReadYAML(strings.NewReader(sleeper), app)
	if err != nil {
		t.Fatal(err)
	}
	rec, err := p.Truth(workload.Config{Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	return rec
}
