package filter

import (
	"slices"

	"artifice/trace"
)

// Orphans are the exits of a trace with no frame open. Their calls began before the trace,
// and are around all that their threads did until then.
type Orphans struct {
	symbols *trace.Symbols
	depth   []int              // of each thread's stack
	methods [][]trace.MethodID // of each thread's orphans, in the order of the events
	count   int64
}

// NewOrphans returns an empty list for a trace with these symbols.
func NewOrphans(symbols *trace.Symbols) *Orphans { return &Orphans{symbols: symbols} }

// Count returns how many there are.
func (o *Orphans) Count() int64 { return o.count }

// Add takes in an event.
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

// Enclose returns the same recording, from its beginning, in which the calls of the orphans
// begin with the first event of their thread, the outermost first. Reports and profiles have
// them so.
func (o *Orphans) Enclose(rec *trace.Recording) *trace.Recording {
	enclosed := *rec
	enclosed.Events = &enclosingReader{src: rec.Events, left: slices.Clone(o.methods)}
	return &enclosed
}

// enclosingReader delivers a trace with the enters that its orphans lack.
type enclosingReader struct {
	src  trace.Reader
	left [][]trace.MethodID // the orphans of threads without an event so far

	buf  [256]trace.Event
	read []trace.Event // of buf, still to come
	made []trace.Event // enters in front of them
	err  error         // of src, behind them
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
		return 0, r.err
	}
	return n, nil
}
