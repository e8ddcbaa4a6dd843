package stackdump

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"artifice/internal/decode"
	"artifice/internal/words"
	"artifice/trace"
)

// Dump contains the stacks of one process at one moment, or of one of its threads if the format
// samples threads individually. The result of [Reader.Next] is valid until the next call.
type Dump struct {
	File    string // name of the file that contains it
	Line    int    // first line in the file, from 1; 0 in a file without lines
	PID     int    // process id; 0 if the format does not state it
	Process string // command line or process name; may be empty
	Stamp   Stamp

	// Interval is the sampling interval stated by the file; 0 if not stated.
	Interval time.Duration

	// Partial is set if the dump contains only some threads of its process. A thread that is
	// missing in it has not left its frames.
	Partial bool

	None bool // the file states that it contains no stack

	Quantity trace.Quantity // the quantity of the file's sums, if they are not times of threads

	Unclocked bool // see [trace.Info]

	// Stopped is the time for which the dump suspended the process; 0 if not stated.
	Stopped time.Duration

	Threads []Thread // in the order of the dump

	Tally Tally // count of a CPU profiler's sample
	OfCPU bool  // the file has samples of CPU time, of waits, or of both; or sums of CPU time alone

	// DisplayFrames are the display frames of the whole file. Only the first dump of a file has
	// them. Their times are on the clock of Stamp.Uptime.
	DisplayFrames []trace.DisplayFrame
}

// Choice returns the selection of frames that [AutoFrames] makes for this dump: managed frames, or
// all if every frame is native. before is the choice for the previous dump of the process. A
// process with a managed frame in an earlier dump is not native, unless its id is unknown: then the
// dumps may be of different processes. Choice returns before if the dump has no frame.
func (d *Dump) Choice(frames *Frames, before Include) Include {
	if before == ManagedFrames && d.PID != 0 {
		return before
	}
	choice := before
	for i := range d.Threads {
		for _, id := range d.Threads[i].Stack {
			if frames.Frame(id).Kind == Managed {
				return ManagedFrames
			}
			choice = AllFrames
		}
	}
	return choice
}

// Stamp is the time of a dump, as far as stated.
type Stamp struct {
	// Uptime is the time on a monotonic clock with an arbitrary zero; it is valid if HasUptime is
	// set.
	Uptime    time.Duration
	HasUptime bool

	Date         time.Time // calendar time; zero if not stated
	WholeSeconds bool      // Date has a resolution of one second
}

// Thread is one thread of a dump.
type Thread struct {
	Line int    // line of its header
	Name string // may be empty
	ID   ID

	// PID and Process are the id and name of the thread's process, if they are not those of the
	// dump.
	PID     int
	Process string

	CPU    time.Duration // CPU time that the thread has used so far, if HasCPU is set
	HasCPU bool

	// Ran is the CPU time that this sample represents, if a profiler took it by CPU time; 0 in
	// other dumps. Such a sample contains no information about the time in which the thread did not
	// run.
	Ran time.Duration

	// Waits is set in a CPU profiler's sample that was taken when the thread left its CPU. The
	// thread waits until its next sample.
	Waits bool

	// Sum is the total time of the thread with this stack, in files of sums ([Format.Sums]). It is
	// 0 in other files, where the next sample determines the time.
	Sum Sum

	// Count is the number of consecutive samples with this stack, at least 1. It exceeds 1 only in
	// folded stacks.
	Count int64

	Stack []FrameID // innermost first, as printed in dumps

	// Tree contains the stack as its Node, if the file has a tree of stacks. Stack is then empty
	// until [Dump.Expand] fills it.
	Tree *Samples
	Node int32

	cut bool // a warning stated that the stack is truncated

	// Managed is the runtime's own number of the thread (ART's tid=), which identifies the holder
	// of a lock; 0 if there is none. It is part of ID only if the thread has no tid.
	Managed int64

	Locks Locks

	// Again is set if the innermost frame is not the same call as in the thread's previous sample,
	// even if all frames are equal. Only files of btrace 3 contain this information.
	Again bool
}

// Sum is a time on a thread's two clocks.
type Sum struct{ Wall, CPU time.Duration }

// ID identifies a thread of a process. Threads with equal IDs are the same thread.
type ID struct {
	// TID is the operating system's id of the thread (Linux tid, HotSpot's nid); 0 if the dump does
	// not state it.
	TID int64

	// Number is the runtime's own number of the thread, if it has one ("#22" in HotSpot). Unlike
	// the tid, it is not reused.
	Number int64

	// Virtual is set if Number is that of a virtual thread, which has no tid.
	Virtual bool

	// Name identifies threads that have neither.
	Name string
}

// FrameID is an index into [Frames].
type FrameID uint32

// Kind is the origin of a frame's code.
type Kind uint8

const (
	// a method of the runtime that wrote the dump, or any frame in a format that does not state the
	// kind
	Managed    Kind = iota
	NativeCode      // machine code called from it, as unwound by the runtime or debuggerd
	Kernel          // code of the kernel
)

// Frame is one line of a stack.
type Frame struct {
	Class  string // with dots; empty for a function
	Args   string // arguments and result of a method as a JVM descriptor; empty if unknown
	Method string
	File   string // source file, or the library of machine code; empty when unknown
	Line   int    // 0 when unknown
	Kind   Kind
	JNI    bool // a native method
}

// DefaultInterval is the default time between two samples in formats without times. It is
// async-profiler's default interval.
const DefaultInterval = 10 * time.Millisecond

// ReaderConfig configures a reader of dumps. The zero value reads any format by its
// content.
type ReaderConfig struct {
	Format   *Format       // nil: by content
	Formats  []*Format     // formats that are detected by content
	Interval time.Duration // time of one folded sample; 0: DefaultInterval
	Assumed  bool          // Interval is the default; set by [NewReader] if Interval is 0
	First    FirstFrame    // meaning of the first frame of a folded stack
	Frames   *Frames       // table for frames, which files can share; nil: a new one
	// the file itself, used to find a file with names in the same folder; "": a stream
	File   string
	Event  string       // see [Config.Event]
	Names  string       // file with the names of methods if the file has addresses; "": none
	Locks  bool         // read the information on locks
	Limits trace.Limits // bound the distinct frames and the decompressed bytes; 0: the defaults
}

// Reader reads the dumps of one file in order. It keeps one dump and the table of frames in memory.
type Reader struct {
	name   string
	format *Format
	parser Parser
	frames *Frames
	warn   *Warnings
	dump   Dump
	count  int64
	most   int             // maximum number of distinct frames
	filled bool            // some dump had a thread
	size   *decode.Counter // counts the decompressed bytes of the file
	err    error
}

// NewReader returns a reader of the dumps in r, which may be gzip or UTF-16 with a byte order mark.
// name is the file's in errors and warnings. It returns an error if r cannot be read, or has none
// of the formats.
func NewReader(r io.Reader, name string, cfg ReaderConfig) (*Reader, error) {
	return newReader(r, name, cfg, &Warnings{})
}

func newReader(r io.Reader, name string, cfg ReaderConfig, warn *Warnings) (*Reader, error) {
	unpacked, err := decode.Bytes(r, cfg.Limits.Ratio)
	if err != nil {
		return nil, BadLine(name, 0, "cannot be unpacked", err)
	}
	size := decode.NewCounter(unpacked)
	file := bufio.NewReaderSize(size, 1<<16)
	if cfg.Frames == nil {
		cfg.Frames = NewFrames()
	}
	if cfg.Interval <= 0 || cfg.Interval > MaxInterval {
		cfg.Interval, cfg.Assumed = DefaultInterval, true
	}
	if cfg.Format == nil {
		cfg.Format = sniffBinary(file, cfg.Formats)
	}
	if cfg.Format == nil || !cfg.Format.Binary {
		file = bufio.NewReaderSize(decode.UTF8(file), SniffLen)
	}
	if cfg.Format == nil {
		if cfg.Format, err = sniff(file, name, cfg.Formats); err != nil {
			return nil, err
		}
	}
	if !cfg.Format.Binary {
		head, _ := file.Peek(SniffLen)
		if e, ok := cfg.Format.excerpt(head); ok && e.IsSet() {
			file = bufio.NewReaderSize(e.Reader(file), SniffLen)
		}
	}
	if finder, ok := cfg.Format.Codec.(NameFinder); ok && cfg.Names == "" && cfg.File != "" {
		cfg.Names = finder.FindNames(cfg.File)
	}
	in := Input{Name: name, Lines: NewLines(file), Frames: cfg.Frames, Warn: warn, Locks: cfg.Locks, Depth: cfg.Limits.OrDefault().Depth}
	in.Lines.name, in.Lines.warn = name, warn
	if logged, ok := cfg.Format.Codec.(Logged); ok {
		head, _ := file.Peek(SniffLen)
		in.Lines.prefix, _ = findPrefix(head, logged.Starts())
	}
	return &Reader{name: name, size: size, format: cfg.Format, parser: cfg.Format.Parser(in, file, cfg), frames: cfg.Frames, warn: warn, most: cfg.Limits.OrDefault().Methods}, nil
}

// sniffBinary detects the format of a file that is not text, without consuming it. It returns nil
// for any other file.
func sniffBinary(file *bufio.Reader, formats []*Format) *Format {
	head, _ := file.Peek(64)
	for _, f := range formats {
		if f.Binary && f.Detect(head) {
			return f
		}
	}
	return nil
}

// formatsKnown precedes the list of supported formats in an error.
const formatsKnown = "; known are "

// sniff detects the format of text, without consuming it.
func sniff(text *bufio.Reader, name string, formats []*Format) (*Format, error) {
	head, err := text.Peek(SniffLen)
	if f := Detect(head, formats); f != nil {
		return f, nil
	}
	var known []string
	for _, f := range formats {
		known = append(known, f.Name)
	}
	msg := "no stack dump is recognized in its first MiB" + formatsKnown + strings.Join(known, " ")
	if len(head) == 0 {
		msg = "the file is empty"
	}
	if err == io.EOF || err == bufio.ErrBufferFull {
		err = nil
	}
	return nil, BadLine(name, 0, msg, err)
}

// Format returns the format of the file.
func (r *Reader) Format() *Format { return r.format }

// Frames returns the table of the stacks' frames.
func (r *Reader) Frames() *Frames { return r.frames }

// Warnings returns the warnings so far, each with file and line.
func (r *Reader) Warnings() []trace.Warning { return r.warn.list }

// Next returns the next dump, which is valid until the next call. It returns io.EOF after the last
// dump, and a [trace.FormatError] at the end of a file without dumps.
func (r *Reader) Next() (*Dump, error) {
	if r.err != nil {
		return nil, r.err
	}
	r.dump.Reset()
	r.err = r.parser.Next(&r.dump)
	if r.err == io.EOF && r.count == 0 {
		r.err = r.nothing()
	}
	if r.err == nil && r.frames.Len() > r.most {
		r.err = BadLine(r.name, r.dump.Line, "too many methods", &trace.LimitError{Limit: "methods", Most: r.most, What: "different frames"})
	}
	if r.err != nil {
		return nil, r.err
	}
	r.count++
	r.filled = r.filled || len(r.dump.Threads) > 0 || r.dump.None
	return &r.dump, nil
}

// nothing returns the error of a file without threads. It contains the first warning.
func (r *Reader) nothing() error {
	msg := fmt.Sprintf("there is no stack dump in it, although it looks like format %s", r.format.Name)
	if r.count > 0 {
		msg = fmt.Sprintf("no thread can be read in %s of format %s", words.Count(int(r.count), "dump"), r.format.Name)
	}
	for _, w := range r.warn.list {
		if w.Name == r.name && w.Line > 0 && w.Code != trace.WarnDumpCut {
			return BadLine(r.name, w.Line, msg+"; "+w.Text, nil)
		}
	}
	return BadLine(r.name, 0, msg, nil)
}

// keep returns a copy of d that stays valid.
func (d *Dump) keep() *Dump {
	c := *d
	c.Threads = slices.Clone(d.Threads)
	for i := range c.Threads {
		c.Threads[i].Stack = slices.Clone(c.Threads[i].Stack)
	}
	return &c
}
