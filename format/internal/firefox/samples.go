package firefox

import (
	"fmt"
	"time"

	"artifice/format/internal/stackdump"
	"artifice/trace"
)

// columns are the columns of a thread's samples, as in the file.
type columns struct {
	stack []int32
	// weights are read as ms and cpu as ns, whatever their actual units
	time, delta, weights, cpu []time.Duration
}

// column reads a column of a thread's samples.
func (p *parser) column(key string, t *thread) error {
	c := &t.columns
	switch key {
	case "stack":
		return p.numbers(&c.stack)
	case "time":
		return p.times(&c.time, time.Millisecond)
	case "timeDeltas":
		return p.times(&c.delta, time.Millisecond)
	case "weight":
		return p.times(&c.weights, time.Millisecond)
	case "threadCPUDelta":
		t.hasCPU = true
		return p.times(&c.cpu, time.Nanosecond)
	case "weightType":
		return p.Decode(&t.weightType)
	}
	return p.Skip()
}

// times reads a column of times; null is 0.
func (p *parser) times(to *[]time.Duration, unit time.Duration) error {
	return p.Array(func() error {
		n, err := p.Number()
		if err != nil {
			return err
		}
		at := time.Duration(0)
		if len(n) > 0 {
			if at, err = stackdump.TimeOf(n, unit); err != nil {
				return p.Bad("%v", err)
			}
		}
		*to = append(*to, at)
		return nil
	})
}

// place adds the samples of a thread. Their stacks are still numbers of its table.
func (p *parser) place(t *thread, thread uint32) error {
	c := &t.columns
	at := time.Duration(0)
	for _, d := range c.delta {
		if at += d; at > stackdump.Farthest {
			return p.Bad("thread %q has samples at implausible times", t.name)
		}
		c.time = append(c.time, at)
	}
	n := len(c.stack)
	if len(c.time) != n || len(c.weights) != n && len(c.weights) > 0 || len(c.cpu) != n && len(c.cpu) > 0 {
		return p.Bad("thread %q has %d stacks, %d times, %d weights and %d threadCPUDeltas", t.name, n, len(c.time), len(c.weights), len(c.cpu))
	}
	t.hasCPU = len(c.cpu) > 0
	if err := p.believable(t); err != nil {
		return err
	}
	switch {
	case len(c.weights) == 0 || t.weightType == "samples" || t.weightType == "":
		p.untilNext(c, thread)
	case t.weightType == "tracing-ms":
		p.forWeights(c, thread)
	default:
		p.Complain(trace.WarnDumpLeftOut, fmt.Sprintf("a thread is ignored: its samples are weighted in %q, which is not a unit of time", t.weightType), t.name)
	}
	return nil
}

// believable returns an error if times decrease or numbers are too large. It sums differences of
// CPU time.
func (p *parser) believable(t *thread) error {
	c := &t.columns
	used, weight := time.Duration(0), time.Duration(0)
	for i, at := range c.time {
		if i > 0 && at < c.time[i-1] {
			return p.Bad("sample %d of thread %q, at %s, is earlier than the previous sample", i, t.name, at)
		}
		if t.hasCPU {
			used += c.cpu[i]
			c.cpu[i] = used
		}
		if len(c.weights) > 0 {
			weight = c.weights[i]
		}
		if at < -stackdump.Farthest || at > stackdump.Farthest || weight < 0 || weight > stackdump.Farthest || used < -stackdump.Farthest || used > stackdump.Farthest {
			return p.Bad("sample %d of thread %q is at %s with the weight %s and %s of CPU time, which is implausible", i, t.name, at, weight, used)
		}
	}
	return nil
}

// untilNext adds samples that last until the next one.
func (p *parser) untilNext(c *columns, thread uint32) {
	for i, at := range c.time {
		count := uint32(1)
		if len(c.weights) > 0 {
			count = uint32(min(max(c.weights[i]/time.Millisecond, 1), 1<<31-1))
		}
		p.Add(at, c.used(i), thread, c.stack[i], count)
	}
}

// forWeights adds samples that last for their weight.
func (p *parser) forWeights(c *columns, thread uint32) {
	for i, at := range c.time {
		p.Add(at, c.used(i), thread, c.stack[i], 1)
		next := min(i+1, len(c.time)-1)
		// Sums of binary fractions are inexact, so less than 1 µs is not a gap.
		if end := at + c.weights[i]; next == i || end+time.Microsecond < c.time[next] {
			p.Add(end, c.used(next), thread, stackdump.NoNode, 0)
		}
	}
}

// used returns the CPU time at a sample as if its unit were ns, or 0 if unknown.
func (c *columns) used(i int) time.Duration {
	if len(c.cpu) == 0 {
		return 0
	}
	return c.cpu[i]
}
