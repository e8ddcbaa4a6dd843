package encode

import (
	"fmt"
	"time"

	"artifice/trace"
)

// Vsyncs numbers the vsyncs of the display for which an app draws its frames. Their times are
// known for workloads that wait for them ([trace.Method].Period).
type Vsyncs struct {
	Period time.Duration // between two vsyncs; 0: unknown
}

// VsyncsOf returns the vsyncs that threads of a recording wait for.
func VsyncsOf(rec *trace.Recording) (v Vsyncs) {
	for i := range rec.Symbols.Methods {
		if m := &rec.Symbols.Methods[i]; m.Period > 0 && !m.AtOnce && (v.Period == 0 || m.Period < v.Period) {
			v.Period = m.Period
		}
	}
	return v
}

// Number returns the number of the last vsync before a time, from 1 on. If the times of vsyncs are
// unknown, a display of 60 Hz is assumed.
func (v Vsyncs) Number(at time.Duration) int64 {
	period := v.Period
	if period == 0 {
		period = trace.DisplayPeriod
	}
	return int64(at/period) + 1
}

// Section returns Android's name for the section of a call that begins at a time. It returns ""
// unless the recording contains sections and the call draws a frame. From Android 12 on the name
// includes the number of the vsync (Choreographer.doFrame).
func (v Vsyncs) Section(rec *trace.Recording, m *trace.Method, at time.Duration) string {
	if !rec.Info.Sections || !m.DrawsFrame() {
		return ""
	}
	return fmt.Sprintf("%s %d", trace.FrameSection, v.Number(at))
}
