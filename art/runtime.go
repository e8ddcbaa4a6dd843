package art

import (
	"fmt"
	"time"

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

// Runtime is the tracer of one release: each field is a decision in which
// releases differ. Facts are those of the release's runtime/trace.cc and
// instrumentation.cc (Dalvik: vm/Profile.cpp).
//
// The table has the releases for which a boolean is true (the value of another
// field), by the names of releases.go, and the file that implements the decision.
// "art8" is Android 6 to 8. A test compares it with releases.go.
//
//	OpenFrames            art10-art17           instrument/startstop.go
//	HidesCompiled         art14-art17           instrument/startstop.go
//	HidesInterpreted      art10-art11           instrument/startstop.go
//	Interprets            dalvik-art13          instrument/config.go
//	CompiledHooks         art14qpr2-art17       instrument/config.go
//	ReportsGC             dalvik                instrument/report.go
//	ZeroFirst             art8-art14            instrument/startstop.go, sampledfile.go
//	MeasureReads          art11 (2)             instrument/startstop.go
//
//	SamplesFirst          dalvik                sampler/ticker.go
//	NewestFirst           dalvik                sampler/tick.go, sampler/compare.go
//	WaitsForGC            art9-art17            sampler/tick.go, sampler/collection.go
//	HoldsThreads          dalvik                sampler/thread.go, log.go
//	SamplesAtStop         art11 art16           sampler/pass.go, sampler/delayreplay.go
//	StopsAtOnce           dalvik                sampler/sampler.go, sampler/delayreplay.go
//	CountsFromZero        dalvik                sampler/cputime.go
//
//	Tick                  dalvik-art15 (1us)    instrument/config.go, sampler/cputime.go
//	WholeReadings         art11                 instrument/config.go, sampler/cputime.go
//	ListensToAllocations  art8-art14qpr2        tracer/threads.go
//
//	File                  art14qpr2-art17 (1)   log.go (1: a buffer per thread)
//	Stream                art14-art17 (1)       log.go
//	keepsWordFree         art14                 runtime.go
//	firstFullEnds         art15-art16           buffers.go
//	cutsRuns              art14qpr2             buffers.go
//	emptyBlocks           art16                 buffers.go, log.go
//	padsSingle            art8-art13            log.go
//
//	announceOnce          art8-art13            names.go
//	namesFirst            art15-art17           buffers.go
//	methodsFirst          art15-art17           buffers.go
//	wrongProxyIDs         art8-art13            names.go, tables.go
//	summaryThreads        art8-art14            tables.go
//	summaryMethods        art14-art17           tables.go
//	methodsByAddress      dalvik-art13          tables.go
type Runtime struct {
	Name        string // value of --runtime
	Description string
	VM          string // value of the option vm

	Format       string // default variant of its files
	StreamFormat string // of output mode streaming; empty: it cannot stream
	V2Format     string // of format V2; empty: it has none

	// Instrumented mode.

	// OpenFrames: the methods on the stacks are reported as entered when tracing
	// starts. Otherwise their exits have no enter.
	OpenFrames bool

	// HidesCompiled is how that differs in an app that is not debuggable. True: a
	// frame of compiled code is reported neither at the start nor when it exits, nor
	// is a frame of nterp, the interpreter of such an app
	// (Instrumentation::MethodSupportsExitEvents of 14 and later; CanRuntimeUseNterp).
	// False: no frame is reported at the start, and all exit.
	HidesCompiled bool

	// HidesInterpreted: the innermost frames at the start are left out if they are
	// interpreted: those younger than the youngest compiled or native one.
	// InstrumentationInstallStack of Android 10 to 12 visits the frames with a return
	// address and reports the interpreted ones that are older than each. All of them
	// exit. Frames of nterp have a return address, so that Android 12, whose interpreter
	// it is except on 32-bit x86 (CanRuntimeUseNterp of 12.0.0_r27: debuggable apps too),
	// leaves none out. Frames of the plain interpreter there, under a debugger's agent
	// for example, are not distinguished. Android 11 has nterp on x86-64 only.
	HidesInterpreted bool

	// Interprets: instrumenting an app that is not debuggable runs all its code in the
	// interpreter: kDeoptimizeForAccurateMethodEntryExitListeners of ART 5 to 13
	// ("Deoptimization forces all code to run in the interpreter and considerably hurts
	// the application's performance"), and Dalvik, whose compiler is off meanwhile.
	Interprets bool

	CompiledHooks bool // with the wall clock only, compiled code writes the events
	ReportsGC     bool // a garbage collection is reported as a call of VMDebug.startGC

	// ZeroFirst: the start time is read before the 32000 clock reads that measure the
	// clock's cost, so that no event has an earlier time.
	ZeroFirst bool

	// MeasureReads is how often the starting thread's CPU clock is read, beyond
	// [ClockReads], before the first event: GetClockOverheadNanoSeconds reads it before
	// and after, whatever the trace's clocks are.
	MeasureReads int

	// Sampling mode.

	// SamplesFirst: the sampling thread samples, then sleeps; otherwise it sleeps
	// first. NewestFirst: a sample walks main first, then the newest to the oldest
	// thread; otherwise threads in the order in which they were attached. Both are
	// Dalvik's of 4.4, the first release that samples.
	SamplesFirst, NewestFirst bool

	// WaitsForGC: a sample waits until no garbage collection runs
	// (ScopedGCCriticalSection in RunSamplingThread, from Android 9 on).
	WaitsForGC bool

	// HoldsThreads: a thread that ends while tracing stays in the list, without
	// frames, until the trace stops (Dalvik: dvmDetachCurrentThread waits).
	HoldsThreads bool

	// SamplesAtStop: a sample that waits for a garbage collection when the trace is
	// stopped is taken once the collection ends, and the stop waits for the sleep after
	// it: RunSamplingThread takes the_trace_ before it waits. This has been observed of
	// ART 11 and of the whole runtime of 16; the function of 13, 14, 14 QPR2 and 15 reads
	// the same, but their emulation does not have it.
	SamplesAtStop bool

	// StopsAtOnce: the elapsed time of a sampled trace is read when stop is called;
	// otherwise stop waits for the sampling thread, which notices it after its sleep.
	StopsAtOnce bool

	// CountsFromZero: the first reading of a thread's CPU clock is its zero even if it
	// is 0 (Dalvik: cpuClockBaseSet). ART takes 0 for "not set".
	CountsFromZero bool

	// samplingThread is the name under which tables list the sampling thread; empty if
	// it has ended by then.
	samplingThread string

	// Clocks and listeners.

	Tick time.Duration // step of its clock reads: 1 us, or 1 ns

	// WholeReadings: the CPU clock is read in whole Ticks even on a device whose clocks
	// have no step: Thread::GetCpuMicroTime, of which ART subtracts the zero.
	WholeReadings bool

	// ListensToAllocations: a listener that code in the app sets by
	// Heap::SetAllocationListener receives allocations. From Android 15 on btrace 3's
	// does not (bytedance/btrace issue 177).
	ListensToAllocations bool

	// Buffers.

	File   Buffering // in output mode file
	Stream Buffering // in output mode streaming

	// wordsEnter and wordsExit are how many of a thread buffer's [BufferWords] an
	// enter and another event take, with one clock and with two. A 64-bit process.
	wordsEnter, wordsExit [2]int

	// keepsWordFree: a buffer is full before its last word is used.
	keepsWordFree bool

	// firstFullEnds: in output mode file the first full thread buffer ends the
	// recording of an instrumented trace: Trace::RemoveListeners is called whether or
	// not the file has room.
	firstFullEnds bool

	// cutsRuns: a run that does not fit into a file is cut; otherwise, in the classic
	// format, it is dropped whole.
	cutsRuns bool

	// emptyBlocks is of output mode file and format V2 of ART 16: the file's header does
	// not count towards the buffer, and a run of which nothing fits leaves the head of a
	// block, twelve bytes, even past the buffer's end. FlushEntriesFormatV2 looks for room
	// before a record, not before a head: if less than twelve bytes are left ART writes
	// beyond its memory, which may end the app; of a full buffer each thread that still
	// holds events adds one head at the stop.
	emptyBlocks bool

	// padsSingle: a stream with one clock has records of 14 bytes under a header that
	// states 10: FlushBuf and LogMethodTraceEvent of Android 11 take TraceWriter's largest
	// size for all. The last four bytes are undefined in ART (0, or half a pointer); ours
	// are 0.
	padsSingle bool

	// Names and tables.

	numbering numbering
	threads   threadTable

	announceOnce bool // streaming names a tid once, even if another thread gets it

	// namesFirst: a thread is named by its first event even if the file is full by then
	// (LogMethodTraceEvent calls HasOverflow after RecordThreadInfo).
	namesFirst bool

	methodsFirst     bool // streaming names the new methods of a run before the run, not before their event
	wrongProxyIDs    bool // a proxy's method is listed under another id than its events have
	summaryThreads   bool // the summary of a stream lists threads
	summaryMethods   bool // the summary of a stream lists methods
	methodsByAddress bool // methods are listed in the order of their addresses; otherwise by id
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

// maxInterval is the longest sampling interval, that of the longest truth. Sums with a much longer one would overflow.
const maxInterval = 10_000 * time.Hour

// CheckInterval refuses a sampling interval that ART and Dalvik refuse, which count
// in whole microseconds, of which it has to be one at least; and one of more than 10000h.
func CheckInterval(interval time.Duration) error {
	if us := interval.Microseconds(); us <= 0 {
		return fmt.Errorf("invalid sampling interval: %d us (%s); it has to be 1us at least", us, interval)
	}
	if interval > maxInterval {
		return fmt.Errorf("invalid sampling interval: %s; it has to be 10000h at most", interval)
	}
	return nil
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
