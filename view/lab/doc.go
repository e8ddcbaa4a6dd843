// Package lab answers the requests of the laboratory's page. An [Engine] has one source, a built-in
// app or a file. It reports the source's methods, samples its beginning, measures the accuracy and
// overhead of tracers on it, and plans how many traces to record. Answers are the bytes that the
// commands of artifice write for the same question.
//
// The page runs the engine in a Web Worker (program artifice-lab), which has one thread. Long work
// calls [Worker.Yield], so that the worker receives the request to stop.
package lab
