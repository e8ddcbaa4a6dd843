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

// Dump is the stacks of one process at one moment, or of one of its threads
// where a format samples threads one by one. What [Reader.Next] returns is
// valid until the next call.
type Dump struct {
	File    string // name of the file it is in
	Line    int    // where it begins there, from 1; 0 in a file without lines
	PID     int    // process id; 0 if the format does not state it
	Process string // command line or process name; may be empty
	Stamp   Stamp

	// Interval is the sampling interval that the file states; 0 when it does not.
	Interval time.Duration

	// Partial is set if the dump describes its own threads only: a thread that is not in it has not
	// left its frames.
	Partial bool

	None bool // the file states that it has no stack

	Quantity trace.Quantity // what the sums of the file are, if they are no time of threads

	Unclocked bool // see [trace.Info]

	// Stopped is the time for which the dump suspended the process; 0 if it does not state it.
	Stopped time.Duration

	Threads []Thread // in the order of the dump

	Tally Tally // of a CPU profiler's sample
	OfCPU bool  // it is one of a file with samples of CPU time, of waits, or of both

	// DisplayFrames are those of the whole file, which the first dump of a file brings. They are by
	// the clock of its Stamp's Uptime.
	DisplayFrames []trace.DisplayFrame
}

// Choice returns which frames count where [AutoFrames] leaves it to the dump: managed ones, or all
// if every frame is native. A dump without a frame does not decide: AutoFrames.
func (d *Dump) Choice(frames *Frames) Include {
	choice := AutoFrames
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

// Stamp is the time of a dump, as far as the dump states it.
type Stamp struct {
	// Uptime is the time on a monotonic clock with a zero of the source's choice; it counts
	// when HasUptime is set.
	Uptime    time.Duration
	HasUptime bool

	Date         time.Time // calendar time; the zero time when there is none
	WholeSeconds bool      // Date is cut to the second
}

// Thread is one thread of a dump.
type Thread struct {
	Line int    // where its header is
	Name string // may be empty
	ID   ID

	// PID and Process are the id and name of the thread's process, if they are not those of the
	// dump.
	PID     int
	Process string

	CPU    time.Duration // CPU time the thread has used so far, when HasCPU is set
	HasCPU bool

	// Ran is how long the thread ran for this sample, which a profiler took by its CPU time; 0 in
	// other dumps. The sample contains nothing about the time in which it did not run.
	Ran time.Duration

	// Waits is set in a sample of a CPU profiler at which the thread left its CPU: it waits until
	// its next sample.
	Waits bool

	// Sum is the total time of the thread with this stack, in files of sums ([Format.Sums]); it is
	// 0 in others, where the next sample determines it.
	Sum Sum

	// Count is how many samples in a row saw this stack, at least 1; more only
	// in folded stacks.
	Count int64

	Stack []FrameID // innermost first, as dumps print it

	// Tree has the stack as its Node where the file has a tree of stacks; Stack is empty then.
	// [Dump.Expand] fills it.
	Tree *Samples
	Node int32

	cut bool // a warning stated that the stack is cut off

	// Managed is the runtime's own number of the thread, which locks name it by (ART's tid=); 0
	// where there is none. ID has it only where there is no tid.
	Managed int64

	Locks Locks

	// Again is set if the innermost frame is another call than in the thread's previous sample,
	// even if all frames are equal; only files of btrace 3 state that.
	Again bool
}

// Sum is a time on a thread's two clocks.
type Sum struct{ Wall, CPU time.Duration }

// ID identifies a thread of a process. Threads with equal IDs are the same thread.
type ID struct {
	// TID is the id of the operating system's thread (Linux tid, HotSpot's nid),
	// 0 when the dump does not have it.
	TID int64

	// Number is the runtime's own number of the thread where it has one ("#22"
	// in HotSpot), which is not used again when the tid is.
	Number int64

	// Virtual is set if Number is that of a virtual thread, which has no tid.
	Virtual bool

	// Name distinguishes threads that have nothing else.
	Name string
}

// FrameID is an index into [Frames].
type FrameID uint32

// Kind is the origin of a frame's code.
type Kind uint8

const (
	Managed    Kind = iota // a method of the runtime that wrote the dump; any frame of formats that do not state it
	NativeCode             // machine code below it, as unwound by the runtime or debuggerd
	Kernel                 // the kernel's part of the stack
)

// Frame is one line of a stack.
type Frame struct {
	Class  string // with dots; empty for a function
	Args   string // of a method, and its result: a JVM descriptor; empty when unknown
	Method string
	File   string // source file, or the library of machine code; empty when unknown
	Line   int    // 0 when unknown
	Kind   Kind
	JNI    bool // a native method
}

// DefaultInterval is the time between two samples of a format without times
// unless another is given: async-profiler's default.
const DefaultInterval = 10 * time.Millisecond

// ReaderConfig configures a reader of dumps. The zero value reads any format by its
// content.
type ReaderConfig struct {
	Format   *Format       // nil = by content
	Formats  []*Format     // those that are known by content
	Interval time.Duration // time of one folded sample; 0 = DefaultInterval
	First    FirstFrame    // what a folded stack begins with
	Frames   *Frames       // table to number frames in, shared between files; nil = a new one
	File     string        // the file itself, beside which a file with names may be; "" = a stream
	Event    string        // see [Config.Event]
	Names    string        // file with the names of methods that the file has as addresses; "" = none
	Locks    bool          // read what dumps state of locks
	Limits   trace.Limits  // how many different frames and packed bytes; 0 = the defaults
}

// Reader reads the dumps of one file, one after the other: it holds one dump
// and the table of frames.
type Reader struct {
	name   string
	format *Format
	parser Parser
	frames *Frames
	warn   *Warnings
	dump   Dump
	count  int64
	most   int             // different frames that there may be
	filled bool            // a dump had a thread
	size   *decode.Counter // of the file, unpacked
	err    error
}

// NewReader returns a reader of the dumps in r, which may be gzip or UTF-16
// with a byte order mark. name is the file's in errors and warnings. It fails
// when r cannot be read or holds none of the formats.
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
		cfg.Interval = DefaultInterval
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
	if finder, ok := cfg.Format.Codec.(NameFinder); ok && cfg.Names == "" && cfg.File != "" {
		cfg.Names = finder.FindNames(cfg.File)
	}
	in := Input{Name: name, Lines: NewLines(file), Frames: cfg.Frames, Warn: warn, Locks: cfg.Locks, Depth: cfg.Limits.OrDefault().Depth}
	in.Lines.name, in.Lines.warn = name, warn
	return &Reader{name: name, size: size, format: cfg.Format, parser: cfg.Format.Parser(in, file, cfg), frames: cfg.Frames, warn: warn, most: cfg.Limits.OrDefault().Methods}, nil
}

// sniffBinary detects the format of a file that is not text, without consuming it; nil for any
// other file.
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
	msg := "no stack dump is recognised in its first MiB" + formatsKnown + strings.Join(known, " ")
	if len(head) == 0 {
		msg = "the file is empty"
	}
	if err == io.EOF || err == bufio.ErrBufferFull {
		err = nil
	}
	return nil, BadLine(name, 0, msg, err)
}

// Format returns the format that is read.
func (r *Reader) Format() *Format { return r.format }

// Frames returns the table that the stacks' frames are numbered in.
func (r *Reader) Frames() *Frames { return r.frames }

// Warnings returns what was odd so far, each with file and line.
func (r *Reader) Warnings() []trace.Warning { return r.warn.list }

// Next returns the next dump, valid until the call after it. It returns io.EOF
// after the last one; a file without any ends in a [trace.FormatError].
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

// nothing returns the error of a file without threads, with the first oddity in it.
func (r *Reader) nothing() error {
	msg := fmt.Sprintf("no stack dump in it, although it looks like format %s", r.format.Name)
	if r.count > 0 {
		msg = fmt.Sprintf("no thread is understood in %s of format %s", words.Count(int(r.count), "dump"), r.format.Name)
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
