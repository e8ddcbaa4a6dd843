package bench

import (
	"io"
	"math"
	"time"

	"artifice/bench/metric"
	"artifice/bench/paths"
	"artifice/trace"
)

// course is the true course of all threads, up to an instant that moves on. It
// is a [trace.Reader]: what is read through it, it remembers until the instant
// has passed.
type course struct {
	src     trace.Reader
	symbols *trace.Symbols
	info    *trace.Info
	truth   bool // a synthetic truth, which tells when threads start
	over    bool // it has been read to its end

	// selfCPU is, by path, CPU time as the innermost state; nil: nobody asks
	selfCPU []time.Duration

	// alone is whether nobody asks for instants: what is read has happened.
	alone bool

	pending []trace.Event // read, but still to come
	next    int           // the first of them

	table   paths.Table
	threads []life
	nodes   []stay // by path
	calls   metric.Durations
	begun   int64 // calls

	moves moves         // where somebody asks for them
	end   time.Duration // of the last event that happened
}

// life is what the course knows of a thread.
type life struct {
	stack []level       // the root's, then one for each frame; empty before its first event
	last  time.Duration // app time of its last event
	start time.Duration // when it began to live
	calls int64         // begun

	tail          time.Duration // how long it lived on after its last event, once finished
	firstCPU, cpu time.Duration // its first and last CPU times
	settledCPU    time.Duration // up to which its CPU time is in selfCPU
}

// level is a thread's root or a frame on its stack.
type level struct {
	path paths.ID

	// on is what time × depth lacks to the sum, over the frames down to here, of
	// the time each one's path has been on the stack ([course.on])
	on time.Duration
}

// began reports whether the thread has begun to live.
func (t *life) began() bool { return len(t.stack) > 0 }

// depth returns how many frames are on the stack of a thread that has begun.
func (t *life) depth() int { return len(t.stack) - 1 }

// path returns where a thread is that has begun.
func (t *life) path() paths.ID { return t.stack[len(t.stack)-1].path }

// stay sums up a path.
type stay struct {
	self    time.Duration // time as the innermost state
	on      time.Duration // time on the stack, but for the open call
	entered time.Duration // when the open call began; -1: none is open
	calls   int64
}

func newCourse(src trace.Reader, truth *trace.Recording) *course {
	return &course{src: src, symbols: truth.Symbols, info: &truth.Info, truth: truth.Info.Technique == trace.Truth}
}

// ReadEvents implements [trace.Reader].
func (c *course) ReadEvents(p []trace.Event) (int, error) {
	n, err := c.src.ReadEvents(p)
	c.over = c.over || err == io.EOF
	if c.next > len(c.pending)/2 {
		c.pending = c.pending[:copy(c.pending, c.pending[c.next:])]
		c.next = 0
	}
	c.pending = append(c.pending, p[:n]...)
	if c.alone {
		c.advance(math.MaxInt64)
	}
	return n, err
}

// advance lets happen what happens up to and with app time at.
func (c *course) advance(at time.Duration) {
	for c.next < len(c.pending) && c.pending[c.next].Wall <= at {
		c.apply(&c.pending[c.next])
		c.next++
	}
}

func (c *course) apply(e *trace.Event) {
	t := c.thread(e.Thread, e.Wall)
	c.end = e.Wall
	if t.firstCPU > e.CPU {
		t.firstCPU, t.settledCPU = e.CPU, e.CPU
	}
	t.cpu = e.CPU
	if hidden(c.symbols, e) {
		return
	}
	path, effect := c.table.Apply(t.path(), e)
	switch {
	case effect == trace.Pushed:
		c.settle(t, e.Wall)
		n := c.node(path)
		t.stack = append(t.stack, level{path, t.stack[t.depth()].on + n.on - e.Wall})
		n.entered = e.Wall
		n.calls++
		t.calls++
		c.begun++
		c.moves.add(e.Thread, move{e.Wall, path})
	case effect.Closes():
		c.settle(t, e.Wall)
		n := &c.nodes[t.path()]
		n.on += e.Wall - n.entered
		c.calls.Add(e.Wall - n.entered)
		n.entered = -1
		t.stack = t.stack[:t.depth()]
		c.moves.add(e.Thread, move{e.Wall, path})
	}
}

// hidden reports whether e is of a frame of ART's own, which no tracer shows.
func hidden(symbols *trace.Symbols, e *trace.Event) bool {
	return int(e.Method) < len(symbols.Methods) && symbols.Methods[e.Method].Flags&trace.RuntimeInternal != 0
}

// cpu returns the CPU time that all threads used between their first and last
// events.
func (c *course) cpu() (sum time.Duration) {
	for _, t := range c.threads {
		sum += max(0, t.cpu-t.firstCPU)
	}
	return sum
}

// settle adds the time since the thread's last event to where it is.
func (c *course) settle(t *life, now time.Duration) {
	c.node(t.path()).self += now - t.last
	t.last = now
	if c.selfCPU == nil {
		return
	}
	if n := len(c.nodes) - len(c.selfCPU); n > 0 {
		c.selfCPU = append(c.selfCPU, make([]time.Duration, n)...)
	}
	c.selfCPU[t.path()] += t.cpu - t.settledCPU
	t.settledCPU = t.cpu
}

// withCPU lets the course sum up CPU time, too.
func (c *course) withCPU() { c.selfCPU = []time.Duration{} }

func (c *course) thread(id trace.ThreadID, now time.Duration) *life {
	for int(id) >= len(c.threads) {
		c.threads = append(c.threads, life{})
	}
	t := &c.threads[id]
	if !t.began() {
		root := c.table.Root(id)
		t.stack = append(t.stack, level{path: root})
		c.node(root)
		t.start, t.firstCPU = now, math.MaxInt64
		if c.truth {
			t.start = c.symbols.Threads[id].Start
		}
		t.last = t.start
	}
	return t
}

func (c *course) node(p paths.ID) *stay {
	for int(p) >= len(c.nodes) {
		c.nodes = append(c.nodes, stay{entered: -1})
	}
	return &c.nodes[p]
}

// alive returns at, or the end of the thread where that is earlier. One whose end
// is not told lives until the truth ends: the time of a sampler's last sample goes
// on behind that.
func (c *course) alive(id trace.ThreadID, at time.Duration) time.Duration {
	switch end := c.symbols.Threads[id].End; {
	case end > 0:
		return min(at, end)
	case c.over:
		return min(at, c.length())
	}
	return at
}

// length returns when the truth ends, as the samplers see it, once it has been read
// to its end.
func (c *course) length() time.Duration {
	end := c.end
	if n := len(c.pending); c.next < n {
		end = c.pending[n-1].Wall
	}
	if c.truth {
		end = max(end, c.info.Elapsed)
	}
	return end
}

// self returns how long path p of thread t was the innermost state up to app
// time at, to which the course has advanced, and in which the thread lives.
func (c *course) self(t *life, p paths.ID, at time.Duration) time.Duration {
	if int(p) >= len(c.nodes) {
		return 0
	}
	sum := c.nodes[p].self
	if t.path() == p {
		sum += max(0, at-t.last)
	}
	return sum
}

// on returns how long path p was on its thread's stack up to app time at, to
// which the course has advanced, and in which the thread lives.
func (c *course) on(p paths.ID, at time.Duration) time.Duration {
	if int(p) >= len(c.nodes) {
		return 0
	}
	n := &c.nodes[p]
	if n.entered < 0 {
		return n.on
	}
	return n.on + max(0, at-n.entered)
}

// finish ends every thread that still lives when the truth ends.
func (c *course) finish(end time.Duration) error {
	c.advance(end)
	c.end = max(c.end, end)
	if c.next < len(c.pending) {
		return io.ErrUnexpectedEOF
	}
	for id := range c.threads {
		t := &c.threads[id]
		if !t.began() {
			continue
		}
		last := c.alive(trace.ThreadID(id), end)
		for p := t.path(); !c.table.IsRoot(p); p = c.table.Parent(p) {
			c.nodes[p].on += max(0, last-c.nodes[p].entered)
			c.nodes[p].entered = -1
		}
		t.tail = max(0, last-t.last)
		c.settle(t, t.last+t.tail)
	}
	return nil
}

// lived returns how long all threads of a finished course lived, and how long their
// frames were on the stacks.
func (c *course) lived() (threads, frames time.Duration) {
	for id := range c.threads {
		if t := &c.threads[id]; t.began() {
			threads += t.last - t.start
		}
	}
	for p := 1; p < len(c.nodes); p++ {
		if !c.table.IsRoot(paths.ID(p)) {
			frames += c.nodes[p].on
		}
	}
	return threads, frames
}
