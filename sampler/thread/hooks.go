package thread

import (
	"slices"
	"time"

	"artifice/trace"
)

// hook processes an event of a thread that samples its own stack in hooks if its last sample is
// older than the interval: request in btrace 3's SamplingCollector. The hooks are
//
//   - the allocation of an object: whenever a method that allocates ([trace.Allocates]) begins or
//     resumes; in a recorded trace, the start of a constructor, just before which the object is
//     allocated ([Config].NoAllocations disables this hook),
//   - the start of a native method, which is already on the stack: artQuickGenericJniTrampoline
//     prepares the call, and its hook precedes the called function (quick_entrypoints_arm64.S),
//   - the end of a call that blocks for a lock, another process or the garbage collector
//     ([trace.Method.Wait], or its name): one sample is taken and recorded twice, with the times of
//     the call's start and end. The collector's call is always sampled; parking is a hook only on
//     the main thread (TraceUnsafePark.cpp).
//
// Calls that began before the truth have passed their hooks.
func (t *Tracer) hook(th *thread, e *trace.Event, wall, cpu time.Duration) {
	begin := th.now(e.Thread) // of the call that e ends, if no event came between its enter and e
	leaf := th.entered
	th.Arrive(wall)
	th.Match(&t.handoffs, t.truth, e, wall)
	th.wall, th.cpu = wall, cpu
	m := t.truth.Symbols.Method(e.Method)
	enters, allocations := e.Action == trace.Enter, !t.cfg.NoAllocations
	constructs := allocations && t.truth.Info.Technique != trace.Truth && enters && m.Name == "<init>"
	switch {
	case !enters && t.blocks[e.Method] && (e.Thread == 0 || !parks(m)):
		if m.Wait == trace.GCPause || t.looks(th) {
			t.blocked(th, e.Thread, begin, leaf)
		}
	case constructs:
		t.lookIfDue(th, e.Thread)
	}
	t.apply(th, e)
	th.entered = enters
	if enters && th.opened < t.truth.Symbols.Threads[e.Thread].Open {
		th.opened++
		return
	}
	if enters && m.Flags&trace.Native != 0 {
		t.lookIfDue(th, e.Thread)
	}
	if innermost, any := th.frames.Innermost(); any && allocations && t.truth.Symbols.Method(innermost).Flags&trace.Allocates != 0 {
		t.lookIfDue(th, e.Thread)
	}
}

// blocked records the sample at the end of a blocking call, at the call's start and end. The begin
// is omitted if the call has called other methods: these may have been sampled.
func (t *Tracer) blocked(th *thread, id trace.ThreadID, begin moment, leaf bool) {
	end := th.now(id)
	th.looked = end.stamp.Wall
	if leaf && begin.app < end.app {
		t.see(th, begin)
	}
	t.see(th, end)
	th.blocking = true
	t.charge(id, th)
}

// lookIfDue samples the stack if a sample is due.
func (t *Tracer) lookIfDue(th *thread, id trace.ThreadID) {
	if !t.looks(th) {
		return
	}
	at := th.now(id)
	th.looked = at.stamp.Wall // also if the sample is discarded
	t.see(th, at)
	t.charge(id, th)
}

// looks reports whether the last sample is older than the interval.
func (t *Tracer) looks(th *thread) bool { return th.wall+th.Late-th.looked > t.cfg.Interval }

// see samples the stack. After a blocking call an equal stack belongs to a different call.
func (t *Tracer) see(th *thread, at moment) {
	same := len(th.memory) > 0 && slices.Equal(th.memory, th.frames.Methods())
	t.compareStack(th, at, th.blocking && same)
	th.blocking = false
}

// now returns the time of a thread's last event, including its delay.
func (th *thread) now(id trace.ThreadID) moment {
	return moment{th.wall, trace.Event{Wall: th.wall + th.Late + th.Paid, CPU: th.clock(), Thread: id}}
}

// clock returns the thread's CPU time since its first event.
func (th *thread) clock() time.Duration { return th.cpu - th.base + th.Taken + th.Paid }

// blocks reports whether the end of a method is a hook. It is for methods that wait, except in
// sleeps, file accesses and the message queue.
func blocks(m *trace.Method) bool {
	switch m.Wait {
	case trace.Lock, trace.Binder, trace.GCPause:
		return true
	case trace.Running:
		return blockingMethods[m.DottedClass()+"."+m.Name]
	}
	return false
}

// parks reports whether a method parks its thread.
func parks(m *trace.Method) bool { return m.Name == "park" || m.Name == "parkNanos" }

// blockingMethods are the methods of btrace 3's hooks that can occur in a recorded trace.
var blockingMethods = map[string]bool{
	"java.lang.Object.wait": true, "java.lang.Object.wait0": true, "android.os.BinderProxy.transactNative": true,
	"sun.misc.Unsafe.park": true, "jdk.internal.misc.Unsafe.park": true, "java.util.concurrent.locks.LockSupport.park": true,
	"java.util.concurrent.locks.LockSupport.parkNanos": true, "java.lang.Runtime.nativeLoad": true,
}
