package filter

import (
	"artifice/trace"
)

// withMethods returns rec with each method as change makes it. It is asked once for each method, as rec learns of it.
// Events, threads and all else are rec's; so is a method's number. An app that runs while it is traced ([trace.LiveApp]) is one in the result.
func withMethods(rec *trace.Recording, change func(trace.Method) trace.Method) *trace.Recording {
	events := &methodsReader{change: change, source: rec}
	events.result = &trace.Recording{Symbols: &trace.Symbols{}, Events: events}
	events.follow()
	if app, runs := rec.Events.(trace.LiveApp); runs { // which knows its threads and methods before it runs
		events.result.Events = methodsApp{events, app}
	}
	return events.result
}

// methodsApp reads the events of an app that runs while it is traced.
type methodsApp struct {
	*methodsReader
	app trace.LiveApp
}

// Watch implements [trace.LiveApp].
func (r methodsApp) Watch(w trace.Watcher) { r.app.Watch(w) }

// methodsReader reads the source's events and changes the methods that it learns.
type methodsReader struct {
	change func(trace.Method) trace.Method
	source *trace.Recording
	result *trace.Recording
}

// ReadEvents implements [trace.Reader].
func (r *methodsReader) ReadEvents(p []trace.Event) (int, error) {
	n, err := r.source.Events.ReadEvents(p)
	r.follow()
	return n, err
}

// Offset implements [trace.Locator].
func (r *methodsReader) Offset(event int64) int64 { return trace.OffsetOf(r.source.Events, event) }

// follow takes over what the source has learned.
func (r *methodsReader) follow() {
	r.result.Info, r.result.Warnings = r.source.Info, r.source.Warnings
	r.result.DisplayFrames = r.source.DisplayFrames
	r.result.Symbols.Threads = r.source.Symbols.Threads
	for i := len(r.result.Symbols.Methods); i < len(r.source.Symbols.Methods); i++ {
		r.result.Symbols.AddMethod(r.change(r.source.Symbols.Methods[i]))
	}
}
