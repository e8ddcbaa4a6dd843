// Package pprof reads and writes profiles in pprof's format, including those of other tools such as
// simpleperf and Go's runtime. It aggregates events into stacks by package encode. It does not
// estimate a sampled profile's uncertainty; package report does.
package pprof

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/google/pprof/profile"

	format "artifice/format/internal/kind"
	"artifice/format/internal/stackdump"
	"artifice/format/internal/timeline"
	"artifice/internal/encode"
	"artifice/internal/protobuf"
	"artifice/trace"
)

// Format is profiles of pprof, of any program: simpleperf's, Go's, ours. A profile is a sum without an
// order, so it is read like folded stacks: as if all samples of a stack followed each other. Its time is its
// value wall in nanoseconds, else cpu, which is its CPU time as well, else its samples times the period, or
// microseconds if the profile states none; if it has none of these, its first value that is a time, else its
// first count. Its samples are the value of that type, or else its time divided by the period. The labels
// thread and tid identify the threads. All of it is in memory, several times the size of the unpacked file.
var Format = format.Format{
	Name: formatName, About: "profile for go tool pprof", Endings: []string{".pb.gz", ".pb", ".pprof"},
	Sniff: sniff, Head: timeline.SniffLen,
	Holds: format.Binary | format.OpenFrames,
	Read:  read,
	Write: func(w io.Writer, rec *trace.Recording, options ...any) (encode.Writer, error) {
		return NewWriter(w, rec, options...)
	},
	WriteProfile: func(w io.Writer, p *profile.Profile) ([]string, error) { return nil, p.WriteUncompressed(w) },
}

// formatName is the name of the format.
const formatName = "pprof"

// sniff reports whether a file that begins with head is a profile: its fields are
// those of a Profile, in any order; or it is one of the old profiles that have times: the
// binary ones of CPU time begin with the words 0, 3, and 0 or 1, of 4 or 8 bytes, those of
// contention with a line of text.
func sniff(head []byte) bool {
	for _, begins := range oldPprof {
		if bytes.HasPrefix(head, begins) {
			return true
		}
	}
	if len(head) >= 6 && head[0] == 0x0a { // a sample type, which has two indexes of strings
		return bytes.IndexByte([]byte{4, 5, 6}, head[1]) >= 0 && head[2] == 0x08 && bytes.IndexByte(head[3:6], 0x10) > 0
	}
	var fields [3]protobuf.Field // what begins with three of them by chance is rare
	n, end := protobuf.ReadFields(head, 0, fields[:])
	if end < 0 || n < len(fields) {
		return false
	}
	for _, f := range fields {
		number, kind := f.Tag>>3, f.Tag&7
		if number >= uint64(len(profileKinds)) || profileKinds[number] != kind {
			return false
		}
	}
	return true
}

// oldPprof are the beginnings of old profiles, as in pprof's own reader.
var oldPprof = [][]byte{
	{0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 3, 0, 0, 0, 1, 0, 0, 0},
	{7: 0, 8: 3, 23: 0}, {7: 0, 8: 3, 16: 1, 23: 0},
	[]byte("--- contentionz "), []byte("--- contention:"), []byte("--- mutex:"),
}

// profileKinds are the kinds of the fields of a Profile in profile.proto, by number.
var profileKinds = [...]uint64{
	0: 7,                                                                                          // there is none, of no kind
	1: protobuf.Bytes, 2: protobuf.Bytes, 3: protobuf.Bytes, 4: protobuf.Bytes, 5: protobuf.Bytes, // types, samples, mappings, locations, functions
	6: protobuf.Bytes, 7: protobuf.Varint, 8: protobuf.Varint, // strings, what to drop, what to keep
	9: protobuf.Varint, 10: protobuf.Varint, 11: protobuf.Bytes, 12: protobuf.Varint, // time, duration, the period's type, the period
	13: protobuf.Bytes, 14: protobuf.Varint, 15: protobuf.Varint, // comments, packed; the default type; the documentation's address
}

func read(src format.Source, cfg *format.Config) (*format.Opened, error) {
	p, err := parse(src, cfg)
	if err != nil {
		return nil, err
	}
	return Open(p, src.Name, formatName, cfg)
}

// Open returns the recording of a profile, which it does not change and keeps for conversions. name is the
// file's, for messages; formatName is that of its format.
func Open(p *profile.Profile, name, formatName string, cfg *format.Config) (*format.Opened, error) {
	whole := p
	p = inNanoseconds(p)
	how, v := format.DumpConfig(cfg), valuesOf(p)
	stated := how.Interval > 0
	if !stated {
		how.Interval = time.Microsecond
		if p.Period > 0 && p.PeriodType != nil && p.PeriodType.Unit == "nanoseconds" {
			how.Interval, stated = time.Duration(p.Period), true
			if how.Interval > stackdump.MaxInterval {
				return nil, &trace.FormatError{Name: name, Offset: -1, Msg: fmt.Sprintf("a period of %s: must be at most %s", how.Interval, stackdump.MaxInterval)}
			}
		}
		if v.count >= 0 {
			stated = true // it has numbers of samples
		}
	}
	o, err := format.Samples(func() (*stackdump.Sequence, error) {
		how.Ends, how.Format = true, &stackdump.Format{Name: formatName, Codec: codec{p, v, how.Interval}, Binary: true, Sums: true}
		return stackdump.New(bytes.NewReader(nil), name, how)
	})
	if err != nil {
		return nil, err
	}
	if o.Profile = whole; !stated {
		o.Recording.Info.Technique = trace.UnknownTechnique
	}
	return o, nil
}

// parse reads a profile by pprof's own library.
func parse(src format.Source, cfg *format.Config) (*profile.Profile, error) {
	data, err := src.ReadAll(cfg)
	if err != nil {
		return nil, err
	}
	p, err := profile.ParseData(data)
	if err == nil {
		err = p.CheckValid()
	}
	if err != nil {
		return nil, &trace.FormatError{Name: src.Name, Offset: -1, Msg: "a pprof profile that pprof refuses", Err: err}
	}
	return p, nil
}

// values are the indexes of a profile's values that count here, -1 for missing ones; other is the index of a
// count if there is none of them.
type values struct{ count, wall, cpu, other int }

// valuesOf returns where a profile has samples and times.
func valuesOf(p *profile.Profile) values {
	find := func(unit string, types ...string) int {
		return slices.IndexFunc(p.SampleType, func(t *profile.ValueType) bool {
			return t.Unit == unit && (len(types) == 0 || slices.Contains(types, t.Type))
		})
	}
	const ns = "nanoseconds"
	v := values{count: find("count", "samples"), wall: find(ns, "wall"), cpu: find(ns, "cpu"), other: -1}
	if v.wall < 0 && v.cpu < 0 && v.count < 0 {
		v.wall = find(ns)
	}
	if v.wall < 0 && v.cpu < 0 && v.count < 0 {
		v.other = 0
		if k := find("count", "wall", "cpu"); k >= 0 {
			v.other = k
		}
	}
	return v
}

// timeUnits are the units of time of pprof's own reports, in nanoseconds.
var timeUnits = map[string]int64{"microseconds": 1e3, "us": 1e3, "milliseconds": 1e6, "ms": 1e6, "seconds": 1e9, "s": 1e9}

// inNanoseconds returns what a recording needs of a profile, with its times in nanoseconds. It does not change
// p.
func inNanoseconds(p *profile.Profile) *profile.Profile {
	copied := &profile.Profile{SampleType: p.SampleType, Sample: p.Sample, PeriodType: p.PeriodType, Period: p.Period,
		DefaultSampleType: p.DefaultSampleType, DropFrames: p.DropFrames, KeepFrames: p.KeepFrames}
	scale := func(v *int64, unit string) { *v = min(max(*v, 0), math.MaxInt64/timeUnits[unit]) * timeUnits[unit] }
	scaled := func(t *profile.ValueType) bool { return t != nil && timeUnits[t.Unit] > 0 }
	if slices.ContainsFunc(p.SampleType, scaled) {
		copied.SampleType = slices.Clone(p.SampleType)
		copied.Sample = make([]*profile.Sample, len(p.Sample))
		for i, s := range p.Sample {
			sample := *s
			sample.Value = slices.Clone(s.Value)
			copied.Sample[i] = &sample
		}
	}
	for i, t := range copied.SampleType {
		if scaled(t) {
			for _, s := range copied.Sample {
				scale(&s.Value[i], t.Unit)
			}
			copied.SampleType[i] = &profile.ValueType{Type: t.Type, Unit: "nanoseconds"}
		}
	}
	if t := p.PeriodType; scaled(t) {
		scale(&copied.Period, t.Unit)
		copied.PeriodType = &profile.ValueType{Type: t.Type, Unit: "nanoseconds"}
	}
	return copied
}

// of returns the values of a stack. Without a wall time its CPU time is one.
func (v values) of(s *profile.Sample, interval time.Duration) (n, wall, cpu int64) {
	at := func(place int) int64 {
		if place < 0 {
			return 0
		}
		return max(0, s.Value[place])
	}
	n, wall, cpu = at(max(v.count, v.other)), at(v.wall), at(v.cpu)
	switch {
	case v.wall >= 0:
	case v.cpu >= 0:
		wall = cpu
	case n <= math.MaxInt64/int64(interval):
		wall = n * int64(interval)
	default:
		wall = math.MaxInt64
	}
	if v.count < 0 && v.other < 0 {
		n = wall/int64(interval) + wall%int64(interval)*2/int64(interval)
	}
	return n, wall, cpu
}

// toplevel is what our profiles call the time with no frame open.
const toplevel = "(toplevel)"

// foldable returns a name without the characters that mean something in a folded stack.
var foldable = strings.NewReplacer(";", ":", "\n", " ", "\r", " ")
