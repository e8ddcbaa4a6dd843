package dmtrace

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"artifice/internal/dmformat"
	"artifice/trace"
)

// KeySection is what the text of a trace says beyond its recording's Info and
// Source.
type KeySection struct {
	Version  uint16      // of the format
	Records  int64       // num-method-calls; -1 when it is not there
	Clock    trace.Clock // as it says, if HasClock
	HasClock bool        // it says which
}

// keyKind is what key sections of a family of formats have in common.
type keyKind struct {
	versions string   // the digits that stand for one
	sections []string // in the order in which they are written back
}

var (
	// ClassicKey is that of classic files and of the summaries of streaming ones.
	ClassicKey = keyKind{"123", []string{dmformat.SectionVersion, dmformat.SectionThreads, dmformat.SectionMethods}}
	// V2Key is that of the summaries of format V2.
	V2Key = keyKind{"45", []string{dmformat.SectionVersion}}
)

// ReadKey reads a key section up to and including *end, in front of a classic
// file or in the summary of a streaming one. Lines go to f.Source, what they
// say of the trace to f.Info.
func (f *File) ReadKey(in *Input, kind keyKind) (k KeySection, err error) {
	k.Records = -1
	var lines dmformat.KeySectionLines
	src := f.Source
	for {
		start := in.Off
		line, err := in.line()
		if err != nil {
			return k, err
		}
		fail := func(msg string) error { return &trace.FormatError{Name: in.Name, Offset: start, Msg: msg} }
		switch lines.Next(line) {
		case dmformat.KeySectionEnd:
			if !slices.Equal(lines.Sections, kind.sections) {
				f.Warnf(trace.WarnSections, "the key section has the sections %s; expected %s", strings.Join(lines.Sections, " "), strings.Join(kind.sections, " "))
			}
			if k.Version == 0 {
				return k, in.Errorf("the key section has no *version line line")
			}
			return k, nil
		case dmformat.KeySection:
			if lines.Begun(line) > 1 {
				return k, fail("a second section " + line)
			}
		case dmformat.KeyVersion:
			if len(line) != 1 || !strings.Contains(kind.versions, line) {
				return k, fail(fmt.Sprintf("unknown trace version %.20q (known here: %s)", line, strings.Join(strings.Split(kind.versions, ""), ", ")))
			}
			k.Version = uint16(line[0] - '0')
		case dmformat.KeyOption:
			src.Options = append(src.Options, line)
			f.option(&k, line)
		case dmformat.KeyThread:
			src.Threads = append(src.Threads, line)
		case dmformat.KeyMethod:
			src.Methods = append(src.Methods, line)
		default:
			return k, fail(wrongStart(line))
		}
	}
}

func wrongStart(line string) string {
	if strings.HasSuffix(line, "\r") {
		return "lines end in CR LF: the file was changed by a transfer as text; fetch it again as binary"
	}
	return fmt.Sprintf("the key section begins with %.40q; *version is expected", line)
}

// option takes in one key=value line. Unknown keys mean nothing to us and stay
// in f.Source.
func (f *File) option(k *KeySection, line string) {
	key, value, ok := strings.Cut(line, "=")
	if !ok {
		return
	}
	switch key {
	case dmformat.KeyOverflow:
		f.Info.Overflow = value == "true"
	case dmformat.KeyClock:
		k.Clock, k.HasClock = trace.ParseClock(value)
	case dmformat.KeyElapsed:
		f.Info.Elapsed = time.Duration(f.number(key, value)) * time.Microsecond
	case dmformat.KeyElapsedN:
		f.Info.Elapsed = time.Duration(f.number(key, value))
	case dmformat.KeyRecords:
		k.Records = f.number(key, value)
	case dmformat.KeyOverhead:
		f.Info.ClockOverhead = time.Duration(f.number(key, value))
	case dmformat.KeyVM:
		f.Info.VM = value
	case dmformat.KeyPID:
		f.Info.PID = int(f.number(key, value))
	}
}

// number parses an option's value; one that is none counts as 0 (for
// num-method-calls as absent), with a warning.
func (f *File) number(key, value string) int64 {
	n, ok := dmformat.OptionNumber(key, value)
	if ok {
		return n
	}
	limit, _ := dmformat.OptionLimit(key)
	f.Warnf(trace.WarnOption, "option %.60q: the value is not a number from 0 to %d", key+"="+value, limit)
	if key == dmformat.KeyRecords {
		return -1
	}
	return 0
}
