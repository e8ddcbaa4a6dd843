// Package lab answers the requests of the laboratory's page. An [Engine] has one source, a built-in
// app or a file. It reports the source's methods, samples its beginning, measures the accuracy and
// overhead of tracers on it, and plans how many traces to record. Its answers are byte-identical to
// the output of the corresponding artifice commands.
//
// The page runs the engine in a Web Worker (program artifice-lab), which has one thread. Long work
// calls [Worker.Yield], so that the worker receives the request to stop.
//
// # Example
//
//	var engine lab.Engine
//	answer, err := engine.Do(ctx, &lab.Request{})
//
// # Units and errors
//
// Times of requests and answers are texts with units, as flags of artifice. Do returns an error
// for a request that cannot be answered; the page shows its text.
package lab
