package main

// late are faults in who is late and by how much: in package lateness and in what uses it.
var late = []fault{
	{what: "who comes at the very instant of a tick is on time",
		old: "case came < ends:", new: "case came <= ends:", test: "TestWaitEnd"},
	{what: "who misses a tick is late by one period, whatever was missed",
		old: "return ends + ((came-ends)/w.Period+1)*w.Period", new: "return ends + w.Period", test: "TestWaitEnd"},
	{what: "a sleep makes up for what was late",
		old: "case w.Period == 0:\n\t\treturn ends + late", new: "case w.Period == 0:\n\t\treturn max(ends, came)", test: "TestWaitEnd"},
	{what: "native code stands still in a pause",
		old: "return d == Managed }", new: "return d != Waiting }", test: "TestPauses"},
	{what: "who wakes in a pause goes on at once",
		old: "next.From < wall {\n\t\treturn next.To", new: "next.From > wall {\n\t\treturn next.To", test: "TestPauses"},
	{what: "a pause within work takes nothing from it",
		old: "work -= before\n", new: "work -= next.To - wall\nwork = max(work, 0)\n", test: "TestRunExhaustive"},
	{what: "a thread that waits for an instant when its truth ends ends as late as it was",
		old: "\tif d.wait.Period > 0 { // the tick", new: "\tif d.wait.Period < 0 { // the tick", test: "TestDelayEndsWaiting"},
	{what: "who waits while tracing starts is held up, too",
		old: "if d.stack.Depth() > 0 && d.does.LosesToPause() {", new: "if d.stack.Depth() > 0 {", test: "TestDelay"},
	{what: "a wait absorbs nothing of the events that have cost a thread time",
		old: "d.Late = max(w.Late(d.Late), d.held-at)", new: "d.Late = max(d.Late, d.held-at)", test: "TestDelay"},
	{what: "a wait absorbs what events cost that come after it",
		old: "p.waits[0].paid <= p.recorded {", new: "p.waits[0].paid < p.recorded {", test: "TestPayments"},
}
