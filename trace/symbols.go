package trace

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Thread is one thread of the traced process. Two threads can share a TID if the kernel reused it.
//
// Start, End and Open are set only in a ground truth ([Info.Technique] is [Truth]). There
// [Symbols.Threads] is in the order in which the threads were attached, main first. A thread of a
// recorded trace is assumed to live from its first event on, with no open frame at the start (but
// see End).
type Thread struct {
	TID      uint32 // id in trace files: the kernel's tid or a number assigned by the runtime
	Name     string
	Unlisted bool // events use the id, but the source defines no such thread

	// Process is the thread's process in a trace of several: its name, or "pid" and its id. It is
	// empty if unknown or if the trace has one process. See [Processes].
	Process string

	// Start is the time when the thread was attached; 0 if that was before the trace.
	Start time.Duration

	// End is the time when the thread ended; 0 if it outlives the trace. A ground truth sets it
	// before it delivers the thread's last event, and from the beginning for a thread without
	// events. It is never below the last event.
	//
	// A reader that delivers a recorded trace in time order sets End from the beginning. If the
	// thread was alive at the stop, or frames are open after its last event, End is 0 and the
	// thread lasts to the stop ([Recording.Stop]): a sleeping thread has no events, and an ending
	// thread closes its frames first. Otherwise End is the time of the last event.
	End time.Duration

	// AtStop is the thread's state at the stop, in a recorded trace. See [Lifetimes].
	AtStop AtStop

	// Open is the number of frames on the thread's stack when the trace began. The first Open
	// events of the thread enter them at wall time 0, outermost first, with the CPU time that the
	// thread had used by then. The emulation of a tracer decides whether these enters are recorded.
	Open int

	// States are the times in scheduler states if the source has scheduler events, else 0.
	States ThreadStates
}

// kernelNameLen is the maximum length of a thread name in Linux, in bytes.
const kernelNameLen = 15

// KernelName returns the thread's name in the kernel, as in ftrace and perf: at most 15 bytes. ART
// sets a longer name to its first 15 bytes, or to its last 15 if it contains a dot and no @
// (SetThreadName in ART's runtime/utils.cc).
func (t Thread) KernelName() string {
	name := t.String()
	switch {
	case len(name) <= kernelNameLen:
		return name
	case strings.Contains(name, ".") && !strings.Contains(name, "@"):
		return name[len(name)-kernelNameLen:]
	}
	return name[:kernelNameLen]
}

// String returns the thread's name, or "thread-" and its tid if it has none.
func (t Thread) String() string {
	if t.Name == "" {
		return fmt.Sprintf("thread-%d", t.TID)
	}
	return t.Name
}

// MethodFlags are properties of a method that affect tracers. Only a ground truth has them; no
// trace file contains them.
type MethodFlags uint16

const (
	Native          MethodFlags = 1 << iota // a JNI method
	RuntimeInternal                         // internal to ART: never in a sampled stack
	Inlined                                 // inlined into its caller by the compiler
	LeafNoPoll                              // compiled leaf without loops: it has no suspend check, so a sampler never finds it as the innermost frame
	Proxy                                   // a java.lang.reflect.Proxy method; ART up to 13 lists it with a wrong id
	Collector                               // the garbage collector runs while this method is on a stack: samplers of Android 9 and later wait until it finishes
	Interpreted                             // not compiled: it runs in the interpreter
	Section                                 // its calls are sections of android.os.Trace, which are part of a system trace
	Allocates                               // allocates objects in its self time
)

// Method is one method. Two methods of a trace can have equal names (a class loaded by two
// loaders): the index identifies a method, not the name.
type Method struct {
	ID        uint64 // id in trace files, with the action bits clear; 0 is valid
	Class     string // in the spelling of the source: java.lang.Object or java/lang/Object
	Name      string
	Signature string // JVM descriptor, "(I)V"; empty if unknown
	File      string // source file; empty if unknown
	Line      int    // first source line; 0 if unknown; Dalvik gives native methods -2
	Flags     MethodFlags
	Wait      Wait // what a thread does in the method's self time; set in a ground truth only
	AtOnce    bool // a thread that missed its tick does not wait; see Period
	Unlisted  bool // events use the id, but the source defines no such method

	// Period is the period of a clock that ends the method's waits: they end at multiples of Period
	// since the start of the ground truth. 0 means that the waits have relative durations. A thread
	// that missed its tick waits for the next one or, if AtOnce is set, does not wait. Set in a
	// ground truth only.
	Period time.Duration

	// Link is the method's part in waits of threads for each other. Set in a ground truth only.
	Link Link
}

// Link is the role of a method in handoffs, in which one thread waits for another. A ground truth
// of package workload marks a handoff by a call of duration 0 of a method that no tracer records.
type Link struct {
	Does   LinkAct
	Object uint16 // the queue: the n-th take from an object receives the n-th item given to it
}

// LinkAct is the action of a method with a [Link].
type LinkAct uint8

const (
	NoLink LinkAct = iota
	Awaits         // its waits end when another thread gives an item
	Gives          // its call gives an item
	Takes          // its call ends a wait and takes the oldest item
	Sees           // its call ends a wait for the oldest item and does not take it
)

// ForgetTruth clears the properties of a method that only a ground truth has and no trace file
// contains.
func (m *Method) ForgetTruth() {
	m.Flags, m.Wait, m.Period, m.AtOnce, m.Link = 0, Running, 0, false, Link{}
}

// FullName returns class, a dot and name. For a method without a definition it returns
// "unknown.method_0xID".
func (m *Method) FullName() string {
	switch {
	case m.Unlisted:
		return fmt.Sprintf("unknown.method_0x%x", m.ID)
	case m.Name == "":
		return m.Class
	case m.Class == "":
		return m.Name
	}
	return m.Class + "." + m.Name
}

// String returns [Method.FullName] followed by the signature.
func (m *Method) String() string { return m.FullName() + m.Signature }

// DottedClass returns the class as Java has it, independent of the source's spelling: Dalvik wrote
// java/lang/Object, ART writes java.lang.Object, and other tools descriptors: Ljava/lang/Object;
// and [Ljava/lang/Object; for an array.
func (m *Method) DottedClass() string {
	class, arrays := m.Class, 0
	if strings.HasSuffix(class, ";") {
		element := strings.TrimLeft(class, "[")
		if name, ok := strings.CutPrefix(element, "L"); ok {
			class, arrays = strings.TrimSuffix(name, ";"), len(class)-len(element)
		}
	}
	return strings.ReplaceAll(class, "/", ".") + strings.Repeat("[]", arrays)
}

// Dotted returns the method with its class as [Method.DottedClass] returns it.
func (m *Method) Dotted() *Method {
	class := m.DottedClass()
	if class == m.Class {
		return m
	}
	same := *m
	same.Class = class
	return &same
}

// Symbols names threads and methods. The zero value is empty and ready to use.
//
// Tables grow only, and only at the end, so an index stays valid: a streaming file adds symbols
// while its events are read.
type Symbols struct {
	Threads []Thread
	Methods []Method
}

// AddThread appends t and returns its index. It returns an error if there are [MaxThreads] threads
// already.
func (s *Symbols) AddThread(t Thread) (ThreadID, error) {
	if len(s.Threads) >= MaxThreads {
		return 0, fmt.Errorf("thread %d (%s): a trace cannot name more than %d threads", t.TID, t, MaxThreads)
	}
	s.Threads = append(s.Threads, t)
	return ThreadID(len(s.Threads) - 1), nil
}

// AddMethod appends m and returns its index.
func (s *Symbols) AddMethod(m Method) MethodID {
	if n := len(s.Methods); n == cap(s.Methods) { // double the capacity: the growth by a quarter in append leaves four times as much garbage
		s.Methods = slices.Grow(s.Methods, n+1)
	}
	s.Methods = append(s.Methods, m)
	return MethodID(len(s.Methods) - 1)
}

// Thread returns the thread with index id. It panics if there is none; events from a [Reader]
// always refer to existing threads.
func (s *Symbols) Thread(id ThreadID) *Thread { return &s.Threads[id] }

// Method returns the method with index id. It panics if there is none.
func (s *Symbols) Method(id MethodID) *Method { return &s.Methods[id] }

// IsRuntime reports whether a method is known to be internal to ART ([RuntimeInternal]).
func (s *Symbols) IsRuntime(id MethodID) bool {
	return int(id) < len(s.Methods) && s.Methods[id].Flags&RuntimeInternal != 0
}

// HasSignatures reports whether any method has a signature. If none has, as in timelines, stack
// dumps and profiles, overloads are indistinguishable.
func (s *Symbols) HasSignatures() bool {
	return slices.ContainsFunc(s.Methods, func(m Method) bool { return m.Signature != "" })
}

// Naming returns the function that names methods consistently across several recordings:
// [Method.String], or [Method.FullName] if some recordings have signatures and others have none.
// joined is set in the latter case, because overloads then share a name.
func Naming(all ...*Symbols) (name func(*Method) string, joined bool) {
	var met Signatures
	for _, s := range all {
		met.Add(s)
	}
	if met.Mixed() {
		return (*Method).FullName, true
	}
	return (*Method).String, false
}

// Signatures records whether any of several recordings has signatures, and whether any has methods
// without signatures. The zero value represents no recordings.
type Signatures struct{ With, Without bool }

// Add adds a recording.
func (s *Signatures) Add(symbols *Symbols) {
	has := symbols.HasSignatures()
	s.Join(Signatures{has, !has && len(symbols.Methods) > 0})
}

// Join adds the recordings of other.
func (s *Signatures) Join(other Signatures) {
	s.With, s.Without = s.With || other.With, s.Without || other.Without
}

// Mixed reports whether methods of these recordings match by class and name only.
func (s Signatures) Mixed() bool { return s.With && s.Without }

// SetEnds sets the End of each thread to the wall time of its last event, or to 0 if it was alive
// at the stop or frames are open after it. It is for events in memory; a reader that delivers a
// recorded trace in time order sets the same values.
func (s *Symbols) SetEnds(events []Event) {
	for i := range s.Threads {
		s.Threads[i].End = 0
	}
	open := make([]int32, len(s.Threads))
	for _, e := range events {
		t := s.Thread(e.Thread)
		t.End = max(t.End, e.Wall)
		open[e.Thread] = OpenAfter(open[e.Thread], e.Action)
	}
	for i := range s.Threads {
		if open[i] > 0 || s.Threads[i].AtStop == Alive {
			s.Threads[i].End = 0
		}
	}
}

// walkEnd is the prefix of the name of a placeholder frame for callers that a profiler could not
// unwind: "ERROR INVALID_MAP" in Perfetto's traces (Unwinder::UnwindSample in
// src/profiling/perf/unwinding.cc).
const walkEnd = "ERROR "

// WalkEnd returns the reason why a profiler's stack unwinding ended early (INVALID_MAP) if m is the
// placeholder frame for the missing callers, else "". The placeholder is the outermost frame, and
// the only one if no frame was found.
func (m *Method) WalkEnd() string {
	if reason, ended := strings.CutPrefix(m.Name, walkEnd); ended && m.Class == "" {
		return reason
	}
	return ""
}

// AddWalkEnd adds a placeholder frame for callers missing from an unwound stack, with the reason.
func (s *Symbols) AddWalkEnd(reason string) MethodID {
	id := uint64(0)
	for i := range s.Methods {
		id = max(id, s.Methods[i].ID)
	}
	return s.AddMethod(Method{ID: id + 4, Name: walkEnd + reason})
}
