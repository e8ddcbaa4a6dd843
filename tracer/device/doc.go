// Package device contains the costs of tracing on devices. A [Device] has a name, the costs of
// sampling and of reporting calls, and the origin of each number.
//
// Built-in devices ([All]) are derived from recorded traces; others are YAML files. [Open] finds
// either by name. [Calibrate] estimates a device from one trace. From a sampled trace it estimates
// the period, the app time between two samples, and the pause with its cost per thread and per
// frame; from an instrumented one the cost of an event. Each estimate has an interval. [Reproduce]
// validates an estimate: it samples the trace again with the estimated device and compares.
//
// Packages sampler and instrument define the meaning of the costs. Package art contains the
// decisions of the Android releases. This package does not open traces and does not measure
// accuracy (package bench).
//
// # Example
//
//	phone, err := device.Open("A")
//	sampled, err := sampler.Record(truth, sampler.Config{
//		Interval: time.Millisecond, Cost: phone.Sampling,
//	})
//
// # Units and errors
//
// Costs are time.Durations, in YAML as in 2.5us. Open returns an error that lists the built-in
// names; ReadYAML's errors have the line.
package device
