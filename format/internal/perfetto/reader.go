package perfetto

import (
	"errors"
	"time"

	"artifice/format/internal/timeline"
	"artifice/internal/words"
	"artifice/trace"
)

// reader finds the calls in a trace.
type reader struct {
	*timeline.Source
	packets
	tracks   timeline.Numbers[trace.ThreadID] // by uuid
	counters timeline.Numbers[*counter]       // by uuid
	marks    timeline.Marks
	frames   displayFrames
	cores    coreEvents
	samples  int64 // number of skipped stack samples

	kernelSlices int64 // number of skipped slices of the kernel
}

// errNoCalls is the error of a trace that has stack samples and no calls.
var errNoCalls = errors.New("the trace has stack samples and no slices: --input-format perfetto-samples reads the samples")

// drawn reports whether all samples were taken by CPU time and have the same writer as the slices,
// and returns the CPU time between two samples; 0 if it is not stated. Artifice writes a recording
// sampled by CPU time in this way: in Perfetto, the slices show the methods that ran from one sample
// to the next. Other writers of samples do not write slices.
func (p *reader) drawn() (interval time.Duration, ok bool) {
	samples := int64(0)
	for _, seq := range p.sequences {
		perf := &seq.stacks.perf
		stated := perf.event == cpuClock && perf.each > 0
		if (stated || seq.stacks.weight.event == cpuClock) && seq.slices && seq.samples > 0 {
			samples += seq.samples
		}
		if stated {
			interval = time.Duration(perf.each)
		}
	}
	return interval, samples > 0 && samples == p.samples
}

// take finds the calls in a file.
func take(s *timeline.Source) error {
	p := reader{Source: s, marks: timeline.Marks{Source: s}}
	p.packets = packets{in: s.In, ratio: s.Cfg.Limits.Ratio, stop: s.StopNow, to: &p}
	err := p.takeAll()
	s.Offset, s.DisplayFrames = p.offset, p.frames.all()
	if err == nil {
		err = p.cores.setStates(&p.marks)
	}
	if err == nil && s.Calls.Count() == 0 && p.samples == 0 {
		err = p.bad.err
	}
	if err != nil {
		return err
	}
	if p.bad.n > 0 {
		s.Warnings = append(s.Warnings, trace.Warnf(trace.WarnDumpLeftOut, s.Name, "%s", p.bad))
	}
	if p.lost.n > 0 {
		s.Warnings = append(s.Warnings, trace.Warnf(trace.WarnDumpLeftOut, s.Name, packetsLost, words.Count(p.lost.n, "packet"), p.lost.first))
	}
	s.WarnKernelSlices(p.kernelSlices)
	s.Sampled, s.OfCPU = p.drawn()
	switch {
	case p.samples == 0, s.OfCPU:
	case s.Calls.Count() == 0:
		return errNoCalls
	default:
		s.Warnings = append(s.Warnings, trace.Warnf(trace.WarnDumpLeftOut, s.Name, "ignored %s, because the trace has slices; --input-format %s reads the samples instead", words.Count(p.samples, "stack sample"), Samples.Name))
	}
	return nil
}

// part implements [content].
func (p *reader) part(field int, b []byte, seq *sequence) error {
	switch field {
	case packetThread:
		return p.threadOf(b, seq)
	case packetTrack:
		return p.descriptor(b, seq)
	case packetDefaults:
		return p.defaults(b, seq)
	case packetInterned:
		return p.intern(b, seq)
	case packetProcesses:
		return p.processes(b)
	case packetFtrace:
		return p.ftrace(b)
	}
	return nil
}

// event implements [content].
func (p *reader) event(field int, b []byte, seq *sequence, at time.Duration) error {
	switch field {
	case packetEvent:
		seq.slices = true
		return p.trackEvent(b, seq, at)
	case packetFrame:
		return p.frames.event(b, at)
	}
	p.samples++
	seq.samples++
	return nil
}
