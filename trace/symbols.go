package trace

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Thread is one thread of the traced process. Two threads can share a TID when
// the kernel used it again.
//
// Start, End and Open are known of a synthetic truth only ([Info.Technique] is
// [Truth]); there the order of [Symbols.Threads] is the order in which the
// threads were attached, main first. A thread of a recorded trace is taken to
// live from its first event on, with no frame open at the start (and see End).
type Thread struct {
	TID      uint32 // the id events carry on the wire: kernel tid or the number a runtime gave
	Name     string
	Unlisted bool // events use the id, but the source names no such thread

	// Start is when the thread was attached; 0 when it was there before the
	// trace.
	Start time.Duration

	// End is when the thread ended; 0 when it outlives the trace. A truth sets
	// it before it delivers the thread's last event, and from the beginning for
	// a thread that has none. It is never below the last event.
	//
	// A reader that delivers a recorded trace in time order sets it from the
	// beginning: to the last event of a thread that has left all its frames by
	// then, and to 0 where some are open. Then the thread is taken to live on in
	// them to the end of the trace, which is the last event of all threads: one that
	// sleeps has no events, and one that ends leaves its frames first.
	End time.Duration

	// Open is how many frames were on the thread's stack when the trace began.
	// They are its first events: so many enters at wall time 0, outermost
	// first, with the CPU time the thread had used by then. The emulation of
	// a tracer decides whether these enters are seen.
	Open int

	// States are those of the scheduler, where the source has its events; else 0.
	States ThreadStates
}

// kernelNameLen is how many bytes of a thread's name Linux keeps.
const kernelNameLen = 15

// KernelName returns the name that ART gives a thread in the kernel, which is what
// ftrace and perf show: at most 15 bytes, of a longer name the beginning, or the end where
// it has a dot and no @ (SetThreadName in ART's runtime/utils.cc).
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

// String returns the thread's name, or its tid where it has none.
func (t Thread) String() string {
	if t.Name == "" {
		return fmt.Sprintf("thread-%d", t.TID)
	}
	return t.Name
}

// MethodFlags are facts of a method that a tracer's mechanism depends on. Only
// a synthetic truth knows them; they are not in any trace file.
type MethodFlags uint16

const (
	Native          MethodFlags = 1 << iota // a JNI method
	RuntimeInternal                         // ART-internal: never in a sampled stack
	Inlined                                 // the compiler put it into its caller
	LeafNoPoll                              // compiled loop-free leaf: has no suspend check, so it is never seen as the innermost frame
	Proxy                                   // a java.lang.reflect.Proxy method; ART up to 13 lists it under a wrong id
	Collector                               // the garbage collector runs while this method is on a stack: samplers of Android 9 and later wait for its end
	Interpreted                             // no compiled code: the interpreter runs it
	Section                                 // its calls are sections of android.os.Trace, which a system trace shows
	Allocates                               // it makes objects whenever it runs itself
)

// Method is one method. Two methods of a trace can have equal names (a class
// loaded by two loaders): identity is the index, never the name.
type Method struct {
	ID        uint64 // as on the wire, action bits clear; 0 is legal
	Class     string // as the source spells it: java.lang.Object or java/lang/Object
	Name      string
	Signature string // JVM descriptor, "(I)V"; empty when unknown
	File      string // source file; empty when unknown
	Line      int    // first source line; 0 when unknown; Dalvik gives its native methods -2
	Flags     MethodFlags
	Wait      Wait // what a thread does in the method's own time; known of a truth only
	AtOnce    bool // see Period
	Unlisted  bool // events use the id, but the source defines no such method

	// Period is that of the clock at whose ticks the method's waits end, at multiples of
	// it since the start of the truth; 0 when they end so long after they began. A thread
	// that has missed its tick waits for the next one or, with AtOnce, not at all. Only
	// a truth has it.
	Period time.Duration

	// Link is the method's part in waits of threads for each other. Only a truth has it.
	Link Link
}

// Link is how a method takes part in waits of threads for each other. A truth of package workload marks each
// by a call that takes no time, of a method that no tracer sees.
type Link struct {
	Does   LinkAct
	Object uint16 // what is given and taken: of one number, the n-th that is taken is the n-th that was given
}

// LinkAct is what a method with a [Link] does.
type LinkAct uint8

const (
	NoLink LinkAct = iota
	Awaits         // its waits end when another thread has given something
	Gives          // its call gives
	Takes          // its call is the end of a wait, and takes what was given first
	Sees           // its call is the end of a wait for what was given first, which stays
)

// ForgetTruth takes from a method what only a truth knows of it and no trace file tells.
func (m *Method) ForgetTruth() {
	m.Flags, m.Wait, m.Period, m.AtOnce, m.Link = 0, Running, 0, false, Link{}
}

// FullName returns class, a dot and name: the method as people write it. A
// method that no line defines is "unknown.method_0xID".
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

// DottedClass returns the class with dots between packages, however the source
// spelled it: Dalvik wrote java/lang/Object, ART writes java.lang.Object.
func (m *Method) DottedClass() string { return strings.ReplaceAll(m.Class, "/", ".") }

// Symbols names threads and methods. The zero value is empty and ready to use.
//
// Tables only grow, and only at the end, so an index stays good: a streaming
// file adds symbols while its events are read.
type Symbols struct {
	Threads []Thread
	Methods []Method
}

// AddThread appends t and returns its index. It fails when there are already
// [MaxThreads].
func (s *Symbols) AddThread(t Thread) (ThreadID, error) {
	if len(s.Threads) >= MaxThreads {
		return 0, fmt.Errorf("thread %d (%s): a trace cannot name more than %d threads", t.TID, t, MaxThreads)
	}
	s.Threads = append(s.Threads, t)
	return ThreadID(len(s.Threads) - 1), nil
}

// AddMethod appends m and returns its index.
func (s *Symbols) AddMethod(m Method) MethodID {
	if n := len(s.Methods); n == cap(s.Methods) { // doubled: append's quarters leave four times as much behind
		s.Methods = slices.Grow(s.Methods, n+1)
	}
	s.Methods = append(s.Methods, m)
	return MethodID(len(s.Methods) - 1)
}

// Thread returns the thread of index id. It panics when there is none: events
// from a [Reader] always have theirs.
func (s *Symbols) Thread(id ThreadID) *Thread { return &s.Threads[id] }

// Method returns the method of index id. It panics when there is none.
func (s *Symbols) Method(id MethodID) *Method { return &s.Methods[id] }

// IsRuntime reports whether a method is known to be ART's own ([RuntimeInternal]).
func (s *Symbols) IsRuntime(id MethodID) bool {
	return int(id) < len(s.Methods) && s.Methods[id].Flags&RuntimeInternal != 0
}

// HasSignatures reports whether any method has a signature. Where none has, as in
// timelines, stack dumps and profiles, overloads cannot be told apart.
func (s *Symbols) HasSignatures() bool {
	return slices.ContainsFunc(s.Methods, func(m Method) bool { return m.Signature != "" })
}

// Naming returns the name by which methods of several recordings are the same:
// [Method.String], or [Method.FullName] where some recordings have signatures and others
// have none; joined is set then, as overloads of a method have one name.
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

// Signatures is whether some of several recordings have signatures, and some have methods
// but no signature. The zero value is that of no recording.
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

// Mixed reports whether methods of these recordings match by class and name alone.
func (s Signatures) Mixed() bool { return s.With && s.Without }

// SetEnds sets the End of each thread to the wall time of its last event, or to 0 where
// frames are open after that, as a reader does that delivers a recorded trace in time
// order. It is for events that are in memory.
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
		if open[i] > 0 {
			s.Threads[i].End = 0
		}
	}
}

// walkEnd is how the name begins of the frame that stands for callers which a profiler did not find: "ERROR INVALID_MAP" in
// Perfetto's traces (Unwinder::UnwindSample in its src/profiling/perf/unwinding.cc).
const walkEnd = "ERROR "

// WalkEnd returns why a profiler's walk of the stack ended early (INVALID_MAP), if m is no method but the frame that
// stands for the callers which it did not find; else "". It is the outermost frame then, and the only one where no frame was found.
func (m *Method) WalkEnd() string {
	if reason, ended := strings.CutPrefix(m.Name, walkEnd); ended && m.Class == "" {
		return reason
	}
	return ""
}

// AddWalkEnd adds the frame that stands for the callers which a walk did not find for a reason.
func (s *Symbols) AddWalkEnd(reason string) MethodID {
	id := uint64(0)
	for i := range s.Methods {
		id = max(id, s.Methods[i].ID)
	}
	return s.AddMethod(Method{ID: id + 4, Name: walkEnd + reason})
}
