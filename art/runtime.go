package art

import (
	"fmt"
	"strings"
	"time"

	"artifice/internal/dmformat"
	"artifice/trace"
)

// numbering is how a runtime numbers the threads of its records.
type numbering uint8

const (
	kernelTIDs numbering = iota // the low 16 bits of the kernel's thread id
	vmThreads                   // Dalvik's own small ids: 1 is main, then by age
	firstEvent                  // 1, 2, 3 … in order of first event; a tid that is used again keeps its number
)

// threadTable is which threads a file lists, and in which order.
type threadTable uint8

const (
	exitedThenLive    threadTable = iota // ended ones by ascending tid, then all live ones in list order, with or without events
	allByTIDs                            // ended and live ones in one ascending list, each tid with its last name
	threadsWithEvents                    // only threads with events, ascending, each number with its last name
	mainThenBackwards                    // Dalvik: main, then newest to oldest
)

// Buffering is where events are kept until they are written.
type Buffering uint8

const (
	Shared    Buffering = iota // one buffer: file order is the order in which events take their place
	PerThread                  // one per thread, written as a run when it is full, when its thread ends and at stop
)

// Runtime is one runtime's way to trace methods. Facts are those of the
// release's runtime/trace.cc and instrumentation.cc (Dalvik: vm/Profile.cpp).
type Runtime struct {
	Name        string // value of --runtime
	Description string
	VM          string // value of the option vm

	Format       string // default variant of its files
	StreamFormat string // of output mode streaming; empty: there is none
	V2Format     string // of format V2; empty: there is none

	// OpenFrames tells whether the methods on the stacks are reported as entered
	// when tracing starts. Where they are not, their exits come without an enter.
	OpenFrames bool

	// HidesCompiled says how that differs in an app that is not debuggable. True: a frame of
	// compiled code is reported neither at the start nor when it exits, and nor is one of nterp, which runs
	// what is interpreted in such an app (Instrumentation::MethodSupportsExitEvents of 14 and
	// later; CanRuntimeUseNterp). False: no frame is reported at the start, and all exit.
	HidesCompiled bool

	// HidesInterpreted tells that of the frames on a stack at the start the innermost
	// ones are left out if they are interpreted: those younger than the youngest
	// compiled or native one. InstrumentationInstallStack of Android 10 to 12 goes
	// over the frames with a return address and reports the interpreted ones that are
	// older than each. All of them exit. Frames of nterp have a return address, so that in
	// Android 12, whose interpreter it is but on 32-bit x86 (CanRuntimeUseNterp of
	// 12.0.0_r27: debuggable apps, too), none is left out. What runs in the plain
	// interpreter there all the same, under a debugger's agent for one, is not told apart.
	// Android 11 has nterp on x86-64 only.
	HidesInterpreted bool

	// Interprets tells that an instrumented trace of an app that is not debuggable makes all its code run in the
	// interpreter: kDeoptimizeForAccurateMethodEntryExitListeners of ART 5 to 13 ("Deoptimization forces all code to run in the
	// interpreter and considerably hurts the application's performance"), and Dalvik, whose compiler is off meanwhile.
	Interprets bool

	numbering numbering
	threads   threadTable

	File   Buffering // in output mode file
	Stream Buffering // in output mode streaming

	// wordsEnter and wordsExit are how many of a thread buffer's [BufferWords] an
	// enter and another event take, with one clock and with two. A 64-bit process.
	wordsEnter, wordsExit [2]int
	// keepsWordFree tells that a buffer counts as full when its last word would
	// be taken.
	keepsWordFree bool
	// firstFullEnds tells that in output mode file the first full thread buffer
	// ends the recording of an instrumented trace: Trace::RemoveListeners is
	// called whether or not the file has room.
	firstFullEnds bool

	// cutsRuns tells that a run that does not fit into a file is cut where it no longer
	// does; else, in the classic format, it is dropped whole.
	cutsRuns bool
	// emptyBlocks tells of output mode file and format V2 what ART 16 has: the file's
	// header does not count towards the buffer, and a run of which nothing fits leaves
	// the head of a block, twelve bytes, even past the buffer's end. FlushEntriesFormatV2
	// looks for room before a record, not before a head: where the buffer is full to less
	// than twelve bytes ART writes beyond its memory, which may end the app; of a full
	// buffer each thread that still holds events adds one at the stop.
	emptyBlocks bool
	// namesFirst tells that a thread is named by its first event even when the file is
	// full by then (LogMethodTraceEvent asks HasOverflow after RecordThreadInfo).
	namesFirst bool

	announceOnce     bool // streaming names a tid once, even when another thread gets it
	methodsFirst     bool // streaming names the new methods of a run before the run, not before their event
	summaryThreads   bool // the summary of a stream lists threads
	summaryMethods   bool // the summary of a stream lists methods
	methodsByAddress bool // methods are listed in the order of their addresses; else by id
	wrongProxyIDs    bool // a proxy's method is listed under another id than its events have

	// ZeroFirst tells that the start time is read before the 32000 clock reads
	// that measure the clock's cost, so that no event lies below them.
	ZeroFirst bool

	// SamplesFirst tells that the sampling thread samples, then sleeps; else it
	// sleeps before the first sample. NewestFirst tells that a sample walks main
	// first, then the newest to the oldest thread; else threads in the order in
	// which they were attached. Both are Dalvik's of 4.4, the first that samples.
	SamplesFirst, NewestFirst bool

	// WaitsForGC tells that a sample waits until no garbage collection runs
	// (ScopedGCCriticalSection in RunSamplingThread, from Android 9 on).
	WaitsForGC bool

	// HoldsThreads tells that a thread that ends while tracing stays in the list,
	// without frames, until the trace stops (Dalvik: dvmDetachCurrentThread waits).
	HoldsThreads bool

	// SamplesAtStop tells that a sample that a garbage collection holds up when the trace
	// is stopped is taken once the collection ends, and the stop waits for the sleep after
	// it: RunSamplingThread takes the_trace_ before it waits. ART 11 and the whole runtime of 16 have been seen to do so; the function of
	// 13, 14, 14 QPR2 and 15 reads the same, but their emulation does not have it.
	SamplesAtStop bool

	// StopsAtOnce tells that elapsed time of a sampled trace is read when stop is
	// called; else stop waits for the sampling thread, which sees it after its sleep.
	StopsAtOnce bool

	// CountsFromZero tells that the first reading of a thread's CPU clock is its
	// zero even when it is 0 (Dalvik: cpuClockBaseSet). ART takes 0 for "not set".
	CountsFromZero bool

	// samplingThread is the name under which tables list the thread that samples;
	// empty where it is gone by then.
	samplingThread string

	// padsSingle tells that a stream with one clock has records of 14 bytes under a header
	// that says 10: FlushBuf and LogMethodTraceEvent of Android 11 take TraceWriter's largest size for
	// all. The last four are whatever lies there in ART (0, or half a pointer); ours are 0.
	padsSingle bool

	// WholeReadings tells that the CPU clock is read in whole Ticks even on a device
	// whose clocks have no step: Thread::GetCpuMicroTime, of which ART subtracts the zero.
	WholeReadings bool

	// MeasureReads is how often the starting thread's CPU clock is read, beyond
	// [ClockReads], before the first event: GetClockOverheadNanoSeconds reads it before and
	// after, whatever the trace's clocks are.
	MeasureReads int

	// ListensToAllocations tells that a listener that code in the app sets by Heap::SetAllocationListener hears of
	// allocations. From Android 15 on btrace 3's does not (bytedance/btrace issue 177).
	ListensToAllocations bool

	Tick          time.Duration // step of its clock reads: 1 us, or 1 ns
	CompiledHooks bool          // with the wall clock alone compiled code writes the events
	ReportsGC     bool          // a garbage collection is reported as a call of VMDebug.startGC
}

// BufferWords is the size of a thread buffer in machine words
// (kPerThreadBufSize of ART 14 and later).
const BufferWords = 512 << 10

// DefaultBuffer is the size in bytes of the buffer of a trace in output mode
// file when the app asks for none (Debug.startMethodTracing), and MinBuffer the
// smallest one that VMDebug accepts.
const (
	DefaultBuffer = 8 << 20
	MinBuffer     = 1024
)

// ClockReads is how often ART and Dalvik read the clocks of a trace to measure
// what that costs (GetClockOverheadNanoSeconds).
const ClockReads = 32000

// CheckInterval refuses a sampling interval that ART and Dalvik refuse: they count
// in whole microseconds, of which it has to be one at least.
func CheckInterval(interval time.Duration) error {
	if us := interval.Microseconds(); us <= 0 {
		return fmt.Errorf("invalid sampling interval: %d us (%s); it has to be 1us at least", us, interval)
	}
	return nil
}

// runtimes are all emulated runtimes, oldest first.
var runtimes = []*Runtime{
	{
		Name: "dalvik", Description: "Dalvik, Android 4.0 to 4.4; only 4.4 samples",
		VM: "dalvik", Format: "dalvik3",
		numbering: vmThreads, threads: mainThenBackwards,
		methodsByAddress: true, SamplesFirst: true, NewestFirst: true, Tick: time.Microsecond,
		HoldsThreads: true, StopsAtOnce: true, CountsFromZero: true, samplingThread: "Sampling Thread", ReportsGC: true, Interprets: true,
	},
	// 5 differs in what has no emulation: it neither streams nor writes the line of
	// the process, and 5.0 reads the elapsed time before its sampling thread stops.
	art13(Runtime{Name: "art8", Description: "ART of Android 6 to 8: samples while the garbage collector runs"}),
	art13(Runtime{Name: "art9", Description: "ART of Android 9", WaitsForGC: true}),
	art13(Runtime{Name: "art10", Description: "ART of Android 10", OpenFrames: true, HidesInterpreted: true, WaitsForGC: true}),
	art13(Runtime{
		Name: "art11", Description: "ART of Android 11, held against itself", OpenFrames: true, HidesInterpreted: true, WaitsForGC: true,
		SamplesAtStop: true, WholeReadings: true, MeasureReads: 2,
	}),
	art13(Runtime{Name: "art12", Description: "ART of Android 12", OpenFrames: true, WaitsForGC: true}),
	art13(Runtime{Name: "art13", Description: "ART of Android 13", OpenFrames: true, WaitsForGC: true}),
	{
		Name: "art14", Description: "ART of Android 14, first release",
		VM: "art", Format: "art", StreamFormat: "art-stream",
		OpenFrames: true, HidesCompiled: true,
		threads: allByTIDs, Stream: PerThread,
		wordsEnter: [2]int{3, 4}, wordsExit: [2]int{3, 4}, keepsWordFree: true,
		summaryThreads: true, summaryMethods: true,
		WaitsForGC: true, samplingThread: "Sampling Profiler", ZeroFirst: true, Tick: time.Microsecond,
		ListensToAllocations: true,
	},
	art14QPR2(Runtime{Name: "art14qpr2", Description: "ART of Android 14 QPR2: per-thread buffers in files too"}),
	art15(Runtime{
		Name: "art15", Description: "ART of Android 15", V2Format: "art-v2-15",
		wordsEnter: [2]int{2, 3}, wordsExit: [2]int{2, 3}, firstFullEnds: true, Tick: time.Microsecond,
	}),
	art15(Runtime{
		Name: "art16", Description: "ART of Android 16", V2Format: "art-v2-16",
		wordsEnter: [2]int{2, 3}, wordsExit: [2]int{2, 3}, firstFullEnds: true, emptyBlocks: true, Tick: 1,
		SamplesAtStop: true,
	}),
	art15(Runtime{
		Name: "art17", Description: "ART of 2026", V2Format: "art-v2-17",
		wordsEnter: [2]int{2, 3}, wordsExit: [2]int{1, 2}, Tick: 1,
	}),
}

// art13 completes a runtime with what ART 5 to 13 have in common.
func art13(r Runtime) *Runtime {
	r.VM, r.Format, r.StreamFormat = "art", "art", "art-stream"
	r.announceOnce, r.summaryThreads, r.padsSingle = true, true, true
	r.methodsByAddress, r.wrongProxyIDs = true, true
	r.ZeroFirst, r.Tick = true, time.Microsecond
	r.Interprets, r.ListensToAllocations = true, true
	return &r
}

// art14QPR2 completes a runtime with what ART of Android 14 QPR2 has: what 15 has, but
// that a stream names a method right before its event, a full buffer cuts a run, and
// recording goes on when all buffers have been written.
func art14QPR2(r Runtime) *Runtime {
	r.wordsEnter, r.wordsExit = [2]int{2, 3}, [2]int{2, 3}
	r.cutsRuns, r.Tick = true, time.Microsecond
	all := art15(r)
	all.methodsFirst, all.namesFirst, all.ListensToAllocations = false, false, true
	return all
}

// art15 completes a runtime with what ART 15 and later have in common.
func art15(r Runtime) *Runtime {
	r.VM, r.Format, r.StreamFormat = "art", "art", "art-stream"
	r.OpenFrames, r.HidesCompiled = true, true
	r.numbering, r.threads = firstEvent, threadsWithEvents
	r.File, r.Stream = PerThread, PerThread
	r.methodsFirst, r.summaryMethods = true, true
	r.namesFirst = true
	r.WaitsForGC, r.CompiledHooks = true, true
	return &r
}

// Default is the runtime that is emulated when none is named.
func Default() *Runtime {
	r, err := ByName("art15")
	if err != nil {
		panic(err)
	}
	return r
}

// All returns all runtimes, oldest first.
func All() []*Runtime { return runtimes }

// ByName returns the runtime of a name, or an error that lists the names.
func ByName(name string) (*Runtime, error) {
	var names []string
	for _, r := range runtimes {
		if r.Name == name {
			return r, nil
		}
		names = append(names, r.Name)
	}
	return nil, fmt.Errorf("unknown runtime %q; there are %s", name, strings.Join(names, ", "))
}

// Writing returns a runtime that writes files of a format: the one with that
// format V2, Dalvik for its own formats, else the default.
func Writing(format string) *Runtime {
	v, err := dmformat.ByName(format)
	for _, r := range runtimes {
		if err == nil && (r.V2Format == format || v.VM == "dalvik" && r.VM == "dalvik") {
			return r
		}
	}
	return Default()
}

// words returns how many words of a thread buffer an event takes.
func (r *Runtime) words(a trace.Action, c trace.Clock) int {
	clocks := 0
	if c == trace.Dual {
		clocks = 1
	}
	if a == trace.Enter {
		return r.wordsEnter[clocks]
	}
	return r.wordsExit[clocks]
}

// capacity returns how many words of a thread buffer are used before it is
// full.
func (r *Runtime) capacity() int {
	if r.keepsWordFree {
		return BufferWords - 1
	}
	return BufferWords
}
