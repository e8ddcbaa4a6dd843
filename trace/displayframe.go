package trace

import (
	"strings"
	"time"
)

// DisplayPeriod is the time between two frames of a display of 60 Hz.
const DisplayPeriod = time.Second / 60

// DisplayFrame is a frame that an app made for the display, as SurfaceFlinger tells it from Android 12 on: when
// the app was expected to make it, and when it did. Times are as [Event.Wall]; a frame that began before the
// first event begins below 0.
//
// Source: SurfaceFrame in protos/perfetto/trace/android/frame_timeline_event.proto of Perfetto.
type DisplayFrame struct {
	PID   uint32 // of the app, and the tid of its main thread
	Token int64  // number of the vsync that the app made it for; frames of several layers can have the same
	Layer string // surface that was drawn

	Begin, End time.Duration // from where the app began until the frame was drawn, by the GPU too

	// Between these it should have been made. Expected is false, and they are 0, where nobody said so.
	ExpectedBegin, Deadline time.Duration
	Expected                bool

	// Present and Jank are what SurfaceFlinger says of how the frame was shown and why it was late: numbers of its
	// PresentType and, together, of its JankTypes. 0: it says nothing.
	Present, Jank uint32
}

// Late returns how long after its deadline a frame was made: below 0 where it was in time. It is not ok where
// there was no deadline.
func (f *DisplayFrame) Late() (by time.Duration, ok bool) { return f.End - f.Deadline, f.Expected }

// Moved returns the frame as it is where time begins so much later.
func (f DisplayFrame) Moved(by time.Duration) DisplayFrame {
	f.Begin, f.End = f.Begin-by, f.End-by
	if f.Expected {
		f.ExpectedBegin, f.Deadline = f.ExpectedBegin-by, f.Deadline-by
	}
	return f
}

// MovedFrames returns frames as they are where time begins so much later.
func MovedFrames(frames []DisplayFrame, by time.Duration) (moved []DisplayFrame) {
	for _, f := range frames {
		moved = append(moved, f.Moved(by))
	}
	return moved
}

// DrawsFrame reports whether a call of the method makes a frame of the display on its thread: Choreographer.doFrame,
// or its section of android.os.Trace, which has the number of the vsync behind the name from Android 12 on.
func (m *Method) DrawsFrame() bool {
	if m.Name == "doFrame" {
		return m.Class == "android.view.Choreographer" || m.Class == "android/view/Choreographer"
	}
	number, section := strings.CutPrefix(m.Name, FrameSection)
	return m.Class == "" && section && (number == "" || number[0] == ' ')
}

// FrameSection is the name of Choreographer.doFrame's section of android.os.Trace, behind which Android 12 and later have
// a blank and the number of the vsync.
const FrameSection = "Choreographer#doFrame"
