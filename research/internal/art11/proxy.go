package art11

import (
	"slices"
	"time"

	"artifice/trace"
)

// Kinds of methods in the launcher's script.
const (
	interpreted = iota
	native
	proxy
	forward // java.lang.reflect.Proxy.invoke, which a proxy's method calls
	handle  // InvocationHandler.invoke, which forward calls
)

// kind returns the kind of a method.
func (t *Truth) kind(id int) int {
	switch m := &t.methods[id]; {
	case t.proxies && id == len(t.methods)-2:
		return forward
	case t.proxies && id == len(t.methods)-1:
		return handle
	case m.Flags&trace.Native != 0:
		return native
	case m.Flags&trace.Proxy != 0:
		return proxy
	}
	return interpreted
}

// addForwarding adds the calls that a proxy's method makes: Proxy.invoke (core library, interpreted)
// calls the handler (v.H, native).
func (t *Truth) addForwarding() {
	if !slices.ContainsFunc(t.methods, func(m trace.Method) bool { return m.Flags&trace.Proxy != 0 }) {
		return
	}
	first := trace.MethodID(len(t.methods))
	t.methods = append(t.methods,
		trace.Method{Class: "java.lang.reflect.Proxy", Name: "invoke", File: "Proxy.java",
			Signature: "(Ljava/lang/reflect/Proxy;Ljava/lang/reflect/Method;[Ljava/lang/Object;)Ljava/lang/Object;"},
		trace.Method{Class: "v.H", Name: "invoke", File: "M.java", Flags: trace.Native,
			Signature: "(Ljava/lang/Object;Ljava/lang/reflect/Method;[Ljava/lang/Object;)Ljava/lang/Object;"})
	t.proxies = true
	opened := make([]int, len(t.threads))
	t.events = t.forwarded(t.events, first, opened)
	for i := range t.threads {
		t.threads[i].Open += opened[i]
	}
	if t.whole != nil {
		t.whole = t.forwarded(t.whole, first, opened)
	}
}

// forwarded returns events with those of the two calls, of which the first is given, and adds the
// number of frames that are open at the start to those of their threads.
func (t *Truth) forwarded(events []trace.Event, first trace.MethodID, opened []int) (all []trace.Event) {
	left := make([]int, len(t.threads))
	for i := range t.threads {
		left[i] = t.threads[i].Open
	}
	for _, e := range events {
		calls := []trace.MethodID{e.Method, first, first + 1}
		if t.methods[e.Method].Flags&trace.Proxy == 0 {
			calls = calls[:1]
		}
		if e.Action != trace.Enter {
			slices.Reverse(calls)
		} else if e.Wall == 0 && left[e.Thread] > 0 {
			left[e.Thread]--
			opened[e.Thread] += len(calls) - 1
		}
		for _, m := range calls {
			e.Method = m
			all = append(all, e)
		}
	}
	return all
}

// Allocation of methods with [trace.Allocates]: an object for every second microsecond of a
// thread's time in their frames, which is 24 MB/s in objects of 48 bytes.
const objectEvery = 2 * time.Microsecond

// allocations returns the number of objects that the truth's threads allocate, and of collections
// that an allocating method waits for.
func (t *Truth) allocations() (objects, collections int) {
	stacks := make([][]trace.MethodID, len(t.threads))
	made, last := make([]time.Duration, len(t.threads)), make([]time.Duration, len(t.threads))
	allocates := func(m trace.MethodID) bool { return t.methods[m].Flags&trace.Allocates != 0 }
	for i := range t.events {
		e := &t.events[i]
		stack, at := &stacks[e.Thread], e.Wall
		if t.info.Clock.HasCPU() {
			at = e.CPU
		}
		if n := len(*stack); n > 0 && allocates((*stack)[n-1]) {
			made[e.Thread] += at - last[e.Thread]
		}
		last[e.Thread] = at
		if e.Action != trace.Enter {
			*stack = (*stack)[:len(*stack)-1]
			continue
		}
		if t.methods[e.Method].Flags&trace.Collector != 0 && slices.ContainsFunc(*stack, allocates) {
			collections++
		}
		*stack = append(*stack, e.Method)
	}
	for _, m := range made {
		objects += int(m / objectEvery)
	}
	return objects, collections
}
