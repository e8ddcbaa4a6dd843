package art

import (
	"fmt"
	"slices"
	"time"

	"artifice/internal/recorder"
	"artifice/trace"
)

// Objects are a runtime's statistics of objects since tracing started, which the file has of a trace started with
// the flag 1, Debug.TRACE_COUNT_ALLOCS (Trace::FinishTracing; Dalvik's dvmMethodTraceStop).
type Objects struct {
	Count, Bytes int64 // objects made

	// Collections are those that a thread had to wait for to make an object (kGcCauseForAlloc; Dalvik's gcForMalloc). The
	// others are not counted.
	Collections int64
}

// options returns the lines of the file, none where nothing is counted.
func (o *Objects) options() []string {
	if o == nil {
		return nil
	}
	return []string{fmt.Sprintf("alloc-count=%d", o.Count), fmt.Sprintf("alloc-size=%d", o.Bytes), fmt.Sprintf("gc-count=%d", o.Collections)}
}

// What a method that makes objects ([trace.Allocates]) makes of them, which a truth does not say: 24 MB a second of its own
// CPU time, in objects of the size that is usual in Java programs. It is assumed.
const (
	objectEvery = 2 * time.Microsecond
	objectBytes = 48
)

// CountObjects counts the objects that the threads of a truth make, as far as it says which methods do, while its
// events are read: these are read through a counter from now on.
func CountObjects(truth *trace.Recording) *Objects {
	c := &objectCounter{symbols: truth.Symbols, clock: truth.Info.Clock, objects: &Objects{}}
	truth.Events = recorder.Tap(truth.Events, c)
	return c.objects
}

// objectCounter counts the objects that a truth's threads make.
type objectCounter struct {
	symbols *trace.Symbols
	clock   trace.Clock
	threads []objectThread
	objects *Objects
}

// objectThread is a thread that makes objects.
type objectThread struct {
	stack []trace.MethodID
	last  time.Duration // of its last event, on the clock that tells how long it runs
	made  time.Duration // time in which it has made objects
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

// makes reports whether a method makes objects while it runs itself.
func (c *objectCounter) makes(m trace.MethodID) bool {
	return c.symbols.Method(m).Flags&trace.Allocates != 0
}
