// Package calibrate estimates a device's timing from one real trace: of a
// sampled one the period, how long the app runs between two samples, the pause
// and what it costs per thread and frame; of an instrumented one the cost of an
// event. Each estimate has an interval.
//
// Its result becomes a [device.Device], with which package sampler or
// instrument reproduces the trace's timing on another app. What a trace does not
// have is not guessed without saying so: the nominal interval is in no file, and
// a pause is only bounded by what shows of it.
//
// The package reads events, not files, and knows nothing of how accurate a
// trace is: that is package bench's.
package calibrate
