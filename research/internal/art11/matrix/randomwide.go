package matrix

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"artifice/art"
	"artifice/research/internal/art11"
	"artifice/trace"
)

// RandomWide returns a random cell as [Random] does, of a wider kind: buffers from 1 kB to 10 MB,
// up to 300 threads and 2,000 frames, lengths from 20 ms to four hours, past the 71.6 minutes after
// which times wrap, tids that share 16 bits, any names of threads, and traces of processes that
// were traced before. The cell depends only on the seed.
func RandomWide(seed uint64) (*Cell, error) {
	g := &generator{rng: rand.New(rand.NewPCG(seed, 13)), edges: rand.New(rand.NewPCG(seed, 14))}
	g.widen()
	w := g.wideWay()
	if w.Again { // the earlier trace has met each thread at its first microsecond
		g.leastCPU = time.Microsecond
	}
	rec := g.truthOf(wideMethods)
	if !w.Again && g.chance(.2) {
		asRecorded(rec)
	}
	truth, err := art11.NewTruth(rec)
	if err != nil {
		return nil, fmt.Errorf("wide random truth %d: %w", seed, err)
	}
	return &Cell{Name: fmt.Sprintf("wide %d", seed), Way: w, Truth: truth}, nil
}

// wideMethods is the maximum number of methods of a wide truth.
const wideMethods = 60

// threadNames are names that ART accepts for a thread. A line end would end it in the launcher's
// script, and in the table.
var threadNames = []string{
	"t", "pool-1-thread-2", "a\tb", "*end", "*methods", "key=value", "Thread[1,5]", "é", "一二三", "😀", "\x01\x7f", "\xff\xfe", "tail ",
	strings.Repeat("x", 99), "0x4\tv.J0\tm\t()V\tM.java",
}

// widen draws the limits. Most truths are large in one respect at most, so that a thousand of them
// take minutes.
func (g *generator) widen() {
	g.limits = limits{threads: 7, open: 4, depth: 30, steps: [3]int{5, 50, 200}, late: .6, internal: .15, names: threadNames}
	switch g.rng.IntN(8) {
	case 0:
		g.limits.threads, g.steps = 299, [3]int{0, 5, 20}
	case 1:
		g.limits.threads, g.steps = 60, [3]int{2, 10, 60}
	case 2:
		g.limits.threads, g.open, g.depth, g.steps = 2, 2100, 2200, [3]int{50, 300, 3000}
		g.late, g.internal = .1, 0
	case 3:
		g.open, g.depth = 200, 300
	case 4:
		g.limits.threads, g.steps = 3, [3]int{500, 2000, 6000}
	}
	g.elapsed = pick(g, 20*time.Millisecond, time.Second, 2*time.Minute, 90*time.Minute, 4*time.Hour)
	g.elapsed += time.Duration(g.rng.Int64N(int64(g.elapsed)))
	step := float64(g.elapsed) / float64(g.steps[2]+1) // threads with the most steps run to the end
	g.gaps = [4]float64{300, 100000, step / 3, 2 * step}
}

// wideTID returns a tid with other high bits. One in five shares the 16 bits that a record has with
// another thread.
func (g *generator) wideTID(tid uint32) uint32 {
	if g.chance(.2) {
		tid = g.threads[g.rng.IntN(len(g.threads))].TID
	}
	for {
		tid = tid&0xffff + uint32(g.rng.IntN(hostPages))<<16
		if !slices.ContainsFunc(g.threads, func(th trace.Thread) bool { return th.TID == tid }) {
			return tid
		}
		tid++ // there may be no other
	}
}

// hostPages is the number of values of the bits above 16 with which ART on a PC streams:
// kMaxThreadIdNumber is 1,048,576.
const hostPages = 16

// asRecorded makes an instrumented trace of a truth: threads have no start, end or open frames, and
// calls that began before the trace have an exit only.
func asRecorded(rec *trace.Recording) {
	var all trace.Buffer
	trace.Copy(&all, rec.Events) // a slice: no error
	left := make([]int, len(rec.Symbols.Threads))
	for i := range rec.Symbols.Threads {
		th := &rec.Symbols.Threads[i]
		left[i] = th.Open
		th.Start, th.End, th.Open = 0, 0, 0
	}
	kept := all.Events[:0]
	for _, e := range all.Events {
		if e.Wall == 0 && e.Action == trace.Enter && left[e.Thread] > 0 {
			left[e.Thread]--
			continue
		}
		kept = append(kept, e)
	}
	rec.Info.PID = int(rec.Symbols.Threads[0].TID) // by which the main thread is found
	rec.Info.Technique, rec.Events = trace.Instrumented, trace.NewSliceReader(kept)
}

// maxInterval is below the maximum of ART's interval, 2^31 - 1 microseconds.
const maxInterval = 30 * time.Minute

// wideWay returns tracing options for the truth's length: at most 400 samples.
func (g *generator) wideWay() art11.Way {
	w := art11.Way{
		Sampled: g.chance(.5), Clock: pick(g, trace.Dual, trace.Wall, trace.ThreadCPU), Streaming: g.chance(.4),
		Interval:   min(maxInterval, g.elapsed/time.Duration(10+g.rng.IntN(390))).Truncate(time.Microsecond),
		Debuggable: g.chance(.5), Plain: g.chance(.3),
	}
	if !w.Streaming { // from 1 kB to 10 MB, every second one filled by whole records
		w.Buffer = int64(art.MinBuffer * math.Exp(g.rng.Float64()*math.Log(10<<10)))
		if size := int64(recordSize(w)); g.chance(.5) {
			w.Buffer = max(art.MinBuffer, fileHeader+w.Buffer/size*size+int64(g.rng.IntN(3))-1)
		}
	}
	w.DDMS = !w.Streaming && g.edges.IntN(4) == 0
	switch g.rng.IntN(4) {
	case 0:
		w.Costs = events
		if w.Sampled {
			w.Costs = pauses
		}
		w.Costs.Seed = g.rng.Uint64()
	case 1:
		w.Again = !w.Sampled
	}
	return w
}
