package stackdump

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"artifice/trace"
)

// cpuSamples is a parser of samples that a profiler took at counts of an event on a CPU: it sets the running time
// of each sample's thread ([Thread.Ran]).
//
// For cpu-clock and task-clock the count is in nanoseconds. Other events are no time. Their counts are scaled so
// that the median sample has the period that the file states, or the median distance between two samples of one
// thread, which is the period if it ran all the time. A sample without a count has the same.
type cpuSamples struct {
	Parser
	input    *Input
	interval time.Duration // default

	begun bool
	ahead []*Dump // read to learn from, and not yet delivered
	err   error   // after them

	scale float64       // time for each that was counted
	each  time.Duration // of a sample that does not say
}

// Tally is what a dump of a CPU profiler says of its sample.
type Tally struct {
	Event  string        // what was counted; "" where it does not say
	Number int64         // how many since the sample before; 0 where it does not say
	Period time.Duration // that the file states; 0 where it does not
}

// samplesAhead is the number of samples that determine the time of one.
const samplesAhead = 4096

// Next implements parser.
func (p *cpuSamples) Next(d *Dump) error {
	if !p.begun {
		p.begun = true
		p.learn()
	}
	if len(p.ahead) > 0 {
		*d, p.ahead = *p.ahead[0], p.ahead[1:]
	} else if p.err != nil {
		return p.err
	} else if err := p.Parser.Next(d); err != nil {
		return err
	}
	ran := p.each
	if n := d.Tally.Number; n > 0 && p.scale > 0 {
		ran = time.Duration(min(float64(n)*p.scale, float64(Farthest)))
	}
	d.Interval = p.each
	for i := range d.Threads {
		d.Threads[i].Ran = max(ran, 1)
	}
	return nil
}

// learn reads the first samples and determines the time of one.
func (p *cpuSamples) learn() {
	var numbers []int64
	var distances []time.Duration
	last := map[ID]time.Duration{}
	var first Tally
	for len(p.ahead) < samplesAhead && p.err == nil {
		var d Dump
		if p.err = p.Parser.Next(&d); p.err != nil {
			break
		}
		p.ahead = append(p.ahead, &d)
		if len(p.ahead) == 1 {
			first = d.Tally
		}
		if n := d.Tally.Number; n > 0 {
			numbers = append(numbers, n)
		}
		id := d.Threads[0].ID
		if before, ok := last[id]; ok && d.Stamp.HasUptime && d.Stamp.Uptime > before {
			distances = append(distances, d.Stamp.Uptime-before)
		}
		last[id] = d.Stamp.Uptime
	}
	if len(p.ahead) == 0 {
		return
	}
	number := Median(numbers)
	if countsTime(first.Event) && number > 0 {
		p.scale, p.each = 1, time.Duration(number)
		return
	}
	p.each = p.interval
	how := "nothing tells more"
	if first.Period > 0 {
		p.each, how = first.Period, "the file states it"
	} else if len(distances) > 0 {
		p.each, how = Median(distances), "the median distance of two samples of a thread"
	}
	if number > 0 {
		p.scale = float64(p.each) / float64(number)
	}
	what := "samples do not state the CPU time between them"
	if first.Event != "" && !countsTime(first.Event) {
		what = fmt.Sprintf("samples count %s, which is not a unit of time", first.Event)
	}
	p.input.Warn.Add(trace.WarnDumpTime, p.input.Name, 0, fmt.Sprintf("%s; a typical sample counts as %s of CPU time (%s)", what, p.each, how), "")
}

// countsTime reports whether what an event counts is nanoseconds on a CPU. After the
// name perf writes modifiers: cpu-clock:u, cpu-clock/…/.
func countsTime(event string) bool {
	if i := strings.IndexAny(event, ":/"); i >= 0 {
		event = event[:i]
	}
	return event == "cpu-clock" || event == "task-clock"
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
	return &cpuSamples{Parser: p, input: in, interval: cfg.Interval}
}
