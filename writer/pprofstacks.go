package writer

import (
	"fmt"
	"slices"

	"github.com/google/pprof/profile"

	"artifice/calltree"
	"artifice/trace"
)

// stackList fills a profile's samples, locations and functions, each in the
// order in which it is first seen. Many small slices are cut from few large
// ones: a trace has up to millions of stacks.
type stackList struct {
	prof      *profile.Profile
	symbols   *trace.Symbols
	clock     trace.Clock
	thread    trace.ThreadID
	labels    *threadLabels       // of thread; nil before its first stack
	locations []*profile.Location // by method; nil for one not yet seen
	toplevel  *profile.Location

	samples []profile.Sample
	frames  []*profile.Location
	values  []int64
}

// threadLabels are the labels that all samples of a thread share.
type threadLabels struct {
	text   map[string][]string
	number map[string][]int64
}

func newStackList(prof *profile.Profile, rec *trace.Recording) *stackList {
	return &stackList{
		prof:      prof,
		symbols:   rec.Symbols,
		clock:     rec.Info.Clock,
		locations: make([]*profile.Location, len(rec.Symbols.Methods)),
	}
}

// add appends a stack of the current thread to the profile.
func (b *stackList) add(s *calltree.Stack) error {
	if b.labels == nil {
		if err := b.label(); err != nil {
			return err
		}
	}
	frames, err := b.stack(s.Frames)
	if err != nil {
		return err
	}
	sample := take(&b.samples, 1)
	sample[0] = profile.Sample{Location: frames, Value: b.value(s), Label: b.labels.text, NumLabel: b.labels.number}
	b.prof.Sample = append(b.prof.Sample, &sample[0])
	return nil
}

func (b *stackList) label() error {
	if int(b.thread) >= len(b.symbols.Threads) {
		return fmt.Errorf("events of thread index %d, but there are %d threads", b.thread, len(b.symbols.Threads))
	}
	t := b.symbols.Thread(b.thread)
	b.labels = &threadLabels{
		text:   map[string][]string{"thread": {utf8(t.String())}},
		number: map[string][]int64{"tid": {int64(t.TID)}},
	}
	return nil
}

// stack returns the locations of frames, innermost first.
func (b *stackList) stack(frames []trace.MethodID) ([]*profile.Location, error) {
	if len(frames) == 0 {
		if b.toplevel == nil {
			b.toplevel = b.location(&profile.Function{Name: toplevelName, SystemName: toplevelName})
		}
		return append(take(&b.frames, 1)[:0], b.toplevel), nil
	}
	out := take(&b.frames, len(frames))
	for i, m := range frames {
		if int(m) >= len(b.locations) {
			return nil, fmt.Errorf("events of method index %d, but there are %d methods", m, len(b.locations))
		}
		if b.locations[m] == nil {
			b.locations[m] = b.method(b.symbols.Method(m))
		}
		out[len(out)-1-i] = b.locations[m]
	}
	return out, nil
}

func (b *stackList) value(s *calltree.Stack) []int64 {
	v := take(&b.values, len(b.prof.SampleType))
	v = append(v[:0], s.Count)
	if b.clock.HasWall() {
		v = append(v, int64(s.Self.Wall))
	}
	if b.clock.HasCPU() {
		v = append(v, int64(s.Self.CPU))
	}
	return v
}

func (b *stackList) method(m *trace.Method) *profile.Location {
	return b.location(&profile.Function{
		Name:       utf8(m.FullName()),
		SystemName: utf8(m.String()),
		Filename:   utf8(m.File),
		StartLine:  int64(m.Line),
	})
}

// location appends a function and the one location it has: a trace knows in
// which method a thread is, not at which line.
func (b *stackList) location(f *profile.Function) *profile.Location {
	f.ID = uint64(len(b.prof.Function) + 1)
	b.prof.Function = append(b.prof.Function, f)
	l := &profile.Location{
		ID:      f.ID,
		Mapping: b.prof.Mapping[0],
		Line:    []profile.Line{{Function: f, Line: f.StartLine}},
	}
	b.prof.Location = append(b.prof.Location, l)
	return l
}

// take cuts n elements from slab, whose rest it replaces when that is too
// short.
func take[T any](slab *[]T, n int) []T {
	const slabSize = 4096
	if len(*slab) < n {
		*slab = make([]T, max(n, slabSize))
	}
	out := slices.Clip((*slab)[:n])
	*slab = (*slab)[n:]
	return out
}
