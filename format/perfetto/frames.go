package perfetto

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"artifice/internal/protobuf"
	"artifice/trace"
)

// displayFrames gathers what FrameTimelineEvents tell of the frames of apps. Each frame is told as two
// slices, what was expected and what happened. A slice has a number (cookie), by which its end is found, and
// both have the app's process and token. The zero value has none.
type displayFrames struct {
	slices map[uint64]*frameSlice // by cookie; those whose end has come stay
}

// frameSlice is one of the two.
type frameSlice struct {
	of           frameKey
	layer        string
	begin, end   time.Duration
	actual, done bool
}

// frameKey is what the two slices of a frame share. An app that draws several layers has slices of each that
// happened, and those of one token were expected at one time.
type frameKey struct {
	pid   uint32
	token int64
}

// event takes in a FrameTimelineEvent.
func (f *displayFrames) event(b []byte, at time.Duration) error {
	return protobuf.Fields(b, func(kind int, _ uint64, body []byte) error {
		switch {
		case kind != frameExpected && kind != frameActual && kind != frameEnd:
			return nil
		case at < 0:
			return damaged{fmt.Errorf("a frame of the display at %d ns", uint64(at))}
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

// endAt ends the slice of a number. An end whose begin the file has not says nothing.
func (f *displayFrames) endAt(cookie uint64, at time.Duration) {
	if s := f.slices[cookie]; s != nil && !s.done {
		s.end, s.done = max(at, s.begin), true
	}
}

// all returns the frames that happened from begin to end, in the order in which they began.
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
		frame := trace.DisplayFrame{PID: s.of.pid, Token: s.of.token, Layer: s.layer, Begin: s.begin, End: s.end}
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
