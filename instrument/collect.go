package instrument

import "artifice/trace"

// collector is what a runtime that reports garbage collections needs to do so.
// The zero value knows of no collection.
type collector struct {
	call  trace.MethodID // VMDebug.startGC in the truth's symbols, once added
	added bool
}

// collects reports whether calls of a method are reported as collections too.
func (t *tracer) collects(id trace.MethodID) bool {
	return t.rt.ReportsGC && !t.cfg.KeepSymbols && t.truth.Symbols.Methods[id].Flags&trace.Collector != 0
}

// takeCollection records the call of a method that collects garbage and, in it,
// that of the method that stands for the collection: dvmMethodTraceGCBegin and
// dvmMethodTraceGCEnd. The preparation of classes, which Dalvik reports in the
// same way, is not known of a truth.
func (t *tracer) takeCollection(th *thread, e *trace.Event) {
	if !t.gc.added {
		t.gc.added = true
		t.gc.call = t.truth.Symbols.AddMethod(trace.Method{
			Class: "dalvik.system.VMDebug", Name: "startGC", Signature: "()V", File: "VMDebug.java",
		})
		t.sync()
	}
	inner := *e
	inner.Method = t.gc.call
	if e.Action != trace.Enter {
		inner.Action = trace.Exit
		t.record(th, &inner)
		t.record(th, e)
		return
	}
	t.record(th, e)
	t.record(th, &inner)
}
