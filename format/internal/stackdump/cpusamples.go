package stackdump

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"artifice/internal/words"
	"artifice/trace"
)

// cpuSamples is a parser of samples taken by counts of an event on a CPU. It selects the event
// ([Events]) and sets the running time of each sample's thread ([Thread.Ran]).
//
// For cpu-clock and task-clock the count is in nanoseconds. Counts of cycles are scaled so that the
// median sample represents the period stated in the file. If the file states none, the period is
// the median time between two samples of a thread, which is correct if the thread ran all the time.
// A sample without a count represents one period. A count can be far too large for the time since
// the thread's previous sample, as perf's are when a recording begins: the sample represents this
// time. Other events, such as page faults, do not measure time: their counts are a
// [trace.Quantity].
//
// Samples of context switches are waits: they have no running time and last until the thread's next
// sample. The same holds for samples of a clock that were taken off the CPU ([mixedClock]).
type cpuSamples struct {
	Parser
	input    *Input
	interval time.Duration // default sampling interval
	events   Events
	mixed    mixedClock

	begun bool
	ahead []*Dump // samples that were read by learn and are not delivered yet
	err   error   // the error after these samples

	scale float64       // CPU time per counted event
	each  time.Duration // CPU time of a sample without a count

	// by thread: sum of counts so far, if the event does not measure time
	counted map[ID]time.Duration
	// by thread: time of the previous sample, if counts are scaled
	last map[ID]time.Duration
}

// Tally is the count of a CPU profiler's sample.
type Tally struct {
	Event   string        // the counted event; "" if the file does not state it
	EventID uint16        // number of the event in files that number them
	Number  int64         // count since the previous sample; 0 if not stated
	Period  time.Duration // sampling period stated by the file; 0 if not stated
	OnCPU   bool          // the file states that no sample was taken off the CPU
}

// implausible is the ratio of a sample's CPU time to the time since the thread's previous sample
// from which on the count is an error. Smaller ratios are noise: perf adjusts its period to the
// clock rate.
const implausible = 2

// samplesAhead is the number of samples from which the time of a sample is determined. If none of
// them represents CPU time, up to maxAhead samples are searched for one that does.
const (
	samplesAhead = 4096
	maxAhead     = 8 * samplesAhead
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
		if p.events.isCount() {
			if p.events.Has(d.Tally.Event) {
				return p.count(d)
			}
			d.Reset()
			continue
		}
		d.OfCPU = true
		switch {
		case p.events.waits(d.Tally.Event), p.admitMixedWait(d):
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

// sample returns the next sample of any event. After the last one it adds a note with the events
// that are not read.
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
	if n := p.mixed.waits; n > 0 {
		p.input.Warn.Add(trace.WarnDumpTime, p.input.Name, 0, fmt.Sprintf("%s of %s are read as waits, because they measure off-CPU time (simpleperf --trace-offcpu)", words.Count(n, "sample"), p.events.chosen), "")
		p.mixed.waits = 0
	}
	return p.err
}

// admitMixedWait counts a sample of the selected event if it was taken off the CPU, and reports
// whether it was.
func (p *cpuSamples) admitMixedWait(d *Dump) bool {
	if !p.events.Has(d.Tally.Event) || !p.mixed.isWait(d.Tally.Number) {
		return false
	}
	p.mixed.waits++
	return true
}

// weigh sets the running time that a sample represents.
func (p *cpuSamples) weigh(d *Dump) {
	ran := p.each
	if n := d.Tally.Number; n > 0 && p.scale > 0 {
		ran = time.Duration(min(float64(n)*p.scale, float64(Farthest)))
	}
	d.Interval = p.each
	for i := range d.Threads {
		t := &d.Threads[i]
		t.Ran = max(ran, 1)
		if p.last == nil || !d.Stamp.HasUptime {
			continue
		}
		if last, ok := p.last[t.ID]; ok {
			if longest := max(d.Stamp.Uptime-last, p.each); t.Ran > implausible*longest {
				t.Ran = longest
			}
		}
		p.last[t.ID] = d.Stamp.Uptime
	}
}

// count converts a sample to a sample of the quantity that its event counts.
func (p *cpuSamples) count(d *Dump) error {
	if p.counted == nil {
		p.counted = map[ID]time.Duration{}
	}
	d.Quantity = p.events.quantity()
	for i := range d.Threads {
		t := &d.Threads[i]
		at, n := p.counted[t.ID], time.Duration(max(d.Tally.Number, 1))
		if n > Farthest-at {
			return BadLine(p.input.Name, d.Line, fmt.Sprintf("the counts of %s of thread %q sum to more than 2^61", p.events.chosen, t.Name), nil)
		}
		t.Count, t.Sum = 1, Sum{Wall: n}
		d.Stamp = Stamp{Uptime: at, HasUptime: true}
		p.counted[t.ID] = at + n
	}
	return nil
}

// learn reads the first samples, selects an event, and determines the time that a sample
// represents.
func (p *cpuSamples) learn() error {
	for p.err == nil && (len(p.ahead) < samplesAhead || len(p.ahead) < maxAhead && p.events.undecided()) {
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

// period determines the time that a sample of the selected event represents.
func (p *cpuSamples) period() {
	var numbers []int64
	var distances []time.Duration
	var counted []neighbors
	last, place := map[ID]time.Duration{}, map[ID]int{}
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
		if n := d.Tally.Number; n > 0 && d.Stamp.HasUptime && !d.Tally.OnCPU {
			s := neighbors{count: n}
			if i, ok := place[id]; ok {
				s.before = d.Stamp.Uptime - last[id]
				counted[i].after = s.before
			}
			place[id] = len(counted)
			counted = append(counted, s)
		}
		last[id] = d.Stamp.Uptime
	}
	if !p.events.ofCPU() || p.events.isCount() {
		return
	}
	number, event := Median(numbers), p.events.chosen
	if countsTime(event) && number > 0 {
		p.mixed = newMixedClock(counted)
		p.scale, p.each = 1, time.Duration(cmp.Or(p.mixed.period, number))
		return
	}
	p.each = p.interval
	how := "an assumption"
	if stated > 0 {
		p.each, how = stated, "stated in the file"
	} else if len(distances) > 0 {
		p.each, how = Median(distances), "the median distance of two samples of a thread"
	}
	if number > 0 {
		p.scale, p.last = float64(p.each)/float64(number), map[ID]time.Duration{}
	}
	what := "samples do not state the CPU time between them"
	if event != "" && !countsTime(event) {
		what = fmt.Sprintf("samples count %s, which is not a unit of time", event)
	}
	p.input.Warn.Add(trace.WarnDumpTime, p.input.Name, 0, fmt.Sprintf("%s; a typical sample counts as %s of CPU time (%s)", what, p.each, how), "")
}

// Median returns the median of n, which it sorts; it returns 0 if n is empty.
func Median[T ~int64](n []T) T {
	if len(n) == 0 {
		return 0
	}
	slices.Sort(n)
	return n[len(n)/2]
}

// OfCPU returns a parser of CPU samples, given a parser of samples with counts. in is the input of
// that parser.
func OfCPU(p Parser, in *Input, cfg ReaderConfig) Parser {
	return &cpuSamples{Parser: p, input: in, interval: cfg.Interval, events: Events{wanted: cfg.Event}}
}

// mixedClock recognizes samples that were taken off the CPU among samples of a CPU-time clock with
// the same event name. simpleperf's scripts report recordings with --trace-offcpu in this way by
// default (mixed-on-off-cpu). They have done so in two forms:
//
//   - The count of a sample on the CPU is the clock's period, a constant. The count of a sample off
//     the CPU is the time until the thread runs again.
//   - Until 2021, the count of every sample is the time until the thread's next sample.
//
// Source: "Trace off CPU time" in simpleperf's executable_commands_reference.md.
type mixedClock struct {
	period int64 // count of samples on the CPU, in ns; 0: no sample is off the CPU
	early  bool  // the form until 2021: counts up to twice the period belong to samples on the CPU
	waits  int   // number of samples read that were taken off the CPU
}

// stampRounding is the precision of timestamps in text files.
const stampRounding = 2 * time.Microsecond

// mostly is the minimum share of samples that must agree on the meaning of a count.
const mostly = 0.9

// neighbors are a sample's count, and the times from the previous and to the next sample of its
// thread; 0 if there is none.
type neighbors struct {
	count         int64
	before, after time.Duration
}

// newMixedClock examines samples of a clock, in the order of the file.
func newMixedClock(samples []neighbors) mixedClock {
	period := mostFrequent(samples, func(n int64) int64 { return n })
	if countsUntilNext(samples, period) {
		length := mostFrequent(samples, func(n int64) int64 { return int64(math.Round(math.Log(float64(n)) / math.Log(1.1))) })
		return mixedClock{period: length, early: true}
	}
	if period > 0 && countsUntilRunning(samples, period) {
		return mixedClock{period: period}
	}
	return mixedClock{}
}

// mostFrequent returns the first count of the class with the most samples, at least two; 0 if there
// is none.
func mostFrequent(samples []neighbors, class func(int64) int64) int64 {
	times, first := map[int64]int{}, map[int64]int64{}
	best, most := int64(0), 1
	for _, s := range samples {
		c := class(s.count)
		if times[c]++; times[c] == 1 {
			first[c] = s.count
		}
		if times[c] > most {
			best, most = c, times[c]
		}
	}
	return first[best]
}

// countsUntilRunning reports whether counts other than the period are times off the CPU. Such times
// end by the next sample of the thread, and at least half of them are longer than the CPU time
// since the previous sample can be.
func countsUntilRunning(samples []neighbors, period int64) bool {
	var followed, ended, preceded, tooLong float64
	for _, s := range samples {
		if s.count == period {
			continue
		}
		off := time.Duration(s.count)
		if s.after > 0 {
			followed++
			if off <= s.after+stampRounding {
				ended++
			}
		}
		if s.before > 0 {
			preceded++
			if off > s.before+stampRounding {
				tooLong++
			}
		}
	}
	return preceded > 0 && 2*tooLong >= preceded && ended >= mostly*followed
}

// countsUntilNext reports whether counts other than the period equal the times to the threads' next
// samples.
func countsUntilNext(samples []neighbors, period int64) bool {
	var followed, equal float64
	for _, s := range samples {
		if s.after > 0 && s.count != period {
			followed++
			if d := time.Duration(s.count) - s.after; -stampRounding <= d && d <= stampRounding {
				equal++
			}
		}
	}
	return followed > 0 && equal >= mostly*followed
}

// isWait reports whether the sample with this count was taken off the CPU.
func (m *mixedClock) isWait(count int64) bool {
	if m.early {
		return count > 2*m.period
	}
	return m.period > 0 && count != m.period
}
