package main

import (
	"fmt"
	"math/rand/v2"

	"artifice/internal/profileproto"
	"artifice/internal/protobuf"
)

// pprofClasses are profiles of google/pprof.
var pprofClasses = []class{
	packed("pprof-deep", ".pb.gz", pprofDeep),
	packed("pprof-inlined", ".pb.gz", pprofInlined),
	packed("pprof-distinct", ".pb.gz", pprofDistinct),
	packed("pprof-strings", ".pb.gz", pprofStrings),
	packed("pprof-values", ".pb.gz", pprofValues),
	packed("pprof-missing", ".pb.gz", pprofMissing),
	packed("pprof-labels", ".pb.gz", pprofLabels),
}

// profile is a profile under construction.
type profile struct {
	protobuf.Message
	strings int
}

// newProfile begins a profile: its first strings and its sample types.
func newProfile(types ...string) *profile {
	p := &profile{}
	p.text("")
	for _, name := range types {
		var m protobuf.Message
		m.Number(profileproto.ValueTypeType, p.text(name))
		m.Number(profileproto.ValueTypeUnit, p.text("nanoseconds"))
		p.Bytes(profileproto.SampleType, m)
	}
	return p
}

// text adds a string and returns its number.
func (p *profile) text(s string) int64 {
	p.Bytes(profileproto.StringTable, []byte(s))
	p.strings++
	return int64(p.strings - 1)
}

// function adds a function.
func (p *profile) function(id, name int64) {
	var m protobuf.Message
	m.Number(profileproto.FunctionID, id)
	m.Number(profileproto.FunctionName, name)
	p.Bytes(profileproto.Function, m)
}

// location adds a location with a line for each function, innermost first.
func (p *profile) location(id int64, functions ...int64) {
	var m, line protobuf.Message
	m.Number(profileproto.LocationID, id)
	for i, f := range functions {
		line = line[:0]
		line.Number(profileproto.LineFunctionID, f)
		line.Number(profileproto.LineLine, int64(i%100))
		m.Bytes(profileproto.LocationLine, line)
	}
	p.Bytes(profileproto.Location, m)
}

// sample adds a sample.
func (p *profile) sample(locations []int64, values ...int64) {
	var m protobuf.Message
	m.Bytes(profileproto.SampleLocationID, varints(locations))
	m.Bytes(profileproto.SampleValue, varints(values))
	p.Bytes(profileproto.Sample, m)
}

// varints encodes numbers.
func varints(list []int64) (b []byte) {
	for _, v := range list {
		b = protobuf.AppendVarint(b, uint64(v))
	}
	return b
}

// places adds functions and locations with one line each, numbered from 1.
func (p *profile) places(n int) {
	for i := range n {
		p.function(int64(i+1), p.text(fmt.Sprintf("f%d", i)))
		p.location(int64(i+1), int64(i+1))
	}
}

// pprofDeep has few samples with many frames: of one function, of a cycle of some, or of all at
// random.
func pprofDeep(r *rand.Rand, size int) []byte {
	p := newProfile("cpu")
	places := pick(r, 1, 2, 100, size/100)
	samples := pick(r, 1, 2, 16)
	p.places(places)
	for n := (size - len(p.Message)) / samples / 2; samples > 0; samples-- {
		stack := make([]int64, max(n, 0))
		first := r.IntN(places)
		for i := range stack {
			stack[i] = int64((first+i)%places + 1)
		}
		p.sample(stack, 1e6)
	}
	return p.Message
}

// pprofInlined has a location with many inlined lines, which samples refer to again and again.
func pprofInlined(r *rand.Rand, size int) []byte {
	p := newProfile("cpu")
	p.places(4)
	lines := make([]int64, size/12)
	for i := range lines {
		lines[i] = r.Int64N(4) + 1
	}
	p.location(5, lines...)
	p.location(6, lines[:len(lines)/2]...)
	perSample := pick(r, 1, 16, size)
	for left := size / 4; left > 0; {
		stack := make([]int64, min(perSample, left))
		for i := range stack {
			stack[i] = 5 + r.Int64N(2)
		}
		p.sample(stack, 1e6)
		left -= len(stack) + 10
	}
	return p.Message
}

// pprofDistinct has many samples with different stacks.
func pprofDistinct(r *rand.Rand, size int) []byte {
	p := newProfile("cpu", "wall")
	p.places(200)
	depth := pick(r, 3, 30, 300)
	for len(p.Message) < size {
		stack := make([]int64, depth)
		for i := range stack {
			stack[i] = r.Int64N(200) + 1
		}
		p.sample(stack, 1e6, 1e6)
	}
	return p.Message
}

// pprofStrings has a huge table of strings: many short ones, or a few long ones that are names.
func pprofStrings(r *rand.Rand, size int) []byte {
	p := newProfile("cpu")
	p.places(3)
	n := pick(r, 1, 10, 1000, size/4)
	for i := range n {
		name := p.text(long(r, max(1, size/n-3)))
		if i < 1000 {
			p.function(int64(10+i), name)
			p.location(int64(10+i), int64(10+i))
			p.sample([]int64{int64(10 + i), 1}, 1e6)
		}
	}
	return p.Message
}

// pprofValues has values and times at the edges of int64.
func pprofValues(r *rand.Rand, size int) []byte {
	p := newProfile("cpu", "samples", "wall")
	p.places(10)
	for _, field := range []int{profileproto.TimeNanos, profileproto.DurationNanos, profileproto.Period, profileproto.DefaultSampleType} {
		if r.IntN(2) == 0 {
			p.Number(field, extreme(r))
		}
	}
	for len(p.Message) < size {
		p.sample([]int64{r.Int64N(10) + 1, r.Int64N(10) + 1}, extreme(r), extreme(r), extreme(r))
	}
	return p.Message
}

// pprofMissing refers to missing or duplicate entries.
func pprofMissing(r *rand.Rand, size int) []byte {
	p := newProfile(pick(r, []string{}, []string{"cpu"}, []string{"", ""})...)
	for len(p.Message) < size {
		id := func() int64 { return pick(r, r.Int64N(6), r.Int64N(6), extreme(r)) }
		switch r.IntN(6) {
		case 0:
			p.function(id(), id())
		case 1:
			p.location(id(), id(), id())
		case 2, 3:
			p.sample([]int64{id(), id()}, make([]int64, r.IntN(4))...)
		case 4:
			p.text("x")
		case 5:
			p.Bytes(pick(r, profileproto.SampleType, profileproto.Mapping, profileproto.PeriodType, profileproto.Comment), []byte(long(r, 9)[:r.IntN(9)]))
		}
	}
	return p.Message
}

// pprofLabels has samples with many labels.
func pprofLabels(r *rand.Rand, size int) []byte {
	p := newProfile("cpu")
	p.places(2)
	thread := p.text("thread")
	labels := pick(r, 1, 100, size/10)
	for len(p.Message) < size {
		var m, label protobuf.Message
		m.Bytes(profileproto.SampleLocationID, varints([]int64{1, 2}))
		m.Bytes(profileproto.SampleValue, varints([]int64{1e6}))
		for range labels {
			label = label[:0]
			label.Number(profileproto.LabelKey, pick(r, thread, 1, 99))
			label.Number(pick(r, profileproto.LabelStr, profileproto.LabelNum), pick(r, r.Int64N(6), extreme(r)))
			m.Bytes(profileproto.SampleLabel, label)
		}
		p.Bytes(profileproto.Sample, m)
	}
	return p.Message
}
