package jfr

import (
	"fmt"
	"slices"
	"time"

	"artifice/format/internal/stackdump"
	"artifice/internal/words"
	"artifice/trace"
)

// sampleKind is the state of a sample's thread.
type sampleKind uint8

const (
	cpuKind sampleKind = iota // it used CPU time
	// it used CPU time or, if the file has samples of sleeping threads, is a sample of wall time
	runnableKind
	runningKind  // a sample of wall time: the thread ran or was runnable
	sleepingKind // a sample of wall time: the thread slept or waited
)

// kindOf returns the kind of a sample. The states are those of async-profiler (STATE_DEFAULT,
// STATE_RUNNABLE, STATE_SLEEPING) and of the JDK, where all execution samples are STATE_RUNNABLE.
func kindOf(event, state string) sampleKind {
	switch {
	case event == jfrCPUTime, state == "STATE_DEFAULT", state == "":
		return cpuKind
	case state == "STATE_RUNNABLE" && event == jfrWallClock:
		return runningKind
	case state == "STATE_RUNNABLE":
		return runnableKind
	}
	return sleepingKind
}

// choose keeps the samples of CPU time. If there are none, or wall time is requested, it keeps
// those of wall time.
func (p *parser) choose() error {
	byWall := p.wall > 0
	for _, k := range p.kinds {
		byWall = byWall || k == sleepingKind || k == runningKind
	}
	isCPU := func(k sampleKind) bool { return k == cpuKind || k == runnableKind && !byWall }
	ofCPU := slices.ContainsFunc(p.kinds, isCPU)
	ofWall := slices.ContainsFunc(p.kinds, func(k sampleKind) bool { return !isCPU(k) })
	switch {
	case p.wanted == wallEvent && !ofWall:
		return p.Bad("no samples of wall time (--event %s)", wallEvent)
	case p.wanted == wallEvent || ofWall && !ofCPU:
		var kept []stackdump.Sample
		var kinds []sampleKind
		for i, k := range p.kinds {
			if !isCPU(k) {
				kept, kinds = append(kept, p.Samples.List[i]), append(kinds, k)
			}
		}
		p.Samples.List, p.kinds = kept, kinds
		p.byWall()
		return nil
	}
	kept, asleep := p.Samples.List[:0], 0
	for i, s := range p.Samples.List {
		if isCPU(p.kinds[i]) {
			s.Count = 1
			kept = append(kept, s)
		} else if p.kinds[i] == sleepingKind {
			asleep++
		}
	}
	if ignored := len(p.kinds) - len(kept); ignored > 0 {
		p.Warn.Add(trace.WarnDumpLeftOut, p.Name, 0, fmt.Sprintf("%s of wall time are ignored (%s of sleeping threads), because the file has %s of CPU time: --event wall reads the samples of wall time", words.Count(ignored, "sample"), words.Integer(asleep), words.Count(len(kept), "sample")), "")
	}
	p.Samples.List = kept
	p.checkLoad(len(kept))
	return nil
}

// wallEvent is the event of samples of wall time.
const wallEvent = "wall"

// byWall converts the samples to samples of wall time. A thread's CPU clock advances from each
// sample at which it runs to its next sample. The last sample of a thread lasts for the interval.
func (p *parser) byWall() {
	p.ofWall, p.Samples.Tallies = true, false
	each := p.wall
	if each == 0 {
		each = p.interval
	}
	order := make([]int, len(p.Samples.List))
	for i := range order {
		order[i] = i
	}
	list := p.Samples.List
	slices.SortStableFunc(order, func(a, b int) int { return int(list[a].At - list[b].At) })
	type state struct {
		at, cpu, apart time.Duration
		runs           bool
		count          uint32
	}
	threads := map[uint32]*state{}
	for _, i := range order {
		s := &list[i]
		t := threads[s.TID]
		if t == nil {
			t = &state{at: s.At}
			threads[s.TID] = t
		}
		if t.runs {
			t.cpu += s.At - t.at
		}
		t.apart = s.At - t.at
		t.at, t.runs, t.count = s.At, p.kinds[i] != sleepingKind, s.Count
		s.CPU = t.cpu
	}
	for tid, t := range threads {
		last := each
		if last == 0 {
			last = t.apart
		}
		last *= time.Duration(max(t.count, 1))
		if t.runs {
			t.cpu += last
		}
		p.Add(t.at+last, t.cpu, tid, stackdump.NoNode, 0)
	}
	p.Interval = each
}

// choice delivers samples of CPU time or of wall time; which of them is known when the file has
// been read.
type choice struct {
	*parser
	cpu stackdump.Parser
	// a dump that was read for the choice and is not delivered yet; nil if there is none
	first *stackdump.Dump
	err   error // the error returned with first
	begun bool
}

// Next implements [stackdump.Parser].
func (c *choice) Next(d *stackdump.Dump) error {
	if !c.begun {
		c.begun = true
		c.first = new(stackdump.Dump)
		c.err = c.parser.Next(c.first)
	}
	if c.ofWall {
		return (*replay)(c).Next(d)
	}
	return c.cpu.Next(d)
}

// replay delivers the chosen samples from the first one on.
type replay choice

// Next implements [stackdump.Parser].
func (r *replay) Next(d *stackdump.Dump) error {
	if r.first == nil {
		return r.parser.Next(d)
	}
	*d, r.first = *r.first, nil
	return r.err
}
