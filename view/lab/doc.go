// Package lab is what the laboratory's page asks: it holds one source, a built-in app or a file,
// and answers what a trace of it tells, what a sampler would see of it, how accurate and costly
// each way of tracing is, and how often to record. Answers are the bytes that the program writes
// for the same question.
//
// The page runs it in a Web Worker (program artifice-lab), which has one thread: [Config].Yield is
// called while something takes long, so that the worker can hear that it is to stop.
package lab
