package reader

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"artifice/internal/dmformat"
	"artifice/trace"
)

// keySection is what the text of a trace says beyond its recording's Info and
// Source.
type keySection struct {
	version  uint16
	records  int64 // num-method-calls; -1 when it is not there
	clock    trace.Clock
	hasClock bool
}

// keyKind is what key sections of a family of formats have in common.
type keyKind struct {
	versions string   // the digits that stand for one
	sections []string // in the order in which they are written back
}

var (
	classicKey = keyKind{"123", []string{dmformat.SectionVersion, dmformat.SectionThreads, dmformat.SectionMethods}}
	v2Key      = keyKind{"45", []string{dmformat.SectionVersion}}
)

// readKey reads a key section up to and including *end, in front of a classic
// file or in the summary of a streaming one. Lines go to f.Source, what they
// say of the trace to f.Info.
func (f *File) readKey(in *input, kind keyKind) (k keySection, err error) {
	k.records = -1
	var order []string
	section := ""
	for {
		start := in.off
		line, err := in.line()
		if err != nil {
			return k, err
		}
		switch line {
		case dmformat.SectionEnd:
			if !slices.Equal(order, kind.sections) {
				f.warnf(trace.WarnSections, "the key section has %s; usual is %s", strings.Join(order, " "), strings.Join(kind.sections, " "))
			}
			return k, f.checkVersion(in, order)
		case dmformat.SectionVersion, dmformat.SectionThreads, dmformat.SectionMethods:
			if slices.Contains(order, line) {
				return k, &trace.FormatError{Name: in.name, Offset: start, Msg: "a second section " + line}
			}
			order, section = append(order, line), line
			if line == dmformat.SectionVersion {
				if k.version, err = readVersion(in, kind.versions); err != nil {
					return k, err
				}
			}
			continue
		}
		switch section {
		case dmformat.SectionVersion:
			f.Source.Options = append(f.Source.Options, line)
			f.option(&k, line)
		case dmformat.SectionThreads:
			f.Source.Threads = append(f.Source.Threads, line)
		case dmformat.SectionMethods:
			f.Source.Methods = append(f.Source.Methods, line)
		default:
			return k, &trace.FormatError{Name: in.name, Offset: start, Msg: wrongStart(line)}
		}
	}
}

func wrongStart(line string) string {
	if strings.HasSuffix(line, "\r") {
		return "lines end in CR LF: the file was changed by a transfer as text; fetch it again as binary"
	}
	return fmt.Sprintf("the key section begins with %.40q; *version is expected", line)
}

// readVersion reads the line after *version.
func readVersion(in *input, known string) (uint16, error) {
	start := in.off
	line, err := in.line()
	if err != nil {
		return 0, err
	}
	if len(line) == 1 && strings.Contains(known, line) {
		return uint16(line[0] - '0'), nil
	}
	return 0, &trace.FormatError{Name: in.name, Offset: start,
		Msg: fmt.Sprintf("trace version %.20q is unknown; known here are %s", line, strings.Join(strings.Split(known, ""), ", "))}
}

func (f *File) checkVersion(in *input, order []string) error {
	if !slices.Contains(order, dmformat.SectionVersion) {
		return in.errorf("the key section has no *version")
	}
	return nil
}

// option takes in one key=value line. Unknown keys mean nothing to us and stay
// in f.Source.
func (f *File) option(k *keySection, line string) {
	key, value, ok := strings.Cut(line, "=")
	if !ok {
		return
	}
	switch key {
	case dmformat.KeyOverflow:
		f.Info.Overflow = value == "true"
	case dmformat.KeyClock:
		k.clock, k.hasClock = trace.ParseClock(value)
	case dmformat.KeyElapsed:
		f.Info.Elapsed = time.Duration(f.number(line, value, math.MaxInt64/1000)) * time.Microsecond
	case dmformat.KeyElapsedN:
		f.Info.Elapsed = time.Duration(f.number(line, value, math.MaxInt64))
	case dmformat.KeyRecords:
		k.records = f.number(line, value, math.MaxInt64)
	case dmformat.KeyOverhead:
		f.Info.ClockOverhead = time.Duration(f.number(line, value, math.MaxInt64))
	case dmformat.KeyVM:
		f.Info.VM = value
	case dmformat.KeyPID:
		f.Info.PID = int(f.number(line, value, math.MaxInt32))
	}
}

// number parses an option's value; one that is none counts as 0 (for
// num-method-calls as absent), with a warning.
func (f *File) number(line, value string, limit int64) int64 {
	n, err := strconv.ParseInt(value, 10, 64)
	if err == nil && n >= 0 && n <= limit {
		return n
	}
	f.warnf(trace.WarnOption, "option %.60q: the value is no number from 0 to %d", line, limit)
	if strings.HasPrefix(line, dmformat.KeyRecords) {
		return -1
	}
	return 0
}
