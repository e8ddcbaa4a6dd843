package filter

import "artifice/trace"

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
