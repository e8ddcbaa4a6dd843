package dmtrace

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
	"artifice/trace/text"
)

// Config says how to open a file. The zero value is valid.
type ReaderConfig struct {
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

	ahead AheadConfig
}

// File is an open trace. Its Events deliver the events in file order, unless
// InTimeOrder was called. Tables of a classic file are complete from the start;
// a streaming file adds to them while it is read.
type ReaderFile struct {
	trace.Recording

	cfg     ReaderConfig
	file    *File
	ordered *eventlog.Ordered // what InTimeOrder made; nil before
}

// newFile returns the file of that name, which is closed with what closers has.
func newFile(name string, cfg ReaderConfig, closers ...io.Closer) *ReaderFile {
	f := &ReaderFile{cfg: cfg}
	f.file = &File{Recording: &f.Recording, Name: name, Closers: closers, Config: FileConfig{
		Format: cfg.Format, CounterHz: cfg.CounterHz, Limits: cfg.Limits, TempDir: cfg.TempDir, InPlace: cfg.InPlace, Ahead: cfg.ahead,
	}}
	return f
}

// Open opens the trace file of that name. The halves of a pair, trace.key and
// trace.data, are taken as one trace, whichever of the three names is given.
// Errors in the content are FormatErrors.
func ReaderOpen(name string, cfg ReaderConfig) (*ReaderFile, error) {
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
	f := newFile(name, cfg, osFile)
	total := int64(-1)
	if st.Mode().IsRegular() {
		f.file.Plain, f.file.Size, total = osFile, st.Size(), st.Size()
	}
	return f.open(osFile, total)
}

// New reads a trace from r, for example a pipe. name stands for it in errors. A
// file in format V2, a streaming file with one clock and a long-running-methods
// profile are copied to a temporary file first: only later parts tell how to read
// the earlier ones.
func New(r io.Reader, name string, cfg ReaderConfig) (*ReaderFile, error) {
	return newFile(name, cfg).open(r, -1)
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

func openPair(key, data string, cfg ReaderConfig) (*ReaderFile, error) {
	f := newFile(key+"+"+data, cfg)
	var halves []io.Reader
	total := int64(0)
	for _, name := range []string{key, data} {
		half, err := os.Open(name)
		if err != nil {
			f.Close()
			return nil, err
		}
		f.file.Closers = append(f.file.Closers, half)
		if st, err := half.Stat(); err == nil {
			total += st.Size()
		}
		halves = append(halves, half)
	}
	return f.open(io.MultiReader(halves...), total)
}

// open recognises the format of r and reads up to the first event. On failure
// it closes the file.
func (f *ReaderFile) open(r io.Reader, total int64) (*ReaderFile, error) {
	f.Symbols = &trace.Symbols{}
	f.file.Config.Limits = f.cfg.Limits.OrDefault()
	f.file.Total = total
	progress := decode.Progress{Tell: f.cfg.Progress, Total: total}
	if err := f.recognise(NewInput(progress.Watch(r), f.file.Name, 0), true); err != nil {
		f.Close()
		return nil, err
	}
	f.Events = &fileEvents{next: f.Events, stop: f.cfg.Stop, limits: newLimiter(f.file)}
	return f, nil
}

func (f *ReaderFile) recognise(in *Input, gzipAllowed bool) error {
	head := in.Head(SniffLen)
	switch {
	case len(head) == 0:
		if _, err := in.Window(1, "the file"); err != io.EOF {
			return err
		}
		return in.Cut("the file is empty; a trace is written when it is stopped (adb shell am profile stop PACKAGE): pull it after that", io.EOF)
	case gzipAllowed && bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		z, err := decode.Gunzip(in.Bytes, f.file.Config.Limits.Ratio)
		if err != nil {
			return in.Cut("the gzip header", err)
		}
		f.file.Plain = nil
		return f.recognise(NewInput(z, f.file.Name, 0), false)
	case dmformat.IsLongRun(f.cfg.Format) && familyOf(head) == nil:
		return Open(f.file, in)
	case familyOf(head) != nil:
		return f.check(familyOf(head).open(f.file, in))
	case head[0] == '*': // what is wrong with it is told best as a classic file
		return f.check(OpenClassic(f.file, in))
	case strings.HasPrefix(dmformat.Magic, string(head)):
		return f.check(openBinary(f.file, in))
	}
	if _, err := in.Window(len(head)+1, "the beginning"); err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return err
	}
	return in.Errorf("this is not a method trace: it begins with %.16q", head)
}

// family is files that begin alike.
type family struct {
	sniff func(head []byte) bool
	open  func(f *File, in *Input) error
}

// families are the registry of this package: a new one is a file and a line.
var families = []family{
	{func(head []byte) bool { return bytes.HasPrefix(head, []byte(dmformat.Magic)) }, openBinary},
	{func(head []byte) bool { return bytes.HasPrefix(head, []byte("*ver")) }, OpenClassic},
	{text.Is, openText},
	{func(head []byte) bool { return len(head) > 0 && head[0] == dmformat.PacketEntries }, Open},
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
func openBinary(f *File, in *Input) error {
	head := in.Head(8)
	if len(head) == 8 && dmformat.IsV2(binary.LittleEndian.Uint16(head[4:])) {
		return V2Open(f, in)
	}
	if len(head) == 8 && head[4] <= 3 {
		return in.Errorf("this is the data half of a trace; its key half, the text from *version to *end, " +
			"is expected in front of it, or next to it in a file that ends in .key")
	}
	return OpenStream(f, in)
}

func openText(f *File, in *Input) error {
	if f.Config.Format != "" {
		return in.Errorf("this trace is in the text format, not in format %s", f.Config.Format)
	}
	rec, err := text.NewReader(in.Bytes, f.Name)
	if err != nil {
		return err
	}
	*f.Recording = *rec
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
func (f *ReaderFile) check(err error) error {
	if err != nil || f.cfg.Format == "" || f.cfg.Format == f.Source.Format || dmformat.IsLongRun(f.Source.Format) {
		return err
	}
	want, err := dmformat.ByName(f.cfg.Format)
	if err != nil {
		return err
	}
	got, _ := dmformat.ByName(f.Source.Format)
	if want.Streaming != got.Streaming || want.TIDBits != got.TIDBits || want.V2 != 0 {
		return &trace.FormatError{Name: f.file.Name, Msg: fmt.Sprintf("this is a trace in format %s, not %s", got.Name, want.Name)}
	}
	f.Source.Format = want.Name
	return nil
}

// Close closes the file and removes what was kept on disk. Events cannot be
// read afterwards.
func (f *ReaderFile) Close() error {
	var err error
	for _, c := range f.file.Closers {
		err = errors.Join(err, c.Close())
	}
	f.file.Closers = nil
	return err
}
