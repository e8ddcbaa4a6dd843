package check

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	formatpkg "artifice/format"
	"artifice/format/dmtrace"
	tracetext "artifice/format/text"
	"artifice/internal/decode"
	"artifice/internal/dmformat"
	"artifice/internal/inputs"
	"artifice/trace"
)

// Config has the options of a check. The zero value is valid.
type Config struct {
	Name string // name of the file in the report; "" is the name by which it is opened

	// Format, TempDir, Limits and Progress are those of package format/dmtrace.
	Format   string
	TempDir  string
	Limits   trace.Limits
	Progress func(done, total int64)

	// Stop, if set, is called between batches of events; an error ends the check.
	Stop func() error
}

// File checks the named file. It returns an error if the file cannot be opened or read; problems of
// its content are in the report. A file in another format of package format, except OpenTelemetry
// profiles, is not checked: the report names its format.
func File(name string, cfg Config) (*Report, error) {
	if isProfiles(cfg.Format) {
		return profiles(name, cfg.Format, &cfg)
	}
	r, err := file(name, cfg)
	if err != nil || r.Counts["E001"] == 0 {
		return r, err
	}
	format, err := formatpkg.FormatOf(name)
	if err != nil {
		return r, err
	}
	if format != nil && isProfiles(format.Name) {
		return profiles(name, format.Name, &cfg)
	}
	what, err := formatpkg.Foreign(name)
	if format != nil {
		r.facts.Other = format.Name
		what = fmt.Sprintf("the file is in the format %s (%s), which report and convert read; check reads method traces and OTLP profiles", format.Name, format.About)
	}
	for i := range r.Findings {
		if f := &r.Findings[i]; f.Rule.ID == "E001" && what != "" {
			f.Text = what
		}
	}
	return r, err
}

func newReport(name string, cfg *Config) *Report {
	return &Report{Name: cmp.Or(cfg.Name, name), Counts: make(map[string]int64), sharedIDs: make(map[uint16]bool), announced: announcedThreads{counts: make(map[uint32]int)}}
}

func file(name string, cfg Config) (*Report, error) {
	r := newReport(name, &cfg)
	if err := r.scan(name, cfg.Limits.Ratio); err != nil {
		return nil, err
	}
	r.scanErrors = r.Errors()
	f, err := dmtrace.Open(name, dmtrace.ReadOptions{Format: cfg.Format, TempDir: cfg.TempDir, Limits: cfg.Limits, Progress: cfg.Progress, InPlace: true})
	if err != nil {
		return r, r.failed(err)
	}
	defer f.Close()
	if err := r.events(&f.Recording, &cfg); err != nil {
		return nil, err
	}
	r.sort()
	return r, nil
}

// scan scans the header of the file and, for a classic file, its text.
func (r *Report) scan(name string, ratio int) error {
	f, err := openAll(name)
	if err != nil {
		return err
	}
	defer f.Close()
	in := bufio.NewReaderSize(f, bufferBytes)
	if head, _ := in.Peek(2); bytes.Equal(head, []byte{0x1f, 0x8b}) {
		r.facts.Gzip = true
		z, err := decode.Gunzip(in, ratio)
		if err != nil {
			r.add("E029", 0, "%v", err)
			return nil
		}
		in = bufio.NewReaderSize(z, bufferBytes)
	}
	head, err := in.Peek(64)
	if len(head) == 0 && err != io.EOF {
		if errors.As(err, new(*fs.PathError)) || errors.As(err, new(*trace.LimitError)) {
			return err // unreadable, for example a folder
		}
		r.add("E029", 0, "%v", err)
		return nil
	}
	switch {
	case len(head) == 0:
		r.add("E002", 0, "the file is empty")
	case bytes.HasPrefix(head, []byte("\xef\xbb\xbf")):
		r.add("E005", 0, "the file begins with a byte order mark")
	case dmformat.IsChunk(head):
		r.facts.Chunk = true
		in.Discard(dmformat.ChunkHead)
		s := &scanner{report: r, in: in, off: dmformat.ChunkHead}
		return s.classic()
	case bytes.HasPrefix(head, []byte("*")):
		s := &scanner{report: r, in: in}
		return s.classic()
	case bytes.HasPrefix(head, []byte(dmformat.Magic)):
		r.binary(head)
	case tracetext.Is(head):
		r.Format = "text"
	default:
		r.head = append([]byte(nil), head[:min(16, len(head))]...)
	}
	return nil
}

// openAll opens a file, or both halves of a pair as one file.
func openAll(name string) (io.ReadCloser, error) {
	key, data, ok := dmtrace.Pair(name)
	if !ok {
		return inputs.Open(name)
	}
	first, err := inputs.Open(key)
	if err != nil {
		return nil, err
	}
	second, err := inputs.Open(data)
	if err != nil {
		first.Close()
		return nil, err
	}
	return &halves{io.MultiReader(first, second), first, second}, nil
}

// halves are the two files of a pair.
type halves struct {
	io.Reader
	key, data *os.File
}

// Close closes both.
func (h *halves) Close() error { return errors.Join(h.key.Close(), h.data.Close()) }

// binary checks the header of a streaming or V2 file.
func (r *Report) binary(head []byte) {
	if len(head) < 6 {
		return
	}
	word := binary.LittleEndian.Uint16(head[4:])
	r.facts.Version = int(word &^ dmformat.StreamBit)
	r.facts.Streaming = word&dmformat.StreamBit != 0
	r.facts.V2 = r.facts.Version == 4 || r.facts.Version == 5
	if len(head) >= 18 {
		r.facts.NoRecordSize = r.facts.Streaming && r.facts.Version == 3 && binary.LittleEndian.Uint16(head[16:]) == 0
	}
	if !r.facts.Streaming && !r.facts.V2 {
		r.add("E003", 0, "the file begins with the header of a data section")
	}
}

// failed processes an error of reading the file. It reports no finding that the scan has reported
// before. It returns errors that are not about the content.
func (r *Report) failed(err error) error {
	defer r.sort()
	var system *fs.PathError
	var format *trace.FormatError
	switch {
	case errors.As(err, &system):
		return err
	case r.Format == "text":
		r.add("E029", -1, "%v", err)
		return nil
	case errors.As(err, &format):
		switch {
		case r.scanErrors > 0: // the scan has reported the cause
		case r.head != nil && r.Events == 0:
			r.add("E001", 0, "the file begins with %q", r.head)
		default:
			r.unreadable(format)
		}
		return nil
	}
	return err
}

// unreadable reports the position at which reading of the file fails.
func (r *Report) unreadable(e *trace.FormatError) {
	r.facts.BrokenPart = e.Part
	cut := errors.Is(e.Err, io.ErrUnexpectedEOF)
	id := "E029"
	switch {
	case dmformat.IsLongRun(r.Format) && e.Offset >= dmformat.LongRunCollected:
		id = "E024"
	case r.facts.V2 && cut:
		id = "E023"
	case r.facts.V2:
		id = "E022"
	case r.facts.Streaming && cut:
		id = "E021"
	case r.facts.Streaming && r.facts.RecordSize > 0:
		id = "E020"
	}
	text := e.Msg
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	r.add(id, e.Offset, "%s", text)
}
