// Package workload generates truths (ground truth): all calls of an app that is
// not traced.
//
// A [Program] is a model of an app: methods with bodies, and threads that run
// them. Its [Program.Truth] is a trace of every call with exact times on both
// clocks. It is generated while it is read and can have any length. Programs are
// YAML files ([ReadYAML]) or built in ([Builtin]); a truth of a few calls can be
// written as a tree ([ReadTree]).
//
// Packages sampler and instrument trace truths, package bench compares the
// recordings with them. This package emulates no tracer and writes no files.
//
// # Workload files
//
// A file is one YAML mapping. Times are Go durations (500us, 1.5ms, 2s). Keys
// that are not listed here are refused.
//
//	name: feed                      # one word
//	description: one line           # optional
//	duration: 10s                   # of a truth, unless the caller says; default 10s
//	methods:                        # keys: class.name(signature), signature ()V when left out
//	  com.example.Feed.bind(I)V:
//	    file: Feed.kt               # default: outermost class with .java
//	    line: 31                    # default: unknown
//	    flags: [native, leaf]       # any of the flags below
//	    wait: io                    # the method's own time is waiting, not running
//	    do: [ … ]                   # steps; default: returns at once
//	  com.example.Row.get{1..50}()I:  # a family: get1 to get50, all alike
//	    do: [{self: 5us}]
//	threads:                        # the first is main
//	  - name: main
//	    tid: 12001                  # default: one above the highest so far
//	    stack: [ … ]                # methods the body runs in, outermost first
//	    do: [ … ]                   # steps; a thread without any idles until its end
//	  - name: pool-1-thread-%d      # %d: number of the copy, from 1
//	    count: 8                    # copies of the thread; default 1
//	    start: 20ms                 # when it is attached; left out: before the trace
//	    end: 2s                     # when it ends, whatever it does; default: when its body ends
//	    every: 5ms                  # each copy starts (and ends) so much later than the one before
//	    reuse_tid: true             # each copy has the tid of the one before, which has ended by then
//	    cpu: 250us                  # CPU time used at birth; default 100us, at least 1us
//	    priority: 110               # on cores: 0 is the most urgent, 139 the least; default 120
//	cores:                          # that the threads share; left out: each has one of its own
//	  - count: 4                    # of a kind; default 1, 64 in all at most
//	    speed: 0.5                  # work done in a unit of time; default 1
//	    mhz: [600, 1200, 1800]      # its clocks, or one; speed is that of the highest
//	    ramp: 4ms                   # busy for so long, it goes to the next clock; default 4ms
//	slice: 4ms                      # of a thread, when others of its priority wait; default 4ms
//
// The stack of a thread that was there before the trace is open at its start.
// The stack of any other is entered when it starts. When the body ends, or end
// comes, the thread leaves all frames and ends. A frame of the stack can go on
// after its callee has returned: {frame: android.os.Looper.loop, then: [ … ]}
// instead of the method alone.
//
// On cores, self times are those of a core of speed 1, and only a thread that has a core
// goes on: wall time is CPU time and waiting and being able to run without a core. The most
// urgent threads have the cores, in turns of a slice where priorities are equal (Linux's
// SCHED_RR); a switch takes no time. A thread that waits for a core has the frame
// artifice.Cores.runnable()V on its stack, which is runtime, so that no tracer reports
// it, and waits. A core that has idled for its ramp begins at its lowest clock.
// The thread of a tracer that stops all others (ART's sampling thread) needs one of the cores, too, and waits for it as they
// do, with the priority of the first thread.
//
// Truths state what runs on the cores ([trace.SchedSource]).
//
// Flags of a method: native (JNI: it goes on running while a sampler stops managed code), runtime (internal to ART, never sampled),
// inlined (by the compiler, into its callers), leaf (compiled, without call or
// loop: never the innermost frame of a stack sampled at suspend points), proxy
// (of java.lang.reflect.Proxy), collector (the garbage collector runs while the
// method is on a stack), interpreted (others are compiled). Kinds of wait: sleep,
// lock, io, binder, gc.
//
// A step is a mapping with one of these keys:
//
//	self: exp 2ms                   # time in the method itself
//	call: com.example.Feed.bind     # the signature may be left out where one method has the name
//	  catch: true                   # an exception out of the call ends here
//	call: com.example.Row.get{1..50}  # one of the family (or of a part of it)
//	  zipf: 1                       # member i with probability ~ 1/i^1; default 0: all alike
//	loop: 10                        # rounds: a number, uniform 2..5, or forever
//	  do: [ … ]                     #   (forever: last step of a thread only)
//	choose:                         # one branch, by weight
//	  - {weight: 3, do: [ … ]}
//	throw: java.io.IOException.<init>  # calls it, then unwinds up to a call with catch,
//	                                # or else the whole thread
//	until_next: 16666667ns          # time up to the next multiple of a period since the start
//	  missed: at once               # who comes too late for a tick goes on; default next: waits for the next one
//	lock: cache                     # waits until no other thread has the lock, and has it
//	unlock: cache                   # gives it to the thread that has waited longest
//	put: frames                     # an item into a queue
//	take: frames                    # waits until there is one, and takes it
//	complete: ready                 # from now on nobody waits for it
//	await: ready                    # waits until it is complete
//
// and any of these conditions:
//
//	prob: 0.1                       # taken with this probability
//	below: 20                       # only while fewer frames than this are on the stack
//	from: 20                        # only when at least so many frames are
//
// Distributions of times: 2ms (fixed), uniform 1ms..3ms, exp MEAN, lognormal
// MEDIAN SIGMA, pareto LEAST ALPHA. Drawn times are rounded to whole ns.
//
// What ends a wait determines how it changes when its thread is delayed by a tracer (package
// internal/recorder). A method that waits (key wait) and has a step until_next waits until an instant, and
// its thread is on time again; its other waits (self) end so long after they began. So a
// method has waits of one kind. The steps lock, take and await wait until another thread does
// something; only methods that wait, and have no other waits, can have them.
//
// With a [machine.Tracer] in [Config] the program runs while the tracer takes time from it, at
// times that are known before. With Live it runs with any tracer: the tracer receives each event
// as it happens and returns its overhead ([trace.LiveApp], the closed loop). If threads neither
// share cores nor wait for each other, the recording equals, event for event, that of the untraced
// truth with the delays added: research/internal/verify tests it for all built-in programs and all
// tracers, up to the first garbage collection. Only programs with such interactions need the
// closed loop ([Program.Interacts]).
//
// Every call and throw of a body is a call site of its own ([trace.Site]),
// numbered from 1 in the order of the text: 255 of them, the rest share the last
// number. So a loop calls from one site, as a line of source in a loop does, and
// a family's members are called from the site of their step. The frames of a
// thread's stack have no site, and neither have the calls of a tree, which states the calls
// but not their places.
//
// A file is refused, with line and column, when it could not be carried out: a
// recursion that does not end with certainty, a loop that takes no time, a
// stack over 10,000 frames, more threads than a trace has ids, a tid that two
// threads have at once, a lock that no step releases, a queue or future that no step fills. An error
// that occurs only when threads run ends the truth with an error of the same form: a thread that ends
// while it holds a lock, a deadlock, threads that all wait for ever.
package workload
