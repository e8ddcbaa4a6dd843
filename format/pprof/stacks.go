package pprof

import (
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"regexp"
	"slices"

	"github.com/google/pprof/profile"

	"artifice/internal/words"
	"artifice/trace"
)

// Stacks are the distinct stacks of a profile's samples, numbered in the order of their first
// samples. In profiles of OpenTelemetry, samples share the slices of their stacks, so a small file
// can have many samples with deep stacks. StacksOf processes a shared slice only once.
type Stacks struct {
	List [][]*profile.Location // by number, innermost first
	Of   []int32               // number of the stack of each sample
}

// slice identifies a slice of locations.
type slice struct {
	first **profile.Location
	len   int
}

// StacksOf returns the stacks of a profile.
func StacksOf(p *profile.Profile) *Stacks {
	s := &Stacks{Of: make([]int32, len(p.Sample))}
	slices, hashes, seed := map[slice]int32{}, map[uint64]int32{}, maphash.MakeSeed()
	var ids []byte
	for i, sample := range p.Sample {
		var key slice
		if len(sample.Location) > 0 {
			key = slice{&sample.Location[0], len(sample.Location)}
		}
		n, ok := slices[key]
		if !ok {
			ids = ids[:0]
			for _, l := range sample.Location {
				ids = binary.NativeEndian.AppendUint64(ids, l.ID)
			}
			n = s.number(sample.Location, hashes, maphash.Bytes(seed, ids))
			slices[key] = n
		}
		s.Of[i] = n
	}
	return s
}

// number returns the number of a stack. numbers contains the numbers of previous stacks, by hash or
// the next free key after the hash.
func (s *Stacks) number(stack []*profile.Location, numbers map[uint64]int32, hash uint64) int32 {
	for ; ; hash++ {
		n, taken := numbers[hash]
		if !taken {
			break
		}
		if slices.Equal(s.List[n], stack) {
			return n
		}
	}
	n := int32(len(s.List))
	s.List, numbers[hash] = append(s.List, stack), n
	return n
}

// locations returns the total number of locations in all distinct stacks.
func (s *Stacks) locations() (n int64) {
	for _, stack := range s.List {
		n += int64(len(stack))
	}
	return n
}

// Limits of shared stacks. A profile in pprof's format has a whole stack for each sample. It may
// have the number of locations in [trace.Limits], plus locationsPerSample for each sample and
// framesPerLocation for each location of distinct stacks.
const locationsPerSample = 256

// checkSharing returns an error if samples share stacks to such a degree that a file in pprof's
// format would be disproportionately large.
func checkSharing(p *profile.Profile) error {
	s := StacksOf(p)
	all := int64(0)
	for _, n := range s.Of {
		all += int64(len(s.List[n]))
	}
	if most := int64(trace.Limits{}.OrDefault().Frames) + int64(len(p.Sample))*locationsPerSample + s.locations()*framesPerLocation; all > most {
		return fmt.Errorf("a pprof profile of %s with %s would have %d locations, because pprof repeats the stack in each sample; write otlp, which stores each stack once",
			words.Count(len(p.Sample), "sample"), words.Count(len(s.List), "different stack"), all)
	}
	return nil
}

// pruned returns the profile without the frames that its fields for dropped and kept frames
// exclude, as go tool pprof shows it. It does not change p.
func pruned(p *profile.Profile) (*profile.Profile, error) {
	keep, drop := (*regexp.Regexp)(nil), (*regexp.Regexp)(nil)
	var err error
	if drop, err = frameNames(p.DropFrames); err == nil && p.KeepFrames != "" {
		keep, err = frameNames(p.KeepFrames)
	}
	if err != nil {
		return nil, err
	}
	out := WithSamples(p, make([]*profile.Sample, len(p.Sample)))
	out.Location = make([]*profile.Location, len(p.Location))
	copies := make(map[*profile.Location]*profile.Location, len(p.Location))
	for i, l := range p.Location {
		of := *l
		out.Location[i], copies[l] = &of, &of
	}
	stacks := StacksOf(p)
	each := &profile.Profile{Location: out.Location, Sample: make([]*profile.Sample, len(stacks.List))}
	for i, stack := range stacks.List {
		of := &profile.Sample{Location: make([]*profile.Location, len(stack))}
		for k, l := range stack {
			of.Location[k] = copies[l]
		}
		each.Sample[i] = of
	}
	each.Prune(drop, keep)
	for i, s := range p.Sample {
		of := *s
		of.Location = each.Sample[stacks.Of[i]].Location
		out.Sample[i] = &of
	}
	return out, nil
}

// frameNames compiles a regular expression for names of frames.
func frameNames(text string) (*regexp.Regexp, error) {
	r, err := regexp.Compile("^(" + text + ")$")
	if err != nil {
		return nil, fmt.Errorf("failed to compile regexp %s: %v", text, err)
	}
	return r, nil
}

// WithSamples returns a copy of the profile with other samples.
func WithSamples(p *profile.Profile, samples []*profile.Sample) *profile.Profile {
	return &profile.Profile{SampleType: p.SampleType, DefaultSampleType: p.DefaultSampleType, Sample: samples, Mapping: p.Mapping, Location: p.Location,
		Function: p.Function, Comments: p.Comments, DocURL: p.DocURL, DropFrames: p.DropFrames, KeepFrames: p.KeepFrames, TimeNanos: p.TimeNanos,
		DurationNanos: p.DurationNanos, PeriodType: p.PeriodType, Period: p.Period}
}
