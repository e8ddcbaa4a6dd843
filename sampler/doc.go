// Package sampler emulates tracers that look at stacks now and then: ART's and
// Dalvik's sampling profiler (Debug.startMethodTracingSampling), which stops the
// app, walks all threads and records what has changed since the last time, and
// variations of it.
//
// [Record] is the filter from a truth, what an app does unobserved, to the
// recording of one sampler. [Run] is for sweeps: any number of samplers in one
// pass of the truth, each with an output or an [Observer]. They share each
// thread's stack; a sampler remembers per thread the stack it saw last, and at a
// tick looks only at threads that had an event since. So a pass costs about the
// same for one sampler and for many, and a sample costs what changed. [Read]
// compares the samples of a recorded trace again.
//
// Frames of two samples are the same call when they show the same method, in
// place; that is ART's rule. [diffstack.Identity] has finer ones. Nothing sleeps and nothing
// runs concurrently: time is data, and the same truth, configuration and seed give the same
// events.
//
// The package opens no files and invents no app: truths come from packages
// workload and input. The comparison of two stacks is in package diffstack, what
// a runtime's file looks like in package art. Tracers that are told of every call
// are package instrument's.
//
// # Two time axes
//
// App time is the truth's. Wall time is what the trace shows: app time plus the thread's delay.
// A pause delays the threads that run managed code. Those that sleep or are in native code go on,
// and a wait for an instant makes up for what was lost before it (package lateness). In wall time the period is the interval T plus the overshoot o of the sleep plus the
// pause. A thread that always runs has lost all pauses: for it the n-th sample comes
// at app time n*(T+o), whatever the pauses are. With [Config.OneClock] that holds for all threads. A
// thread's CPU time does not grow in a pause.
//
// When an app runs while it is sampled, on cores that its threads share, the sampling thread is one more of them (ART's
// Trace::RunSamplingThread, which has the priority of the thread that started tracing). The overshoot is then how much longer a sleep takes
// while a core is free; the time for which the thread waits for one comes on top ([Stats].Late) and depends on what the app does.
//
// Without such an app a device can say how often the thread has to wait, and for how long at the most ([Cost].NoCore). A tick that
// finds no core when it is due comes when, first at that time of the wall clock or later, a thread that ran begins to wait or ends. The truth
// is then read as far ahead of the pass as threads are late.
package sampler
