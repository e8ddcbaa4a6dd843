package stats

import "artifice/trace"

// detectEvents is the number of events from which a [Detector] detects the technique.
const detectEvents = 1 << 16

// Detector detects how a recording was made, from its first events. It examines the events only if
// the source does not state the technique, or if the trace is sampled and the period is needed. The
// zero value is ready to use.
type Detector struct{ groups Groups }

// Observe takes in the next events of the recording described by info.
func (d *Detector) Observe(info *trace.Info, p []trace.Event) {
	if info.Technique != trace.UnknownTechnique && info.Technique != trace.Sampled {
		return
	}
	if rest := detectEvents - d.groups.Events; rest > 0 {
		d.groups.WriteEvents(p[:min(int64(len(p)), rest)])
	}
}

// Technique returns the technique: as stated by the source, otherwise as detected.
func (d *Detector) Technique(info *trace.Info) trace.Technique {
	t, _ := d.groups.TechniqueOf(info)
	return t
}

// Period estimates the sampling period of the events observed. See [Groups.Period].
func (d *Detector) Period() (Period, bool) { return d.groups.Period() }
