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
	Format  *Format   // of every file; nil = by content
	Formats []*Format // those that are known by content

	// Interval is the time between two dumps without times, and the time of one sample of folded
	// stacks; 0 = [DefaultInterval].
	Interval time.Duration

	First    FirstFrame         // what a folded stack begins with
	Names    string             // file with the names of methods that a file has as addresses; "" = see [NameFinder]
	Identity diffstack.Identity // identity of frames of two dumps; not ByCall, which dumps do not contain
	SliceEnd diffstack.SliceEnd // assumed end of frames that have disappeared
	Include  Include            // which frames count

	// Ends is set if each thread leaves its frames at the end of its last sample. Otherwise they
	// stay open, as when ART stops, and a method trace of the dumps contains nothing after a
	// thread's last change.
	Ends bool

	// Last keeps the dumps of this long at the end and drops those in front, as
	// the ring buffers of monitoring tools do; 0 keeps all. It needs memory for
	// the dumps kept. A run of folded samples is kept or dropped by its first.
	Last time.Duration

	// Event is the event whose samples are read, of CPU profilers' files with several; "" = the
	// best measure of CPU time ([Events]).
	Event string

	// Part is what to keep: threads, and dumps of a window of time since the first.
	// It cuts dump by dump, so that samples are counted right, where
	// [filter.Part.Apply] cuts calls.
	Part filter.Part

	// Rename returns the original frames of a dump's frame, outermost first and at least one: a
	// mapping that undoes renaming contains the methods that were inlined at its line. nil = every
	// frame is original.
	Rename func(Frame) []Frame

	// Limits bound how many different frames there are, and what packed files
	// unpack to; 0 is their default.
	Limits trace.Limits

	// Tick is called for each dump of a whole process: when it was taken, since the first one,
	// and for how long the process stood still for it (0: it does not state). nil = it is not
	// called.
	Tick func(at, stopped time.Duration)

	// Watch is called with each dump of a format with few dumps ([Format.Few]), before its stacks
	// are compared; it is good until the next. Only where it is given are locks read. nil = it is
	// not called.
	Watch func(*Dump, *Frames)

	// Progress is called with how many bytes of how many have been read, packed ones as they
	// are; the total is -1 when it is not known. nil = none.
	Progress func(done, total int64)
}

// FirstFrame states what the first frame of a folded stack is.
type FirstFrame uint8

const (
	// AutoFirst takes "[name tid=N]", as async-profiler writes it with its
	// option -t, for a thread and anything else for a frame.
	AutoFirst   FirstFrame = iota
	ThreadFirst            // always the thread's name
	FrameFirst             // always a frame; all lines are one thread's
)

// Include selects the frames of a stack that count.
type Include uint8

const (
	AutoFrames    Include = iota // all of a CPU profiler's samples and of native processes, and of other dumps those of the runtime
	ManagedFrames                // those of the runtime, all that ART's sampler sees
	AllFrames                    // those of machine code and the kernel too
)

var includeNames = []string{"auto", "managed", "all"}

// String returns the word that [ParseInclude] takes.
func (i Include) String() string { return words.Of(includeNames, i) }

// ParseInclude reads "auto", "managed" or "all".
func ParseInclude(s string) (Include, error) {
	return words.Parse[Include]("choice of frames", includeNames, s)
}

// MaxInterval is the longest interval that is believed.
const MaxInterval = 1000 * time.Hour

// check returns cfg with defaults filled in, or what is wrong with it.
func (cfg Config) check() (Config, error) {
	switch {
	case cfg.Interval < 0 || cfg.Interval > MaxInterval:
		return cfg, fmt.Errorf("interval of dumps %s: must be above 0 and at most %s", cfg.Interval, MaxInterval)
	case cfg.Last < 0:
		return cfg, fmt.Errorf("the last %s of the dumps: must be above 0", cfg.Last)
	case cfg.Part.Check() != nil:
		return cfg, cfg.Part.Check()
	case cfg.Identity > diffstack.BySite, int(cfg.Include) >= len(includeNames), !cfg.SliceEnd.Valid():
		return cfg, fmt.Errorf("no such identity (%d), frames (%d) or slice end (%d)", cfg.Identity, cfg.Include, cfg.SliceEnd)
	}
	if cfg.Interval == 0 {
		cfg.Interval = DefaultInterval
	}
	return cfg, nil
}

// RenameBy returns a [Config.Rename] that gives managed frames the names they
// had before R8 or ProGuard, and back the frames that were inlined into them. It
// is nil when m is.
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
	return ReaderConfig{Format: cfg.Format, Formats: cfg.Formats, Interval: cfg.Interval, First: cfg.First, Event: cfg.Event, Frames: frames, Names: cfg.Names, Limits: cfg.Limits, Locks: cfg.Watch != nil}
}
