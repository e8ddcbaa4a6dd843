package thread

import (
	"math"
	"strings"
	"testing"
	"time"

	"artifice/diffstack"
	"artifice/internal/recorder"
	"artifice/trace"
)

// TestCheck: each limit is accepted, and the next value is an error that names the value.
func TestCheck(t *testing.T) {
	truth := busy(1, ms)
	with := func(change func(*Config)) Config {
		c := Config{Interval: ms}
		change(&c)
		return c
	}
	for _, c := range []struct {
		cfg  Config
		want string // "" for a valid configuration
	}{
		{with(func(c *Config) {}), ""},
		{with(func(c *Config) { c.Interval = 10 * us }), ""},
		{with(func(c *Config) { c.Interval = 10*us - 1 }), "interval 9.999µs: must be at least 10µs"},
		{with(func(c *Config) { c.Interval = recorder.MaxTime }), ""},
		{with(func(c *Config) { c.Interval = recorder.MaxTime + 1 }), "phase 0s: must be from 0 to"},
		{with(func(c *Config) { c.Phase = recorder.MaxTime }), ""},
		{with(func(c *Config) { c.Phase = recorder.MaxTime + 1 }), "must be from 0 to"},
		{with(func(c *Config) { c.Phase = -1 }), "phase -1ns: must be from 0 to"},
		{with(func(c *Config) { c.Until = 1 }), ""},
		{with(func(c *Config) { c.Until = -1 }), "end of sampling -1ns: must not be negative"},
		{with(func(c *Config) { c.Cost = Cost{time.Second, time.Second, time.Second} }), ""},
		{with(func(c *Config) { c.Cost.Sample = -1 }), "a sampling cost is negative"},
		{with(func(c *Config) { c.Cost.SampleMax = -1 }), "a sampling cost is negative"},
		{with(func(c *Config) { c.Cost.PerFrame = -1 }), "a sampling cost is negative"},
		{with(func(c *Config) { c.Buffer = Buffer{1, -1} }), "a sampling cost is negative"},
		{with(func(c *Config) { c.Cost.Sample = time.Second + 1 }), "a sampling cost is more than 1s"},
		{with(func(c *Config) { c.Cost.SampleMax = time.Second + 1 }), "a sampling cost is more than 1s"},
		{with(func(c *Config) { c.Cost.PerFrame = time.Second + 1 }), "a sampling cost is more than 1s"},
		{with(func(c *Config) { c.Buffer = Buffer{1, time.Second} }), ""},
		{with(func(c *Config) { c.Buffer = Buffer{1, time.Second + 1} }), "a sampling cost is more than 1s"},
		{with(func(c *Config) { c.Timer = Hooks }), ""},
		{with(func(c *Config) { c.Timer = Hooks + 1 }), "is unknown: the last one is"},
		{with(func(c *Config) { c.Ends = diffstack.EndMid }), ""},
		{with(func(c *Config) { c.Ends = diffstack.EndMid + 1 }), "slice end 4 is unknown"},
		{with(func(c *Config) { c.Deepest = 1 }), ""},
		{with(func(c *Config) { c.Deepest = -1 }), "frame limit -1: must be 0 (none) or more"},
		{with(func(c *Config) { c.LostExpiries = 0.999 }), ""},
		{with(func(c *Config) { c.LostExpiries = 1 }), "share of lost expiries 1,"},
		{with(func(c *Config) { c.LostExpiries = -0.001 }), "share of lost expiries -0.001,"},
		{with(func(c *Config) { c.LostExpiries = math.NaN() }), "share of lost expiries NaN,"},
		{with(func(c *Config) { c.Failures = []Failure{{Share: 0.5}, {Share: 0.5}} }), ""},
		{with(func(c *Config) { c.Failures = []Failure{{Share: 0.5}, {Share: 0.75}} }), "failed stack walks 1.25: must be from 0 to 1"},
		{with(func(c *Config) { c.Failures = []Failure{{Share: -0.5}} }), "failed stack walks -0.5: must be from 0 to 1"},
		{with(func(c *Config) { c.Failures = []Failure{{Frames: -1}} }), "the number of frames must not be negative"},
		{with(func(c *Config) { c.MainOnly, c.Keep, c.Cut = true, ms, true }), "incomplete stacks require a sampler with a timer and without a ring buffer"},
		{with(func(c *Config) { c.Timer, c.Cut = Hooks, true }), "incomplete stacks require"},
		{with(func(c *Config) { c.Timer, c.Failures = Hooks, []Failure{{Share: 0.5, Frames: 1}} }), "incomplete stacks require"},
		{with(func(c *Config) { c.Timer, c.Failures = Hooks, []Failure{{Share: 0.5, Reason: "X"}} }), "incomplete stacks require"},
		{with(func(c *Config) { c.Timer, c.Failures = Hooks, []Failure{{Share: 0, Reason: "X"}} }), ""},
		{with(func(c *Config) { c.Timer, c.Failures = Hooks, []Failure{{Share: 0.5}} }), ""},
		{with(func(c *Config) { c.Switch, c.Tick = time.Second, time.Second }), ""},
		{with(func(c *Config) { c.Switch = -1 }), "CPU time of a context switch -1ns"},
		{with(func(c *Config) { c.Switch = time.Second + 1 }), "must be from 0 to 1s"},
		{with(func(c *Config) { c.Tick = -1 }), "tick length -1ns"},
		{with(func(c *Config) { c.Tick = time.Second + 1 }), "must be from 0 to 1s"},
		{with(func(c *Config) { c.Jitter = ms }), ""},
		{with(func(c *Config) { c.Jitter = ms + 1 }), "the jitter must be at most the interval"},
		{with(func(c *Config) { c.Jitter = -1 }), "jitter -1ns"},
		{with(func(c *Config) { c.Overshoot = time.Second }), ""},
		{with(func(c *Config) { c.Overshoot = time.Second + 1 }), "the overshoot from 0 to 1s"},
		{with(func(c *Config) { c.Overshoot = -1 }), "overshoot -1ns"},
		{with(func(c *Config) { c.Timer, c.Turns = SamplerThread, 1 }), ""},
		{with(func(c *Config) { c.Timer, c.Turns = SamplerThread, 0 }), "0 threads at each expiry"},
		{with(func(c *Config) { c.Timer, c.Turns, c.NativeTurns = SamplerThread, 1, -1 }), "-1 of them in native code"},
		{with(func(c *Config) { c.Timer, c.Turns, c.Cost.Sample = SamplerThread, 1, 1 }), "a timer shared by threads supports no costs"},
		{with(func(c *Config) { c.Timer, c.Turns, c.Buffer.Slots = SamplerThread, 1, 1 }), "a timer shared by threads"},
		{with(func(c *Config) { c.Timer, c.Turns, c.Keep, c.MainOnly = SamplerThread, 1, ms, true }), "a timer shared by threads"},
		{with(func(c *Config) { c.Timer, c.Turns, c.RandomFirst = SamplerThread, 1, true }), "a timer shared by threads"},
		{with(func(c *Config) { c.Timer, c.Tick = ProcessTimer, 1 }), ""},
		{with(func(c *Config) { c.Timer = ProcessTimer }), "a process timer needs a tick length"},
		{with(func(c *Config) { c.AtYields = true }), ""},
		{with(func(c *Config) { c.Timer, c.AtYields = WallTimer, true }), "samples at yield points need a timer for each thread"},
		{with(func(c *Config) { c.MainOnly, c.Keep = true, ms<<20 }), ""},
		{with(func(c *Config) { c.MainOnly, c.Keep = true, ms<<20+ms }), "must be at most 1048576 samples, and only of the main thread"},
		{with(func(c *Config) { c.Keep = ms }), "only of the main thread"},
		{with(func(c *Config) { c.Keep = -1 }), "the last -1ns of samples"},
		{with(func(c *Config) { c.Buffer.Slots = 1 << 30 }), ""},
		{with(func(c *Config) { c.Buffer.Slots = 1<<30 + 1 }), "a buffer of 1073741825 samples"},
		{with(func(c *Config) { c.Buffer.Slots = -1 }), "a buffer of -1 samples"},
	} {
		err := c.cfg.check(truth)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%+v: error %v, want %q", c.cfg, err, c.want)
		}
	}
	truth.Info.Clock = trace.ThreadCPU
	if err := (&Config{Interval: ms}).check(truth); err == nil || !strings.HasPrefix(err.Error(), "a trace without wall clock cannot be sampled") {
		t.Errorf("without a wall clock: %v", err)
	}
}
