package filter

import (
	"strings"

	"artifice/trace"
)

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
