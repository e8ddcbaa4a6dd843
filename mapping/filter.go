package mapping

import (
	"strings"

	"artifice/trace"
)

// Renamed is a recording whose methods have their original names.
type Renamed struct {
	trace.Recording
	Stats Stats

	source  *trace.Recording
	mapping *Mapping
}

// Stats is what a mapping did to the methods of a recording.
type Stats struct {
	Methods   int // in the recording
	Known     int // of classes that the mapping has
	Ambiguous int // with more than one candidate
}

// New returns rec with the names that it had before R8 or ProGuard. Events and
// threads are rec's; so is a method's id. Symbols that rec learns while it is read are renamed as
// they come.
func New(rec *trace.Recording, m *Mapping) *Renamed {
	r := &Renamed{source: rec, mapping: m}
	r.Info, r.Symbols, r.Events = rec.Info, &trace.Symbols{}, r
	r.follow()
	return r
}

// Format returns the variant of the file that the recording was read from, ""
// when it was none.
func (r *Renamed) Format() string {
	if r.source.Source == nil {
		return ""
	}
	return r.source.Source.Format
}

// ReadEvents implements [trace.Reader].
func (r *Renamed) ReadEvents(p []trace.Event) (int, error) {
	n, err := r.source.Events.ReadEvents(p)
	r.follow()
	return n, err
}

// Offset implements [trace.Locator].
func (r *Renamed) Offset(event int64) int64 {
	if l, ok := r.source.Events.(trace.Locator); ok {
		return l.Offset(event)
	}
	return -1
}

// follow takes over what the source has learned.
func (r *Renamed) follow() {
	r.Info, r.Warnings = r.source.Info, r.source.Warnings
	r.Symbols.Threads = r.source.Symbols.Threads
	for i := len(r.Symbols.Methods); i < len(r.source.Symbols.Methods); i++ {
		r.Symbols.AddMethod(r.method(r.source.Symbols.Methods[i]))
	}
}

// method returns a method of the app as it was.
func (r *Renamed) method(method trace.Method) trace.Method {
	r.Stats.Methods++
	dotted := method.DottedClass()
	if _, ok := r.mapping.Class(dotted); ok {
		r.Stats.Known++
		names := r.mapping.Method(dotted, method.Name, method.Signature, method.Line)
		if len(names) > 1 {
			r.Stats.Ambiguous++
		}
		name := Join(names)
		slashes := strings.Contains(method.Class, "/")
		method.Class, method.Name, method.File = name.Class, name.Method, name.FileIn(method.File)
		if slashes {
			method.Class = strings.ReplaceAll(method.Class, ".", "/")
		}
		method.Line = 0 // it was a line of the app
	}
	method.Signature = r.mapping.Signature(method.Signature)
	return method
}
