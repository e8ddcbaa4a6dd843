// Package workload generates truths (ground truth): all calls of an app that is not traced.
//
// A [Program] is a model of an app: methods with bodies, and threads that run them. Its
// [Program.Truth] is a trace of every call with exact times on both clocks. It is generated as it
// is read and can have any length. Programs are YAML files ([ReadYAML]) or built in ([Builtin]); a
// truth of a few calls can be written as a tree ([ReadTree]).
//
// Packages sampler and instrument trace truths, package bench compares the recordings with them.
// This package emulates no tracer and writes no files.
//
// # Workload files
//
// A file is one YAML mapping. Times are Go durations (500us, 1.5ms, 2s). Keys that are not listed
// here are rejected.
//
//	name: feed                      # one word
//	description: one line           # optional
//	duration: 10s                   # of a truth, unless the caller sets it; default 10s
//	methods:                        # keys: class.name(signature), default signature ()V
//	  com.example.Feed.bind(I)V:
//	    file: Feed.kt               # default: outermost class with .java
//	    line: 31                    # default: unknown
//	    flags: [native, leaf]       # any of the flags below
//	    wait: io                    # the method's own time is waiting, not running
//	    do: [ … ]                   # steps; default: returns at once
//	  com.example.Row.get{1..50}()I:  # a family: get1 to get50, all equal
//	    do: [{self: 5us}]
//	threads:                        # the first is main
//	  - name: main
//	    tid: 12001                  # default: one above the highest so far
//	    stack: [ … ]                # frames under the body, outermost first
//	    do: [ … ]                   # steps; default: idles until its end
//	  - name: pool-1-thread-%d      # %d: number of the copy, from 1
//	    count: 8                    # copies of the thread; default 1
//	    start: 20ms                 # when it is attached; default: before the trace
//	    end: 2s                     # when it ends, in any state; default: when its body ends
//	    every: 5ms                  # delay of the start (and end) of each copy after the one before
//	    reuse_tid: true             # each copy has the tid of the one before, which has ended by then
//	    cpu: 250us                  # CPU time used at birth; default 100us, at least 1us
//	    priority: 110               # on cores: 0 is the most urgent, 139 the least; default 120
//	cores:                          # shared by the threads; default: each has its own
//	  - count: 4                    # of this kind; default 1, maximum 64 in total
//	    speed: 0.5                  # work per unit of time; default 1
//	    mhz: [600, 1200, 1800]      # its clocks, or one; speed refers to the highest
//	    ramp: 4ms                   # busy time before the next clock; default 4ms
//	slice: 4ms                      # time slice if threads of equal priority wait; default 4ms
//
// The stack of a thread that exists before the trace is open at its start. The stack of any other
// thread is entered when it starts. When the body ends, or at end, the thread leaves all frames and
// ends. A frame of the stack can continue after its callee has returned: {frame:
// android.os.Looper.loop, then: [ … ]} instead of the method alone.
//
// With cores, self times refer to a core of speed 1, and only a thread that has a core makes
// progress: wall time consists of CPU time, waiting, and time in which the thread is runnable
// without a core. The most urgent threads have the cores; threads of equal priority take turns of a
// slice (Linux's SCHED_RR). A switch takes no time. A thread that waits for a core has the frame
// artifice.Cores.runnable()V on its stack. The method has the flag runtime, so that no tracer
// reports it, and waits. A core that has idled for its ramp begins at its lowest clock. The thread
// of a tracer that stops all others (ART's sampling thread) also needs one of the cores, and waits
// for it like the others, with the priority of the first thread.
//
// Truths contain the scheduling on the cores ([trace.SchedSource]).
//
// Flags of a method:
//   - native: JNI; it continues to run while a sampler stops managed code
//   - runtime: internal to ART, never sampled
//   - inlined: by the compiler, into its callers
//   - leaf: compiled, without call or loop; never the innermost frame of a stack sampled at suspend
//     points
//   - proxy: of java.lang.reflect.Proxy
//   - collector: the garbage collector runs while the method is on a stack
//   - interpreted: the others are compiled
//
// Kinds of wait: sleep, lock, io, binder, gc.
//
// A step is a mapping with one of these keys:
//
//	self: exp 2ms                   # time in the method itself
//	call: com.example.Feed.bind     # the signature is optional if the name is unique
//	  catch: true                   # an exception out of the call ends here
//	call: com.example.Row.get{1..50}  # one of the family (or of a part of it)
//	  zipf: 1                       # member i with probability ~ 1/i^1; default 0: all equal
//	loop: 10                        # iterations: a number, uniform 2..5, or forever
//	  do: [ … ]                     #   (forever: last step of a thread only)
//	choose:                         # one branch, by weight
//	  - {weight: 3, do: [ … ]}
//	throw: java.io.IOException.<init>  # calls it, then unwinds up to a call with catch,
//	                                # or else the whole thread
//	until_next: 16666667ns          # time up to the next multiple of a period since the start
//	  missed: at once               # if too late for a tick: continues; default next: waits for the next one
//	lock: cache                     # waits until no other thread has the lock, and takes it
//	unlock: cache                   # gives it to the thread that has waited longest
//	put: frames                     # an item into a queue
//	take: frames                    # waits until there is one, and takes it
//	complete: ready                 # from now on await returns immediately
//	await: ready                    # waits until it is complete
//
// and any of these conditions:
//
//	prob: 0.1                       # taken with this probability
//	below: 20                       # only while fewer frames than this are on the stack
//	from: 20                        # only while at least this many frames are
//
// Distributions of times: 2ms (fixed), uniform 1ms..3ms, exp MEAN, lognormal
// MEDIAN SIGMA, pareto LEAST ALPHA. Drawn times are rounded to whole ns.
//
// The event that ends a wait determines how the wait changes if a tracer delays its thread (package
// internal/recorder). In a method that waits (key wait) and has a step until_next, a wait ends at
// an instant, and its thread is on time again. Other waits (self) keep their duration. A method
// therefore has waits of one kind. The steps lock, take and await wait for an action of another
// thread; only methods that wait, and have no other waits, can have them.
//
// With a [machine.Tracer] in [Config] the program runs while the tracer takes time from it, at
// times known in advance. With Live it runs with any tracer: the tracer receives each event as it
// happens and returns its overhead ([trace.LiveApp], the closed loop). If threads neither share
// cores nor wait for each other, the recording equals, event for event, that of the untraced truth
// with the delays added: research/internal/verify tests it for all built-in programs and all
// tracers, up to the first garbage collection. Only programs with such interactions need the closed
// loop ([Program.Interacts]).
//
// Every call and throw of a body is a separate call site ([trace.Site]), numbered from 1 in the
// order of the text; from the 255th on, all share the last number. A loop therefore calls from one
// site, like a line of source in a loop, and a family's members are called from the site of their
// step. The frames of a thread's stack have no site. Neither have the calls of a tree, which does
// not contain their positions.
//
// A file is rejected, with line and column, if it cannot be executed: a recursion that does not
// certainly end, a loop that takes no time, a stack over 10,000 frames, more threads than a trace
// has ids, a tid that two threads have at the same time, a lock that no step releases, a queue or
// future that no step fills. An error that occurs only when threads run ends the truth with an
// error of the same form: a thread that ends while it holds a lock, a deadlock, threads that all
// wait forever.
package workload
