package format

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"artifice/format/dmtrace"
	"artifice/format/internal/ftrace"
	format "artifice/format/internal/kind"
	"artifice/format/internal/stackdump"
	"artifice/format/internal/timeline"
	"artifice/internal/decode"
	"artifice/internal/dmformat"
	"artifice/internal/inputs"
	"artifice/trace"
)

// workloads and folder are inputs that are not files of a format.
var (
	workloads = format.Format{Name: "workload", About: "a synthetic truth: a built-in workload, a .yaml file or a call tree (.tree)"}
	folder    = format.Format{Name: "folder", About: "a folder of stack dumps", Read: format.ReadDumps}
)

// forced returns the format that [Config.Format] names: a format of the registry, or the format of
// method traces for one of their variants.
func forced(cfg *Config) (*format.Format, error) {
	for _, f := range Sniffed() {
		if f.Name == cfg.Format {
			return f, nil
		}
	}
	if slices.Contains(dmformat.Names(), cfg.Format) {
		cfg.variant = cfg.Format
		return &dmtrace.Format, nil
	}
	return nil, fmt.Errorf("input format %q: must be one of %s, %s", cfg.Format, knownFormats(), strings.Join(dmformat.Names(), ", "))
}

// FormatOf returns the format of the named file by its content. It returns nil for an unknown
// format, and for a method trace with a damaged beginning.
func FormatOf(name string) (*format.Format, error) {
	f, err := inputs.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	kind := sniff(bufio.NewReaderSize(f, maxHead))
	if kind == &dmtrace.Format || !slices.Contains(Sniffed(), kind) {
		return nil, nil
	}
	return kind, nil
}

// Foreign returns, for a file of a recognized kind that artifice does not read, what the file is
// and what to do instead. It returns "" for other files.
func Foreign(name string) (string, error) {
	f, err := inputs.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	head := peek(bufio.NewReaderSize(f, maxHead), maxHead)
	for _, last := range []bool{false, true} {
		if kind := foreign(head, last); kind != nil {
			return kind.About, nil
		}
	}
	return "", nil
}

// maxHead is the number of bytes at the begin of a file that detection uses.
const maxHead = stackdump.SniffLen

// sniff returns the format of the data read by r, without consuming it. The buffer of r must hold
// maxHead bytes. A file of an unknown format is treated as a method trace.
func sniff(r *bufio.Reader) *format.Format {
	packed, _ := r.Peek(2)
	isPacked := bytes.Equal(packed, []byte{0x1f, 0x8b})
	var head []byte
	seen := 0
	for _, f := range Sniffed() {
		want := f.Head
		if isPacked {
			want = maxHead
		}
		if want > seen {
			seen = want
			head = peek(r, want)
			if want >= timeline.SniffLen { // a shorter head does not distinguish an app from another archive
				if f := foreign(head, false); f != nil {
					return f
				}
			}
		}
		if f.Sniff(head) {
			if f == ftrace.Format {
				return cmp.Or(dumpsInPage(peek(r, maxHead)), f)
			}
			return f
		}
	}
	if f := foreign(head, true); f != nil {
		return f
	}
	return &unknown
}

// dumpsInPage returns the format of the stack dumps that a page in HTML contains, or nil. Pages of
// systrace contain a trace instead.
func dumpsInPage(head []byte) *format.Format {
	if !bytes.HasPrefix(bytes.TrimLeft(head, " \t\r\n"), []byte("<")) {
		return nil
	}
	for _, f := range Sniffed() {
		if f.Dumps != nil && f.Dumps.Quoted(head) {
			return f
		}
	}
	return nil
}

// unknown is the format of unrecognized files. Reading such a file fails with a list of the
// readable formats.
var unknown = format.Format{Name: dmtrace.Format.Name, About: dmtrace.Format.About, Head: dmtrace.Format.Head,
	Read: func(src format.Source, cfg *format.Config) (*format.Opened, error) {
		o, err := dmtrace.Format.Read(src, cfg)
		var bad *trace.FormatError
		if errors.As(err, &bad) {
			if rest, ok := strings.CutPrefix(bad.Msg, dmtrace.NoTrace); ok {
				bad.Msg = "not a trace, profile or stack dump that artifice reads" + rest + "; artifice list formats lists what it reads"
			}
		}
		return o, err
	}}

// knownFormats returns the names of the formats that are recognized by content.
func knownFormats() string {
	var names []string
	for _, f := range Sniffed() {
		names = append(names, f.Name)
	}
	return strings.Join(names, ", ")
}

// peek returns the first n bytes of r, decoded if they are text. Compressed data longer than n
// bytes is cut.
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
