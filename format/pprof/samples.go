package pprof

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/google/pprof/profile"

	"artifice/format/internal/stackdump"
	"artifice/trace"
)

// codec is the [stackdump.Codec] of a profile that is read already.
type codec struct {
	profile  *profile.Profile
	values   values
	interval time.Duration // interval of samples
}

// Detect implements [stackdump.Codec]. Package pprof itself distinguishes profiles from other
// files.
func (codec) Detect([]byte) bool { return false }

// Parser implements [stackdump.Codec].
func (c codec) Parser(in stackdump.Input, _ io.Reader, cfg stackdump.ReaderConfig) stackdump.Parser {
	p := &parser{Input: in, codec: c, stacks: StacksOf(c.profile), names: map[*profile.Function]stackdump.FrameID{}, roles: map[string]role{}, elapsed: map[stackdump.ID]stackdump.Sum{}}
	p.most = int64(cfg.Limits.OrDefault().Frames) + p.stacks.locations()*framesPerLocation
	p.frames = make([][]stackdump.FrameID, len(p.stacks.List))
	p.tree = stackdump.NewSamples(in, p)
	return p
}

// framesPerLocation is how many inlined frames beyond the limit a profile may have for each
// location of its different stacks. Compilers inline some ten functions into each other.
const framesPerLocation = 64

// parser delivers each sample of a profile as a dump of its thread, with its samples, its wall time
// and its CPU time. The samples of a thread follow each other. The frames of each different stack
// are resolved once.
type parser struct {
	stackdump.Input
	codec
	next   int // index of the next sample of the profile
	stacks *Stacks
	// by number of a stack: its frames, innermost first; nil: not resolved yet
	frames  [][]stackdump.FrameID
	tree    stackdump.Samples // each node is a whole stack, with the stack's number as its key
	names   map[*profile.Function]stackdump.FrameID
	roles   map[string]role // roles of labels, by key
	elapsed map[stackdump.ID]stackdump.Sum
	sum     int64 // number of frames resolved so far
	most    int64 // maximum number of frames that may be resolved
	any     bool  // a sample was delivered
}

// Next implements [stackdump.Parser].
func (p *parser) Next(d *stackdump.Dump) error {
	for p.next < len(p.profile.Sample) {
		s, stack := p.profile.Sample[p.next], p.stacks.Of[p.next]
		p.next++
		if n, wall, cpu := p.values.of(s, p.interval); wall != 0 || cpu != 0 || n != 0 && !p.values.quantity.IsSet() {
			p.any = true
			return p.dump(d, s, stack, max(n, 1), stackdump.Sum{Wall: time.Duration(wall), CPU: time.Duration(cpu)})
		}
	}
	if !p.any {
		return p.bad("the profile has no sample"+p.ofValue(), nil)
	}
	return io.EOF
}

// ofValue returns a phrase with the name of the value for an error message: all samples have 0 in
// it, and the profile has other values.
func (p *parser) ofValue() string {
	at := max(p.values.wall, p.values.cpu, p.values.count)
	if len(p.profile.Sample) == 0 || len(p.profile.SampleType) == 1 {
		return ""
	}
	return fmt.Sprintf(" with a value of %s (--value NAME reads others: %s)", p.profile.SampleType[at].Type, strings.Join(valueNames(p.profile), ", "))
}

// bad returns an error of the whole profile.
func (p *parser) bad(msg string, err error) error {
	return &trace.FormatError{Name: p.Name, Offset: -1, Msg: msg, Err: err}
}

// dump stores a sample with the given stack in d.
func (p *parser) dump(d *stackdump.Dump, s *profile.Sample, stack int32, count int64, sum stackdump.Sum) error {
	d.Begin(&p.Input)
	d.Partial, d.Quantity, d.Unclocked = true, p.values.quantity, p.values.unclocked
	d.OfCPU = p.values.hasCPU() && p.values.wall < 0
	t := d.AddThread(0)
	t.Count = count
	p.nameThread(d, t, s)
	if err := p.setStack(t, stack); err != nil {
		return err
	}
	at := p.elapsed[t.ID]
	if p.values.quantity.IsSet() && (sum.Wall > stackdump.Farthest-at.Wall || sum.Wall < -stackdump.Farthest-at.Wall) {
		return p.bad(fmt.Sprintf("the values of %s of thread %q sum to more than 2^61", p.values.quantity.Name, t.Name), nil)
	}
	if sum.Wall > stackdump.Farthest-at.Wall || sum.CPU > stackdump.Farthest-at.CPU {
		return p.bad(fmt.Sprintf("the samples of thread %q last longer than %s; use a shorter --interval", t.Name, stackdump.Farthest), nil)
	}
	d.Stamp = stackdump.Stamp{Uptime: at.Wall, HasUptime: true}
	t.Sum, t.CPU, t.HasCPU = sum, at.CPU, p.values.hasCPU()
	p.elapsed[t.ID] = stackdump.Sum{Wall: at.Wall + sum.Wall, CPU: at.CPU + sum.CPU}
	return nil
}

// setStack sets the stack of t to the stack with a number.
func (p *parser) setStack(t *stackdump.Thread, n int32) error {
	if p.frames[n] == nil {
		p.frames[n] = p.resolve(p.stacks.List[n])
		if p.sum += int64(len(p.frames[n])); p.sum > p.most {
			limit := &trace.LimitError{Limit: "frames", Most: int(p.most), What: "frames in the samples' stacks"}
			return p.bad("too many inlined frames", limit)
		}
	}
	t.Tree, t.Node = &p.tree, stackdump.NoNode
	if len(p.frames[n]) > 0 {
		t.Node = p.tree.Under(stackdump.NoNode, uint64(n))
	}
	return nil
}

// resolve returns the frames of a stack, innermost first.
func (p *parser) resolve(stack []*profile.Location) []stackdump.FrameID {
	lines := 0
	for _, l := range stack {
		lines += max(1, len(l.Line))
	}
	frames := make([]stackdump.FrameID, 0, min(lines, p.Depth))
	for _, l := range stack {
		for _, line := range l.Line { // the last line is the caller
			if len(frames) == p.Depth {
				break
			}
			if f := line.Function; f != nil && f.Name != "" && f.Name != toplevel {
				frames = append(frames, p.function(f))
			}
		}
		if len(frames) == p.Depth {
			p.ComplainDepth()
			break
		}
		if len(l.Line) == 0 {
			frames = append(frames, p.Frame(stackdump.FoldedSyntax, fmt.Appendf(nil, "0x%x", l.Address)))
		}
	}
	// The total contains it, as in go tool pprof. Wall time without frames can be that of a thread
	// that waits.
	if len(frames) == 0 && (p.values.quantity.IsSet() || p.values.wall < 0 && len(stack) == 0) {
		frames = append(frames, p.Frame(stackdump.FoldedSyntax, []byte(stackdump.NoStack)))
	}
	return frames
}

// Resolve implements [stackdump.SampleNames].
func (p *parser) Resolve(stack uint64) []stackdump.FrameID { return p.frames[stack] }

// NameThread implements [stackdump.SampleNames]. Labels name threads ([parser.nameThread]).
func (p *parser) NameThread(uint32, *stackdump.Thread) {}

// function returns the frame for a function.
func (p *parser) function(f *profile.Function) stackdump.FrameID {
	id, ok := p.names[f]
	if !ok {
		id = p.Frame(stackdump.FoldedSyntax, []byte(foldable.Replace(f.Name)))
		p.names[f] = id
	}
	return id
}
