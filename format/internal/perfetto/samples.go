package perfetto

import (
	"errors"
	"fmt"
	"time"

	"artifice/internal/encode"
	"artifice/internal/protobuf"
	"artifice/trace"
)

// WriteSnapshot implements [trace.SnapshotWriter]. It fails if sums represent more samples than the
// limit.
func (p *file) WriteSnapshot(s *trace.Snapshot) error {
	if err := p.filler.Stop(); err != nil { // the samples are known and need not be filled in
		return err
	}
	if p.Rec.Info.OfCPU {
		return p.ran.Take(s, p.sample)
	}
	return p.sample(s, s.Until-s.Wall)
}

// filledForEvent is the number of samples per event that may be filled in beyond the limit of
// samples, because a few events can be years apart.
const filledForEvent = 64

// fill writes all samples of a recording that contains only the samples with a change.
func (p *file) fill() (err error) {
	most := max(int64(p.samples.Max), filledForEvent*p.filler.Groups.Events)
	p.filled, err = p.filler.Fill(func(s *trace.Snapshot, took time.Duration) error {
		if p.samples.N+s.Count > most {
			return errSamples
		}
		return p.sample(s, took)
	}, p.Until)
	// the slices are complete even if samples are missing
	switch frames := (*trace.LimitError)(nil); {
	case errors.Is(err, errSamples):
		p.cut = "samples"
	case errors.As(err, &frames):
		p.cut = frames.Limit
	default:
		return err
	}
	return nil
}

// errSamples ends the filling in of samples at the limit.
var errSamples = errors.New("too many samples")

// Notes returns the notes on repairs of the nesting and on filled-in samples.
func (p *file) Notes() []string {
	notes := append(p.Nested.Notes(), p.cores.Notes()...)
	if p.filled > 0 {
		notes = append(notes, fmt.Sprintf("the samples are assumed to be %s apart, because a trace contains only changes of stacks", p.filled.Round(time.Microsecond)))
		if p.cut != "" {
			notes = append(notes, fmt.Sprintf("only the first %d samples are written; --limit %s=N writes more", p.samples.N, p.cut))
		}
	}
	return notes
}

// sample writes the samples of a snapshot, which together have its counted time.
func (p *file) sample(s *trace.Snapshot, counted time.Duration) error {
	if p.pid == 0 {
		if err := p.start(); err != nil {
			return err
		}
	}
	if s.IsEnd() {
		return nil
	}
	stack, err := p.stack(s)
	if err != nil {
		return err
	}
	why := ""
	if len(s.Stack) > 0 {
		why = p.Rec.Symbols.Method(s.Stack[0]).WalkEnd()
	}
	return p.samples.Each(s, counted, func(at, weight time.Duration) error {
		p.body = p.body[:0]
		if p.perfSamples {
			return p.perfSample(at, s.Thread, stack, why)
		}
		return p.stackSample(at, s.Thread, stack, weight, why)
	})
}

// perfSample writes a PerfSample. It does not contain the count of the sample, but it states why a
// stack walk ended early.
func (p *file) perfSample(at time.Duration, id trace.ThreadID, stack uint64, why string) error {
	p.body.Uint(perfCPU, 0)
	p.body.Uint(perfPID, uint64(p.pid))
	p.body.Uint(perfTID, uint64(p.Rec.Symbols.Thread(id).TID))
	p.body.Uint(perfStack, stack)
	p.body.Uint(perfMode, modeUser)
	if why != "" {
		p.body.Uint(perfUnwindError, uint64(unwindErrorOf(why)))
	}
	return p.timed(at, packetPerf)
}

// stackSample writes a StackSample. Traces do not contain the core of a sample.
func (p *file) stackSample(at time.Duration, id trace.ThreadID, stack uint64, weight time.Duration, why string) error {
	p.body.Uint(sampleTaskID, p.task(id))
	p.body.Uint(sampleStackID, stack)
	p.body.Uint(sampleWeight, uint64(max(weight, 0)))
	if why != "" {
		p.body.Bytes(sampleUnwindError, []byte(why))
	}
	return p.timed(at, packetStackSample)
}

// task returns the number of a thread. The thread is interned at its first use.
func (p *file) task(id trace.ThreadID) uint64 {
	if first(&p.tasks, int(id)) {
		p.item = p.item[:0]
		p.item.Uint(internedID, uint64(id)+1)
		p.item.Uint(taskPID, uint64(p.pid))
		p.item.Uint(taskTID, uint64(p.Rec.Symbols.Thread(id).TID))
		p.interned.Bytes(internedTasks, p.item)
	}
	return uint64(id) + 1
}

// beginSamples writes properties of all samples: the profiler, and the counted event. A StackSample
// does not state the period; the field of PerfSamples states it for both.
func (p *file) beginSamples() error {
	p.internMapping()
	var defaults protobuf.Message
	info := &p.Rec.Info
	if each := info.SamplingInterval(); info.OfCPU && each > 0 {
		defaults.Bytes(defaultsPerf, cpuSampling(each))
	}
	if !p.perfSamples {
		defaults.Bytes(defaultsStackSample, stackSampling(info.OfCPU))
	}
	if len(defaults) == 0 {
		return nil
	}
	p.packet = p.packet[:0]
	p.packet.Bytes(packetDefaults, defaults)
	p.packet.Uint(packetFlags, stateNeeded)
	return p.flush()
}

// stackSampling returns StackSampleDefaults that state the meaning of weights: nanoseconds of CPU
// time or of wall time.
func stackSampling(ofCPU bool) (samples protobuf.Message) {
	source, counts := "artifice.wall", wallTime
	if ofCPU {
		source, counts = "artifice.cpu", cpuClock
	}
	var descriptor protobuf.Message
	descriptor.Text(descriptorName, counts)
	descriptor.Uint(descriptorUnit, unitNanoseconds)
	samples.Text(sampleDefaultsSource, source)
	samples.Bytes(sampleDefaultsDescriptor, descriptor)
	return samples
}

// cpuSampling returns PerfSampleDefaults that state the CPU time of a thread between two samples.
func cpuSampling(interval time.Duration) (samples protobuf.Message) {
	var base protobuf.Message
	base.Uint(baseCounter, counterCPUClock)
	if time.Second%interval == 0 {
		base.Uint(baseFrequency, uint64(time.Second/interval))
	} else {
		base.Uint(basePeriod, uint64(interval))
	}
	samples.Bytes(perfDefaultsTimebase, base)
	return samples
}

// stack returns the number of a stack. The stack is interned at its first use. A sample without an
// open frame has a frame that states this.
func (p *file) stack(s *trace.Snapshot) (uint64, error) {
	if len(p.written) == 0 { // the first stack of the file
		if err := p.beginSamples(); err != nil {
			return 0, err
		}
	}
	n, err := p.stacks.Of(s, p.Rec.Symbols)
	if err != nil {
		return 0, err
	}
	if !first(&p.written, int(n)) {
		return uint64(n), nil
	}
	if err := p.samples.Stack(len(s.Stack)); err != nil {
		return 0, err
	}
	var stack protobuf.Message
	stack.Uint(stackID, uint64(n))
	for _, m := range s.Stack {
		stack.Uint(stackFrame, p.frame(uint64(m)+2, p.Rec.Symbols.Method(m).FullName()))
	}
	if len(s.Stack) == 0 {
		stack.Uint(stackFrame, p.frame(1, encode.Toplevel))
	}
	p.interned.Bytes(internedStacks, stack)
	return uint64(n), nil
}

// mappedFile is the nominal file of all methods, because traces do not contain their files.
const mappedFile = "base.apk"

// internMapping interns the single mapping of all frames, with its path and build id, because older
// releases of Perfetto drop frames without a mapping.
func (p *file) internMapping() {
	p.intern(internedBuildIDs, 1, "")
	p.intern(internedPaths, 1, mappedFile)
	p.item = p.item[:0]
	p.item.Uint(internedID, 1)
	p.item.Uint(mappingBuild, 1)
	p.item.Uint(mappingPath, 1)
	p.interned.Bytes(internedMapping, p.item)
}

// frame returns id, the number of the frame of a function. The frame is interned at its first use.
// Traces contain no offsets in a mapping, so the offset is the frame's number: frames with equal
// offsets would be merged.
func (p *file) frame(id uint64, function string) uint64 {
	if first(&p.framed, int(id)) {
		p.intern(internedFunctions, id, function)
		p.item = p.item[:0]
		p.item.Uint(internedID, id)
		p.item.Uint(frameFunction, id)
		p.item.Uint(frameMapping, 1)
		p.item.Uint(framePC, id)
		p.interned.Bytes(internedFrames, p.item)
	}
	return id
}
