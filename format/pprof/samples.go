package pprof

import (
	"fmt"
	"io"
	"time"

	"github.com/google/pprof/profile"

	"artifice/format/internal/stackdump"
	"artifice/trace"
)

// codec is the [stackdump.Codec] of a profile that is read already.
type codec struct {
	profile  *profile.Profile
	values   values
	interval time.Duration // of a sample
}

// Detect implements [stackdump.Codec]. Package pprof itself distinguishes profiles from other files.
func (codec) Detect([]byte) bool { return false }

// Parser implements [stackdump.Codec].
func (c codec) Parser(in stackdump.Input, _ io.Reader, cfg stackdump.ReaderConfig) stackdump.Parser {
	p := &parser{Input: in, codec: c, names: map[*profile.Function]stackdump.FrameID{}, elapsed: map[stackdump.ID]stackdump.Sum{}}
	p.most = int64(cfg.Limits.OrDefault().Frames)
	for _, s := range c.profile.Sample {
		p.most += int64(len(s.Location)) * framesPerLocation
	}
	return p
}

// framesPerLocation is how many inlined frames beyond the limit a profile may have for each location of
// its samples. Compilers inline some ten functions into each other.
const framesPerLocation = 64

// parser delivers each sample of a profile as a dump of its thread, with its samples, its wall time and its
// CPU time. The samples of a thread follow each other.
type parser struct {
	stackdump.Input
	codec
	next    int // sample of the profile
	names   map[*profile.Function]stackdump.FrameID
	elapsed map[stackdump.ID]stackdump.Sum
	frames  int64 // delivered so far
	most    int64 // frames that may be delivered
	any     bool  // a sample was delivered
}

// Next implements [stackdump.Parser].
func (p *parser) Next(d *stackdump.Dump) error {
	for p.next < len(p.profile.Sample) {
		s := p.profile.Sample[p.next]
		p.next++
		if n, wall, cpu := p.values.of(s, p.interval); n != 0 || wall != 0 || cpu != 0 {
			p.any = true
			return p.dump(d, s, max(n, 1), stackdump.Sum{Wall: time.Duration(wall), CPU: time.Duration(cpu)})
		}
	}
	if !p.any {
		return p.bad("the profile has no sample", nil)
	}
	return io.EOF
}

// bad returns an error of the whole profile.
func (p *parser) bad(msg string, err error) error {
	return &trace.FormatError{Name: p.Name, Offset: -1, Msg: msg, Err: err}
}

// dump fills d with a sample.
func (p *parser) dump(d *stackdump.Dump, s *profile.Sample, count int64, sum stackdump.Sum) error {
	d.Begin(&p.Input)
	d.Partial = true
	t := d.AddThread(0)
	t.Count = count
	p.nameThread(t, s)
	if err := p.stack(t, s); err != nil {
		return err
	}
	at := p.elapsed[t.ID]
	if sum.Wall > stackdump.Farthest-at.Wall || sum.CPU > stackdump.Farthest-at.CPU {
		return p.bad(fmt.Sprintf("the samples of thread %q last longer than %s; give a shorter interval", t.Name, stackdump.Farthest), nil)
	}
	d.Stamp = stackdump.Stamp{Uptime: at.Wall, HasUptime: true}
	t.Sum, t.CPU, t.HasCPU = sum, at.CPU, p.values.cpu >= 0
	p.elapsed[t.ID] = stackdump.Sum{Wall: at.Wall + sum.Wall, CPU: at.CPU + sum.CPU}
	return nil
}

// stack gives t the frames of a sample, the innermost first.
func (p *parser) stack(t *stackdump.Thread, s *profile.Sample) error {
	for _, l := range s.Location {
		for _, line := range l.Line { // the last one is the caller
			if f := line.Function; f != nil && f.Name != "" && f.Name != toplevel {
				t.Push(&p.Input, p.function(f))
			}
			if len(t.Stack) == p.Depth {
				break
			}
		}
		if len(l.Line) == 0 {
			t.Push(&p.Input, p.Frame(stackdump.FoldedSyntax, fmt.Appendf(nil, "0x%x", l.Address)))
		}
		if len(t.Stack) == p.Depth {
			p.ComplainDepth()
			break
		}
	}
	if p.frames += int64(len(t.Stack)); p.frames > p.most {
		limit := &trace.LimitError{Limit: "frames", Most: int(p.most), What: "frames in the samples' stacks"}
		return p.bad("too many inlined frames", limit)
	}
	return nil
}

// function returns the frame of a function.
func (p *parser) function(f *profile.Function) stackdump.FrameID {
	id, ok := p.names[f]
	if !ok {
		id = p.Frame(stackdump.FoldedSyntax, []byte(foldable.Replace(f.Name)))
		p.names[f] = id
	}
	return id
}

// nameThread gives t the thread that a sample's labels name.
func (p *parser) nameThread(t *stackdump.Thread, s *profile.Sample) {
	t.Name, t.ID.TID = "main", 1
	if v := s.Label["thread"]; len(v) > 0 {
		t.Name = p.Text([]byte(foldable.Replace(v[0])))
	}
	if v := s.NumLabel["tid"]; len(v) > 0 {
		t.ID.TID = v[0]
	}
	if t.ID.TID == 0 {
		t.ID.Name = t.Name
	}
}
