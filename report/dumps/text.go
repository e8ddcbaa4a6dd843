package dumps

import (
	"fmt"
	"strings"

	"artifice/format"
	"artifice/internal/words"
)

// State is the state of a thread in a dump. Each runtime has its own names of states.
type State uint8

const (
	Unknown State = iota // no state, or another than these
	Runnable
	InNative // in native code, which can wait
	OnLock   // waits for the monitor of an object
	Waiting
	TimedWaiting
	Sleeping
	Suspended // by the runtime, often for the dump itself
)

// sleepingState is the name of Sleeping for all runtimes.
const sleepingState = "Sleeping"

// states are the names of states of ART, Dalvik, HotSpot and its debugger, in lower case.
var states = map[string]State{
	"runnable": Runnable, "in_java": Runnable, "native": InNative, "in_native": InNative, "suspended": Suspended, "sleeping": Sleeping,
	"blocked": OnLock, "monitor": OnLock, "waiting": Waiting, "wait": Waiting, "blocked (any wait)": Waiting,
	"timedwaiting": TimedWaiting, "timed_waiting": TimedWaiting, "timed_wait": TimedWaiting,
}

// stateWords are the states in words.
var stateWords = [...]string{"", "runnable", "in native code", "blocked on a lock", "waiting", "waiting with a timeout", "sleeping", "suspended"}

// String returns the state in words, "" for Unknown.
func (s State) String() string { return stateWords[s] }

// StateOf returns the state with a runtime's name of it; Unknown for other names.
func StateOf(name string) State { return states[strings.ToLower(name)] }

// StateWords returns a phrase for a state as a dump has it: "blocked on a lock".
func StateWords(state string) string {
	switch {
	case strings.EqualFold(state, "blocked (any wait)"): // jstack -F does not state which
		return "waiting or blocked"
	case strings.EqualFold(state, "crashed"):
		return "stopped by a signal"
	case StateOf(state) != Unknown:
		return stateWords[StateOf(state)]
	case state != "":
		return "in state " + state
	}
	return "in an unknown state"
}

// Size returns the numbers of dumps and threads: "2 thread dumps of app, 30 threads".
func (s *Summary) Size() string {
	of := ""
	if s.Process != "" {
		of = " of " + s.Process
	}
	return fmt.Sprintf("%s%s, %s", words.Count(s.Dumps, "thread dump"), of, words.Count(len(s.Threads), "thread"))
}

// Text describes the contents of a [Summary] in words.
type Text struct {
	Full bool // names with their packages
}

// Method returns a frame's method.
func (t Text) Method(f *format.Frame) string {
	class := f.Class
	if !t.Full {
		class = class[strings.LastIndexByte(class, '.')+1:]
	}
	if class == "" {
		return f.Method
	}
	return class + "." + f.Method
}

// Frame returns a frame's method and its place in the source.
func (t Text) Frame(f *format.Frame) string {
	place := ""
	switch {
	case f.JNI:
		place = " (native)"
	case f.File != "" && f.Line > 0:
		place = fmt.Sprintf(" (%s:%d)", f.File, f.Line)
	}
	return t.Method(f) + place
}

// Doing returns a verb phrase with the state of a thread and its leaf frame: "is sleeping in
// Thread.sleep (native)".
func (t Text) Doing(state string, stack []format.Frame) string {
	switch {
	case len(stack) == 0:
		return "is " + StateWords(state)
	case state == "":
		return "is in " + t.Frame(&stack[0])
	}
	return "is " + StateWords(state) + " in " + t.Frame(&stack[0])
}

// Head returns a sentence with the thread's state in most dumps, and which of its stacks follows.
func (t Text) Head(thread *Thread) string {
	head := thread.Name + " " + t.Doing(thread.State, thread.Stack)
	if thread.Dumps > 1 { // state and stack can be of different dumps
		head = fmt.Sprintf("%s is most often %s; most frequent stack (%d of %s)", thread.Name, StateWords(thread.State), thread.Same, words.Count(thread.Dumps, "dump"))
	}
	if len(thread.Stack) == 0 {
		return head + "; no stack"
	}
	return head + ":"
}

// Lock returns the class and the address of a lock.
func (t Text) Lock(l *format.Lock) string {
	switch {
	case l.Class == "" && l.Object == "":
		return "an unknown lock"
	case l.Object == "":
		return l.Class
	}
	return strings.TrimLeft(l.Class+" "+l.Object, " ")
}

// Waits returns the threads that wait for a lock, and its holder: "A and B wait for
// java.lang.Object <0x1>, held by C".
func (t Text) Waits(b *Blocked) string {
	verb := "wait"
	if len(b.Waiters) == 1 {
		verb = "waits"
	}
	return fmt.Sprintf("%s %s for %s, held by %s", t.Names(b.Waiters), verb, t.Lock(&b.Lock), b.Holder)
}

// WaitsFor returns a sentence that a thread waits for a lock, with the lock's holder: "A waits for
// java.lang.Object <0x1>, held by C".
func (t Text) WaitsFor(w *LockWait, holder string) string {
	return fmt.Sprintf("%s waits for %s, held by %s", w.Thread, t.Lock(w.Lock), holder)
}

// NoHolder returns the sentence on a thread at the end of its chain that waits for a monitor whose
// holder is unknown or not in the dump; "" if it does not.
func (t Text) NoHolder(w *LockWait) string {
	if w.Lock == nil || w.Lock.How != format.ToEnter {
		return ""
	}
	if w.Lock.Holder != 0 {
		return fmt.Sprintf("%s waits for %s, held by thread %d, which is not in the dump.", w.Thread, t.Lock(w.Lock), w.Lock.Holder)
	}
	return fmt.Sprintf("%s waits for %s; the dump does not name its holder.", w.Thread, t.Lock(w.Lock))
}

// Deadlock returns a line on a cycle of threads that wait for each other.
func (t Text) Deadlock(circle []LockWait) string {
	var parts []string
	for i := range circle {
		parts = append(parts, t.WaitsFor(&circle[i], circle[(i+1)%len(circle)].Thread))
	}
	return "Deadlock: " + strings.Join(parts, "; ") + "."
}

// Names returns the first names of a list, and the number of others.
func (t Text) Names(names []string) string {
	const most = 3
	if len(names) <= most {
		return words.And(names)
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}
