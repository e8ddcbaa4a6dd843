// Package sampler emulates ART's sampling profiler (Debug.startMethodTracingSampling):
// it watches a truth, what an app does unobserved, and writes the events that
// ART would have recorded by stopping the app now and then and comparing stacks.
//
// Its input is any [trace.Recording] in time order; its output goes to a
// [trace.Writer] in the order of ART's file: sample by sample, threads in list
// order, the exits and enters of one comparison with equal stamps. Nothing
// sleeps and nothing runs beside: time is data, the same input, configuration
// and seed give the same events.
//
// Any number of samplers watch one pass of the truth ([Run]). They share each
// thread's stack; a sampler remembers per thread the stack it saw last, and
// when it samples it looks only at threads that had an event since. So the
// pass costs the same for one sampler and for many, and a sample costs what
// changed.
//
// Frames of two samples are the same call when they show the same method, in
// place; that is ART's rule. [diffstack.Identity] has finer ones.
//
// [Rediff] is the same comparison over a trace that was itself sampled.
//
// The package opens no files (packages reader and writer do) and invents no
// app (package workload does). The comparison of two stacks is in package
// diffstack. What instrumented tracing would have recorded is package
// instrument's.
//
// # Two time axes
//
// App time is the truth's: it stands still while a sample stops the app. Wall
// time is what the trace shows: app time plus all pauses so far. A thread's CPU
// time does not grow in a pause. The n-th sample comes at app time n*(T+o) for
// interval T and sleep overshoot o, whatever the pauses are; in wall time the
// period is T+o plus the pause.
package sampler
