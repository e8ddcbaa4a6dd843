package filter

import (
	"strings"

	"artifice/trace"
)

// withMethods returns rec with each method replaced by the result of change, which is called once
// for each method when rec adds it. Events, threads and all else are shared with rec, and method
// indexes do not change. If rec is a live app ([trace.LiveApp]), so is the result.
func withMethods(rec *trace.Recording, change func(trace.Method) trace.Method) *trace.Recording {
	events := &methodsReader{change: change, source: rec}
	events.result = &trace.Recording{Symbols: &trace.Symbols{}, Events: events}
	events.follow()
	// all threads and methods exist before a live app runs
	if app, runs := rec.Events.(trace.LiveApp); runs {
		events.result.Events = methodsApp{events, app}
	}
	return events.result
}

// methodsApp reads the events of a live app.
type methodsApp struct {
	*methodsReader
	app trace.LiveApp
}

// Watch implements [trace.LiveApp].
func (r methodsApp) Watch(w trace.Watcher) { r.app.Watch(w) }

// methodsReader delivers the source's events and changes added methods.
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

// follow copies the properties and new symbols of the source.
func (r *methodsReader) follow() {
	r.result.Info, r.result.Warnings = r.source.Info, r.source.Warnings
	r.result.DisplayFrames = r.source.DisplayFrames
	r.result.Symbols.Threads = r.source.Symbols.Threads
	for i := len(r.result.Symbols.Methods); i < len(r.source.Symbols.Methods); i++ {
		r.result.Symbols.AddMethod(r.change(r.source.Symbols.Methods[i]))
	}
}

// Rename restores the names that a recording's methods had before R8 or ProGuard renamed them.
type Rename struct {
	Mapping *Mapping

	// Statistics of the recording's methods; complete when its events are read.
	Methods   int // in the recording
	Known     int // of classes in the mapping
	Ambiguous int // with more than one candidate
}

// Apply returns rec with the original names. Events, threads and method ids are shared with rec.
// Symbols that rec adds while it is read are renamed then. Apply never fails.
func (r *Rename) Apply(rec *trace.Recording) (*trace.Recording, error) {
	r.Methods, r.Known, r.Ambiguous = 0, 0, 0
	return withMethods(rec, r.method), nil
}

// method returns a method with its original name.
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
		method.Line = 0 // it was a line of the obfuscated app
	}
	method.Signature = r.Mapping.signature(method.Signature)
	return method
}

// Inline returns rec with some methods marked as inlined into their callers by the compiler
// ([trace.Inlined]), because a recorded truth does not state this. Profilers of machine code then
// attribute the time of these methods to their callers. inlined is called once for each method when
// rec adds it. Events, threads and all else are shared with rec.
func Inline(rec *trace.Recording, inlined func(m *trace.Method) bool) *trace.Recording {
	return withMethods(rec, func(m trace.Method) trace.Method {
		if inlined(&m) {
			m.Flags |= trace.Inlined
		}
		return m
	})
}

// JoinOverloads returns rec with all methods of equal class and name joined into one without a
// signature, for a comparison with a trace that does not distinguish overloads. A joined method has
// the index and all other properties of the first one. Symbols that rec adds while it is read are
// joined then.
func JoinOverloads(rec *trace.Recording) *trace.Recording {
	r := &overloads{source: rec, named: map[string]trace.MethodID{}}
	r.result = &trace.Recording{Symbols: &trace.Symbols{}, Events: r}
	r.follow()
	return r.result
}

// overloads delivers the source's events with joined methods.
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

// follow copies the properties and new symbols of the source.
func (o *overloads) follow() {
	o.result.Info, o.result.Warnings = o.source.Info, o.source.Warnings
	o.result.DisplayFrames = o.source.DisplayFrames
	o.result.Symbols.Threads = o.source.Symbols.Threads
	for _, m := range o.source.Symbols.Methods[len(o.joined):] {
		m.Signature = ""
		name := m.DottedClass() + "." + m.Name
		if m.Unlisted {
			name = m.FullName() // its id is its only property
		}
		id, ok := o.named[name]
		if !ok {
			id = o.result.Symbols.AddMethod(m)
			o.named[name] = id
		}
		o.joined = append(o.joined, id)
	}
}
