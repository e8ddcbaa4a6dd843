package stackdump

import (
	"fmt"
	"time"

	"artifice/diffstack"
	"artifice/internal/words"
	"artifice/trace"
	"artifice/trace/filter"
)

// Config configures the conversion of dumps to a trace. The zero value does what ART's sampler
// would have done had it seen these stacks.
type Config struct {
	Format  *Format   // format of every file; nil: by content
	Formats []*Format // formats that are detected by content

	// Interval is the time between two dumps without times, and the time of one sample of folded
	// stacks; 0 means [DefaultInterval].
	Interval time.Duration

	First FirstFrame // meaning of the first frame of a folded stack
	// file with the names of methods if a file has addresses; "": see [NameFinder]
	Names string
	// rule by which frames of two dumps are the same; not ByCall, because dumps do not distinguish
	// calls
	Identity diffstack.Identity
	SliceEnd diffstack.SliceEnd // assumed end of frames that have disappeared
	Include  Include            // which frames are included

	// Ends is set if each thread leaves its frames at the end of its last sample. Otherwise they
	// stay open, as when ART stops, and a method trace of the dumps contains nothing after a
	// thread's last change.
	Ends bool

	// Last is the length of the period at the end of the trace from which dumps are kept, as in the
	// ring buffers of monitoring tools; 0 keeps all. The dumps of this period are held in memory. A
	// run of folded samples is kept or dropped according to its first sample.
	Last time.Duration

	// Event selects the event to read from a CPU profiler's file with samples of several events; ""
	// selects the best measure of CPU time ([Events]).
	Event string

	// Part selects threads, and dumps in a time window relative to the first dump. It keeps or
	// drops whole dumps, so that samples are counted correctly; [filter.Part.Apply] would cut
	// calls.
	Part filter.Part

	// Rename returns the original frames of a dump's frame, outermost first and at least one: a
	// mapping that undoes renaming contains the methods that were inlined at its line. nil: every
	// frame is original.
	Rename func(Frame) []Frame

	// Read is the number of decompressed bytes of a file that was read before, for limits that
	// depend on the size.
	Read int64

	// Limits bound the number of distinct frames and the size of decompressed files; 0 selects the
	// default.
	Limits trace.Limits

	// Tick is called for each dump of a whole process, with its time since the first dump and the
	// time for which it suspended the process (0 if unknown). nil: it is not called.
	Tick func(at, stopped time.Duration)

	// Watch is called with each dump of a format with few dumps ([Format.Few]), before its stacks
	// are compared; the dump is valid until the next call. Locks are read only if Watch is set.
	Watch func(*Dump, *Frames)

	assumed bool // Interval is the default

	// Progress is called with the number of bytes read and the total number, both of the stored
	// files, which may be compressed. total is -1 if it is unknown.
	Progress func(done, total int64)
}

// FirstFrame is the meaning of the first frame of a folded stack.
type FirstFrame uint8

const (
	// AutoFirst: "[name tid=N]", as written by async-profiler with option -t, is a thread; any
	// other text is a frame.
	AutoFirst   FirstFrame = iota
	ThreadFirst            // the first frame is the thread's name
	FrameFirst             // the first frame is a frame, and all lines belong to one thread
)

// Include selects the frames of a stack that are read.
type Include uint8

const (
	// all frames of a CPU profiler's samples and of native processes, otherwise the runtime's
	// frames
	AutoFrames    Include = iota
	ManagedFrames         // frames of the runtime, which ART's sampler also reports
	AllFrames             // also frames of machine code and of the kernel
)

var includeNames = []string{"auto", "managed", "all"}

// String returns the word that [ParseInclude] accepts.
func (i Include) String() string { return words.Of(includeNames, i) }

// ParseInclude parses "auto", "managed" or "all".
func ParseInclude(s string) (Include, error) {
	return words.Parse[Include]("choice of frames", includeNames, s)
}

// MaxInterval is the maximum valid interval.
const MaxInterval = 1000 * time.Hour

// check returns cfg with defaults filled in, or an error if it is invalid.
func (cfg Config) check() (Config, error) {
	switch {
	case cfg.Interval < 0 || cfg.Interval > MaxInterval:
		return cfg, fmt.Errorf("interval of dumps %s: must be above 0 and at most %s", cfg.Interval, MaxInterval)
	case cfg.Last < 0:
		return cfg, fmt.Errorf("duration %s of the part at the end of the dumps: must be above 0", cfg.Last)
	case cfg.Part.Check() != nil:
		return cfg, cfg.Part.Check()
	case cfg.Identity > diffstack.BySite, int(cfg.Include) >= len(includeNames), !cfg.SliceEnd.Valid():
		return cfg, fmt.Errorf("identity %d, frames %d, slice end %d: one of them is invalid", cfg.Identity, cfg.Include, cfg.SliceEnd)
	}
	if cfg.Interval == 0 {
		cfg.Interval, cfg.assumed = DefaultInterval, true
	}
	return cfg, nil
}

// RenameBy returns a [Config.Rename] that restores the original names of managed frames obfuscated
// by R8 or ProGuard, and the frames that were inlined into them. It returns nil if m is nil.
func RenameBy(m *filter.Mapping) func(Frame) []Frame {
	if m == nil {
		return nil
	}
	return func(f Frame) []Frame {
		if !m.Has(f.Class) || f.Kind != Managed {
			return []Frame{f}
		}
		var frames []Frame
		for _, n := range m.Frame(f.Class, f.Method, f.Line) {
			original := f
			original.Class, original.Method, original.File, original.Line = n.Class, n.Method, n.FileIn(f.File), n.Line
			frames = append(frames, original)
		}
		return frames
	}
}

func (cfg Config) reader(frames *Frames) ReaderConfig {
	return ReaderConfig{Format: cfg.Format, Formats: cfg.Formats, Interval: cfg.Interval, Assumed: cfg.assumed, First: cfg.First, Event: cfg.Event, Frames: frames, Names: cfg.Names, Limits: cfg.Limits, Locks: cfg.Watch != nil}
}
