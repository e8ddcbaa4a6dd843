package perfetto

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"artifice/format/internal/perf"
	"artifice/format/internal/stackdump"
	"artifice/format/internal/timeline"
	"artifice/internal/eventlog"
	"artifice/internal/protobuf"
	"artifice/internal/words"
	"artifice/trace"
)

// sampleReader reads the stack samples of a trace: PerfSample, which traced_perf writes, and
// StackSample. Samples of wall time and samples of events on a CPU are not mixed: the first sample
// determines which are read. Names are read as in the text of perf. The distinct stacks of each
// thread are kept in memory. Samples wait until they can be sorted by time; if there are many, they
// wait in a temporary file.
type sampleReader struct {
	perf.Base
	packets
	cfg  stackdump.ReaderConfig
	list stackdump.Samples
	from stackdump.Parser // delivers the samples; nil before they are read
	// quantities counted by samples, in the order of their first samples
	kinds        []counted
	samples      *eventlog.Log // the methods in the log are numbers of stacks
	batch        []trace.Event // samples from the log, to be delivered from next on
	next         int
	frames       displayFrames
	framesDone   bool // the display frames were delivered, with the first sample
	count        int64
	seen         []seen
	numbers      map[seen]trace.MethodID
	last         map[uint32]stackdump.Sample // last sample of wall time, by thread
	threads      map[uint32]thread
	processNames map[uint32]string // from the ProcessTree
	places       []place           // by the key of a node
	keys         map[place]uint64

	recordsLost, skipped, stackless, others int64

	failed    map[string]int64 // number of failed stack walks, by cause
	undefined placed           // uses of undefined stacks and frames
}

type thread struct {
	pid  uint32
	name string
}

// place is the location of a frame: a function, an address in a mapped file, or a source line.
type place struct {
	symbol, path, source string
	line                 int
}

// sampleCodec is the [stackdump.Codec] of samples in a trace.
type sampleCodec struct{}

// Detect implements [stackdump.Codec]. [Format] is detected instead.
func (sampleCodec) Detect([]byte) bool { return false }

// Parser implements [stackdump.Codec].
func (sampleCodec) Parser(in stackdump.Input, stream io.Reader, cfg stackdump.ReaderConfig) stackdump.Parser {
	p := &sampleReader{
		Base: perf.NewBase(in), cfg: cfg,
		samples: eventlog.NewLog("", eventlog.Memory), numbers: map[seen]trace.MethodID{}, last: map[uint32]stackdump.Sample{},
		threads: map[uint32]thread{}, processNames: map[uint32]string{}, keys: map[place]uint64{}, failed: map[string]int64{},
	}
	p.packets = packets{in: bufio.NewReader(stream), ratio: cfg.Limits.OrDefault().Ratio, stop: func() error { return nil }, to: p}
	p.list = stackdump.NewSamples(in, p)
	p.list.Tallies = true
	return p
}

// Resolve implements [stackdump.SampleNames].
func (p *sampleReader) Resolve(key uint64) []stackdump.FrameID { return p.framesAt(p.places[key]) }

// NameThread implements [stackdump.SampleNames].
func (p *sampleReader) NameThread(tid uint32, t *stackdump.Thread) {
	if t.Name = p.threads[tid].name; t.Name == "" {
		t.Name = fmt.Sprintf("thread-%d", tid)
	}
	t.ID.Name = t.Name
}

// Next implements [stackdump.Parser]. Each sample is a dump of its thread.
func (p *sampleReader) Next(d *stackdump.Dump) error {
	if p.from == nil {
		if err := p.read(); err != nil {
			return &trace.FormatError{Name: p.Name, Offset: p.offset, Err: err}
		}
		events, err := p.samples.Merge(io.EOF)
		if err != nil {
			return err
		}
		p.from = samplesByTime{p, events}
		if !p.isWall(0) {
			p.from = stackdump.OfCPU(p.from, &p.Input, p.cfg)
		}
	}
	return p.from.Next(d)
}

// read reads the whole trace. A truncated trace is read as far as possible.
func (p *sampleReader) read() error {
	err := p.takeAll()
	if errors.Is(err, io.ErrUnexpectedEOF) && p.count > 0 {
		p.warn(trace.WarnDumpCut, "the file is truncated in packet %d, at byte %d; the packets before the truncated packet are read", p.number+1, p.offset)
		err = nil
	}
	if err == nil {
		err = p.endThreads()
	}
	if err == nil && p.count == 0 {
		err = p.bad.err
	}
	if err != nil {
		return err
	}
	if p.bad.n > 0 {
		p.warn(trace.WarnDumpLeftOut, "%s", p.bad)
	}
	if p.lost.n > 0 {
		p.warn(trace.WarnDumpLeftOut, packetsLost, words.Count(p.lost.n, "packet"), p.lost.first)
	}
	if p.recordsLost > 0 {
		p.warn(trace.WarnDumpLeftOut, "the kernel lost %d records, samples among them", p.recordsLost)
	}
	if p.skipped > 0 {
		p.warn(trace.WarnDumpLeftOut, "the recorder skipped %s", words.Count(p.skipped, "sample"))
	}
	if p.stackless > 0 {
		p.warn(trace.WarnDumpLeftOut, "ignored %s without a stack", words.Count(p.stackless, "sample"))
	}
	if p.others > 0 {
		p.warn(trace.WarnDumpLeftOut, "ignored %s: samples of CPU time and of wall time cannot be mixed, and the first sample is of %s", words.Count(p.others, "sample"), p.kinds[0].event)
	}
	if p.undefined.n > 0 {
		p.warn(trace.WarnDumpText, "replaced %s to undefined stacks or frames by frames [unknown]; the first is in %s", words.Count(p.undefined.n, "reference"), p.undefined.first)
	}
	p.warnFailed()
	return nil
}

// endThreads adds an empty stack at the end of each thread's last sample, if samples represent wall
// time.
func (p *sampleReader) endThreads() error {
	for _, tid := range slices.Sorted(maps.Keys(p.last)) {
		end := p.last[tid]
		if at := end.At + end.CPU; end.CPU > 0 && at > end.At {
			if err := p.add(at, 0, seen{tid, stackdump.NoNode, 0}); err != nil {
				return err
			}
		}
	}
	return nil
}

// warn adds a warning about the file.
func (p *sampleReader) warn(code trace.WarningCode, format string, args ...any) {
	p.Warn.Add(code, p.Name, 0, fmt.Sprintf(format, args...), "")
}

// warnFailed warns about stacks that were not unwound to their outermost frame, with the causes.
func (p *sampleReader) warnFailed() {
	var all int64
	var causes []string
	for cause, n := range p.failed {
		all += n
		causes = append(causes, fmt.Sprintf("%s %d", cause, n))
	}
	if all == 0 {
		return
	}
	slices.Sort(causes)
	p.warn(trace.WarnDumpCut, "the stacks of %d of %d samples were not unwound to the end (%s): the outer callers of these stacks are unknown", all, p.count, strings.Join(causes, ", "))
}

// samplesByTime delivers the samples of a sampleReader.
type samplesByTime struct {
	*sampleReader
	events trace.Reader // in time order
}

func (p samplesByTime) Next(d *stackdump.Dump) error {
	if p.next == len(p.batch) {
		if p.batch == nil {
			p.batch = make([]trace.Event, trace.BatchSize)
		}
		n, err := p.events.ReadEvents(p.batch[:cap(p.batch)])
		p.batch, p.next = p.batch[:n], 0
		switch {
		case n == 0 && err == io.EOF:
			p.samples.Close()
			return p.End()
		case n == 0:
			return err
		}
	}
	e := &p.batch[p.next]
	p.next++
	what := p.seen[e.Method]
	p.list.Put(d, stackdump.Sample{At: e.Wall, CPU: e.CPU, TID: what.tid, Stack: what.stack})
	if !p.framesDone {
		p.framesDone, d.DisplayFrames = true, p.frames.all()
	}
	pid := p.threads[uint32(d.Threads[0].ID.TID)].pid
	d.PID, d.Process = int(pid), cmp.Or(p.processNames[pid], p.threads[pid].name)
	if p.isWall(what.kind) {
		d.Interval, d.Tally = time.Duration(d.Tally.Number), stackdump.Tally{}
		return nil
	}
	d.Tally.Event, d.Tally.Period, d.Tally.OnCPU = p.kinds[what.kind].event, p.kinds[what.kind].period, true
	return nil
}

// part implements [content].
func (p *sampleReader) part(field int, b []byte, seq *sequence) error {
	switch field {
	case packetInterned:
		return seq.stacks.intern(b)
	case packetDefaults:
		return seq.stacks.defaults(b)
	case packetProcesses:
		return p.processes(b)
	case packetTrack:
		return protobuf.Fields(b, func(field int, _ uint64, body []byte) error {
			if field == trackThread {
				return p.threadOf(body)
			}
			return nil
		})
	case packetThread:
		return p.threadOf(b)
	}
	return nil
}

// threadOf stores the name of a thread.
func (p *sampleReader) threadOf(b []byte) error {
	d, err := readThreadDescriptor(b)
	p.name(d.Tid, d.Pid, d.name)
	return err
}

// name names a thread that has no name yet.
func (p *sampleReader) name(tid, pid uint32, name string) {
	t := p.threads[tid]
	if t.name == "" {
		t.name = name
	}
	if t.pid == 0 {
		t.pid = pid
	}
	p.threads[tid] = t
}

// processes reads a ProcessTree, which contains names of threads and of processes. The first thread
// of a process has no separate name there.
func (p *sampleReader) processes(b []byte) error {
	return eachOfTree(b, func(field int, t timeline.Thread, name string) {
		p.name(t.Tid, t.Pid, name)
		if field == treeProcess && p.processNames[t.Pid] == "" {
			p.processNames[t.Pid] = name
		}
	})
}

// event implements [content].
func (p *sampleReader) event(field int, b []byte, seq *sequence, at time.Duration) error {
	switch field {
	case packetPerf:
		return p.perfSample(b, &seq.stacks, at)
	case packetStackSample:
		return p.stackSample(b, &seq.stacks, at)
	case packetFrame:
		return p.frames.event(b, at)
	}
	return nil
}

// slice implements [content].
func (p *sampleReader) slice(*plainSlice, *sequence, time.Duration) error { return nil }
