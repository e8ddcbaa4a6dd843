// Package device holds what tracing costs on a device: a [Device] has a name,
// the costs of sampling and of reporting calls, and the origin of each number.
//
// There are built-in devices ([All]), derived from recorded traces; others are
// read from YAML ([ReadYAML]). [Open] finds either by its name. [Calibrate] estimates a device from one trace: of a sampled one the
// period, how long the app runs between two samples, the pause and what it costs
// per thread and frame; of an instrumented one the cost of an event, each with
// an interval.
//
// What the costs mean is said where they are spent, in packages sampler and
// instrument. What each Android release does, and in which format, is in package art. The
// package opens no trace and knows nothing of how accurate one is; package bench measures that.
package device
