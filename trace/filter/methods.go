package filter

import (
	"strings"

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

// Rename gives the methods of a recording the names they had before R8 or
// ProGuard.
type Rename struct {
	Mapping *Mapping

	// What became of the recording's methods; complete when its events are read.
	Methods   int // in the recording
	Known     int // of classes that the mapping has
	Ambiguous int // with more than one candidate
}

// Apply returns rec with the original names. Events and threads are rec's; so is
// a method's id. Symbols that rec learns while it is read are renamed as they
// come. It never fails.
func (r *Rename) Apply(rec *trace.Recording) (*trace.Recording, error) {
	r.Methods, r.Known, r.Ambiguous = 0, 0, 0
	return withMethods(rec, r.method), nil
}

// method returns a method of the app as it was.
func (r *Rename) method(method trace.Method) trace.Method {
	r.Methods++
	dotted := method.DottedClass()
	if r.Mapping.Has(dotted) {
		r.Known++
		names := r.Mapping.method(dotted, method.Name, method.Signature, max(method.Line, 0))
		if len(names) > 1 {
			r.Ambiguous++
		}
		name := join(names)
		slashes := strings.Contains(method.Class, "/")
		method.Class, method.Name, method.File = name.Class, name.Method, name.FileIn(method.File)
		if slashes {
			method.Class = strings.ReplaceAll(method.Class, ".", "/")
		}
		method.Line = 0 // it was a line of the app
	}
	method.Signature = r.Mapping.signature(method.Signature)
	return method
}

// Inline returns rec with methods marked as put into their callers by the compiler ([trace.Inlined]), which a
// recorded truth does not tell of itself: profilers of machine code then show their time as their callers'. It is
// asked once for each method, as rec learns of it. Events, threads and all else are rec's.
func Inline(rec *trace.Recording, inlined func(m *trace.Method) bool) *trace.Recording {
	return withMethods(rec, func(m trace.Method) trace.Method {
		if inlined(&m) {
			m.Flags |= trace.Inlined
		}
		return m
	})
}

// JoinOverloads returns rec with all methods of one class and name as one that has no
// signature: a trace to be compared with one that does not tell overloads apart. A
// joined method has the index of its first and all else that is known of that one.
// Symbols that rec learns while it is read are joined as they come.
func JoinOverloads(rec *trace.Recording) *trace.Recording {
	r := &overloads{source: rec, named: map[string]trace.MethodID{}}
	r.result = &trace.Recording{Symbols: &trace.Symbols{}, Events: r}
	r.follow()
	return r.result
}

// overloads reads the source's events with the methods that overloads are joined to.
type overloads struct {
	source, result *trace.Recording
	named          map[string]trace.MethodID // by class and name
	joined         []trace.MethodID          // by the source's index
}

// ReadEvents implements [trace.Reader].
func (o *overloads) ReadEvents(p []trace.Event) (int, error) {
	n, err := o.source.Events.ReadEvents(p)
	o.follow()
	for i := range p[:n] {
		p[i].Method = o.joined[p[i].Method]
	}
	return n, err
}

// Offset implements [trace.Locator].
func (o *overloads) Offset(event int64) int64 { return trace.OffsetOf(o.source.Events, event) }

// follow takes over what the source has learned.
func (o *overloads) follow() {
	o.result.Info, o.result.Warnings = o.source.Info, o.source.Warnings
	o.result.DisplayFrames = o.source.DisplayFrames
	o.result.Symbols.Threads = o.source.Symbols.Threads
	for _, m := range o.source.Symbols.Methods[len(o.joined):] {
		m.Signature = ""
		name := m.DottedClass() + "." + m.Name
		if m.Unlisted {
			name = m.FullName() // its id is all that it has
		}
		id, ok := o.named[name]
		if !ok {
			id = o.result.Symbols.AddMethod(m)
			o.named[name] = id
		}
		o.joined = append(o.joined, id)
	}
}
