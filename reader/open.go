package reader

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"artifice/internal/decode"
	"artifice/internal/dmformat"
	"artifice/internal/eventlog"
	"artifice/trace"
	"artifice/trace/tracetext"
)

// Config says how to open a file. The zero value is valid.
type Config struct {
	// Format is the variant to take the file for, by a name that artifice list
	// prints; "" is the variant that its content tells. It must fit the content.
	Format string

	// CounterHz is the frequency of the timestamp counter that a
	// long-running-methods profile has its times from, and does not tell; 0 is
	// 24.576 MHz. Other formats have it in their header or do not need it.
	CounterHz uint64

	// Limits bound what a damaged file can make us keep; 0 is their default.
	Limits trace.Limits

	// TempDir is where temporary files go that a merge or a pipe may need; ""
	// is os.TempDir.
	TempDir string

	// Progress, when set, is called as bytes of the file (compressed ones, if it
	// is) have been read: done of total, which is -1 when it is not known.
	Progress func(done, total int64)

	// Stop, when set, is asked before each batch of events: its error ends the
	// reading, also that of InTimeOrder.
	Stop func() error

	// InPlace leaves the decoding to the goroutine that reads. Other cores, which it is spread over
	// else, make a large file ready sooner for who does much with the events; who hardly looks
	// at them waits as long, and a third of the CPU time goes into passing them on.
	InPlace bool

	ahead aheadConfig
}

// File is an open trace. Its Events deliver the events in file order, unless
// InTimeOrder was called. Tables of a classic file are complete from the start;
// a streaming file adds to them while it is read.
type File struct {
	trace.Recording

	name     string
	cfg      Config
	plain    *os.File // the trace itself, uncompressed and from its first byte on, when it can be read at any place
	size     int64    // of plain
	total    int64    // of the file as it is stored; -1 when it is not known
	base     int64    // offset in the trace of plain's first byte
	scratch  []byte   // for looking ahead in V2of15
	closers  []io.Closer
	dropped  int               // warnings beyond maxWarnings
	ordered  *eventlog.Ordered // what InTimeOrder made; nil before
	named    int               // methods of Symbols that are in unlisted where they belong there
	unlisted int               // methods that nothing names
}

// maxWarnings bounds what a damaged file can make us say.
const maxWarnings = 100

// Open opens the trace file of that name. The halves of a pair, trace.key and
// trace.data, are taken as one trace, whichever of the three names is given.
// Errors in the content are FormatErrors.
func Open(name string, cfg Config) (*File, error) {
	if key, data, ok := Pair(name); ok {
		return openPair(key, data, cfg)
	}
	osFile, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	st, err := osFile.Stat()
	if err == nil && st.IsDir() {
		err = &fs.PathError{Op: "read", Path: name, Err: errors.New("it is a folder, not a method trace")}
	}
	if err != nil {
		osFile.Close()
		return nil, err
	}
	f := &File{name: name, cfg: cfg, closers: []io.Closer{osFile}}
	total := int64(-1)
	if st.Mode().IsRegular() {
		f.plain, f.size, total = osFile, st.Size(), st.Size()
	}
	return f.open(osFile, total)
}

// New reads a trace from r, for example a pipe. name stands for it in errors. A
// file in format V2, a streaming file with one clock and a long-running-methods
// profile are copied to a temporary file first: only later parts tell how to read
// the earlier ones.
func New(r io.Reader, name string, cfg Config) (*File, error) {
	return (&File{name: name, cfg: cfg}).open(r, -1)
}

// Pair returns the files of the two halves that name stands for, trace.key and
// trace.data, when both are there and name is no whole trace: the text and the
// records, to be read one after the other.
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

func openPair(key, data string, cfg Config) (*File, error) {
	f := &File{name: key + "+" + data, cfg: cfg}
	var halves []io.Reader
	total := int64(0)
	for _, name := range []string{key, data} {
		half, err := os.Open(name)
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

// open recognises the format of r and reads up to the first event. On failure
// it closes the file.
func (f *File) open(r io.Reader, total int64) (*File, error) {
	f.Symbols = &trace.Symbols{}
	f.cfg.Limits = f.cfg.Limits.OrDefault()
	f.total = total
	progress := decode.Progress{Tell: f.cfg.Progress, Total: total}
	if err := f.recognise(newInput(progress.Watch(r), f.name, 0), true); err != nil {
		f.Close()
		return nil, err
	}
	f.Events = &fileEvents{next: f.Events, stop: f.cfg.Stop, limits: f.newLimiter()}
	return f, nil
}

func (f *File) recognise(in *input, gzipAllowed bool) error {
	head := in.head(SniffLen)
	switch {
	case len(head) == 0:
		if _, err := in.window(1, "the file"); err != io.EOF {
			return err
		}
		return in.cut("the file is empty; a trace is written when it is stopped (adb shell am profile stop PACKAGE): pull it after that", io.EOF)
	case gzipAllowed && bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		z, err := decode.Gunzip(in.br, f.cfg.Limits.Ratio)
		if err != nil {
			return in.cut("the gzip header", err)
		}
		f.plain = nil
		return f.recognise(newInput(z, f.name, 0), false)
	case dmformat.IsLongRun(f.cfg.Format) && familyOf(head) == nil:
		return f.openLongRun(in)
	case familyOf(head) != nil:
		return f.check(familyOf(head).open(f, in))
	case head[0] == '*': // what is wrong with it is told best as a classic file
		return f.check(f.openClassic(in))
	case strings.HasPrefix(dmformat.Magic, string(head)):
		return f.check(f.openBinary(in))
	}
	if _, err := in.window(len(head)+1, "the beginning"); err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return err
	}
	return in.errorf("this is not a method trace: it begins with %.16q", head)
}

// family is files that begin alike.
type family struct {
	sniff func(head []byte) bool
	open  func(f *File, in *input) error
}

// families are the registry of this package: a new one is a file and a line.
var families = []family{
	{func(head []byte) bool { return bytes.HasPrefix(head, []byte(dmformat.Magic)) }, (*File).openBinary},
	{func(head []byte) bool { return bytes.HasPrefix(head, []byte("*ver")) }, (*File).openClassic},
	{tracetext.Is, (*File).openText},
	{func(head []byte) bool { return len(head) > 0 && head[0] == dmformat.PacketEntries }, (*File).openLongRun},
}

func familyOf(head []byte) *family {
	for i := range families {
		if families[i].sniff(head) {
			return &families[i]
		}
	}
	return nil
}

// SniffLen is how many bytes of a file, unpacked, [Sniff] wants to see.
const SniffLen = 64

// Sniff reports whether a file that begins with head is one of this package.
func Sniff(head []byte) bool { return familyOf(head) != nil }

// openBinary opens a file that begins with a header.
func (f *File) openBinary(in *input) error {
	head := in.head(8)
	if len(head) == 8 && dmformat.IsV2(binary.LittleEndian.Uint16(head[4:])) {
		return f.openV2(in)
	}
	if len(head) == 8 && head[4] <= 3 {
		return in.errorf("this is the data half of a trace; its key half, the text from *version to *end, " +
			"is expected in front of it, or next to it in a file that ends in .key")
	}
	return f.openStream(in)
}

func (f *File) openText(in *input) error {
	if f.cfg.Format != "" {
		return in.errorf("this trace is in the text format, not in format %s", f.cfg.Format)
	}
	rec, err := tracetext.NewReader(in.br, f.name)
	if err != nil {
		return err
	}
	f.Recording = *rec
	f.Events = &follower{rec, f}
	return nil
}

// follower copies what a recording learns while it is read.
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

// check holds the recognised format against the wanted one.
func (f *File) check(err error) error {
	if err != nil || f.cfg.Format == "" || f.cfg.Format == f.Source.Format || dmformat.IsLongRun(f.Source.Format) {
		return err
	}
	want, err := dmformat.ByName(f.cfg.Format)
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

// warnf adds a warning about the file as a whole.
func (f *File) warnf(code trace.WarningCode, format string, args ...any) {
	f.warn(trace.Warnf(code, f.name, format, args...))
}

func (f *File) warn(w trace.Warning) {
	if len(f.Warnings) < maxWarnings {
		f.Warnings = append(f.Warnings, w)
		return
	}
	f.dropped++
	f.Warnings = append(f.Warnings[:maxWarnings], trace.Warnf(trace.WarnMore, f.name, "%d more warnings", f.dropped))
}

// spool copies the rest of in to a temporary file, for formats that must be
// looked at out of order, unless the file can be read at any place anyway.
func (f *File) spool(in *input) (*input, error) {
	if f.plain != nil {
		return in, nil
	}
	tmp, err := eventlog.CreateFile(f.cfg.TempDir)
	if err != nil {
		return nil, err
	}
	f.closers = append(f.closers, tmp)
	if f.size, err = io.Copy(tmp, in.br); err != nil {
		return nil, in.cut("copying to a temporary file", err)
	}
	if _, err := tmp.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	f.plain, f.base, f.total = tmp.File, in.off, f.size
	return newInput(tmp, in.name, in.off), nil
}

// Close closes the file and removes what was kept on disk. Events cannot be
// read afterwards.
func (f *File) Close() error {
	var err error
	for _, c := range f.closers {
		err = errors.Join(err, c.Close())
	}
	f.closers = nil
	return err
}
