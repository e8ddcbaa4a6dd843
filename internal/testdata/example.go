package testdata

import (
	"time"

	"artifice/trace"
)

// exampleSymbols are two threads and four methods: main calls work and log.
func exampleSymbols() *trace.Symbols {
	return &trace.Symbols{
		Threads: []trace.Thread{{TID: 1, Name: "main"}, {TID: 77}},
		Methods: []trace.Method{
			{ID: 4, Class: "app.Main", Name: "main", Signature: "()V", File: "Main.java", Line: 12},
			{ID: 8, Class: "app.Work", Name: "run", Signature: "(I)I", File: "Work.java"},
			{ID: 12, Class: "app.Log", Name: "log", Signature: "()V"},
			{ID: 16, Unlisted: true},
		},
	}
}

// ExampleEvents are events of [ExampleRecording] by thread (wall / CPU in us):
//
//	main  10/0 main, 20/8 run, 50/18 log, 60/20 leaves log, 70/25 leaves run, 80/30 leaves main, 95/31 main
//	77    15/0 unwinds log, 40/5 method 16
func ExampleEvents() []trace.Event {
	const us = time.Microsecond
	const main, run, log = 0, 1, 2
	return []trace.Event{
		{Wall: 10 * us, CPU: 0, Method: main},
		{Wall: 15 * us, CPU: 0, Method: log, Thread: 1, Action: trace.Unwind},
		{Wall: 20 * us, CPU: 8 * us, Method: run},
		{Wall: 40 * us, CPU: 5 * us, Method: 3, Thread: 1},
		{Wall: 50 * us, CPU: 18 * us, Method: log},
		{Wall: 60 * us, CPU: 20 * us, Method: log, Action: trace.Exit},
		{Wall: 70 * us, CPU: 25 * us, Method: run, Action: trace.Exit},
		{Wall: 80 * us, CPU: 30 * us, Method: main, Action: trace.Exit},
		{Wall: 95 * us, CPU: 31 * us, Method: main},
	}
}

// ExampleRecording is a trace of 100 us of [exampleSymbols], without its events.
func ExampleRecording() *trace.Recording {
	return &trace.Recording{Info: trace.Info{Elapsed: 100 * time.Microsecond}, Symbols: exampleSymbols()}
}
