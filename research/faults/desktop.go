package main

// desktop lists faults in the emulation of desktop and server profilers.
var desktop = []fault{
	{what: "truncated stacks keep their outermost frames",
		old: "methods, fresh = methods[outside:], see(th.seen[outside:])", new: "methods, fresh = methods[:deepest], see(th.seen[outside:])", test: "TestCut"},
	{what: "no expiration is lost",
		old: "if t.cfg.LostExpiries == 0 || ", new: "if t.cfg.LostExpiries >= 0 || ", test: "TestDroppedAndFailedSamples"},
	{what: "an expiration takes effect immediately",
		old: "return app + c.Tick - behind\n", new: "return app\n", test: "TestTick"},
	{what: "the timer counts the time around a wait",
		old: "th.base += min(ran, t.cfg.Switch)", new: "th.base += min(ran, 0)", test: "TestSwitch"},
	{what: "JFR begins with the same thread at each tick",
		old: "next = k + 1\n", new: "next = from\n", test: "TestSampledInTurns"},
	{what: "JFR samples waiting threads",
		old: "return th.begun && !th.waits && ", new: "return th.begun && ", test: "TestNativeCodeIsSampledInTurns"},
	{what: "JFR's sleeps have no overshoot",
		old: "t.shared.due += t.cfg.Interval + t.overshoot()", new: "t.shared.due += t.cfg.Interval + 0*t.overshoot()", test: "TestIntervalMoments"},
	{what: "a process timer counts the time of one thread only",
		old: "s.shows += time.Duration(running) * (at - s.now)", new: "s.shows += at - s.now", test: "TestProcessTimer"},
}
