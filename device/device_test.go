package device

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"artifice/art"
	"artifice/internal/yamlfile"
	"artifice/trace"
)

// TestOriginsCoverEveryNumber: each number of a built-in device has an origin,
// and origins name numbers that there are.
func TestOriginsCoverEveryNumber(t *testing.T) {
	keys := map[string]bool{}
	for _, f := range fields {
		keys[f.key] = true
	}
	for _, d := range All() {
		if d.Name == "ideal" {
			continue
		}
		named := map[string]bool{}
		for _, o := range d.Origins {
			if o.Source == "" {
				t.Errorf("%s: %s has an empty origin", d.Name, o.Numbers)
			}
			for key := range strings.SplitSeq(o.Numbers, ", ") {
				named[key] = true
			}
		}
		if diff := cmp.Diff(keys, named); diff != "" {
			t.Errorf("%s (-numbers +origins):\n%s", d.Name, diff)
		}
	}
}

// TestClockOverhead: the two modes state the same cost of the clocks, that of
// the traces: 3348, 1696, 144, 791, 1371, 19407 and 681 ns.
func TestClockOverhead(t *testing.T) {
	want := map[string]time.Duration{
		"ideal": 0, "A": 3348, "B": 1696, "C": 144, "eastern": 791, "char2": 1371, "launcher": 19407, "jag": 681, "tick30": 2146,
	}
	for _, d := range All() {
		if got := d.Instrumented.Overhead(trace.Dual); got != want[d.Name] || d.Sampling.ClockOverhead != got {
			t.Errorf("%s: %d ns instrumented, %d sampled, want %d", d.Name, got, d.Sampling.ClockOverhead, want[d.Name])
		}
	}
}

// TestPausesOfRealTraces: a sample of 61, 27 and 14 threads stops the app for
// 1.0, 0.2 and 0.03 ms, so that samples of nominally 1 ms come every 2.25, 1.33
// and 1.10 ms.
func TestPausesOfRealTraces(t *testing.T) {
	for _, test := range []struct {
		name            string
		threads         time.Duration
		pauseMs, period float64
	}{{"A", 61, 1.0, 2.25}, {"B", 27, 0.2, 1.33}, {"C", 14, 0.03, 1.10}} {
		d, err := ByName(test.name)
		if err != nil {
			t.Fatal(err)
		}
		pause := d.Sampling.PerTick + test.threads*d.Sampling.PerThread
		period := time.Millisecond + d.Sampling.Overshoot + pause
		ms := func(d time.Duration) float64 { return d.Seconds() * 1000 }
		if math.Abs(ms(pause)-test.pauseMs) > 0.05 || math.Abs(ms(period)-test.period) > 0.03 {
			t.Errorf("%s: pause %s, period %s; want %g and %g ms", test.name, pause, period, test.pauseMs, test.period)
		}
	}
}

// TestEventCost: an event costs what the shortest usual gaps of the traces are
// (1 us in whole us for eastern, 2 us for char2), and the clocks' cost at least.
func TestEventCost(t *testing.T) {
	for name, want := range map[string]time.Duration{"eastern": 1100, "char2": 2000, "jag": 681, "launcher": 19407} {
		d, err := ByName(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := d.Instrumented.Event(art.Default(), trace.Dual); got != want {
			t.Errorf("%s: %s an event, want %s", name, got, want)
		}
	}
}

func TestYAMLRoundTrip(t *testing.T) {
	for _, d := range All() {
		var b bytes.Buffer
		if err := d.WriteYAML(&b); err != nil {
			t.Fatal(err)
		}
		got, err := ReadYAML(&b, d.Name)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(d, got); diff != "" {
			t.Errorf("%s (-written +read):\n%s", d.Name, diff)
		}
	}
}

func TestYAMLErrors(t *testing.T) {
	for text, want := range map[string]string{
		"description: x\n":                                       `d.yaml:1:1: "name" is missing`,
		"name: x\nsampling:\n  overshot: 1us\n":                  `d.yaml:3:3: unknown key; known here: clock-overhead, granularity, overshoot`,
		"name: x\nsampling:\n  overshoot: 12\n":                  `d.yaml:3:14: not a time; write one like 500us, 1.5ms or 2s: "12"`,
		"name: x\nsampling:\n  overshoot: -1us\n":                `d.yaml:3:14: a negative time: "-1us"`,
		"name: x\ninstrumented:\n  hook: 2s\n":                   `d.yaml:3:9: more than 1s: "2s"`,
		"name: x\nsampling: 5us\n":                               `d.yaml:2:11: `,
		"name: x\norigins:\n  - {numbers: hook, souce: guess}\n": `d.yaml:3:21: unknown key; known here: numbers, source: "souce"`,
		"name: x\nname: y\n":                                     `d.yaml:2:1: `,
	} {
		_, err := ReadYAML(strings.NewReader(text), "d.yaml")
		var place *yamlfile.Error
		if err == nil || !errors.As(err, &place) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// FuzzReadYAML: whatever is accepted is written so that it is read back.
func FuzzReadYAML(f *testing.F) {
	for _, d := range All()[:2] {
		var b bytes.Buffer
		d.WriteYAML(&b)
		f.Add(b.Bytes())
	}
	f.Add([]byte("name: x\nsampling: {overshoot: 1e9ns}\n"))
	f.Add([]byte("name: \"a\\u0000\\n: b\"\norigins: [{}]\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		d, err := ReadYAML(bytes.NewReader(text), "fuzz")
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err := d.WriteYAML(&b); err != nil {
			t.Fatal(err)
		}
		again, err := ReadYAML(bytes.NewReader(b.Bytes()), "again")
		if err != nil {
			t.Fatalf("%v in what was written of %q:\n%s", err, text, b.Bytes())
		}
		if diff := cmp.Diff(d, again); diff != "" {
			t.Errorf("(-read +written and read):\n%s", diff)
		}
	})
}
