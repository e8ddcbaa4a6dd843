package input

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/google/pprof/profile"
	"google.golang.org/protobuf/encoding/protowire"

	"artifice/internal/decode"
	"artifice/stackdump"
	"artifice/timeline"
	"artifice/trace"
)

// Pprof is the name of the format of pprof's profiles.
const Pprof = "pprof"

// pprofFormat is profiles of pprof, of any program: simpleperf's, Go's, ours. A
// profile is sums without an order, so it is read as folded stacks are: each stack
// counts as many samples in a row. That is its value of type samples; without one,
// its time (wall, else cpu, else the first in nanoseconds) in periods of the
// profile, or microseconds where it has none; without a time, its first value. A value cpu
// in nanoseconds is its CPU time. The labels thread and tid tell the threads. All of
// it is in memory, several times the file unpacked.
var pprofFormat = Format{
	Name: Pprof, Description: "profile of pprof: its stacks, which have no times",
	Sniff: looksLikePprof, Head: timeline.SniffLen,
	Open: openPprof,
}

// looksLikePprof reports whether a file that begins with head is a profile: its fields are
// those of a Profile, in any order; or it is one of the binary CPU profiles of old, which
// begin with the words 0, 3, and 0 or 1.
func looksLikePprof(head []byte) bool {
	if len(head) >= 12 && bytes.HasPrefix(head, []byte{0, 0, 0, 0, 3, 0, 0, 0}) {
		return head[8] < 2 && head[9] == 0 && head[10] == 0 && head[11] == 0
	}
	if len(head) >= 6 && head[0] == 0x0a { // a sample type, which has two indexes of strings
		return bytes.IndexByte([]byte{4, 5, 6}, head[1]) >= 0 && head[2] == 0x08 && bytes.IndexByte(head[3:6], 0x10) > 0
	}
	var fields [3]decode.Field // what begins with three of them by chance is rare
	n, end := decode.ReadFields(head, 0, fields[:])
	if end < 0 || n < len(fields) {
		return false
	}
	for _, f := range fields {
		number, kind := f.Tag>>3, protowire.Type(f.Tag&7)
		if number >= uint64(len(profileKinds)) || profileKinds[number] != kind {
			return false
		}
	}
	return true
}

// profileKinds are the kinds of the fields of a Profile in profile.proto, by number.
var profileKinds = [...]protowire.Type{
	0: -1,
	1: protowire.BytesType, 2: protowire.BytesType, 3: protowire.BytesType, 4: protowire.BytesType, 5: protowire.BytesType, // types, samples, mappings, locations, functions
	6: protowire.BytesType, 7: protowire.VarintType, 8: protowire.VarintType, // strings, what to drop, what to keep
	9: protowire.VarintType, 10: protowire.VarintType, 11: protowire.BytesType, 12: protowire.VarintType, // time, duration, the period's type, the period
	13: protowire.BytesType, 14: protowire.VarintType, 15: protowire.VarintType, // comments, packed; the default type; the documentation's address
}

func openPprof(src Source, cfg *Config) (*Opened, error) {
	p, err := readPprof(src, cfg)
	if err != nil {
		return nil, err
	}
	how := cfg.Dumps
	stated := how.Interval > 0
	if !stated {
		how.Interval = time.Microsecond
		if p.Period > 0 && p.PeriodType != nil && p.PeriodType.Unit == "nanoseconds" {
			how.Interval, stated = time.Duration(p.Period), true
		}
		if _, unit := samplesOf(p); unit != "nanoseconds" {
			stated = true // it has numbers of samples
		}
	}
	cpu := cpuOf(p)
	folded, err := foldPprof(p, how.Interval, cpu)
	if err != nil {
		return nil, &trace.FormatError{Name: src.Name, Offset: -1, Err: err}
	}
	o, err := openSequence(func() (*stackdump.Sequence, error) {
		how.Format, how.First, how.CPU = stackdump.Folded, stackdump.AutoFirst, cpu >= 0
		return stackdump.New(bytes.NewReader(folded), src.Name, how)
	})
	if err == nil && !stated {
		o.Recording.Info.Technique = trace.UnknownTechnique
	}
	return o, err
}

// readPprof reads a profile by pprof's own library.
func readPprof(src Source, cfg *Config) (*profile.Profile, error) {
	r, _, err := src.open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	plain, err := decode.Bytes(r, cfg.Dumps.Limits.OrDefault().Ratio)
	if err != nil {
		return nil, &trace.FormatError{Name: src.Name, Offset: -1, Err: err}
	}
	data, err := io.ReadAll(stopping{plain, src.Name, cfg.Stop})
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

// stopping is a reader that ends with the error of stop. Errors of what it reads, such as
// gzip's of a file that is cut, get the file's name.
type stopping struct {
	r    *bufio.Reader
	name string
	stop func() error
}

// Read implements io.Reader.
func (s stopping) Read(b []byte) (int, error) {
	if s.stop != nil {
		if err := s.stop(); err != nil {
			return 0, err
		}
	}
	n, err := s.r.Read(b)
	if err != nil && err != io.EOF {
		err = &trace.FormatError{Name: s.name, Offset: -1, Err: err}
	}
	return n, err
}

// foldPprof returns the stacks as folded stacks, each with its samples and, where the
// values at cpu are CPU time, these behind them. At the end each thread has no stack.
func foldPprof(p *profile.Profile, interval time.Duration, cpu int) ([]byte, error) {
	at, unit := samplesOf(p)
	var out bytes.Buffer
	var threads []string
	met := map[string]bool{}
	for _, s := range p.Sample {
		n := s.Value[at]
		if unit == "nanoseconds" {
			n = (n + int64(interval)/2) / int64(interval)
		}
		if n <= 0 {
			continue
		}
		thread := threadOf(s)
		if !met[thread] {
			met[thread], threads = true, append(threads, thread)
		}
		out.WriteString(thread)
		foldStack(&out, s)
		fmt.Fprintf(&out, " %d", n)
		if cpu >= 0 {
			fmt.Fprintf(&out, " %d", max(0, s.Value[cpu]))
		}
		out.WriteByte('\n')
	}
	if out.Len() == 0 {
		return nil, fmt.Errorf("the profile has no sample of the length of its period, %v", interval)
	}
	if cpu >= 0 {
		for _, thread := range threads {
			fmt.Fprintf(&out, "%s 0 0\n", thread)
		}
	}
	return out.Bytes(), nil
}

// foldStack writes the frames of a stack, the outermost first.
func foldStack(out *bytes.Buffer, s *profile.Sample) {
	for i := len(s.Location) - 1; i >= 0; i-- {
		lines := s.Location[i].Line
		for k := len(lines) - 1; k >= 0; k-- { // the last one is the caller
			if f := lines[k].Function; f != nil && f.Name != "" && f.Name != toplevel {
				out.WriteString(";" + foldable.Replace(f.Name))
			}
		}
		if len(lines) == 0 {
			fmt.Fprintf(out, ";0x%x", s.Location[i].Address)
		}
	}
}

// toplevel is how our profiles name the time with no frame open.
const toplevel = "(toplevel)"

// foldable takes out of a name what means something in a folded stack.
var foldable = strings.NewReplacer(";", ":", "\n", " ", "\r", " ")

// samplesOf returns the index of the values that tell samples, and their unit.
func samplesOf(p *profile.Profile) (at int, unit string) {
	for _, want := range []string{"samples", "wall", "cpu"} {
		for i, t := range p.SampleType {
			if t.Type == want && (t.Unit == "count" || t.Unit == "nanoseconds") {
				return i, t.Unit
			}
		}
	}
	for i, t := range p.SampleType {
		if t.Unit == "nanoseconds" {
			return i, t.Unit
		}
	}
	return 0, p.SampleType[0].Unit
}

// cpuOf returns the index of the values that are CPU time, -1 where there are none.
func cpuOf(p *profile.Profile) int {
	return slices.IndexFunc(p.SampleType, func(t *profile.ValueType) bool { return t.Type == "cpu" && t.Unit == "nanoseconds" })
}

// threadOf returns a sample's thread as folded stacks have it.
func threadOf(s *profile.Sample) string {
	name, tid := "main", int64(1)
	if v := s.Label["thread"]; len(v) > 0 {
		name = v[0]
	}
	if v := s.NumLabel["tid"]; len(v) > 0 {
		tid = v[0]
	}
	return fmt.Sprintf("[%s tid=%d]", foldable.Replace(name), tid)
}
