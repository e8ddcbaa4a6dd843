package art

import (
	"fmt"
	"slices"
	"time"

	"artifice/internal/recorder"
	"artifice/trace"
)

// Objects are a runtime's allocation statistics since tracing started. A file contains them if the
// trace was started with flag 1, Debug.TRACE_COUNT_ALLOCS (Trace::FinishTracing; Dalvik's
// dvmMethodTraceStop).
type Objects struct {
	Count, Bytes int64 // allocated objects

	// Collections counts the garbage collections that an allocating thread had to wait for
	// (kGcCauseForAlloc; Dalvik's gcForMalloc). Other collections are not counted.
	Collections int64
}

// options returns the option lines of the file.
func (o *Objects) options(r *Runtime) []string {
	option := func(key string, value int64) string {
		if r.wrapsObjects {
			value = int64(int32(value))
		}
		return fmt.Sprintf("%s=%d", key, value)
	}
	return []string{option("alloc-count", o.Count), option("alloc-size", o.Bytes), option("gc-count", o.Collections)}
}

// Assumed allocation rate of a method with [trace.Allocates], because a truth does not contain one:
// 24 MB per second of the method's self CPU time, in objects of the typical size in Java programs.
const (
	objectEvery = 2 * time.Microsecond
	objectBytes = 48
)

// CountObjects returns the allocation statistics of a truth: those of its methods with
// [trace.Allocates]. They are updated while the truth's events are read, because CountObjects
// replaces the truth's reader by one that counts.
func CountObjects(truth *trace.Recording) *Objects {
	c := &objectCounter{symbols: truth.Symbols, clock: truth.Info.Clock, objects: &Objects{}}
	truth.Events = recorder.Tap(truth.Events, c)
	return c.objects
}

// objectCounter counts the objects allocated by a truth's threads.
type objectCounter struct {
	symbols *trace.Symbols
	clock   trace.Clock
	threads []objectThread
	objects *Objects
}

// objectThread is the state of one thread.
type objectThread struct {
	stack []trace.MethodID
	last  time.Duration // time of its last event, on the clock that measures its running time
	made  time.Duration // time spent in allocating methods
}

// Observe implements [recorder.Observer].
func (c *objectCounter) Observe(events []trace.Event) {
	for i := range events {
		c.take(&events[i])
	}
}

func (c *objectCounter) take(e *trace.Event) {
	for int(e.Thread) >= len(c.threads) {
		c.threads = append(c.threads, objectThread{})
	}
	t := &c.threads[e.Thread]
	at := e.Wall
	if c.clock.HasCPU() {
		at = e.CPU
	}
	innermost, open := trace.MethodID(0), len(t.stack) > 0
	if open {
		innermost = t.stack[len(t.stack)-1]
	}
	if open && c.makes(innermost) {
		before := t.made / objectEvery
		t.made += max(0, at-t.last)
		n := int64(t.made/objectEvery - before)
		c.objects.Count += n
		c.objects.Bytes += n * objectBytes
	}
	t.last = at
	switch effect := trace.EffectOf(e, len(t.stack), innermost); {
	case effect.Closes():
		t.stack = t.stack[:len(t.stack)-1]
	case effect == trace.Pushed:
		if c.symbols.Method(e.Method).Flags&trace.Collector != 0 && slices.ContainsFunc(t.stack, c.makes) {
			c.objects.Collections++
		}
		t.stack = append(t.stack, e.Method)
	}
}

// makes reports whether a method allocates objects in its self time.
func (c *objectCounter) makes(m trace.MethodID) bool {
	return c.symbols.Method(m).Flags&trace.Allocates != 0
}
