package perfetto

import (
	"errors"
	"fmt"
	"time"

	"artifice/internal/protobuf"
	"artifice/trace"
	"artifice/writer"
)

// WriteSnapshot implements [trace.SnapshotWriter]. It fails when sums stand for more
// samples than the limit.
func (p *file) WriteSnapshot(s *trace.Snapshot) error {
	if err := p.filler.Stop(); err != nil { // the samples are known
		return err
	}
	return p.sample(s)
}

// filledForEvent is how many samples are filled in for each event, beyond the limit of
// samples: a few events can be years apart.
const filledForEvent = 64

// fill writes the samples of a recording that tells but those that saw a change.
func (p *file) fill() (err error) {
	most := max(int64(p.samples.Most), filledForEvent*p.filler.Groups.Events)
	p.filled, err = p.filler.Fill(func(s *trace.Snapshot) error {
		if p.samples.N+s.Count > most {
			return errSamples
		}
		return p.sample(s)
	}, p.Until)
	if p.cut = errors.Is(err, errSamples); p.cut { // the slices are whole without the rest
		err = nil
	}
	return err
}

// errSamples ends the filling in of samples.
var errSamples = errors.New("too many samples")

// Notes adds to what mends the nesting how samples were filled in.
func (p *file) Notes() []string {
	notes := p.Nested.Notes()
	if p.filled > 0 {
		notes = append(notes, fmt.Sprintf("the samples are taken to be %s apart: a trace says only when a stack changed", p.filled.Round(time.Microsecond)))
		if p.cut {
			notes = append(notes, fmt.Sprintf("of the samples the first %d are written; --limit samples=N writes more", p.samples.N))
		}
	}
	return notes
}

// sample writes the samples that a snapshot stands for.
func (p *file) sample(s *trace.Snapshot) error {
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
	return p.samples.Each(s, func(at time.Duration) error {
		p.body = p.body[:0]
		p.body.Uint(perfCPU, 0)
		p.body.Uint(perfPID, uint64(p.pid))
		p.body.Uint(perfTID, uint64(p.Rec.Symbols.Thread(s.Thread).TID))
		p.body.Uint(perfStack, stack)
		p.body.Uint(perfMode, modeUser)
		return p.timed(at, packetPerf)
	})
}

// stack returns the number of a stack, which is interned at its first use. A
// sample with no frame open has a frame that says so.
func (p *file) stack(s *trace.Snapshot) (uint64, error) {
	if len(p.written) == 0 { // the first of all
		p.internMapping()
	}
	n, err := p.stacks.Of(s, p.Rec.Symbols)
	if err != nil {
		return 0, err
	}
	if !first(&p.written, int(n)) {
		return uint64(n), nil
	}
	var stack protobuf.Message
	stack.Uint(stackID, uint64(n))
	for _, m := range s.Stack {
		stack.Uint(stackFrame, p.frame(uint64(m)+2, p.Rec.Symbols.Method(m).FullName()))
	}
	if len(s.Stack) == 0 {
		stack.Uint(stackFrame, p.frame(1, writer.Toplevel))
	}
	p.interned.Bytes(internedStacks, stack)
	return uint64(n), nil
}

// mappedFile is the file that all methods are said to be in: no trace knows it.
const mappedFile = "base.apk"

// internMapping interns the one mapping that all frames are in, with its path and
// build id: a frame without one is dropped by older releases of Perfetto.
func (p *file) internMapping() {
	p.intern(internedBuildIDs, 1, "")
	p.intern(internedPaths, 1, mappedFile)
	p.item = p.item[:0]
	p.item.Uint(internedID, 1)
	p.item.Uint(mappingBuild, 1)
	p.item.Uint(mappingPath, 1)
	p.interned.Bytes(internedMapping, p.item)
}

// frame returns id, the number of the frame of a function, which is interned at
// its first use. Its place in the mapping, which no trace knows, is the number:
// frames at the same place would be one.
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
