package device

import (
	"bytes"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"artifice/art"
	"artifice/internal/yamlfile"
	"artifice/sampler"

	"artifice/trace"
)

// TestOriginsCoverEveryNumber: each number of a built-in device has an origin, and origins name
// existing numbers.
func TestOriginsCoverEveryNumber(t *testing.T) {
	keys := map[string]bool{"unwind-frames": true}
	for _, f := range new(Device).fields() {
		keys[f.key] = true
	}
	for _, s := range new(Tools).shares() {
		keys[s.key] = true
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

// TestResume: the time until a running thread resumes after a sample was measured with ART 11 on a
// PC, is assumed for another PC, and is unknown for phones. The clock of tick30 is from other
// traces.
func TestResume(t *testing.T) {
	for name, want := range map[string]struct {
		resume time.Duration
		kind   Kind
	}{
		"art11": {11 * us, Measured}, "C": {11 * us, Assumed}, "A": {0, Unknown}, "B": {0, Unknown}, "tick30": {0, Unknown},
	} {
		d, err := Open(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := d.KindOf("resume"); d.Sampling.Resume != want.resume || got != want.kind {
			t.Errorf("%s: %s %s, want %s %s", name, d.Sampling.Resume, got, want.resume, want.kind)
		}
	}
	if d, _ := Open("tick30"); d.KindOf("clock-overhead") != Assumed || d.KindOf("granularity") != Measured {
		t.Errorf("tick30's clock is %s, its step %s, want assumed and measured", d.KindOf("clock-overhead"), d.KindOf("granularity"))
	}
}

// TestKindOf: a group of numbers is as certain as its least certain number. Phone A's walk was
// measured, and its hook is that of another phone. simpleperf's copy is published. Values that a
// sampled trace does not determine are unknown, whatever their number.
func TestKindOf(t *testing.T) {
	a, err := Open("A")
	if err != nil {
		t.Fatal(err)
	}
	calibrated := Device{Origins: []Origin{{"per-thread", "a trace", Measured}, {"hook, compiled", "not shown", Unknown}}}
	given := Device{Sampling: sampler.Cost{PerThread: 5}}
	for _, c := range []struct {
		d       *Device
		numbers []string
		want    Kind
	}{
		{&a, []string{"overshoot", "per-tick", "per-thread", "per-frame"}, Measured},
		{&a, []string{"clock-overhead", "hook"}, Assumed},
		{&a, []string{"perf-copy", "perf-copy-most"}, Published},
		{&a, nil, Defined},
		{&calibrated, []string{"per-thread"}, Measured},
		{&calibrated, []string{"per-thread", "compiled"}, Unknown},
		{&given, []string{"per-thread"}, Assumed},
		{&given, []string{"per-thread", "per-tick"}, Unknown},
		{&All()[0], []string{"per-thread", "hook"}, Defined}, // ideal
	} {
		if got := c.d.KindOf(c.numbers...); got != c.want {
			t.Errorf("%s %q: %s, want %s", c.d.Name, c.numbers, got, c.want)
		}
	}
}

// TestClocksInUse: phone A reads the wall clock in 50 ns and the thread CPU clock in 3298 ns; its
// files state the cost of the clocks read (MeasureClockOverhead), and the 16 µs for a thread are
// reduced by the omitted read.
func TestClocksInUse(t *testing.T) {
	a, err := Open("A")
	if err != nil {
		t.Fatal(err)
	}
	for clock, want := range map[trace.Clock][2]time.Duration{
		trace.Dual: {3348, 16000}, trace.Wall: {50, 16000 - 3298}, trace.ThreadCPU: {3298, 16000 - 50},
	} {
		if got := a.Using(clock).Using(clock).Sampling; got.ClockOverhead != want[0] || got.PerThread != want[1] {
			t.Errorf("%s: %+v, want clocks of %s, threads of %s", clock, got, want[0], want[1])
		}
	}
	unknown := Device{Sampling: sampler.Cost{ClockOverhead: 200, PerThread: 900}}
	if got := unknown.Using(trace.Wall); got.Sampling.ClockOverhead != 200 || got.Sampling.PerThread != 900 {
		t.Errorf("%+v: changed, although the costs of the single reads are unknown", got.Sampling)
	}
}

// TestClocksOfATrace: clock-call-overhead-nsec is the cost of the trace's clocks
// (MeasureClockOverhead). With two clocks, a value of 3348 ns includes the 50 ns of a phone's wall
// clock. With a single clock it is the cost of that clock.
func TestClocksOfATrace(t *testing.T) {
	for clock, want := range map[trace.Clock][2]time.Duration{
		trace.Dual: {3298, 50}, trace.Wall: {0, 3348}, trace.ThreadCPU: {3348, 0},
	} {
		c := ClockCost(3348, clock)
		if c.CPURead != want[0] || c.WallRead != want[1] {
			t.Errorf("%s: CPU %s, wall %s, want %s and %s", clock, c.CPURead, c.WallRead, want[0], want[1])
		}
	}
}

// TestClockOverhead: both modes have the clock overhead that the traces state: 3348, 1696, 144,
// 791, 1371, 19407 and 681 ns.
func TestClockOverhead(t *testing.T) {
	want := map[string]time.Duration{
		"ideal": 0, "A": 3348, "B": 1696, "C": 144, "art11": 309, "eastern": 791, "char2": 1371, "launcher": 19407, "jag": 681, "tick30": 2146,
	}
	for _, d := range All() {
		if got := d.Instrumented.Overhead(trace.Dual); got != want[d.Name] || d.Sampling.ClockOverhead != got {
			t.Errorf("%s: %d ns instrumented, %d sampled, want %d", d.Name, got, d.Sampling.ClockOverhead, want[d.Name])
		}
	}
}

// TestSamplingOfRealTraces checks the pause of a sample for 61, 27 and 14 threads, and the
// resulting period and slowdown 1 + P/X at a nominal interval, as measured on the devices. The
// values are exact without the spread of the overshoot.
func TestSamplingOfRealTraces(t *testing.T) {
	const ms = time.Millisecond
	for _, test := range []struct {
		name             string
		threads          int
		interval, period time.Duration
		slowdown         float64
	}{
		{"A", 61, 100 * us, 1350 * us, 3.86},
		{"A", 61, ms, 2250 * us, 1.80},
		{"A", 61, 5 * ms, 6250 * us, 1.19},
		{"A", 61, 10 * ms, 11250 * us, 1.098},
		{"B", 27, ms, 1330 * us, 1.18},
		{"C", 14, ms, 1100 * us, 1.0387}, // 30 us for 15 threads, and 11 us more while it sleeps for 1070 us: 1 + 41/1059
	} {
		d, err := Open(test.name)
		if err != nil {
			t.Fatal(err)
		}
		d.Sampling.OvershootSpread = 0
		stats := sampleOneCall(t, test.threads, sampler.Config{Interval: test.interval, Cost: d.Sampling})
		if got := stats.MeanPeriod(); got != test.period {
			t.Errorf("%s at %s: period %s, want %s", test.name, test.interval, got, test.period)
		}
		digits := 0.005 // of a value with two decimal places
		if test.slowdown < 1.1 {
			digits = 0.0005
		}
		if got := stats.Slowdown(); math.Abs(got-test.slowdown) > digits {
			t.Errorf("%s at %s: slowdown %.4f, want %.3f", test.name, test.interval, got, test.slowdown)
		}
	}
}

// sampleOneCall samples an app with the given number of threads, one of which is in a call of 20 s.
func sampleOneCall(t *testing.T, threads int, cfg sampler.Config) *sampler.Stats {
	t.Helper()
	const length = 20 * time.Second
	truth := &trace.Recording{
		Info: trace.Info{Technique: trace.Truth, Elapsed: length}, Symbols: &trace.Symbols{},
		Events: trace.NewSliceReader([]trace.Event{{}, {Wall: length, CPU: length, Action: trace.Exit}}),
	}
	truth.Symbols.AddMethod(trace.Method{Class: "app.Main", Name: "run"})
	for range threads {
		truth.Symbols.AddThread(trace.Thread{})
	}
	s, err := sampler.New(truth, cfg, &trace.Buffer{})
	if err != nil {
		t.Fatal(err)
	}
	if err := sampler.Run(truth, s); err != nil {
		t.Fatal(err)
	}
	return s.Stats()
}

// TestOpen: built-in devices and files share one name space. A missing device is distinguishable
// from an unreadable one.
func TestOpen(t *testing.T) {
	if d, err := Open("B"); err != nil || d.Name != "B" || d.Sampling.PerThread != 7*us {
		t.Errorf("Open(B) = %+v, %v", d, err)
	}
	path := filepath.Join(t.TempDir(), "mine.yml")
	if err := os.WriteFile(path, []byte("name: mine\ninstrumented: {hook: 3us}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if d, err := Open(path); err != nil || d.Name != "mine" || d.Instrumented.Hook != 3*us {
		t.Errorf("Open(%s) = %+v, %v", path, d, err)
	}
	for _, name := range []string{"Z", filepath.Join(t.TempDir(), "none.yaml")} {
		if _, err := Open(name); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v, want fs.ErrNotExist", name, err)
		}
	}
	if err := os.WriteFile(path, []byte("name: [\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Open of a damaged file: error %v", err)
	}
}

// TestEventCost: an event costs as much as the shortest usual gaps of the traces (1 µs in whole µs
// for eastern, 2 µs for char2), and at least the clocks' cost.
func TestEventCost(t *testing.T) {
	for name, want := range map[string]time.Duration{"eastern": 1100, "char2": 2000, "jag": 681, "launcher": 19407} {
		d, err := Open(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := d.Instrumented.Event(art.Default(), trace.Dual); got != want {
			t.Errorf("%s: event cost %s, want %s", name, got, want)
		}
	}
}

func TestYAMLRoundTrip(t *testing.T) {
	waits := All()[1] // waits for a core
	waits.Sampling.NoCore, waits.Sampling.NoCoreMax = 0.25, 4*time.Millisecond
	for _, d := range append(slices.Clone(All()), waits) {
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
		"description: x\n":                                                    `d.yaml:1:1: "name" is missing`,
		"name: x\nsampling:\n  overshot: 1us\n":                               `d.yaml:3:3: unknown key; valid here: clock-overhead, granularity, no-core, no-core-most, overshoot`,
		"name: x\nsampling:\n  overshoot: 12\n":                               `d.yaml:3:14: not a time; write a time such as 500us, 1.5ms or 2s: "12"`,
		"name: x\nsampling:\n  overshoot: -1us\n":                             `d.yaml:3:14: a negative time: "-1us"`,
		"name: x\ninstrumented:\n  hook: 2s\n":                                `d.yaml:3:9: more than 1s: "2s"`,
		"name: x\nsampling:\n  no-core: 1.2\n  no-core-most: 4ms\n":           `d.yaml:3:12: `,
		"name: x\nsampling:\n  no-core: 0.2\n":                                `d.yaml:3:12: also state no-core-most, the longest wait of a sampler for a core: "0.2"`,
		"name: x\nsampling:\n  no-core-most: 4ms\n":                           `d.yaml:3:17: also state no-core, the share of sleeps that end without a free core: "4ms"`,
		"name: x\nsampling:\n  no-core: 0.2\n  no-core-most: 2s\n":            `d.yaml:4:17: more than 1s: "2s"`,
		"name: x\nsampling: 5us\n":                                            `d.yaml:2:11: `,
		"name: x\norigins:\n  - {numbers: hook, souce: guess}\n":              `d.yaml:3:21: unknown key; valid here: kind, numbers, source: "souce"`,
		"name: x\nname: y\n":                                                  `d.yaml:2:1: `,
		"name: x\norigins:\n  - {numbers: hook, source: guess, kind: sure}\n": `d.yaml:3:42: "sure" is none of unknown, assumed, published, measured, defined: "sure"`,
	} {
		_, err := ReadYAML(strings.NewReader(text), "d.yaml")
		var place *yamlfile.Error
		if err == nil || !errors.As(err, &place) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// FuzzReadYAML checks that any accepted input is unchanged by a round trip.
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
			t.Fatalf("reading the written form of %q: %v\n%s", text, err, b.Bytes())
		}
		if diff := cmp.Diff(d, again); diff != "" {
			t.Errorf("(-read +written and read):\n%s", diff)
		}
	})
}
