package perfetto_test

import (
	"bytes"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"artifice/format/internal/formattest"
	"artifice/internal/testdata"
	"artifice/internal/testdata/tracetest"

	format "artifice/format/internal/kind"
	"artifice/format/internal/perfetto"
	"artifice/format/internal/stackdump"
	"artifice/trace"
)

// Field numbers of FrameTimelineEvent's messages, from frame_timeline_event.proto.
const expectedDisplay, expectedSurface, actualSurface, endOfFrame = 1, 3, 4, 5

// framePackets returns the packets of three frames of an app (70), one of another (80), and one of
// the compositor. Times are in ms of a clock that is 5 s late. The app's first frame has two layers
// and one expectation. The compositor has no expectation for the second frame. The third is open at
// the end of the trace. One end has no begin.
func framePackets() [][]byte {
	cookie := 0
	event := func(ms, kind int, fields ...any) []byte {
		return message(8, int64(4_000_000_000+ms*1_000_000), 58, 3, 10, 8, 76, message(kind, message(fields...)))
	}
	var packets [][]byte
	slice := func(begin, end, kind int, fields ...any) {
		cookie++
		packets = append(packets, event(begin, kind, append([]any{1, cookie}, fields...)...))
		if end > 0 {
			packets = append(packets, event(end, endOfFrame, 1, cookie))
		}
	}
	slice(1, 20, expectedDisplay, 2, 5, 3, 9)
	slice(2, 18, expectedSurface, 2, 5, 3, 5, 4, 70, 5, "window")
	slice(3, 25, actualSurface, 2, 5, 3, 5, 4, 70, 5, "window", 6, 2, 7, 0, 9, 64, 10, 1)
	slice(4, 17, actualSurface, 2, 5, 3, 5, 4, 70, 5, "popup", 6, 1, 7, 1, 9, 1, 10, 1)
	slice(30, 90, actualSurface, 2, 6, 3, 6, 4, 70, 5, "window", 6, 2, 9, 64, 10, 2)
	slice(8, 24, expectedSurface, 2, 5, 3, 5, 4, 80, 5, "other")
	slice(9, 22, actualSurface, 2, 5, 3, 5, 4, 80, 5, "other", 6, 1, 9, 1, 10, 1)
	slice(95, 0, actualSurface, 2, 7, 3, 7, 4, 70, 5, "window")
	return append(packets, event(96, endOfFrame, 1, 77), message(8, int64(4_097_000_000), 58, 3, 10, 8, 76, message()))
}

// framesFrom returns the frames of framePackets, with times relative to ms.
func framesFrom(ms int) (frames []trace.DisplayFrame) {
	at := func(at int) time.Duration { return time.Duration(at-ms) * time.Millisecond }
	return []trace.DisplayFrame{
		{PID: 70, Token: 5, Layer: "window", Begin: at(3), End: at(25), ExpectedBegin: at(2), Deadline: at(18), Expected: true, Present: 2, Jank: 64},
		{PID: 70, Token: 5, Layer: "popup", Begin: at(4), End: at(17), ExpectedBegin: at(2), Deadline: at(18), Expected: true, Present: 1, Jank: 1},
		{PID: 80, Token: 5, Layer: "other", Begin: at(9), End: at(22), ExpectedBegin: at(8), Deadline: at(24), Expected: true, Present: 1, Jank: 1},
		{PID: 70, Token: 6, Layer: "window", Begin: at(30), End: at(90), Present: 2, Jank: 64},
	}
}

// framesWithSlices returns a file of framePackets and a slice from 10 to 40 ms.
func framesWithSlices() []byte {
	clock := message(6, message(1, message(1, 6, 2, int64(9_000_000_000)), 1, message(1, 3, 2, int64(4_000_000_000))))
	packets := append([][]byte{clock}, framePackets()...)
	return file(append(packets,
		message(10, 3, 60, message(1, 99, 4, message(1, 70, 2, 70, 5, "main"))),
		message(10, 3, 8, int64(9_010_000_000), 11, message(9, 1, 11, 99, 23, "Choreographer#doFrame 5")),
		message(10, 3, 8, int64(9_040_000_000), 11, message(9, 2, 11, 99)))...)
}

// TestFrames checks that display frames are read together with slices and with samples, by the time
// of their events.
func TestFrames(t *testing.T) {
	data := framesWithSlices()
	testdata.Save(t, "frames.pftrace", data)
	o := formattest.MustOpen(t, data, format.Config{})
	if d := cmp.Diff(framesFrom(10), o.Recording.DisplayFrames); d != "" {
		t.Errorf("with slices: -want +got:\n%s", d)
	}
	samples := file(slices.Concat(perfPackets(), framePackets())...) // the first sample is at 10 s
	if d := cmp.Diff(framesFrom(1000), parse(t, samples).DisplayFrames); d != "" {
		t.Errorf("with samples: -want +got:\n%s", d)
	}
}

// TestLastFrames checks that the last 5 ms contain no frames that ended earlier. Samples are at 10,
// 10.005 and 10.01 s, and the frames of framePackets end before that.
func TestLastFrames(t *testing.T) {
	data := file(slices.Concat(perfPackets(), framePackets(), [][]byte{
		message(8, int64(5_001_000_000), 58, 3, 10, 8, 76, message(actualSurface, message(1, 100, 2, 9, 4, 70))),
		message(8, int64(5_011_000_000), 58, 3, 10, 8, 76, message(endOfFrame, message(1, 100))),
	})...)
	s, err := formattest.New(bytes.NewReader(data), "test", stackdump.Config{Format: perfetto.Samples.Dumps, Last: 5 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	want := []trace.DisplayFrame{{PID: 70, Token: 9, Begin: -4 * time.Millisecond, End: 6 * time.Millisecond}}
	if d := cmp.Diff(want, s.DisplayFrames); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

// TestJankIsPreserved checks that the present type and the jank type of a late frame are kept. Here
// they are those of frame_timeline_event.proto for an early frame (3) for which SurfaceFlinger
// missed its CPU (16) and GPU (32) deadlines.
func TestJankIsPreserved(t *testing.T) {
	clock := message(6, message(1, message(1, 6, 2, int64(9_000_000_000)), 1, message(1, 3, 2, int64(9_000_000_000))))
	frame := func(at int64, kind int, fields ...any) []byte {
		return message(10, 3, 8, at, 76, message(kind, message(fields...)))
	}
	data := file(clock,
		message(10, 3, 60, message(1, 99, 4, message(1, 70, 2, 70, 5, "main"))),
		message(10, 3, 8, int64(9_010_000_000), 11, message(9, 1, 11, 99, 23, "a.B.m")), message(10, 3, 8, int64(9_040_000_000), 11, message(9, 2, 11, 99)),
		frame(9_010_000_000, 3, 1, 100, 2, 9, 4, 70), frame(9_020_000_000, 5, 1, 100),
		frame(9_010_000_000, 4, 1, 101, 2, 9, 4, 70, 6, 3, 9, 48), frame(9_030_000_000, 5, 1, 101))
	once := formattest.MustOpen(t, data, format.Config{}).Recording
	again := formattest.MustOpen(t, written(t, once), format.Config{}).Recording
	for what, rec := range map[string]*trace.Recording{"read": once, "written": again} {
		if f := rec.DisplayFrames; len(f) != 1 || f[0].Present != 3 || f[0].Jank != 48 || !f[0].Expected {
			t.Errorf("%s: %+v, want one frame with Present 3, Jank 48", what, f)
		}
	}
}

// written returns a recording as a Perfetto trace.
func written(t *testing.T, rec *trace.Recording) []byte {
	t.Helper()
	return tracetest.Written(t, perfetto.Format, rec)
}
