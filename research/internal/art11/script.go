package art11

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"artifice/trace"
)

// Steps of the launcher's script in addition to trace.Action.
const (
	open  = 'O' // a call that began before the trace
	start = 'S' // of a thread
	end   = 'X'
	stop  = 'Z' // of the trace
)

// step is one step of a thread.
type step struct {
	op      int
	at, cpu time.Duration
	thread  int
	method  trace.MethodID
	late    time.Duration // for which an instrumented event waits for its place in the buffer
}

// steps returns the steps of the whole truth, in order. A thread exists at the instant of its end,
// but not later; it starts before other steps of that instant.
func (t *Truth) steps(w *Way) []step {
	var opened, rest []step
	left := make([]int, len(t.threads))
	for i := range t.threads {
		th := &t.threads[i]
		left[i] = th.Open
		if th.Start > 0 {
			rest = append(rest, step{op: start, at: th.Start, thread: i})
		}
		if th.End > 0 {
			rest = append(rest, step{op: end, at: th.End + 1, thread: i})
		}
	}
	// The second seed is that of the emulation (package instrument), so that the orders agree.
	late := rand.New(rand.NewPCG(w.Costs.Seed, 0x1257))
	events := t.replayed(w)
	for i, methods := range t.opened(events) {
		for _, m := range methods {
			opened = append(opened, step{op: open, cpu: recordedCPU, thread: i, method: m})
		}
	}
	for i := range events {
		e := &events[i]
		s := step{int(e.Action), e.Wall, e.CPU, int(e.Thread), e.Method, 0}
		if t.kind(int(e.Method)) >= forward { // the proxy's method calls it
			if e.Wall == 0 && e.Action == trace.Enter && left[e.Thread] > 0 {
				left[e.Thread]--
			}
			continue
		}
		if e.Wall == 0 && e.Action == trace.Enter && left[e.Thread] > 0 {
			left[e.Thread]--
			s.op = open
			opened = append(opened, s)
			continue
		}
		hidden := t.methods[e.Method].Flags&trace.RuntimeInternal != 0
		if hook := w.Costs.Hook; hook > 0 && !w.Sampled && !hidden {
			s.late = time.Duration(late.Uint64N(uint64(hook)))
		}
		rest = append(rest, s)
	}
	rank := func(s step) int {
		switch s.op {
		case end:
			return -1
		case start:
			return 0
		}
		return 1
	}
	slices.SortStableFunc(rest, func(a, b step) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(rank(a), rank(b)))
	})
	return append(append(opened, rest...), step{op: stop, at: t.info.Elapsed})
}

// write writes the script in the format of the launcher's script.c.
func (t *Truth) write(to io.Writer, w *Way, out string) error {
	b := bufio.NewWriter(to)
	pid, buffer, c := t.pid(), w.Buffer, &w.Costs
	if buffer == 0 {
		buffer = defaultBuffer
	}
	before := bit(w.Again) + 2*bit(w.AfterSamples)
	objects, collections := t.allocations()
	fmt.Fprintf(b, "%s\n%d %d %d %d %d %d %d %d %d %d %d %d %d\n", out, bit(w.Sampled), max(1, w.Interval.Microseconds()), w.clockSource(),
		bit(w.Streaming), buffer, bit(w.Debuggable), t.info.Start.Nanoseconds(), pid, before, bit(w.DDMS), bit(w.Count), objects, collections)
	fmt.Fprintf(b, "%d %d %d %d %d %d %d\n", c.PerTick, c.PerThread, c.PerFrame, c.Overshoot, c.CPURead, c.WallRead, c.Hook)
	steps := t.steps(w)
	fmt.Fprintf(b, "%d %d %d\n", len(t.threads), len(t.methods), len(steps))
	for i := range t.threads {
		th := &t.threads[i]
		fmt.Fprintf(b, "%d %d %s\n", th.TID, th.Start, th.Name)
	}
	for i := range t.methods {
		m := &t.methods[i]
		waits := m.Wait != trace.Running || t.recorded // after the last event of a trace, nothing is known to run
		fmt.Fprintln(b, t.kind(i), bit(waits), bit(m.Flags&trace.Collector != 0), bit(m.Flags&trace.RuntimeInternal != 0),
			strings.ReplaceAll(t.className(i), ".", "/"))
	}
	for _, s := range steps {
		fmt.Fprintf(b, "%d %d %d %d %d %d\n", s.op, s.at, s.cpu, s.thread, s.method, s.late)
	}
	return b.Flush()
}

// pid returns the process id: the main thread's tid, if there is none.
func (t *Truth) pid() int {
	if t.info.PID != 0 {
		return t.info.PID
	}
	return int(t.threads[0].TID)
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}
