package plan

import (
	"math"
	"strings"
	"testing"
	"time"
)

// TestConfigLimits: each limit is accepted, and the next value is an error.
func TestConfigLimits(t *testing.T) {
	for _, c := range []struct {
		cfg  Config
		want string // "" for a valid configuration
	}{
		{Config{Change: 1e-9}, ""}, {Config{Change: 1e9}, ""},
		{Config{Change: 0}, "change 0 %: must be above 0"}, {Config{Change: -0.05}, "change -5 %: must be above 0"},
		{Config{Change: math.NaN()}, "change NaN %"}, {Config{Change: math.Inf(1)}, "change +Inf %"},
		{Config{Change: 0.05, Level: 0.999}, ""}, {Config{Change: 0.05, Level: 1}, "level 100 %: must be below 100 %"},
		{Config{Change: 0.05, Length: time.Nanosecond}, ""}, {Config{Change: 0.05, Length: -1}, "length -1ns: must be above 0"},
	} {
		err := c.cfg.Check()
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%+v: error %v, want %q", c.cfg, err, c.want)
		}
	}
	var core Config
	core.Change, core.Device.Name, core.Device.Sampling.NoCore = 0.05, "C", 0.001
	if err := core.Check(); err == nil || !strings.HasPrefix(err.Error(), "device C: its sampler waits for a core") {
		t.Errorf("a device whose sampler waits for a core: %v", err)
	}
}

// TestTooFewSamples: a plan needs traces with ten samples of the method, or with calls of it.
func TestTooFewSamples(t *testing.T) {
	trace := func(time, period time.Duration, samples int64) *Trace {
		return &Trace{Method: "a.B.c", Time: time, Period: period, Samples: samples}
	}
	for _, c := range []struct {
		traces []*Trace
		want   string
	}{
		{nil, "no traces"},
		{[]*Trace{trace(1, 1, 10), trace(1, 0, 0)}, ""},
		{[]*Trace{trace(1, 1, 10), trace(1, 1, 9)}, "a.B.c has 9 samples in a trace, but a plan needs at least 10: record longer traces, or at a shorter interval"},
		{[]*Trace{trace(0, 0, 0)}, "a.B.c has 0 samples in a trace, but a plan needs at least 10: record longer traces, or at a shorter interval"},
	} {
		if err := check(c.traces); (err == nil) != (c.want == "") || err != nil && err.Error() != c.want {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}

// TestNewRefuses: an invalid configuration and missing traces are errors.
func TestNewRefuses(t *testing.T) {
	if p, err := New([]*Trace{{Method: "a.B.c", Time: 1, Period: 1, Samples: 10}}, Config{}); p != nil || err == nil || !strings.Contains(err.Error(), "change 0 %") {
		t.Errorf("no change: %v, error %v", p, err)
	}
	if p, err := New(nil, Config{Change: 0.05}); p != nil || err == nil || !strings.Contains(err.Error(), "no traces") {
		t.Errorf("no traces: %v, error %v", p, err)
	}
}
