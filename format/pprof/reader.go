// Package pprof reads and writes profiles in pprof's format, including those of other tools such as
// simpleperf and Go's runtime. It aggregates events into stacks by package encode. It does not
// estimate a sampled profile's uncertainty; package report does.
//
// # Example
//
//	file, err := os.Create("app.pb")
//	profile, err := pprof.NewWriter(file, rec)
//	_, err = trace.Copy(profile, rec.Events)
//	err = errors.Join(profile.Close(), file.Close())
//
// # Units and errors
//
// Values in ns become time.Durations; other units are converted. Open returns an error for an
// unknown value, with the values of the profile. Close returns the first error of the writer.
package pprof

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/google/pprof/profile"

	format "artifice/format/internal/kind"
	"artifice/format/internal/stackdump"
	"artifice/format/internal/timeline"
	"artifice/internal/encode"
	"artifice/internal/protobuf"
	"artifice/internal/words"
	"artifice/trace"
)

// Format is the format of pprof's profiles, written by any program, such as simpleperf, Go's
// runtime or artifice. The samples of a profile have no order, so it is read like folded stacks: as
// if all samples of a stack were consecutive. [valuesOf] selects the values that are read. Wall
// time and CPU time become times of the recording. The number of samples is the profile's,
// otherwise the time divided by the period. Other values are a [trace.Quantity]. Labels name
// threads and processes. Reading needs memory of several times the size of the decompressed file.
var Format = format.Format{
	Name: formatName, About: "profile for go tool pprof", Endings: []string{".pb.gz", ".pb", ".pprof"},
	Sniff: sniff, Head: timeline.SniffLen,
	Holds: format.Binary | format.OpenFrames | format.Quantities | format.CPUSamples | format.CPUClock,
	Read:  read,
	Write: func(w io.Writer, rec *trace.Recording, options ...any) (encode.Writer, error) {
		return NewWriter(w, rec, options...)
	},
	WriteProfile: writeProfile,
}

// formatName is the name of the format.
const formatName = "pprof"

// sniff reports whether a file that begins with head is a profile. The fields of a profile are
// those of the message Profile, in any order. Old binary profiles of CPU time begin with the words
// 0, 3, and 0 or 1, of 4 or 8 bytes; other old profiles begin with a line of text.
func sniff(head []byte) bool {
	for _, begins := range oldPprof {
		if bytes.HasPrefix(head, begins) {
			return true
		}
	}
	if isLegacyText(head) {
		return true
	}
	if len(head) >= 6 && head[0] == 0x0a && head[1] >= 4 { // a sample type, which has two indexes of strings
		return bytes.IndexByte([]byte{4, 5, 6}, head[1]) >= 0 && head[2] == 0x08 && bytes.IndexByte(head[3:6], 0x10) > 0
	}
	var fields [3]protobuf.Field // other data rarely begins with three of these fields by chance
	n, end := protobuf.ReadFields(head, 0, fields[:])
	if end < 0 || n < len(fields) {
		return false
	}
	if fields[0].Tag == fields[1].Tag && fields[1].Tag == fields[2].Tag && head[0] == 0x0a {
		return false // packets of Perfetto
	}
	for _, f := range fields {
		number, kind := f.Tag>>3, f.Tag&7
		if number >= uint64(len(profileKinds)) || profileKinds[number] != kind {
			return false
		}
	}
	// Text can have such fields, too: "@[", newline, and 4 blanks of bpftrace are two. The fields of a
	// profile contain small numbers.
	return bytes.ContainsFunc(head[:min(end, len(head))], func(r rune) bool { return r < '\t' || r > '\r' && r < ' ' })
}

// oldPprof are the beginnings of old profiles of CPU time, as in pprof's own reader.
var oldPprof = [][]byte{
	{0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 3, 0, 0, 0, 1, 0, 0, 0},
	{7: 0, 8: 3, 23: 0}, {7: 0, 8: 3, 16: 1, 23: 0},
}

// profileKinds are the kinds of the fields of a Profile in profile.proto, by number.
var profileKinds = [...]uint64{
	// no field has the number 0: an invalid kind
	0: 7,
	1: protobuf.Bytes, 2: protobuf.Bytes, 3: protobuf.Bytes, 4: protobuf.Bytes, 5: protobuf.Bytes, // types, samples, mappings, locations, functions
	6: protobuf.Bytes, 7: protobuf.Varint, 8: protobuf.Varint, // strings, what to drop, what to keep
	9: protobuf.Varint, 10: protobuf.Varint, 11: protobuf.Bytes, 12: protobuf.Varint, // time, duration, the period's type, the period
	13: protobuf.Bytes, 14: protobuf.Varint, 15: protobuf.Varint, // comments, packed; the default type; the documentation's address
}

func read(src format.Source, cfg *format.Config) (*format.Opened, error) {
	p, size, err := parse(src, cfg)
	if err != nil {
		return nil, err
	}
	return Open(p, src.Name, formatName, size, cfg)
}

// Open returns the recording of a profile, which it does not change and keeps for conversions. name
// is the file's, for messages; formatName is that of its format. size is the number
// of decompressed bytes of the file, to which limits are proportional.
func Open(p *profile.Profile, name, formatName string, size int64, cfg *format.Config) (*format.Opened, error) {
	how, whole := format.DumpConfig(cfg), p
	v, err := valuesOf(p, cfg.Value, how.Interval)
	if err == nil && p.DropFrames != "" {
		p, err = pruned(p)
	}
	if err != nil {
		return nil, &trace.FormatError{Name: name, Offset: -1, Err: err}
	}
	stated := how.Interval > 0 || v.count >= 0 // it has numbers of samples
	period := periodOf(p)
	ignored := how.Interval == 0 && v.contradict(p, period)
	if how.Interval == 0 && period > 0 && !ignored {
		if how.Interval, stated = period, true; period > stackdump.MaxInterval {
			return nil, &trace.FormatError{Name: name, Offset: -1, Msg: fmt.Sprintf("a period of %s: must be at most %s", period, stackdump.MaxInterval)}
		}
	}
	how.Interval = cmp.Or(how.Interval, time.Microsecond)
	o, err := format.Samples(func() (*stackdump.Sequence, error) {
		how.Ends, how.Read, how.Format = true, size, &stackdump.Format{Name: formatName, Codec: codec{p, v, how.Interval}, Binary: true, Sums: true}
		return stackdump.New(bytes.NewReader(nil), name, how)
	})
	if err != nil {
		return nil, err
	}
	if o.Profile = whole; !stated {
		o.Recording.Info.Technique = trace.UnknownTechnique
	}
	if ignored {
		o.Recording.Warnings = append(o.Recording.Warnings, trace.Warnf(trace.WarnDumpTime, name, "the stated period of %s is ignored, because most samples have less time", words.Duration(period)))
	}
	if others := v.others(p); others != "" && cfg.Value == "" {
		o.Recording.Warnings = append(o.Recording.Warnings, trace.Warnf(trace.WarnDumpLeftOut, name, "%s", others))
	}
	if unnamed(p) {
		o.Recording.Warnings = append(o.Recording.Warnings, trace.Warnf(trace.WarnDumpText, name, "most addresses have no names: go tool pprof -proto PROGRAM FILE > NAMED.pb.gz adds those of the program"))
	}
	return o, nil
}

// unnamed reports whether most locations of a profile have an address and no function.
func unnamed(p *profile.Profile) bool {
	n := 0
	for _, l := range p.Location {
		if len(l.Line) == 0 && l.Address > 0 {
			n++
		}
	}
	return n > len(p.Location)/2
}

// writeProfile writes a complete profile.
func writeProfile(w io.Writer, p *profile.Profile) ([]string, error) {
	if err := checkSharing(p); err != nil {
		return nil, err
	}
	return nil, p.WriteUncompressed(w)
}

// parse reads a profile by pprof's own library. size is the number of decompressed bytes.
func parse(src format.Source, cfg *format.Config) (p *profile.Profile, size int64, err error) {
	data, err := src.ReadAll(cfg)
	if err != nil {
		return nil, 0, err
	}
	p, err = profile.ParseData(data)
	if err == nil {
		err = p.CheckValid()
	}
	if err == nil && isLegacyText(data) {
		addNames(p, data)
	}
	if err != nil {
		return nil, 0, &trace.FormatError{Name: src.Name, Offset: -1, Msg: "the parser of pprof rejects this profile", Err: err}
	}
	return p, int64(len(data)), nil
}

// toplevel is the name of the time with no open frame in our profiles.
const toplevel = "(toplevel)"

// foldable returns a name without the characters that mean something in a folded stack.
var foldable = strings.NewReplacer(";", ":", "\n", " ", "\r", " ")
