package instrument

import (
	"strings"
	"testing"
	"time"

	"artifice/trace"
)

// TestConfigLimits: each limit of a cost is accepted, and the next value is an error.
func TestConfigLimits(t *testing.T) {
	truth := func(c trace.Clock, technique trace.Technique) *trace.Recording {
		return &trace.Recording{Info: trace.Info{Clock: c, Technique: technique}}
	}
	both := truth(trace.Dual, trace.Truth)
	const s = time.Second
	for _, c := range []struct {
		truth *trace.Recording
		cfg   Config
		want  string // "" for a valid configuration
	}{
		{both, Config{}, ""},
		{both, Config{Cost: Cost{CPURead: s, WallRead: s, Hook: s, Compiled: s, Granularity: s, Code: s, Interpreted: s}}, ""},
		{both, Config{Cost: Cost{CPURead: -1}}, "a cost is negative"}, {both, Config{Cost: Cost{CPURead: s + 1}}, "is more than a second"},
		{both, Config{Cost: Cost{WallRead: -1}}, "a cost is negative"}, {both, Config{Cost: Cost{WallRead: s + 1}}, "is more than a second"},
		{both, Config{Cost: Cost{Hook: -1}}, "a cost is negative"}, {both, Config{Cost: Cost{Hook: s + 1}}, "is more than a second"},
		{both, Config{Cost: Cost{Compiled: -1}}, "a cost is negative"}, {both, Config{Cost: Cost{Compiled: s + 1}}, "is more than a second"},
		{both, Config{Cost: Cost{Granularity: -1}}, "a cost is negative"}, {both, Config{Cost: Cost{Granularity: s + 1}}, "is more than a second"},
		{both, Config{Cost: Cost{Code: -1}}, "a cost is negative"}, {both, Config{Cost: Cost{Code: s + 1}}, "is more than a second"},
		{both, Config{Cost: Cost{Interpreted: -1}}, "a cost is negative"}, {both, Config{Cost: Cost{Interpreted: s + 1}}, "is more than a second"},
		{truth(trace.ThreadCPU, trace.Truth), Config{Clock: trace.ThreadCPU}, "the truth has only thread CPU time"},
		{both, Config{Again: true}, ""},
		{truth(trace.Dual, trace.Instrumented), Config{}, ""},
		{truth(trace.Dual, trace.Instrumented), Config{Again: true}, "instrument: "},
		{both, Config{Unmerged: true, Streaming: true}, ""},
		{both, Config{Unmerged: true}, "Unmerged requires Streaming"},
		{truth(trace.Wall, trace.Truth), Config{Clock: trace.Wall}, ""},
		{truth(trace.Wall, trace.Truth), Config{Clock: trace.Dual}, "the truth has no thread CPU time; trace with the wall clock alone"},
	} {
		err := c.cfg.check(c.truth)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%+v: error %v, want %q", c.cfg, err, c.want)
		}
	}
}
