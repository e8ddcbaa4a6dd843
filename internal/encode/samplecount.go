package encode

import (
	"fmt"
	"time"

	"artifice/trace"
)

// SampleCount limits the number of samples that are written individually, and of the frames of
// their stacks.
type SampleCount struct {
	N      int64
	sums   int64 // samples of these that come from sums
	Max    int   // maximum of sums
	limit  int   // of frames beyond framesPerStack for each stack
	frames int64 // frames beyond these; below 0 if stacks are smaller
}

// maxTaken limits samples that were taken individually; their file is as large as the output.
const maxTaken = 1 << 24

// framesPerStack is above the mean depth of the stacks of any app.
const framesPerStack = 256

// NewSampleCount returns a count limited by limits.
func NewSampleCount(limits trace.Limits) SampleCount {
	limits = limits.OrDefault()
	return SampleCount{Max: limits.Samples, limit: limits.Frames}
}

// Stack counts a stack of which the format has every frame. It fails if stacks are too deep: the
// frames of n nested calls, each with a sample, are n²/2.
func (c *SampleCount) Stack(depth int) error {
	if c.frames += int64(depth) - framesPerStack; c.frames > int64(c.limit) {
		return &trace.LimitError{Limit: "frames", Most: c.limit, What: fmt.Sprintf("frames to write in addition to %d per stack", framesPerStack)}
	}
	return nil
}

// Each calls write for each sample that a snapshot represents, with its time and its part of
// total. The time of the first sample is known; the others are spread evenly up to the snapshot's
// end, and so is total. Each fails if the number of samples exceeds the limit: a few bytes of sums
// can represent any number.
func (c *SampleCount) Each(s *trace.Snapshot, total time.Duration, write func(at, part time.Duration) error) error {
	c.N += s.Count
	n, most := &c.N, max(c.Max, maxTaken)
	if s.Sum {
		c.sums += s.Count
		n, most = &c.sums, c.Max
	}
	if *n > int64(most) || *n < 0 {
		return fmt.Errorf("more than %d samples, and the format stores each sample; write a profile (.pb.gz) or folded stacks, or raise the limit with --limit samples=N", most)
	}
	for i := range s.Count {
		if err := write(s.Wall+share(s.Until-s.Wall, i, s.Count), share(total, i+1, s.Count)-share(total, i, s.Count)); err != nil {
			return err
		}
	}
	return nil
}

// share returns i of n equal parts of a total.
func share(total time.Duration, i, n int64) time.Duration {
	each, rest := total/time.Duration(n), total%time.Duration(n)
	return time.Duration(i)*each + time.Duration(i)*rest/time.Duration(n)
}

// RunTimes computes the CPU time of each snapshot in a recording with CPU times: the time up to
// the thread's next snapshot.
type RunTimes struct {
	last []trace.Snapshot // by thread: the snapshot that waits for its successor; none if its Count is 0
}

// Take adds a snapshot. It calls write with the thread's previous snapshot and its CPU time: at
// least 1 ns for each sample if the next one came at the same time. An end has no time.
func (r *RunTimes) Take(s *trace.Snapshot, write func(s *trace.Snapshot, ran time.Duration) error) error {
	for int(s.Thread) >= len(r.last) {
		r.last = append(r.last, trace.Snapshot{})
	}
	last := &r.last[s.Thread]
	if !last.IsEnd() {
		ran := s.CPU - last.CPU
		if last.Until == last.Wall {
			ran = max(ran, time.Duration(last.Count))
		}
		if err := write(last, ran); err != nil {
			return err
		}
	}
	stack := append(last.Stack[:0], s.Stack...)
	*last = *s
	last.Stack = stack
	return nil
}

// Rest calls write with the last snapshot of each thread that has not ended. Its CPU time is
// unknown.
func (r *RunTimes) Rest(write func(s *trace.Snapshot) error) error {
	for i := range r.last {
		if last := &r.last[i]; !last.IsEnd() {
			if err := write(last); err != nil {
				return err
			}
		}
	}
	return nil
}
