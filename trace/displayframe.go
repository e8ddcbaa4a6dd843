package trace

import (
	"strings"
	"time"
)

// DisplayPeriod is the frame period of a 60 Hz display.
const DisplayPeriod = time.Second / 60

// DisplayFrame is a frame that an app rendered for the display, as SurfaceFlinger records it from
// Android 12 on: the expected and the actual time. Times are on the axis of [Event.Wall]; a frame
// that began before the first event has a negative Begin.
//
// Source: SurfaceFrame in Perfetto's protos/perfetto/trace/android/frame_timeline_event.proto.
type DisplayFrame struct {
	PID   uint32 // process id of the app, equal to the tid of its main thread
	Token int64  // number of the vsync that the frame was rendered for; frames of several layers can share it
	Layer string // the surface that was drawn

	Begin, End time.Duration // from the begin of the app's work until the frame was drawn, GPU work included

	// The expected begin and end. Both are 0 and Expected is false if the source does not state
	// them.
	ExpectedBegin, Deadline time.Duration
	Expected                bool

	// Present and Jank state how SurfaceFlinger presented the frame and why it was late: a value of
	// its PresentType and a bit set of its JankTypes. 0 means unknown.
	Present, Jank uint32
}

// Late returns the time from the deadline to the end of the frame; it is negative if the frame was
// in time. ok is false if the frame has no deadline.
func (f *DisplayFrame) Late() (by time.Duration, ok bool) { return f.End - f.Deadline, f.Expected }

// Moved returns the frame with its times reduced by the given duration.
func (f DisplayFrame) Moved(by time.Duration) DisplayFrame {
	f.Begin, f.End = f.Begin-by, f.End-by
	if f.Expected {
		f.ExpectedBegin, f.Deadline = f.ExpectedBegin-by, f.Deadline-by
	}
	return f
}

// MovedFrames returns the frames with their times reduced by the given duration.
func MovedFrames(frames []DisplayFrame, by time.Duration) (moved []DisplayFrame) {
	for _, f := range frames {
		moved = append(moved, f.Moved(by))
	}
	return moved
}

// DrawsFrame reports whether a call of the method renders a display frame on its thread:
// Choreographer.doFrame, or its section of android.os.Trace. From Android 12 on the name of the
// section ends in the number of the vsync.
func (m *Method) DrawsFrame() bool {
	if m.Name == "doFrame" {
		return m.Class == "android.view.Choreographer" || m.Class == "android/view/Choreographer"
	}
	number, section := strings.CutPrefix(m.Name, FrameSection)
	return m.Class == "" && section && (number == "" || number[0] == ' ')
}

// FrameSection is the name of the android.os.Trace section of Choreographer.doFrame. Android 12 and
// later append a blank and the number of the vsync.
const FrameSection = "Choreographer#doFrame"
