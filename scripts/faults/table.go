package main

// fault is a small change of the source that a test has to notice.
type fault struct {
	what     string
	old, new string // text of one place in all sources, and what becomes of it
	tests    string // arguments of go test for those that are to notice
}

const byHand = "-run TestScripts/byhand ./cmd/artifice"

var faults = []fault{
	{"CPU dilation counts one event a call",
		"c.CPU = c.TrueCPU + m.event*time.Duration(all)", "c.CPU = c.TrueCPU + m.event*time.Duration(all/2)", byHand},
	{"CPU dilation is always 1",
		"stats.Slowdown(c.TrueCPU, c.CPU-c.TrueCPU)", "stats.Slowdown(c.TrueCPU, 0)", byHand},
	{"a sample's time goes on behind the end of its thread, or of the run",
		"end := s.alive(l.Thread, l.App); end < l.App {", "end := l.App; end > 0 {", byHand},
	{"score scales from 5 % on",
		"worthScaling = 0.01", "worthScaling = 0.05", byHand},
	{"the law of pauses holds where threads end",
		"if t.Start > 0 || t.End > 0 {", "if t.Start > 0 {", "-run TestPauseLaw ./bench/..."},
	{"the runtime's clock has no step",
		"t.tick = r.Tick", "t.tick = 0", byHand},
	{"an event that finds no room costs nothing",
		"th.unrecorded-- //", "//", "-run TestCostOfDroppedEvents ./instrument"},
	{"events cost a thread that is traced no more",
		"ended+th.delay-time.Duration(th.unrecorded)*t.timing.event", "ended+th.delay", "-run TestNoCostAfterTheEnd ./instrument"},
	{"a thread ends at its last event, not at its latest",
		"t.End = max(t.End, e.Wall)", "t.End = e.Wall", "-run TestSetEnds ./trace"},
	{"a thread read from a file ends at its last event, not at its latest",
		"if end := o.Ends[e.Thread]; wall < end {", "if end := o.Ends[e.Thread]; wall < 0 && wall < end {", "-run TestEndIsTheLatestTime ./reader"},
	{"a start time of V2 overflows",
		"if h.Start <= uint64(math.MaxInt64/unit) {", "if unit > 0 {", "-run TestV2LatestStart ./reader"},
	{"a start time overflows",
		"if h.Start <= math.MaxInt64/1000 {", "if h.Start <= math.MaxInt64 {", "-run TestLatestStart ./reader"},
	{"a profile's time is in us",
		"int64(p.rec.Info.Start)", "p.rec.Info.Start.Microseconds()", "-run TestPprofTime ./writer"},
	{"W123 at a length of exactly the last event's time",
		"info.Elapsed < wall.Truncate(", "info.Elapsed <= wall.Truncate(", "-run TestLimits ./check"},
	{"W128 at 3000 frames",
		"w.maxDepth > 3000", "w.maxDepth >= 3000", "-run TestLimits ./check"},
	{"advice wants more than 95 %",
		"row.Mean[g.Measure] >= g.Wanted-rounding", "row.Mean[g.Measure] > g.Wanted+rounding", byHand},
	{"advice's limit wants more than 95 %",
		"v >= wanted-rounding", "v >= wanted+rounding", "-run TestAdviceExactly ./bench"},
	{"a method of exactly 1 % does not count",
		"float64(t) >= share*float64(c.True.Time)", "float64(t) > share*float64(c.True.Time)", byHand},
	{"a method of exactly 1 % of the running time does not count",
		"float64(t) >= least", "float64(t) > least", byHand},
	{"groups 50 us apart are close",
		"gap < closeGap", "gap <= closeGap", "-run TestGroupsCloserThanASampler ./trace/stats"},
	{"a device forgets how long its pauses were",
		"c.PerTicks = quantiles(t.stops)", "c.PerTicks = nil", "-run TestTicks ./device"},
	{"btrace 3 sees every thread park",
		"(e.Thread == 0 || !parks(m)):", "(e.Thread == 0 || parks(m) || true):", "-run TestParks ./threadsampler"},
	{"a call of RheaTrace 1 that an exception passed through ends at once, not with the call around it",
		"m != nil && m.Name != name; m = r.next(Begin) {", "m != nil && i < 0; m = r.next(Begin) {", "-run TestCalls ./instrument"},
	{"a core's clock does not slow it down",
		"return max(1, c.speed*c.mhz[step]/c.mhz[len(c.mhz)-1])", "return c.speed", "-run TestClocks ./workload"},
	{"a thread whose core is taken goes to the end of the queue",
		"m.preempt(c, true)", "m.preempt(c, false)", "-run TestPriorities ./workload"},
	{"a thread has CPU time while another has its core",
		"t.run.cpu += d", "t.run.cpu += d + 1", "-run TestScheduling ./workload"},
	{"ftrace's CPU time forgets what was before the last switch",
		"c.used += max(0, t-c.since)", "c.used = max(0, t-c.since)", "-run TestFtraceCPU ./timeline"},
}
