package writer

import (
	"errors"
	"fmt"
	"time"

	"artifice/internal/encode"
	"artifice/trace"
)

// WriteSnapshot implements [trace.SnapshotWriter]. It fails when sums stand for more
// samples than the limit.
func (p *perfetto) WriteSnapshot(s *trace.Snapshot) error {
	if err := p.filler.stop(); err != nil { // the samples are known
		return err
	}
	return p.sample(s)
}

// filledForEvent is how many samples are filled in for each event, beyond the limit of
// samples: a few events can be years apart.
const filledForEvent = 64

// fill writes the samples of a recording that tells but those that saw a change.
func (p *perfetto) fill() (err error) {
	most := max(int64(p.samples.most), filledForEvent*p.filler.groups.Events)
	p.filled, err = p.filler.fill(func(s *trace.Snapshot) error {
		if p.samples.n+s.Count > most {
			return errSamples
		}
		return p.sample(s)
	}, p.until)
	if p.cut = errors.Is(err, errSamples); p.cut { // the slices are whole without the rest
		err = nil
	}
	return err
}

// errSamples ends the filling in of samples.
var errSamples = errors.New("too many samples")

// Notes adds to what mends the nesting how samples were filled in.
func (p *perfetto) Notes() []string {
	notes := p.nested.Notes()
	if p.filled > 0 {
		notes = append(notes, fmt.Sprintf("the samples are taken to be %s apart: a trace says only when a stack changed", p.filled.Round(time.Microsecond)))
		if p.cut {
			notes = append(notes, fmt.Sprintf("of the samples the first %d are written; --limit samples=N writes more", p.samples.n))
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
	return p.samples.each(s, func(at time.Duration) error {
		p.body = p.body[:0]
		p.body.Uint(perfCPU, 0)
		p.body.Uint(perfPID, uint64(p.pid))
		p.body.Uint(perfTID, uint64(p.rec.Symbols.Thread(s.Thread).TID))
		p.body.Uint(perfStack, stack)
		p.body.Uint(perfMode, modeUser)
		return p.timed(at, packetPerf)
	})
}

// sampleCount is how many samples were written one by one.
type sampleCount struct {
	n    int64
	sums int64 // of these, those of sums
	most int   // of these
}

// mostTaken bounds the samples that were taken one by one, whose file is as large as the
// output.
const mostTaken = 1 << 24

func newSampleCount(o *Options) sampleCount { return sampleCount{most: o.Limits.OrDefault().Samples} }

// each calls write with the time of each sample that a snapshot stands for: that of the
// first is known, the others are spread evenly up to its end. It fails when there are
// more than there may be: a few bytes of sums can stand for any number.
func (c *sampleCount) each(s *trace.Snapshot, write func(at time.Duration) error) error {
	c.n += s.Count
	n, most := &c.n, max(c.most, mostTaken)
	if s.Sum {
		c.sums += s.Count
		n, most = &c.sums, c.most
	}
	if *n > int64(most) || *n < 0 {
		return fmt.Errorf("more than %d samples, for each of which the format has a record; write a profile (.pb.gz) or folded stacks, or raise the limit with --limit samples=N", most)
	}
	step, rest := (s.Until-s.Wall)/time.Duration(s.Count), (s.Until-s.Wall)%time.Duration(s.Count)
	for i := range time.Duration(s.Count) {
		if err := write(s.Wall + i*step + i*rest/time.Duration(s.Count)); err != nil {
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
	n, err := p.stacks.of(s, p.rec.Symbols)
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
