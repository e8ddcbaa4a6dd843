package art

import (
	"errors"
	"fmt"
	"time"

	"artifice/trace"
)

// numbering is the scheme of the thread ids in records.
type numbering uint8

const (
	kernelTIDs numbering = iota // the low 16 bits of the kernel's thread id
	vmThreads                   // Dalvik's own small ids: 1 is main, then in the order of creation
	firstEvent                  // 1, 2, 3 … in order of first event; a reused tid keeps its number
)

// threadTable is the selection and order of the threads in a file's table.
type threadTable uint8

const (
	exitedThenLive    threadTable = iota // ended threads by ascending tid, then all live ones in list order, with or without events
	allByTIDs                            // ended and live threads in one list by ascending tid, each tid with its last name
	threadsWithEvents                    // only threads with events, by ascending number, each number with its last name
	mainThenBackwards                    // Dalvik: main, then newest to oldest
)

// Buffering is the kind of buffers that hold events until they are written.
type Buffering uint8

const (
	Shared    Buffering = iota // one buffer: file order is the order in which events reserve space
	PerThread                  // one buffer per thread, written as a run when it is full, when its thread ends and at the stop
)

// Runtime is the tracer of one release. Each field is a decision in which releases differ. The
// facts are from the release's runtime/trace.cc and instrumentation.cc (Dalvik: vm/Profile.cpp).
//
// The table lists, for each field, the releases for which it is true and the files that implement
// it. For a field that is not boolean, the value follows in parentheses. The names of the releases
// are those of releases.go.
//
//	OpenFrames            art10-art17           instrument/startstop.go
//	HidesCompiled         art14-art17           instrument/startstop.go
//	HidesInterpreted      art10-art11           instrument/startstop.go
//	HidesProxies          art8-art9             instrument/proxy.go
//	EndsProxiesTwice      art10-art13           instrument/proxy.go
//	Interprets            dalvik-art13          instrument/config.go
//	CompiledHooks         art14qpr2-art17       instrument/config.go
//	ReportsGC             dalvik                instrument/report.go
//	ZeroFirst             art8-art14            instrument/startstop.go, sampledfile.go
//	MeasureReads          art8-art17 (2)        instrument/startstop.go
//	StartReads            art15-art17 (2)       instrument/startstop.go
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
//	WholeReadings         art8-art17            instrument/config.go, sampler/cputime.go
//	ListensToAllocations  art8-art14qpr2        tracer/threads.go
//
//	File                  art14qpr2-art17 (1)   log.go (1: a buffer per thread)
//	Stream                art14-art17 (1)       log.go
//	keepsWordFree         art14                 runtime.go
//	firstFullEnds         art15-art16           buffers.go
//	keepsListening        art14qpr2             buffers.go
//	cutsRuns              art14qpr2             buffers.go
//	emptyBlocks           art16                 buffers.go, log.go
//	padsSingle            art8-art13            log.go
//
//	limitsTIDs            art8-art13            names.go, config.go
//	announceOnce          art8-art13            names.go
//	namesFirst            art15-art17           buffers.go
//	methodsFirst          art15-art17           buffers.go
//	namesProxies          art16-art17           names.go
//	wrongProxyIDs         art8-art13            names.go, tables.go
//	summaryThreads        art8-art14            tables.go
//	summaryMethods        art14-art17           tables.go
//	wrapsObjects          dalvik-art10          objects.go
//	methodsByAddress      dalvik-art13          tables.go
type Runtime struct {
	Name        string // value of --runtime
	Description string
	VM          string // value of the option vm

	Format       string // default variant of its files
	StreamFormat string // for output mode streaming; empty if it cannot stream
	V2Format     string // for format V2; empty if it has none

	// Instrumented mode.

	// OpenFrames is set if the methods on the stacks are reported as entered when tracing starts.
	// Otherwise their exits have no enter.
	OpenFrames bool

	// HidesCompiled modifies OpenFrames for an app that is not debuggable. If set, a frame of
	// compiled code is reported neither at the start nor when it exits, only when an exception
	// unwinds it (observed in 16; QuickExceptionHandler::FindCatch). The same holds for a frame of
	// nterp, the interpreter of such an app (Instrumentation::MethodSupportsExitEvents of 14 and
	// later; CanRuntimeUseNterp). If not set, no frame is reported at the start, but the exits of
	// all frames are. A proxy's method is no compiled code for MethodSupportsExitEvents: in any app
	// it is not reported at the start, and its exit is, by artQuickProxyInvokeHandler.
	HidesCompiled bool

	// HidesInterpreted is set if interpreted frames younger than the youngest compiled or native
	// frame are not reported at the start. InstrumentationInstallStack of Android 10 to 12 visits
	// the frames with a return address and reports the interpreted frames that are older than each.
	// The exits of all frames are reported. Frames of nterp have a return address. The interpreter
	// of Android 12 is nterp, except on 32-bit x86 (CanRuntimeUseNterp of 12.0.0_r27: also for
	// debuggable apps), so it reports all frames. Frames of its plain interpreter, for example
	// under a debugger's agent, are not distinguished. Android 11 has nterp on x86-64 only.
	HidesInterpreted bool

	// HidesProxies is set if calls of a proxy's method are not reported: InstallStubsForMethod
	// excludes them, and artQuickProxyInvokeHandler calls listeners from Android 10 on only. Frames
	// on the stacks at the start exit through a stub, which reports their exits. The lines of
	// quick_trampoline_entrypoints.cc (listeners), instrumentation.cc (next three rows: the
	// exclusion, InstrumentationInstallStack, MethodSupportsExitEvents), quick_exception_handler.cc
	// (FindCatch) and trace.cc (RecordMethodInfoV2), by release as in the package comment:
	//
	//	                         6    7  8.1    9   10   11   12   13 14.0 14.2   15   16
	//	listeners of proxies     -    -    -    -  943  859  858  862  860  882  882  950
	//	proxies have no stub   118  117  143  152  206  235  235  426  411  411  414  410
	//	exit stub              257  262  290  312  374  399  399  577    -    -    -    -
	//	frames without exit      -    -    -    -    -    -    -    -  457  457  460  456
	//	unwound frames           -    -    -    -    -    -    -    -  249  250  250  251
	//	class of a proxy in V2   -    -    -    -    -    -    -    -    -    -    -  499
	HidesProxies bool

	// EndsProxiesTwice is set if a proxy's method that is on a stack at the start exits twice:
	// artQuickProxyInvokeHandler reports it, and then the stub that InstrumentationInstallStack has
	// put into its frame, or the unwinding of that frame. Observed in ART 11; from 14 on there is no
	// stub.
	EndsProxiesTwice bool

	// Interprets is set if instrumentation of an app that is not debuggable runs all its code in
	// the interpreter: kDeoptimizeForAccurateMethodEntryExitListeners of ART 5 to 13
	// ("Deoptimization forces all code to run in the interpreter and considerably hurts the
	// application's performance"), and Dalvik, which turns its compiler off.
	Interprets bool

	CompiledHooks bool // with the wall clock only, compiled code writes the events
	ReportsGC     bool // a garbage collection is reported as a call of VMDebug.startGC

	// ZeroFirst is set if the start time is read before the 32000 clock reads that measure the
	// clock's cost: no event has a time below their duration.
	ZeroFirst bool

	// MeasureReads is the number of reads of the starting thread's CPU clock before the first
	// event, beyond [ClockReads]. GetClockOverheadNanoSeconds of all ART releases reads it before
	// and after its measurement, whatever the trace's clocks. These reads delay the first event if
	// ZeroFirst is set.
	MeasureReads int

	// StartReads is the number of reads of the wall clock between the start time and the first
	// event. TraceWriter's constructor of 15 and later states the start time by the monotonic
	// clock: it reads this clock (NanoTime) and the time-stamp counter again.
	StartReads int

	// Sampling mode.

	// SamplesFirst is set if the sampling thread samples, then sleeps; otherwise it sleeps first.
	// NewestFirst is set if a sample walks main first, then the newest to the oldest thread;
	// otherwise threads in the order in which they were attached. Both are set for Dalvik of 4.4,
	// the first release that samples.
	SamplesFirst, NewestFirst bool

	// WaitsForGC is set if a sample waits until no garbage collection runs (ScopedGCCriticalSection
	// in RunSamplingThread, from Android 9 on).
	WaitsForGC bool

	// HoldsThreads is set if a thread that ends while tracing stays in the list, without frames,
	// until the trace stops (Dalvik: dvmDetachCurrentThread waits).
	HoldsThreads bool

	// SamplesAtStop is set if a sample that waits for a garbage collection when the trace is
	// stopped is taken after the collection, and the stop waits for the sleep after it:
	// RunSamplingThread reads the_trace_ before it waits. This has been observed for ART 11 and the
	// complete runtime of 16. The function reads the same in 13, 14, 14 QPR2 and 15, but their
	// emulation does not set it.
	SamplesAtStop bool

	// StopsAtOnce is set if the elapsed time of a sampled trace is read when stop is called.
	// Otherwise stop waits for the sampling thread, which notices it after its sleep.
	StopsAtOnce bool

	// CountsFromZero is set if the first reading of a thread's CPU clock is its zero even if the
	// reading is 0 (Dalvik: cpuClockBaseSet). ART treats 0 as "not set".
	CountsFromZero bool

	// samplingThread is the name of the sampling thread in tables; empty if it has ended by then.
	samplingThread string

	// Clocks and listeners.

	Tick time.Duration // resolution of its clock reads: 1 us or 1 ns

	// WholeReadings is set if the CPU clock is read in whole Ticks before the zero is subtracted,
	// even on a device without clock steps: Trace::ReadClocks of ART subtracts two results of
	// Thread::GetCpuMicroTime, from 16 on of GetCpuNanoTime. A reading of 0 does not become a
	// thread's zero.
	WholeReadings bool

	// ListensToAllocations is set if a listener that app code sets with Heap::SetAllocationListener
	// receives allocations. From Android 15 on btrace 3's listener does not (bytedance/btrace issue
	// 177).
	ListensToAllocations bool

	// Buffers.

	File   Buffering // in output mode file
	Stream Buffering // in output mode streaming

	// wordsEnter and wordsExit are the numbers of words that an enter and any other event occupy in
	// a thread buffer of [BufferWords], with one clock and with two, in a 64-bit process.
	wordsEnter, wordsExit [2]int

	// keepsWordFree is set if the last word of a buffer is never used.
	keepsWordFree bool

	// firstFullEnds is set if in output mode file the first full thread buffer ends the recording
	// of an instrumented trace: Trace::RemoveListeners is called even if the file has room.
	firstFullEnds bool

	// keepsListening is set if the listeners of an instrumented trace stay when the file is full, so
	// that each event costs as much as before: 14 QPR2 has no Trace::RemoveListeners.
	keepsListening bool

	// cutsRuns is set if a run that does not fit into a file is truncated. Otherwise, in the
	// classic format, it is dropped as a whole.
	cutsRuns bool

	// emptyBlocks applies to output mode file and format V2 of ART 16. The file header does not
	// count towards the buffer, and a run without a fitting record leaves a block head of twelve
	// bytes, even past the end of the buffer. FlushEntriesFormatV2 checks for room before a record,
	// not before a head: if less than twelve bytes are left, ART writes beyond its memory, which
	// may crash the app. If the buffer is full, each thread with buffered events adds one head at
	// the stop.
	emptyBlocks bool

	// padsSingle is set if a stream with one clock has records of 14 bytes and a header that states
	// 10: FlushBuf and LogMethodTraceEvent of Android 11 use TraceWriter's maximum size for all
	// records. The last four bytes are undefined in ART (0, or half a pointer); the emulation
	// writes 0.
	padsSingle bool

	// Names and tables.

	numbering numbering
	threads   threadTable

	limitsTIDs   bool // a stream aborts the app at a large tid, see [Config].tidLimit
	announceOnce bool // a stream announces a tid once, even if another thread reuses it

	// namesFirst is set if a thread is announced at its first event even if the file is full
	// (LogMethodTraceEvent calls HasOverflow after RecordThreadInfo).
	namesFirst bool

	methodsFirst     bool // a stream announces the new methods of a run before the run, not before their event
	namesProxies     bool // format V2 names the class of a proxy's method, not the interface
	wrongProxyIDs    bool // a proxy's method is listed with an id other than that of its events
	summaryThreads   bool // the summary of a stream lists threads
	summaryMethods   bool // the summary of a stream lists methods
	methodsByAddress bool // methods are listed in address order, otherwise by id

	// wrapsObjects is set if the counters of [Objects] are written with 32 bits and a sign, so that
	// 2 GiB are -2147483648 bytes: Runtime::GetStat returns int32_t up to Android 10 and uint64_t
	// from 11 on; Dalvik's AllocProfState has fields of type int.
	wrapsObjects bool
}

// BufferWords is the size of a thread buffer in machine words
// (kPerThreadBufSize of ART 14 and later).
const BufferWords = 512 << 10

// DefaultBuffer is the default size of the buffer of a trace in output mode file
// (Debug.startMethodTracing), and MinBuffer the smallest size that VMDebug accepts, in bytes.
const (
	DefaultBuffer = 8 << 20
	MinBuffer     = 1024
)

// ClockReads is the number of reads by which ART and Dalvik measure the cost of the clocks of a
// trace (GetClockOverheadNanoSeconds).
const ClockReads = 32000

// FirstReading is the reading of a thread's CPU clock when an earlier trace of the process first
// read it, the smallest possible zero. StopTracing clears the zeros after a sampled trace only.
const FirstReading = time.Microsecond

// ErrAgain is the error of a second trace of a process whose truth is a recorded trace.
var ErrAgain = errors.New("a second trace of a process (--again) contains the CPU time that threads used before the trace; a recorded trace does not state this time, so use a workload")

// maxInterval is the maximum sampling interval, equal to the maximum length of a truth. Sums of
// much longer intervals would overflow.
const maxInterval = 10_000 * time.Hour

// CheckInterval returns an error if the sampling interval is below 1 µs, which ART and Dalvik
// refuse, or above 10000h. Both runtimes truncate intervals to whole microseconds.
func CheckInterval(interval time.Duration) error {
	if us := interval.Microseconds(); us <= 0 {
		return fmt.Errorf("invalid sampling interval: %d us (%s); must be at least 1us", us, interval)
	}
	if interval > maxInterval {
		return fmt.Errorf("invalid sampling interval: %s; must be at most 10000h", interval)
	}
	return nil
}

// words returns the number of words of a thread buffer for an event.
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

// capacity returns the number of usable words of a thread buffer.
func (r *Runtime) capacity() int {
	if r.keepsWordFree {
		return BufferWords - 1
	}
	return BufferWords
}
