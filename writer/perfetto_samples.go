package writer

import (
	"errors"
	"fmt"
	"time"

	"artifice/internal/encode"
	"artifice/trace"
)

// maxPerfSamples bounds the samples of a file, each of which is a packet of some 30
// bytes: a line of folded stacks can stand for thousands of millions.
const maxPerfSamples = 1 << 24

// WriteSnapshot implements [trace.SnapshotWriter]. It fails when there are more than
// maxPerfSamples samples.
func (p *perfetto) WriteSnapshot(s *trace.Snapshot) error {
	if err := p.filler.stop(); err != nil { // the samples are known
		return err
	}
	return p.sample(s)
}

// fill writes the samples of a recording that tells but those that saw a change.
func (p *perfetto) fill() (err error) {
	p.filled, err = p.filler.fill(p.sample, p.until)
	if errors.Is(err, errSamples) { // the slices are whole without the rest
		err = nil
	}
	return err
}

// Notes adds to what mends the nesting how samples were filled in.
func (p *perfetto) Notes() []string {
	notes := p.nested.Notes()
	if p.filled > 0 {
		notes = append(notes, fmt.Sprintf("the samples are taken to be %s apart: a trace says only when a stack changed", p.filled.Round(time.Microsecond)))
		if p.samples > maxPerfSamples {
			notes = append(notes, fmt.Sprintf("of the samples the first %d are written", maxPerfSamples))
		}
	}
	return notes
}

// sample writes the samples that a snapshot stands for.
func (p *perfetto) sample(s *trace.Snapshot) error {
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
	return eachSample(s, &p.samples, func(at time.Duration) error {
		p.body = p.body[:0]
		p.body.Uint(perfCPU, 0)
		p.body.Uint(perfPID, uint64(p.pid))
		p.body.Uint(perfTID, uint64(p.rec.Symbols.Thread(s.Thread).TID))
		p.body.Uint(perfStack, stack)
		p.body.Uint(perfMode, modeUser)
		return p.timed(at, packetPerf)
	})
}

// errSamples is the error of a recording of more samples than maxPerfSamples.
var errSamples = fmt.Errorf("more than %d samples, for each of which the format has a record; write a profile (.pb.gz) or folded stacks", maxPerfSamples)

// eachSample calls write with the time of each sample that a snapshot stands for:
// that of the first is known, the others are spread evenly up to its end. It adds them
// to count, and fails when that is more than maxPerfSamples.
func eachSample(s *trace.Snapshot, count *int64, write func(at time.Duration) error) error {
	if *count += s.Count; *count > maxPerfSamples {
		return errSamples
	}
	for i := range s.Count {
		if err := write(s.Wall + time.Duration(i)*(s.Until-s.Wall)/time.Duration(s.Count)); err != nil {
			return err
		}
	}
	return nil
}

// stack returns the number of a stack, which is interned at its first use. A
// sample with no frame open has a frame that says so.
func (p *perfetto) stack(s *trace.Snapshot) (uint64, error) {
	if len(p.written) == 0 { // the first of all
		p.internMapping()
	}
	n, err := contextOf(&p.stacks, s, p.rec.Symbols)
	if err != nil {
		return 0, err
	}
	if !first(&p.written, int(n)) {
		return uint64(n), nil
	}
	var stack encode.Message
	stack.Uint(stackID, uint64(n))
	for _, m := range s.Stack {
		stack.Uint(stackFrame, p.frame(uint64(m)+2, p.rec.Symbols.Method(m).FullName()))
	}
	if len(s.Stack) == 0 {
		stack.Uint(stackFrame, p.frame(1, Toplevel))
	}
	p.interned.Bytes(internedStacks, stack)
	return uint64(n), nil
}

// internMapping interns the one mapping that all frames are in, with its path and
// build id: a frame without one is dropped by older releases of Perfetto.
func (p *perfetto) internMapping() {
	p.intern(internedBuildIDs, 1, "")
	p.intern(internedPaths, 1, "app")
	p.item = p.item[:0]
	p.item.Uint(internedID, 1)
	p.item.Uint(mappingBuild, 1)
	p.item.Uint(mappingPath, 1)
	p.interned.Bytes(internedMapping, p.item)
}

// frame returns id, the number of the frame of a function, which is interned at
// its first use. Its place in the mapping, which no trace knows, is the number:
// frames at the same place would be one.
func (p *perfetto) frame(id uint64, function string) uint64 {
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
