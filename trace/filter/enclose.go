package filter

import (
	"slices"

	"artifice/trace"
)

// Orphans collects the exits of a trace with no open frame. Their calls began before the trace and
// enclose everything that their threads did before the exit.
type Orphans struct {
	symbols *trace.Symbols
	depth   []int              // stack depth by thread
	methods [][]trace.MethodID // orphans by thread, in the order of the events
	count   int64
}

// NewOrphans returns an empty list for a trace with these symbols.
func NewOrphans(symbols *trace.Symbols) *Orphans { return &Orphans{symbols: symbols} }

// Count returns the number of orphans.
func (o *Orphans) Count() int64 { return o.count }

// Add processes an event.
func (o *Orphans) Add(e *trace.Event) {
	for int(e.Thread) >= len(o.depth) {
		o.depth, o.methods = append(o.depth, 0), append(o.methods, nil)
	}
	switch depth := &o.depth[e.Thread]; {
	case o.symbols.IsRuntime(e.Method):
	case e.Action == trace.Enter:
		*depth++
	case *depth > 0:
		*depth--
	default:
		o.methods[e.Thread] = append(o.methods[e.Thread], e.Method)
		o.count++
	}
}

// Enclose returns rec with the missing enters: the calls of a thread's orphans begin at the
// thread's first event, the outermost first. No event of rec may have been read. Reports and
// profiles represent orphans this way.
func (o *Orphans) Enclose(rec *trace.Recording) *trace.Recording {
	enclosed := *rec
	enclosed.Events = &enclosingReader{src: rec.Events, left: slices.Clone(o.methods)}
	return &enclosed
}

// enclosingReader inserts the missing enters of orphans into a trace.
type enclosingReader struct {
	src  trace.Reader
	left [][]trace.MethodID // orphans of threads without an event so far

	buf  [256]trace.Event
	read []trace.Event // events of buf to be delivered
	made []trace.Event // enters that precede them
	err  error         // error of src that follows them
}

// ReadEvents implements [trace.Reader].
func (r *enclosingReader) ReadEvents(p []trace.Event) (n int, err error) {
	for n < len(p) {
		if len(r.made) > 0 {
			k := copy(p[n:], r.made)
			r.made, n = r.made[k:], n+k
			continue
		}
		if len(r.read) == 0 {
			if n > 0 || r.err != nil {
				break
			}
			var k int
			k, r.err = r.src.ReadEvents(r.buf[:])
			if r.read = r.buf[:k]; k == 0 {
				break
			}
		}
		e := r.read[0]
		if int(e.Thread) < len(r.left) && len(r.left[e.Thread]) > 0 {
			for _, m := range slices.Backward(r.left[e.Thread]) {
				r.made = append(r.made, trace.Event{Wall: e.Wall, CPU: e.CPU, Thread: e.Thread, Method: m, Action: trace.Enter})
			}
			r.left[e.Thread] = nil
			continue
		}
		p[n] = e
		r.read, n = r.read[1:], n+1
	}
	if n == 0 {
		return 0, trace.ReadOnce(&r.err)
	}
	return n, nil
}
