package sampler

import (
	"errors"
	"io"
	"math"
	"strings"
	"testing"
	"time"

	"artifice/art"
	"artifice/trace"
)

func TestConfigErrors(t *testing.T) {
	good := func() *trace.Recording { return script(t, trace.Truth, "0s main +a") }
	cpu := good()
	cpu.Info.Clock = trace.ThreadCPU
	wall := good()
	wall.Info.Clock = trace.Wall
	tests := []struct {
		rec  *trace.Recording
		cfg  Config
		want string
	}{
		{good(), Config{Interval: -1}, "sampling interval: 0 us (-1ns)"},
		{good(), Config{Interval: 999}, "sampling interval: 0 us (999ns)"},
		{good(), Config{Phase: -us}, "phase -1µs"},
		{good(), Config{Schedule: 9}, "schedule"},
		{good(), Config{Leaves: 9}, "leaf methods"},
		{good(), Config{Identity: 9}, "identity"},
		{good(), Config{SliceEnd: 9}, "slice end"},
		{good(), Config{BufferSize: 1023}, "buffer of 1023 bytes"},
		{good(), Config{Cost: Cost{PerFrame: -1}}, "cost per frame"},
		{good(), Config{Cost: Cost{PerTick: time.Hour}}, "cost per tick"},
		{cpu, Config{}, "without wall clock"},
		{wall, Config{Clock: trace.ThreadCPU}, "clock thread-cpu"},
	}
	for _, test := range tests {
		if _, err := New(test.rec, test.cfg, nil); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v: error %v, want one on %q", test.cfg, err, test.want)
		}
	}
}

// TestCostLimits: each limit of a cost is accepted, and the next value is an error.
func TestCostLimits(t *testing.T) {
	for _, c := range []struct {
		cost Cost
		want string // "" for valid costs
	}{
		{Cost{}, ""},
		{Cost{NoCore: 1, NoCoreMax: 1}, ""},
		{Cost{NoCore: 1.001, NoCoreMax: 1}, "share 1.001 of sleeps that end without a free core: must be from 0 to 1"},
		{Cost{NoCore: -0.001}, "share -0.001 of sleeps"},
		{Cost{NoCore: math.NaN()}, "share NaN of sleeps"},
		{Cost{NoCore: 0.5}, "maximum wait 0s: both must be above 0, or neither"},
		{Cost{NoCoreMax: 1}, "maximum wait 1ns: both must be above 0, or neither"},
		{Cost{NoCore: 0.5, NoCoreMax: time.Minute}, ""},
		{Cost{NoCore: 0.5, NoCoreMax: time.Minute + 1}, "wait for a core 1m0.000000001s: must be from 0 to 1m0s"},
		{Cost{Overshoot: time.Minute, OvershootSpread: time.Minute, PerTick: time.Minute, PerThread: time.Minute, PerFrame: time.Minute, Resume: time.Minute, Granularity: time.Minute, ClockOverhead: time.Minute}, ""},
		{Cost{Overshoot: -1}, "overshoot -1ns: must be from 0 to 1m0s"},
		{Cost{OvershootSpread: time.Minute + 1}, "overshoot spread 1m0.000000001s"},
		{Cost{PerThread: -1}, "cost per thread -1ns"},
		{Cost{Resume: time.Minute + 1}, "resume 1m0.000000001s"},
		{Cost{Granularity: -1}, "clock granularity -1ns"},
		{Cost{PerTicks: Quantiles{0, 0}}, ""}, {Cost{Overshoots: Quantiles{5, time.Minute}}, ""},
		{Cost{PerTicks: Quantiles{5}}, "a single quantile of the cost per tick: use none, or at least two"},
		{Cost{Overshoots: Quantiles{5, 4}}, "quantile 4ns of the overshoot follows 5ns"},
		{Cost{Overshoots: Quantiles{-1, 4}}, "quantile -1ns of the overshoot follows 0s"},
		{Cost{PerTicks: Quantiles{5, time.Minute + 1}}, "quantile 1m0.000000001s of the cost per tick follows 5ns"},
		{Cost{ClockOverhead: time.Minute + 1}, "clock overhead 1m0.000000001s"},
	} {
		err := c.cost.Check()
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%+v: error %v, want %q", c.cost, err, c.want)
		}
	}
}

func TestRunErrors(t *testing.T) {
	run := func(rec *trace.Recording) error {
		s, err := New(rec, Config{}, &trace.Buffer{})
		if err != nil {
			t.Fatal(err)
		}
		return Run(rec, s)
	}
	backward := script(t, trace.Truth, "2ms main +a", "1ms other +b")
	stranger := script(t, trace.Truth, "1ms main +a")
	stranger.Symbols.Threads = nil
	nameless := script(t, trace.Truth, "1ms main +a")
	nameless.Symbols.Methods = nil
	late := script(t, trace.Truth, "1ms main +a", "5ms main -a")
	late.Symbols.Threads[0].End = 2 * ms
	early := script(t, trace.Truth, "1ms main +a")
	early.Symbols.Threads[0].Start = 2 * ms
	for want, rec := range map[string]*trace.Recording{
		"must be in time order": backward, "thread index 0": stranger, "method index 0": nameless,
		"event at 5ms of thread main, which exists from 0s to 2ms": late, "exists from 2ms": early,
	} {
		if err := run(rec); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one on %q", err, want)
		}
	}
	rec := script(t, trace.Truth, "1ms main +a")
	s, _ := New(rec, Config{}, nil)
	if err := Run(script(t, trace.Truth), s); err == nil || !strings.Contains(err.Error(), "a different truth") {
		t.Errorf("error %v, want one on another truth", err)
	}
	if err := Run(rec, s); err != nil {
		t.Error(err)
	}
	if err := Run(rec, s); err == nil || !strings.Contains(err.Error(), "has run already") {
		t.Errorf("error %v, want one on a second run", err)
	}
}

// failing returns errors like a full disk or a damaged source.
type failing struct{ trace.Reader }

var errDisk = errors.New("disk full")

func (failing) WriteEvents([]trace.Event) error           { return errDisk }
func (f failing) ReadEvents(p []trace.Event) (int, error) { return 0, errDisk }

func TestRunPassesErrorsOn(t *testing.T) {
	rec := script(t, trace.Truth, "0s main +a", "2ms main -a")
	s, _ := New(rec, Config{}, failing{})
	if err := Run(rec, s); !errors.Is(err, errDisk) {
		t.Errorf("error %v, want that of the output", err)
	}
	rec.Events = failing{}
	s, _ = New(rec, Config{}, nil)
	if err := Run(rec, s); !errors.Is(err, errDisk) || !strings.Contains(err.Error(), "reading the truth") {
		t.Errorf("error %v, want that of the source", err)
	}
}

// TestSharedPass: samplers of one pass keep the same list of threads, and a truth's waits end by one
// rule.
func TestSharedPass(t *testing.T) {
	dalvik, err := art.ByName("dalvik")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		one, two Config
		want     string
	}{
		{Config{}, Config{Interval: 2 * ms}, ""}, {Config{Runtime: dalvik}, Config{Runtime: dalvik}, ""},
		{Config{Runtime: dalvik}, Config{}, " cannot share a pass: only one of the samplers keeps ended threads in its list"},
		{Config{}, Config{Waits: WaitsByRule + 1}, "samplers 0 and 1 differ in Config.Waits, the rule by which waits absorb delays"},
	} {
		rec := script(t, trace.Truth, "0s main +a", "5ms main -a")
		one, err := New(rec, c.one, nil)
		if err != nil {
			t.Fatal(err)
		}
		two, err := New(rec, c.two, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := Run(rec, one, two); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v and %+v: error %v, want %q", c.one, c.two, err, c.want)
		}
	}
}

// TestNoProgress: a source that returns neither events nor an error is an error.
func TestNoProgress(t *testing.T) {
	rec := script(t, trace.Truth, "0s main +a")
	rec.Events = stuck{}
	s, err := New(rec, Config{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := Run(rec, s); !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("error %v, want %v", err, io.ErrNoProgress)
	}
}

// stuck returns nothing.
type stuck struct{}

func (stuck) ReadEvents([]trace.Event) (int, error) { return 0, nil }
