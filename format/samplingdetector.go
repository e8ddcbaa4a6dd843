package format

import (
	"fmt"

	"artifice/trace"
	"artifice/trace/stats"
)

// warnSampledTruth is the code for a trace that is used as ground truth and was apparently sampled.
const warnSampledTruth trace.WarningCode = "sampled-truth"

// samplingDetector forwards the events of a trace used as ground truth, and detects whether it was
// sampled. A sampled trace lacks calls.
type samplingDetector struct {
	trace.Reader
	name   string
	info   *trace.Info
	groups stats.Groups
	done   bool // enough events, or all, have been examined
}

// detectorEvents is the number of events that are examined.
const detectorEvents = 1 << 18

// ReadEvents implements [trace.Reader].
func (d *samplingDetector) ReadEvents(p []trace.Event) (int, error) {
	n, err := d.Reader.ReadEvents(p)
	if !d.done {
		d.groups.WriteEvents(p[:n])
		d.done = n == 0 || d.groups.Events >= detectorEvents
	}
	return n, err
}

// Offset implements [trace.Locator].
func (d *samplingDetector) Offset(event int64) int64 { return trace.OffsetOf(d.Reader, event) }

// SnapshotsTo implements [trace.SnapshotSource], for readers below that do.
func (d *samplingDetector) SnapshotsTo(w trace.SnapshotWriter) { snapshotsTo(d.Reader, w) }

// Sampled reports, from the events read so far, whether the input is used as ground truth and was
// sampled. Stack dumps count as sampled.
func (in *Input) Sampled() bool {
	if in.detector == nil {
		return false
	}
	technique, _ := in.detector.groups.TechniqueOf(in.detector.info)
	return technique == trace.Sampled
}

// warning returns the warning of a sampled truth. Whether a trace was sampled is an estimate,
// unless the source states it.
func (d *samplingDetector) warning() trace.Warning {
	is, every := "looks", ""
	if d.info.Technique == trace.Sampled {
		is = "is"
	}
	if p, ok := d.groups.Period(); ok {
		every = fmt.Sprintf(" (about every %s)", p.Median)
	}
	return trace.Warnf(warnSampledTruth, "", "%s %s sampled%s, so the result lacks the calls that its sampler missed; for a ground truth, record every call (adb shell am profile start PACKAGE FILE)", d.name, is, every)
}
