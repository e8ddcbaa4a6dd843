package stackdump

import (
	"fmt"
	"slices"
	"time"

	"artifice/trace"
)

// cpuSamples is a parser of samples that a profiler took at counts of events on a CPU. It selects the event ([Events])
// and sets the running time of each sample's thread ([Thread.Ran]).
//
// For cpu-clock and task-clock the count is in nanoseconds. Other events are no time. Their counts are scaled so that
// the median sample has the period that the file states, or the median distance between two samples of one
// thread, which is the period if it ran all the time. A sample without a count has the same.
//
// Samples of context switches are waits: they have no running time, and last until the thread's next sample.
type cpuSamples struct {
	Parser
	input    *Input
	interval time.Duration // default
	events   Events

	begun bool
	ahead []*Dump // read to learn from, and not yet delivered
	err   error   // after them

	scale float64       // time for each that was counted
	each  time.Duration // of a sample that does not say
}

// Tally is what a dump of a CPU profiler says of its sample.
type Tally struct {
	Event   string        // what was counted; "" where it does not say
	EventID uint16        // number of the event in files that number them
	Number  int64         // how many since the sample before; 0 where it does not say
	Period  time.Duration // that the file states; 0 where it does not
}

// samplesAhead is the number of samples that determine the time of one. If none of them is of CPU time, up to
// mostAhead are searched for one.
const (
	samplesAhead = 4096
	mostAhead    = 8 * samplesAhead
)

// Next implements parser.
func (p *cpuSamples) Next(d *Dump) error {
	if !p.begun {
		p.begun = true
		if err := p.learn(); err != nil {
			return err
		}
	}
	for {
		if err := p.sample(d); err != nil {
			return err
		}
		d.OfCPU = true
		switch {
		case p.events.waits(d.Tally.Event):
			d.Interval = p.each
			for i := range d.Threads {
				d.Threads[i].Waits = true
			}
			return nil
		case p.events.Has(d.Tally.Event):
			p.weigh(d)
			return nil
		case !p.events.ofCPU(): // the thread runs again
			for i := range d.Threads {
				d.Threads[i].Stack, d.Threads[i].Node = d.Threads[i].Stack[:0], NoNode
			}
			return nil
		}
		d.Reset()
	}
}

// sample returns the next sample of any event. After the last it lists the events that are not read.
func (p *cpuSamples) sample(d *Dump) error {
	if len(p.ahead) > 0 {
		*d, p.ahead = *p.ahead[0], p.ahead[1:]
		return nil
	}
	if p.err == nil {
		if p.err = p.Parser.Next(d); p.err == nil {
			p.events.add(d.Tally.Event)
			return nil
		}
	}
	if text := p.events.others(); text != "" {
		p.input.Warn.Add(trace.WarnDumpLeftOut, p.input.Name, 0, text, "")
		p.events.counts = nil
	}
	return p.err
}

// weigh sets the running time of a sample.
func (p *cpuSamples) weigh(d *Dump) {
	ran := p.each
	if n := d.Tally.Number; n > 0 && p.scale > 0 {
		ran = time.Duration(min(float64(n)*p.scale, float64(Farthest)))
	}
	d.Interval = p.each
	for i := range d.Threads {
		d.Threads[i].Ran = max(ran, 1)
	}
}

// learn reads the first samples, selects an event and determines the time of one.
func (p *cpuSamples) learn() error {
	for p.err == nil && (len(p.ahead) < samplesAhead || len(p.ahead) < mostAhead && p.events.undecided()) {
		var d Dump
		if p.err = p.Parser.Next(&d); p.err == nil {
			p.ahead = append(p.ahead, &d)
			p.events.add(d.Tally.Event)
		}
	}
	if len(p.ahead) == 0 {
		return nil
	}
	if err := p.events.choose(); err != nil {
		return BadLine(p.input.Name, 0, err.Error(), nil)
	}
	p.period()
	return nil
}

// period determines the time of a sample of the selected event.
func (p *cpuSamples) period() {
	var numbers []int64
	var distances []time.Duration
	last := map[ID]time.Duration{}
	stated := time.Duration(0)
	for _, d := range p.ahead {
		if !p.events.Has(d.Tally.Event) {
			continue
		}
		stated = d.Tally.Period
		if n := d.Tally.Number; n > 0 {
			numbers = append(numbers, n)
		}
		id := d.Threads[0].ID
		if before, ok := last[id]; ok && d.Stamp.HasUptime && d.Stamp.Uptime > before {
			distances = append(distances, d.Stamp.Uptime-before)
		}
		last[id] = d.Stamp.Uptime
	}
	if !p.events.ofCPU() {
		return
	}
	number, event := Median(numbers), p.events.chosen
	if countsTime(event) && number > 0 {
		p.scale, p.each = 1, time.Duration(number)
		return
	}
	p.each = p.interval
	how := "nothing tells more"
	if stated > 0 {
		p.each, how = stated, "the file states it"
	} else if len(distances) > 0 {
		p.each, how = Median(distances), "the median distance of two samples of a thread"
	}
	if number > 0 {
		p.scale = float64(p.each) / float64(number)
	}
	what := "samples do not state the CPU time between them"
	if event != "" && !countsTime(event) {
		what = fmt.Sprintf("samples count %s, which is not a unit of time", event)
	}
	p.input.Warn.Add(trace.WarnDumpTime, p.input.Name, 0, fmt.Sprintf("%s; a typical sample counts as %s of CPU time (%s)", what, p.each, how), "")
}

// Median returns the middle one of n, which it sorts; 0 of none.
func Median[T ~int64](n []T) T {
	if len(n) == 0 {
		return 0
	}
	slices.Sort(n)
	return n[len(n)/2]
}

// OfCPU makes a parser of CPU samples of one that says what its samples count. in is
// that parser's own.
func OfCPU(p Parser, in *Input, cfg ReaderConfig) Parser {
	return &cpuSamples{Parser: p, input: in, interval: cfg.Interval, events: Events{wanted: cfg.Event}}
}
