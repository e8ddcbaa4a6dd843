package input

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"artifice/internal/decode"
	"artifice/internal/dmformat"
	"artifice/stackdump"
	"artifice/timeline"
	"artifice/trace"
)

// Format is a kind of input.
type Format struct {
	Name        string
	Description string

	// Named reports whether a name stands for such an input, whatever a file of
	// this name holds; nil for formats that are known by their content.
	Named func(name string) bool

	// Sniff reports whether a file is of this format, from its beginning, which
	// is unpacked and UTF-8 where it is text. It sees Head bytes, fewer when the
	// file has no more.
	Sniff func(head []byte) bool
	Head  int

	// Numbered says that methods may be numbers, which [Config.Names] names.
	Numbered bool

	// Open opens src. It need not read anything yet.
	Open func(src Source, cfg *Config) (*Opened, error)
}

// Source is where an input comes from.
type Source struct {
	Name string    // of the file or folder to be opened; for messages only where R is set
	R    io.Reader // a stream, which can be read once; nil for a file that Open opens
}

// open returns what the source reads, and the size of its file, -1 when it is not
// known. Closing it leaves an R of the caller's open.
func (s Source) open() (r io.ReadCloser, size int64, err error) {
	if s.R != nil {
		return io.NopCloser(s.R), -1, nil
	}
	file, err := os.Open(s.Name)
	if err != nil {
		return nil, -1, err
	}
	if info, err := file.Stat(); err == nil {
		return file, info.Size(), nil
	}
	return file, -1, nil
}

// Opened is an input as its format knows it.
type Opened struct {
	Recording *trace.Recording

	// InTimeOrder lets the recording deliver the events of all threads merged by
	// time; nil when they come so.
	InTimeOrder func() error

	// Rewind returns the recording, or another of the same, with its events from
	// the first one on. It is called after InTimeOrder.
	Rewind func() (*trace.Recording, error)

	Close func() error // nil: nothing is to be closed

	Dumps *stackdump.Sequence // what the recording was made of; nil for other formats

	// OwnZero is set where time 0 is the first event's or the machine's start, not
	// that of tracing.
	OwnZero bool
}

// formats is the registry. Formats are tried in this order; Head does not
// decrease, so that of a file that is still being written no more is waited for
// than it takes. A file that no format knows is read as the first.
var formats = slices.Concat(
	[]Format{methodTrace, workloads, pprofFormat},
	timelines(),
	dumps(),
)

// Formats returns all formats.
func Formats() []Format { return slices.Clone(formats) }

// named returns the format that claims a name, nil when none does.
func named(name string) *Format {
	for i := range formats {
		if f := &formats[i]; f.Named != nil && f.Named(name) {
			return f
		}
	}
	return nil
}

// forced returns the format that [Config.Format] names: one of this package's, or that of
// method traces for one of their variants.
func forced(cfg *Config) (*Format, error) {
	for i := range formats {
		if f := &formats[i]; f.Name == cfg.Format && f.Sniff != nil {
			if slices.Contains(stackdump.Formats(), stackdump.Format(f.Name)) {
				cfg.Dumps.Format = stackdump.Format(f.Name)
			}
			return f, nil
		}
	}
	if slices.Contains(dmformat.Names(), cfg.Format) {
		cfg.Traces.Format = cfg.Format
		return &methodTrace, nil
	}
	return nil, fmt.Errorf("input format %q: must be one of %s, %s", cfg.Format, knownFormats(), strings.Join(dmformat.Names(), ", "))
}

// FormatOf returns the format of the file of that name by its content; nil for
// one that no format knows, and for a method trace that is damaged from its
// beginning on.
func FormatOf(name string) (*Format, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	format := sniff(bufio.NewReaderSize(f, maxHead))
	if !slices.ContainsFunc(formats[1:], func(f Format) bool { return f.Name == format.Name }) {
		return nil, nil
	}
	return format, nil
}

// maxHead is how much of a file the sniffing looks at.
const maxHead = stackdump.SniffLen

// sniff tells the format of what r reads, and leaves it unread. The buffer of r
// must hold maxHead bytes.
func sniff(r *bufio.Reader) *Format {
	packed, _ := r.Peek(2)
	isPacked := bytes.Equal(packed, []byte{0x1f, 0x8b})
	var head []byte
	seen := 0
	for i := range formats {
		f := &formats[i]
		if f.Sniff == nil {
			continue
		}
		want := f.Head
		if isPacked {
			want = maxHead
		}
		if want > seen {
			seen = want
			head = peek(r, want)
			if want >= timeline.SniffLen { // less does not tell an app from another archive
				if f := foreign(head, false); f != nil {
					return f
				}
			}
		}
		if f.Sniff(head) {
			return f
		}
	}
	if f := foreign(head, true); f != nil {
		return f
	}
	if isText(head) {
		return &unknownText
	}
	return &formats[0]
}

// unknownText is text of no format that is known: its error lists them.
var unknownText = Format{Name: methodTrace.Name, Description: methodTrace.Description, Head: methodTrace.Head,
	Open: func(src Source, cfg *Config) (*Opened, error) {
		o, err := openMethodTrace(src, cfg)
		var bad *trace.FormatError
		if errors.As(err, &bad) {
			bad.Msg += "; formats known are " + knownFormats()
		}
		return o, err
	}}

// knownFormats returns the names of the formats that are told by their content.
func knownFormats() string {
	var names []string
	for _, f := range Formats() {
		if f.Sniff != nil {
			names = append(names, f.Name)
		}
	}
	return strings.Join(names, ", ")
}

// isText reports whether a file that begins with head is text.
func isText(head []byte) bool {
	head = head[:min(len(head), 512)]
	control := bytes.ContainsFunc(head, func(c rune) bool { return c < ' ' && c != '\t' && c != '\r' && c != '\n' && c != '\f' })
	return len(head) > 0 && !control
}

// peek returns the first n bytes of what r reads, as text decoded; what is
// packed in more than n bytes ends somewhere.
func peek(r *bufio.Reader, n int) []byte {
	raw, _ := r.Peek(n)
	in, err := decode.Text(bytes.NewReader(raw), 0)
	if err != nil {
		return nil
	}
	head := make([]byte, n)
	n, _ = io.ReadFull(in, head)
	return head[:n]
}
