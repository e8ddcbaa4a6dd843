package encode

import (
	"fmt"
	"time"

	"artifice/trace"
)

// Vsyncs numbers the vsyncs of the display that an app's frames are made for. When these are is known of a workload
// with waits for them ([trace.Method].Period).
type Vsyncs struct {
	Period time.Duration // between two; 0: nothing tells
}

// VsyncsOf returns the vsyncs for which threads of a recording wait.
func VsyncsOf(rec *trace.Recording) (v Vsyncs) {
	for i := range rec.Symbols.Methods {
		if m := &rec.Symbols.Methods[i]; m.Period > 0 && !m.AtOnce && (v.Period == 0 || m.Period < v.Period) {
			v.Period = m.Period
		}
	}
	return v
}

// Number returns the number of the last vsync before a time, from 1 on. Where nothing tells when they are, they are as far
// apart as those of a display of 60 Hz.
func (v Vsyncs) Number(at time.Duration) int64 {
	period := v.Period
	if period == 0 {
		period = trace.DisplayPeriod
	}
	return int64(at/period) + 1
}

// Section returns the name that Android gives a call which begins at a time, if the recording is of sections and the call draws a
// frame; else "". From Android 12 on it has the number of the vsync (Choreographer.doFrame).
func (v Vsyncs) Section(rec *trace.Recording, m *trace.Method, at time.Duration) string {
	if !rec.Info.Sections || !m.DrawsFrame() {
		return ""
	}
	return fmt.Sprintf("%s %d", trace.FrameSection, v.Number(at))
}
