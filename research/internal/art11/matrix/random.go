package matrix

import (
	"fmt"
	"math/rand/v2"
	"time"

	"artifice/art"
	"artifice/research/internal/art11"
	"artifice/trace"
)

// Random returns a random cell: a truth with threads, depth, exceptions, waits, threads that end,
// reused tids, simultaneous events, CPU clocks that begin at 0, collectors and frames of the
// runtime's own, traced with random options. The cell depends only on the seed.
func Random(seed uint64) (*Cell, error) {
	g := &generator{rng: rand.New(rand.NewPCG(seed, 11)), edges: rand.New(rand.NewPCG(seed, 12)), limits: small}
	w := g.way()
	truth, err := art11.NewTruth(g.truthOf(12))
	if err != nil {
		return nil, fmt.Errorf("random truth %d: %w", seed, err)
	}
	return &Cell{Name: fmt.Sprintf("random %d", seed), Way: w, Truth: truth}, nil
}

// RandomRare returns a random cell as [Random] does, with methods of proxies, in a process that was
// traced before, or with allocation statistics.
func RandomRare(seed uint64) (*Cell, error) {
	g := &generator{rng: rand.New(rand.NewPCG(seed, 15)), edges: rand.New(rand.NewPCG(seed, 16)), limits: small}
	w := g.way()
	w.Costs = art11.Costs{}
	switch g.rng.IntN(3) {
	case 0:
		g.proxies = .4
	case 1:
		w.Again = true
	case 2:
		w.AfterSamples = true
	}
	if w.Again || w.AfterSamples { // the earlier trace has met each thread at its first microsecond
		g.leastCPU = time.Microsecond
	}
	// A proxy's method allocates a java.lang.reflect.Method, which is not the truth's.
	w.Count = !w.Sampled && g.proxies == 0 && g.chance(.5)
	g.maker = w.Count
	truth, err := art11.NewTruth(g.truthOf(12))
	if err != nil {
		return nil, fmt.Errorf("rare random truth %d: %w", seed, err)
	}
	return &Cell{Name: fmt.Sprintf("rare %d", seed), Way: w, Truth: truth}, nil
}

// mainDepth is the maximum depth of the main thread, which has a small stack.
const mainDepth = 200

// fileHeader is the length of a file's binary header, which is part of the buffer.
const fileHeader = 32

// generator generates one cell.
type generator struct {
	rng     *rand.Rand
	edges   *rand.Rand // of large tids and of buffers that records fill exactly
	methods []trace.Method
	threads []trace.Thread
	events  trace.Buffer
	grid    time.Duration // times are multiples of it
	limits
	elapsed time.Duration
}

// limits bound a random truth.
type limits struct {
	threads  int           // in addition to the main thread
	open     int           // maximum open frames of a thread at the start
	depth    int           // at which a thread only exits frames
	steps    [3]int        // numbers of steps of a thread, chosen at random
	late     float64       // share of the first threads that start later
	internal float64       // share of methods internal to the runtime, which hide their callees
	proxies  float64       // share of methods of proxies
	maker    bool          // methods can allocate objects
	leastCPU time.Duration // of a thread at its start
	gaps     [4]float64    // mean gaps between steps of a thread, chosen at random
	names    []string      // of threads
}

// small are the limits of [Random].
var small = limits{threads: 7, open: 4, depth: 30, steps: [3]int{10, 100, 400}, late: .6, internal: .15, gaps: [4]float64{300, 3000, 100000, 1500000}}

func pick[T any](g *generator, of ...T) T { return of[g.rng.IntN(len(of))] }

func (g *generator) chance(p float64) bool { return g.rng.Float64() < p }

func (g *generator) way() art11.Way {
	w := art11.Way{
		Sampled: g.chance(.5), Clock: pick(g, trace.Dual, trace.Wall, trace.ThreadCPU),
		Interval: pick(g, time.Duration(50), 333, 1000, 1000, 5000, 10000) * time.Microsecond,
		Buffer:   pick(g, int64(0), 0, 1024, 1100, 2000, 5000),
	}
	if g.edges.IntN(4) == 0 { // records fill the buffer exactly, or with a byte less or more
		size := recordSize(w)
		records := (art.MinBuffer-fileHeader)/size + 2 + g.edges.IntN(40)
		w.Buffer = int64(fileHeader + records*size + g.edges.IntN(3) - 1)
	}
	if w.Streaming = g.chance(.4); w.Streaming {
		w.Buffer = 0
	}
	w.Debuggable, w.Plain = g.chance(.5), g.chance(.3)
	if g.chance(.3) {
		w.Costs = events
		if w.Sampled {
			w.Costs = pauses
		}
		w.Costs.Seed = g.rng.Uint64()
	}
	return w
}

// truthOf returns a truth with a random number of methods, from 2 to the given number, and with the
// length elapsed, or a random one if elapsed is 0.
func (g *generator) truthOf(methods int) *trace.Recording {
	for i := range 2 + g.rng.IntN(methods-1) {
		m := trace.Method{Class: "x", Name: fmt.Sprint("m", i), Signature: "()V"}
		if g.chance(.5) {
			m.Flags |= trace.Native
		}
		if g.chance(.3) {
			m.Wait = trace.IO
		}
		if g.chance(g.internal) {
			m.Flags |= trace.RuntimeInternal
		}
		if g.proxies > 0 && g.chance(g.proxies) { // a native handler runs, and does not wait
			m.Flags, m.Wait = trace.Proxy, trace.Running
		}
		if g.maker && g.chance(.5) {
			m.Flags |= trace.Allocates
		}
		g.methods = append(g.methods, m)
	}
	if g.chance(.3) {
		g.methods[0].Flags |= trace.Collector
	}
	if g.elapsed == 0 {
		g.elapsed = pick(g, time.Duration(3), 20, 100)*time.Millisecond + time.Duration(g.rng.IntN(1e6))
	}
	g.grid = pick(g, time.Duration(1), 1, 1, 1000, 250000)
	g.startThreads()
	var all [][]trace.Event
	for i := range g.threads {
		all = append(all, g.run(i))
	}
	g.merge(all)
	return &trace.Recording{
		Info:    trace.Info{Technique: trace.Truth, Elapsed: g.elapsed, PID: 12000},
		Symbols: &trace.Symbols{Threads: g.threads, Methods: g.methods}, Events: trace.NewSliceReader(g.events.Events),
	}
}

// between returns a time on the grid from a up to b.
func (g *generator) between(a, b time.Duration) time.Duration {
	return max(a, (a + time.Duration(g.rng.Int64N(int64(b-a)+1))).Truncate(g.grid))
}

// startThreads lists the threads in the order of their start. A tid can be reused after its thread
// has ended.
func (g *generator) startThreads() {
	// A PC's tids exceed the 16 bits of a record; bits above them are kept in the table only.
	base := 12000 + uint32(g.edges.IntN(4))<<16
	g.threads = []trace.Thread{{TID: base, Name: "main", Open: min(mainDepth, g.rng.IntN(g.open+1))}}
	n, from := g.rng.IntN(g.limits.threads+1), time.Duration(1)
	for i := 1; i <= n; i++ {
		th := trace.Thread{TID: base + uint32(i), Name: fmt.Sprint("t", i)}
		if g.names != nil {
			th.Name = g.names[g.rng.IntN(len(g.names))]
			th.TID = g.wideTID(th.TID)
		}
		if from > 1 || g.chance(g.late) {
			th.Start = g.between(from, from+(g.elapsed-from)/2)
			from = max(th.Start, 2)
		} else {
			th.Open = g.rng.IntN(g.open + 1)
		}
		if g.chance(.4) && th.Start < g.elapsed-1 {
			th.End = g.between(th.Start+1, g.elapsed-1)
		}
		for _, other := range g.threads[1:] {
			if other.End > 0 && th.Start > other.End+1 && g.chance(.4) && !g.lives(other.TID, th.Start) {
				th.TID = other.TID
			}
		}
		g.threads = append(g.threads, th)
	}
}

// lives reports whether a thread with this tid exists at that time or later.
func (g *generator) lives(tid uint32, at time.Duration) bool {
	for _, th := range g.threads {
		if th.TID == tid && (th.End == 0 || th.End >= at-1) {
			return true
		}
	}
	return false
}

// run returns the events of one thread.
func (g *generator) run(id int) (all []trace.Event) {
	th := &g.threads[id]
	var stack []trace.MethodID
	now, cpu := th.Start, pick(g, 0, 300, 1000, 1999, time.Duration(g.rng.IntN(1e9)))
	cpu = max(cpu, g.leastCPU)
	put := func(a trace.Action, m trace.MethodID) {
		all = append(all, trace.Event{Wall: now, CPU: cpu, Method: m, Thread: trace.ThreadID(id), Action: a})
		if a == trace.Enter {
			stack = append(stack, m)
		} else {
			stack = stack[:len(stack)-1]
		}
	}
	leave := func() {
		a := trace.Exit
		if g.chance(.2) {
			a = trace.Unwind
		}
		put(a, stack[len(stack)-1])
	}
	pass := func(d time.Duration) {
		now += d
		if len(stack) > 0 && g.methods[stack[len(stack)-1]].Wait == trace.Running {
			cpu += d
		}
	}
	for range th.Open {
		put(trace.Enter, g.callee(stack))
	}
	until := th.End
	if until == 0 {
		until = g.elapsed
	}
	most := g.depth
	if id == 0 {
		most = min(most, mainDepth)
	}
	for range pick(g, g.steps[:]...) {
		d := time.Duration(0)
		if g.chance(.75) {
			d = time.Duration(g.rng.ExpFloat64() * pick(g, g.gaps[:]...)).Truncate(g.grid)
		}
		if now+d >= until {
			break
		}
		pass(d)
		if len(stack) > 0 && (g.chance(.48) || len(stack) > most) {
			for leave(); len(stack) > 0 && g.chance(.2); {
				leave()
			}
		} else {
			put(trace.Enter, g.callee(stack))
		}
	}
	if th.End > 0 {
		pass(th.End - now)
		for len(stack) > 0 {
			leave()
		}
	}
	return all
}

// callee returns a method for a thread to call. The runtime's own code calls none of the app's: in
// ART such a call has an intermediate frame, which does not exist here.
func (g *generator) callee(stack []trace.MethodID) trace.MethodID {
	if n := len(stack); n > 0 && g.methods[stack[n-1]].Flags&trace.RuntimeInternal != 0 {
		return stack[n-1]
	}
	return trace.MethodID(g.rng.IntN(len(g.methods)))
}

// merge sorts all events by time, and simultaneous ones by thread.
func (g *generator) merge(all [][]trace.Event) {
	for {
		first := -1
		for i := range all {
			if len(all[i]) > 0 && (first < 0 || all[i][0].Wall < all[first][0].Wall) {
				first = i
			}
		}
		if first < 0 {
			return
		}
		g.events.Events = append(g.events.Events, all[first][0])
		all[first] = all[first][1:]
	}
}
