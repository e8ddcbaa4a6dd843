package perfetto

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"artifice/internal/encode"
	"artifice/internal/protobuf"
	"artifice/trace"
)

// displayFrames collects the FrameTimelineEvents of apps' frames. Each frame has two slices, the
// expected and the actual one. A slice has a number (cookie), which is repeated at its end. Both
// slices have the app's process and token. The zero value is empty.
type displayFrames struct {
	slices map[uint64]*frameSlice // by cookie, including ended slices
}

// frameSlice is one of the two slices of a frame.
type frameSlice struct {
	of           frameKey
	layer        string
	begin, end   time.Duration
	actual, done bool

	present, jank uint32
}

// frameKey is the common key of the two slices of a frame. If an app draws several layers, each has
// its own actual slice; the expected slices with the same token have the same times.
type frameKey struct {
	pid   uint32
	token int64
}

// event processes a FrameTimelineEvent.
func (f *displayFrames) event(b []byte, at time.Duration) error {
	return protobuf.Fields(b, func(kind int, _ uint64, body []byte) error {
		switch {
		case kind != frameExpected && kind != frameActual && kind != frameEnd:
			return nil
		case at < 0:
			return damaged{fmt.Errorf("the time of a display frame, %d ns, is too large", uint64(at))}
		}
		s := frameSlice{begin: at, actual: kind == frameActual}
		var cookie uint64
		err := protobuf.Fields(body, func(field int, number uint64, body []byte) error {
			switch field {
			case frameCookie:
				cookie = number
			case frameToken:
				s.of.token = int64(number)
			case framePID:
				s.of.pid = uint32(number)
			case frameLayer:
				s.layer = string(body)
			case framePresent:
				s.present = uint32(number)
			case frameJank:
				s.jank = uint32(number)
			}
			return nil
		})
		if err != nil {
			return err
		}
		if kind == frameEnd {
			f.endAt(cookie, at)
			return nil
		}
		put(&f.slices, cookie, &s)
		return nil
	})
}

// endAt ends the slice with a cookie. An end without a begin is ignored.
func (f *displayFrames) endAt(cookie uint64, at time.Duration) {
	if s := f.slices[cookie]; s != nil && !s.done {
		s.end, s.done = max(at, s.begin), true
	}
}

// all returns the frames between begin and end, in the order of their begins.
func (f *displayFrames) all() (frames []trace.DisplayFrame) {
	expected := map[frameKey]*frameSlice{}
	for _, s := range f.slices {
		if was := expected[s.of]; s.done && !s.actual && (was == nil || s.begin < was.begin) {
			expected[s.of] = s
		}
	}
	for _, s := range f.slices {
		if !s.done || !s.actual {
			continue
		}
		frame := trace.DisplayFrame{PID: s.of.pid, Token: s.of.token, Layer: s.layer, Begin: s.begin, End: s.end, Present: s.present, Jank: s.jank}
		if e := expected[s.of]; e != nil {
			frame.ExpectedBegin, frame.Deadline, frame.Expected = e.begin, e.end, true
		}
		frames = append(frames, frame)
	}
	slices.SortFunc(frames, func(a, b trace.DisplayFrame) int {
		return cmp.Or(cmp.Compare(a.Begin, b.Begin), cmp.Compare(a.PID, b.PID), cmp.Compare(a.Token, b.Token), cmp.Compare(a.Layer, b.Layer))
	})
	return frames
}

// frameWriter writes FrameTimelineEvents for the recording's frames. If it has none, frames are
// derived from calls of Choreographer.doFrame on the main thread, unless the trace is sampled,
// because sampled calls begin and end at samples. Such a frame belongs to the vsync before the
// call, and its deadline is the next vsync. In a workload with waits for vsyncs, the waits
// determine the times of vsyncs ([trace.Method].Period). The frame does not include the work of the
// render thread after the call.
type frameWriter struct {
	vsyncs  encode.Vsyncs
	period  time.Duration // time between two vsyncs; 0: no frames are derived from calls
	begin   time.Duration // begin of the open call
	depth   int           // number of open calls from that call on
	cookies uint64
}

// newFrameWriter returns a writer that derives frames from a recording's calls if it has no frames.
func newFrameWriter(rec *trace.Recording) frameWriter {
	f := frameWriter{vsyncs: encode.VsyncsOf(rec)}
	if len(rec.DisplayFrames) == 0 && rec.Info.Clock.HasWall() && rec.Info.Technique != trace.Sampled {
		f.period = f.vsyncs.Period
	}
	return f
}

// frameEvent processes the begin or end of a call, and writes the frame at its end.
func (p *file) frameEvent(e *trace.Event) error {
	f := &p.frames
	if f.period == 0 || p.Rec.Symbols.Thread(e.Thread).TID != p.pid {
		return nil
	}
	switch {
	case e.Action == trace.Enter && (f.depth > 0 || p.Rec.Symbols.Method(e.Method).DrawsFrame()):
		if f.depth == 0 {
			f.begin = e.Wall
		}
		f.depth++
	case e.Action != trace.Enter && f.depth > 0:
		if f.depth--; f.depth == 0 {
			return p.displayFrame(f.of(p.pid, e.Wall))
		}
	}
	return nil
}

// of returns the frame of a call at its end.
func (f *frameWriter) of(pid uint32, end time.Duration) *trace.DisplayFrame {
	vsync := f.begin.Truncate(f.period)
	return &trace.DisplayFrame{
		PID: pid, Token: f.vsyncs.Number(f.begin), Begin: f.begin, End: end,
		ExpectedBegin: vsync, Deadline: vsync + f.period, Expected: true,
	}
}

// displayFrame writes the expected and the actual slice of a frame. If the recording does not state
// why a frame was late, it gets the mark that SurfaceFlinger uses for frames missed by the app. A
// frame that began before the file's clock is skipped.
func (p *file) displayFrame(f *trace.DisplayFrame) error {
	if max(p.Rec.Info.Start, 0)+min(f.Begin, f.ExpectedBegin) < 0 {
		return nil
	}
	if f.Expected {
		if err := p.frameSlice(frameExpected, f, f.ExpectedBegin, f.Deadline); err != nil {
			return err
		}
	}
	return p.frameSlice(frameActual, f, f.Begin, f.End)
}

// frameSlice writes one of the two slices of a frame.
func (p *file) frameSlice(kind int, f *trace.DisplayFrame, begin, end time.Duration) error {
	p.frames.cookies++
	m := &p.item
	*m = (*m)[:0]
	m.Uint(frameCookie, p.frames.cookies)
	m.Uint(frameToken, uint64(f.Token))
	m.Uint(frameDisplayToken, uint64(f.Token)) // trace_processor ignores frames without a token
	m.Uint(framePID, uint64(f.PID))
	if f.Layer != "" {
		m.Text(frameLayer, encode.ValidUTF8(f.Layer))
	}
	if by, ok := f.Late(); (ok || f.Present > 0) && kind == frameActual {
		present, inTime, jank := uint64(presentOnTime), uint64(1), uint64(jankNone)
		if by > 0 {
			present, inTime, jank = presentLate, 0, jankAppDeadline
		}
		if f.Present > 0 {
			present, jank = uint64(f.Present), uint64(f.Jank)
		}
		m.Uint(framePresent, present)
		m.Uint(frameJank, jank)
		if ok {
			m.Uint(frameInTime, inTime)
			m.Uint(framePrediction, predictionValid)
		}
	}
	p.body = p.body[:0]
	p.body.Bytes(kind, *m)
	if err := p.timed(begin, packetFrame); err != nil {
		return err
	}
	*m = (*m)[:0]
	m.Uint(frameCookie, p.frames.cookies)
	p.body = p.body[:0]
	p.body.Bytes(frameEnd, *m)
	return p.timed(end, packetFrame)
}
