package dmtrace

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"artifice/format/internal/kind"
	"artifice/format/text"
	"artifice/internal/decode"
	"artifice/internal/dmformat"
	"artifice/internal/encode"
	"artifice/internal/inputs"
	"artifice/trace"
)

// Open opens the named trace file. If trace.key and trace.data are the halves of one trace, it
// reads both as one trace, given any of the three names. Errors in the content are FormatErrors.
func Open(name string, cfg ReadOptions) (*File, error) {
	if key, data, ok := Pair(name); ok {
		return openPair(key, data, cfg)
	}
	osFile, err := inputs.Open(name)
	if err != nil {
		return nil, err
	}
	st, err := osFile.Stat()
	if err == nil && st.IsDir() {
		err = &fs.PathError{Op: "read", Path: name, Err: errors.New("the input is a folder, not a method trace")}
	}
	if err != nil {
		osFile.Close()
		return nil, err
	}
	f := newFile(name, cfg, osFile)
	total := int64(-1)
	if st.Mode().IsRegular() {
		f.plain, f.size, total = osFile, st.Size(), st.Size()
	}
	return f.open(osFile, total)
}

// New reads a trace from r, for example a pipe. name is used in errors. New first copies a file in
// format V2, a streaming file with one clock, and a long-running-methods profile to a temporary
// file, because later parts determine how to read earlier ones.
func New(r io.Reader, name string, cfg ReadOptions) (*File, error) {
	return newFile(name, cfg).open(r, -1)
}

// Pair returns the names of the two halves of a trace, trace.key with the text and trace.data with
// the records, if both exist and name is not a complete trace. They are read one after the other.
func Pair(name string) (key, data string, ok bool) {
	base := strings.TrimSuffix(strings.TrimSuffix(name, ".key"), ".data")
	if base == name && exists(name) {
		return "", "", false
	}
	key, data = base+".key", base+".data"
	return key, data, exists(key) && exists(data)
}

func exists(name string) bool {
	st, err := os.Stat(name)
	return err == nil && !st.IsDir()
}

func openPair(key, data string, cfg ReadOptions) (*File, error) {
	f := newFile(key+"+"+data, cfg)
	var halves []io.Reader
	total := int64(0)
	for _, name := range []string{key, data} {
		half, err := inputs.Open(name)
		if err != nil {
			f.Close()
			return nil, err
		}
		f.closers = append(f.closers, half)
		if st, err := half.Stat(); err == nil {
			total += st.Size()
		}
		halves = append(halves, half)
	}
	return f.open(io.MultiReader(halves...), total)
}

// open recognizes the format of r and reads up to the first event. If it fails, it closes the file.
func (f *File) open(r io.Reader, total int64) (*File, error) {
	f.Symbols = &trace.Symbols{}
	f.options.Limits = f.options.Limits.OrDefault()
	f.total = total
	progress := decode.Progress{Report: f.options.Progress, Total: total}
	if err := f.recognise(newInput(progress.Watch(r), f.name, 0), true); err != nil {
		f.Close()
		return nil, err
	}
	f.Events = &fileEvents{next: f.Events, options: &f.options, limits: newLimiter(f)}
	return f, nil
}

func (f *File) recognise(in *input, gzipAllowed bool) error {
	head := in.head(sniffLen)
	switch {
	case len(head) == 0:
		if _, err := in.window(1, "the file"); err != io.EOF {
			return err
		}
		return in.cut("the file is empty: ART writes a trace when tracing stops (adb shell am profile stop PACKAGE); pull the file after tracing has stopped", io.EOF)
	case gzipAllowed && bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		z, err := decode.Gunzip(in.r, f.options.Limits.Ratio)
		if err != nil {
			return in.cut("the gzip header", err)
		}
		f.plain = nil
		return f.recognise(newInput(z, f.name, 0), false)
	case dmformat.IsLongRun(f.options.Format) && openerOf(head) == nil:
		return openLongRun(f, in)
	case openerOf(head) != nil:
		return f.check(openerOf(head)(f, in))
	case head[0] == '*': // the reader of classic files has the best error messages
		return f.check(openClassic(f, in))
	case strings.HasPrefix(dmformat.Magic, string(head)):
		return f.check(openBinary(f, in))
	}
	if _, err := in.window(len(head)+1, "the beginning"); err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return err
	}
	return in.errorf("%s: it begins with %.16q", NoTrace, head)
}

// NoTrace is the beginning of the error message for a file that is not a method trace, according to
// its first bytes.
const NoTrace = "the file is not a method trace"

// opener opens a file up to its first event.
type opener func(f *File, in *input) error

// openerOf returns the opener for files that begin with head, or nil.
func openerOf(head []byte) opener {
	switch {
	case bytes.HasPrefix(head, []byte(dmformat.Magic)):
		return openBinary
	case bytes.HasPrefix(head, []byte("*ver")), bytes.HasPrefix(head, []byte(dmformat.ExtraBegin+"\n")):
		return openClassic
	case dmformat.IsChunk(head):
		return openChunk
	case text.Is(head):
		return openText
	case len(head) > 0 && head[0] == dmformat.PacketEntries:
		return openLongRun
	}
	return nil
}

// sniffLen is the number of decompressed bytes of a file that sniff needs.
const sniffLen = 64

// sniff reports whether a file that begins with head is one of this package.
func sniff(head []byte) bool { return openerOf(head) != nil }

// openBinary opens a file that begins with a header.
func openBinary(f *File, in *input) error {
	head := in.head(8)
	if len(head) == 8 && dmformat.IsV2(binary.LittleEndian.Uint16(head[4:])) {
		return openV2(f, in)
	}
	if len(head) == 8 && head[4] <= 3 {
		return in.errorf("the file is the data half of a trace; the key half, the text from *version to *end, " +
			"is expected in front of the data half, or next to it in a file that ends in .key")
	}
	return openStream(f, in)
}

func openText(f *File, in *input) error {
	if f.options.Format != "" {
		return in.errorf("the trace is in the text format, not in format %s", f.options.Format)
	}
	rec, err := text.NewReader(in.r, f.name)
	if err != nil {
		return err
	}
	f.Recording = *rec
	f.Events = &follower{rec, f}
	return nil
}

// follower copies the properties that a recording gains while it is read.
type follower struct {
	rec *trace.Recording
	f   *File
}

// ReadEvents implements [trace.Reader].
func (r *follower) ReadEvents(p []trace.Event) (int, error) {
	n, err := r.rec.Events.ReadEvents(p)
	r.f.Info, r.f.Warnings = r.rec.Info, r.rec.Warnings
	return n, err
}

// check compares the recognized format with the requested one.
func (f *File) check(err error) error {
	if err != nil || f.options.Format == "" || f.options.Format == f.Source.Format || dmformat.IsLongRun(f.Source.Format) {
		return err
	}
	want, err := dmformat.ByName(f.options.Format)
	if err != nil {
		return err
	}
	got, _ := dmformat.ByName(f.Source.Format)
	if want.Streaming != got.Streaming || want.TIDBits != got.TIDBits || want.V2 != 0 {
		return &trace.FormatError{Name: f.name, Msg: fmt.Sprintf("this is a trace in format %s, not %s", got.Name, want.Name)}
	}
	f.Source.Format = want.Name
	return nil
}

// Format reads the method traces of Android's runtimes in all their variants, ART's
// profiles of long-running methods, and artifice's own text format. The content
// determines the variant.
var Format = kind.Format{
	Name:  "method-trace",
	About: "method traces of Android's runtimes, and ART's profiles of long-running methods",
	Sniff: sniff,
	Head:  sniffLen,
	Read:  read,
}

// longRuns is the common prefix of the names of the variants of profiles of long-running methods.
const longRuns = "art-longrun"

func read(src kind.Source, cfg *kind.Config) (*kind.Opened, error) {
	o := kind.Option[ReadOptions](cfg.Options)
	o.Format, o.Limits, o.Progress, o.Stop = cfg.Variant, cfg.Limits, cfg.Progress, cfg.Stop
	var file *File
	var err error
	if src.R != nil {
		file, err = New(src.R, src.Name, o)
	} else {
		file, err = Open(src.Name, o)
	}
	if err != nil {
		return nil, err
	}
	return &kind.Opened{
		Recording: &file.Recording,
		File:      file,
		// the file does not state the start of tracing
		OwnZero: file.Source != nil && strings.HasPrefix(file.Source.Format, longRuns),
	}, nil
}

// Variants returns the variants of method traces as formats to write. [Format] reads all of
// them.
func Variants() []*kind.Format {
	var all []*kind.Format
	add := func(name, about string) {
		all = append(all, &kind.Format{Name: name, About: about, Holds: kind.Binary | kind.CPUClock,
			Write: func(w io.Writer, rec *trace.Recording, options ...any) (encode.Writer, error) {
				o := kind.Option[Options](options)
				o.Format, o.Portable = name, o.Portable && name == dmformat.ART
				o.TempDir = cmp.Or(o.TempDir, kind.Option[kind.WriteOptions](options).TempDir)
				return NewWriter(w, rec, o)
			}})
	}
	for _, v := range dmformat.Variants {
		add(v.Name, v.Description)
	}
	for _, gen := range dmformat.LongRuns {
		add(gen.Name, gen.Description)
	}
	return all
}

// TextFormat writes artifice's text format, one event per line. [Format] reads it.
var TextFormat = kind.Format{
	Name: "text", About: "text: one event per line", Endings: []string{".txt", ".text"}, Holds: kind.CPUSamples | kind.CPUClock,
	Write: func(w io.Writer, rec *trace.Recording, _ ...any) (encode.Writer, error) {
		return textWriter{text.NewWriter(w, rec)}, nil
	},
}

// textWriter writes the text format, which represents a recording completely.
type textWriter struct{ *text.Writer }

// Notes implements [encode.Writer].
func (textWriter) Notes() []string { return nil }
