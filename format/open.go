package format

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/google/pprof/profile"

	"artifice/format/dmtrace"
	"artifice/format/internal/kind"
	"artifice/format/internal/stackdump"
	"artifice/format/pprof"
	"artifice/internal/inputs"
	"artifice/trace"
	"artifice/workload"
)

// Config has the options of Open. The zero value opens any input unchanged.
type Config struct {
	Order Order

	// Stop, if set, is called before each batch of events; an error ends the reading.
	Stop func() error

	Progress Progress // nil: none

	// Format forces a format of the registry, or a variant of the method trace, independent of the
	// content; empty selects by content.
	Format string

	// Nesting makes the input check for mismatched exits and warn about them. It is for callers
	// that track the stacks. An input that is not in file order always does so.
	Nesting bool

	// Names is the file with the names of methods if the input identifies them by numbers or
	// addresses: methodMapping.txt of RheaTrace, btrace 2 and Matrix, or sampling-mapping of btrace
	// 3. If empty, a file of that name next to the input is used if it exists. See
	// [Input.Numbered].
	Names string

	// Repair selects how missing ends of calls are restored, as in files of RheaTrace 1.
	Repair kind.Repair

	// Value is the name of the value to read from a pprof or OpenTelemetry profile with several
	// values; empty: the profile's default.
	Value string

	// Quantities accepts profiles that measure something other than the time of threads
	// ([trace.Info].Quantity). By default [Input.InTimeOrder] refuses them.
	Quantities bool

	Limits trace.Limits // bound the memory used for a damaged file; 0 selects the defaults

	// Options are settings of single formats, at most one value of a type: [dmtrace.ReadOptions],
	// [stackdump.Config] or [timeline.Config]. Open sets those that are fields of Config (Limits,
	// Progress, Stop).
	Options []any

	Workload workload.Config // for a generated truth

	variant string // the variant of a method trace that Format names
}

// Order is the order of the events.
type Order int

const (
	ByFile  Order = iota // as in the file
	ByTime               // merged over all threads by wall time
	AsTruth              // by time, as ground truth
)

// Input is an open input. Events, Info and Symbols are those of its recording.
type Input struct {
	*trace.Recording
	Name   string
	Format *kind.Format
	Dumps  *stackdump.Sequence // the dumps or samples from which the recording was made; nil for other formats

	// Profile is the complete content of a pprof or OpenTelemetry profile, of which the recording
	// has a part. It is nil for other formats and must not be changed.
	Profile *profile.Profile

	// OwnZero is set if time 0 is not the start of tracing, as in timelines.
	OwnZero bool

	cfg      Config
	opened   *kind.Opened
	pipe     io.Closer // the pipe that opened reads from; nil for other files
	closed   bool
	readings int  // number of calls of FromStart
	ended    bool // all events have been delivered since the last FromStart
	detector *samplingDetector
	nesting  *trace.Nesting // nil if no check is wanted, or if every exit matches by construction
}

// Open opens a workload, built in or in a file, a folder of stack dumps, or a file, with its format
// detected by content. It does not read the whole input, even if Config.Order is not ByFile: see
// [Input.InTimeOrder].
func Open(name string, cfg Config) (*Input, error) {
	var f *kind.Format
	if cfg.Format == "" && IsWorkload(name) {
		return openWorkload(name, cfg)
	}
	if cfg.Format != "" {
		var err error
		if f, err = forced(&cfg); err != nil {
			return nil, err
		}
	}
	if f != nil {
		return open(f, kind.Source{Name: name}, cfg)
	}
	if _, _, pair := dmtrace.Pair(name); pair {
		return open(&dmtrace.Format, kind.Source{Name: name}, cfg)
	}
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return open(&folder, kind.Source{Name: name}, cfg)
	}
	file, err := inputs.Open(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() { // data read from a pipe cannot be read again
		in, err := New(file, name, cfg)
		if err != nil {
			file.Close()
			return nil, err
		}
		in.pipe = file
		return in, nil
	}
	defer file.Close()
	return open(sniff(bufio.NewReaderSize(file, maxHead)), kind.Source{Name: name}, cfg)
}

// New opens the data read from r, for example standard input. name is used in messages.
func New(r io.Reader, name string, cfg Config) (*Input, error) {
	in := bufio.NewReaderSize(r, maxHead)
	if cfg.Format != "" {
		f, err := forced(&cfg)
		if err != nil {
			return nil, err
		}
		return open(f, kind.Source{Name: name, R: in}, cfg)
	}
	return open(sniff(in), kind.Source{Name: name, R: in}, cfg)
}

func open(f *kind.Format, src kind.Source, cfg Config) (*Input, error) {
	how := &kind.Config{Names: cfg.Names, Forced: cfg.Format != "", Repair: cfg.Repair, Value: cfg.Value, Variant: cfg.variant, Limits: cfg.Limits, Stop: cfg.Stop, DumpFormats: Dumps(), Options: cfg.Options}
	if cfg.Progress != nil {
		how.Progress = cfg.Progress.Bytes
	}
	o, err := f.Read(src, how)
	if err != nil {
		return nil, err
	}
	in := &Input{Recording: o.Recording, Name: src.Name, Format: f, Dumps: o.Dumps, Profile: o.Profile, OwnZero: o.OwnZero, cfg: cfg, opened: o}
	if o.Dumps == nil && (cfg.Nesting || cfg.Order != ByFile) {
		in.nesting = &trace.Nesting{}
	}
	in.deliver()
	return in, nil
}

// InTimeOrder reads the whole input if the configured order is not the file's, so that events are
// delivered in time order. It must be called before the first read. It refuses profiles that
// measure something other than the time of threads, unless [Config.Quantities] is set.
func (in *Input) InTimeOrder() error {
	if err := in.checkQuantity(); err != nil {
		return err
	}
	merger, ok := in.opened.File.(kind.Merger)
	if in.cfg.Order == ByFile || !ok {
		return nil
	}
	in.Events = in.Events.(*delivery).next
	if err := merger.InTimeOrder(); err != nil {
		return err
	}
	if in.cfg.Stop != nil {
		if err := in.cfg.Stop(); err != nil {
			return err
		}
	}
	in.cfg.idle()
	if in.cfg.Order == AsTruth && in.Info.Technique != trace.Truth {
		in.detector = &samplingDetector{Reader: in.Events, name: in.Name, info: &in.Info}
		in.Events = in.detector
	}
	in.deliver()
	return nil
}

// checkQuantity returns an error for a profile of a quantity if the caller needs times of threads.
func (in *Input) checkQuantity() error {
	q := in.Info.Quantity
	if !q.IsSet() || in.cfg.Quantities && in.cfg.Order == ByFile {
		return nil
	}
	need := "this command requires times of threads"
	if in.cfg.Order == AsTruth {
		need = "a ground truth consists of times of threads"
	}
	advice := "artifice report, diff, view and convert read it"
	if in.Profile != nil && !q.Signed { // folded stacks have no other value
		if times := pprof.Times(in.Profile); len(times) > 0 {
			advice = "--value selects a time where a command has this flag: " + strings.Join(times, ", ")
		}
	}
	return &trace.FormatError{Name: in.Name, Offset: -1, Msg: fmt.Sprintf("the profile contains %s, and %s; %s", q.Describe(), need, advice)}
}

// Nesting returns the nesting state that tracks the stacks of the delivered events; nil if there is
// none.
func (in *Input) Nesting() *trace.Nesting { return in.nesting }

// FromStart returns the recording, to be read from its first event on. The second and later calls
// require an input in time order, and invalidate the recording returned by the previous call.
func (in *Input) FromStart() (*trace.Recording, error) {
	if in.readings++; in.readings > 1 {
		if err := in.opened.Rewind(); err != nil {
			return nil, err
		}
		in.Recording, in.ended = in.opened.Recording, false
		in.deliver()
	}
	return in.Recording, nil
}

// HasEvents reports whether the input's samples are of events. [DumpConfig.Event] selects one.
func (in *Input) HasEvents() bool {
	if in.Dumps == nil {
		return false
	}
	f := in.Dumps.Counts().Format
	return f != nil && f.Events
}

// Numbered reports whether the input's format identifies methods by numbers or addresses, which
// [Config.Names] maps to names.
func (in *Input) Numbered() bool {
	if in.Dumps != nil {
		return in.Dumps.Counts().Format.Numbered()
	}
	return in.Format.Holds.Has(kind.Numbers)
}

// Close ends the reading and adds the last warnings to the recording.
func (in *Input) Close() error {
	in.cfg.idle()
	err := in.closeFile()
	if in.nesting != nil {
		if w, ok := in.nesting.Warning(in.Name, in.Info.Clock, in.Symbols); ok {
			in.Warnings = append(in.Warnings, w)
		}
		in.nesting = nil
	}
	if in.Sampled() {
		in.Warnings = append(in.Warnings, in.detector.warning())
	}
	in.detector = nil
	return err
}

// closeFile closes the file and the pipe that it is read from, once.
func (in *Input) closeFile() error {
	if in.closed {
		return nil
	}
	in.closed = true
	var err error
	if in.pipe != nil {
		err = in.pipe.Close()
	}
	if failed := in.opened.Close(); failed != nil {
		err = failed
	}
	return err
}

// fromFile reports whether events are decoded from the file while they are delivered. In that case
// the bytes read measure the progress.
func (in *Input) fromFile() bool { return in.cfg.Order == ByFile && in.Format != &workloads }

// length returns the time of the end, as far as known: the stop of the trace, otherwise its last
// event.
func (in *Input) length() time.Duration {
	length := in.Info.Elapsed
	if length == 0 {
		for _, t := range in.Symbols.Threads {
			length = max(length, t.End)
		}
	}
	return length
}
