package command

import (
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"artifice/diffstack"
	"artifice/format"
	"artifice/internal/decode"
	"artifice/internal/inputs"
	"artifice/internal/words"
	"artifice/trace/filter"
)

// ReadFlags are the flags of commands that read a recorded trace or stack dumps. The first flags
// apply only to stack dumps.
type ReadFlags struct {
	Cmd      *cobra.Command // the command with these flags
	identity string
	sliceEnd string
	Frames   string // selection of frames, by name
	last     time.Duration
	event    string
	Value    ValueFlag // for profiles with several values
	first    bool
	names    MappingFlag // also for traces
	Nesting  bool        // see [SourceFlags]
	InPlace  bool        // see [SourceFlags]
	// profiles that measure something other than the time of threads are accepted
	Quantity bool
	Watch    func(*format.Dump, *format.FrameTable) // see format.DumpConfig

	// How to read a method trace that does not state its variant.
	format    string
	CounterHz uint64 // see [SourceFlags]
	repair    string // for files of RheaTrace
	methods   string // file with the names of numbered methods
}

// DumpFlagNames are the names of the flags that apply only to stack dumps.
var DumpFlagNames = []string{"identity", "slice-end", "frames", "last", "thread-first", "event"}

// readFlagNames are the names of all flags of [ReadFlags].
var readFlagNames = []string{"mapping", "frames", "event", "value", "last", "input-format", "method-names", "identity", "slice-end", "thread-first", "repair", "counter-hz"}

// commonReadFlags is the number of readFlagNames that are not listed under "Advanced".
const commonReadFlags = 6

// IsReadFlag reports whether a flag is one of [ReadFlags].
func IsReadFlag(name string) bool { return slices.Contains(readFlagNames, name) }

// ReadGroups returns the last groups of flags of a command with [ReadFlags]: "Input" and
// "Advanced". "Advanced" begins with the command's own advanced flags.
func ReadGroups(advanced ...string) []FlagGroup {
	return []FlagGroup{
		{Title: "Input", Flags: readFlagNames[:commonReadFlags]},
		{Title: "Advanced", Flags: slices.Concat(advanced, readFlagNames[commonReadFlags:], []string{"limit"})},
	}
}

// Add adds the flags to cmd.
func (f *ReadFlags) Add(cmd *cobra.Command) {
	f.Cmd = cmd
	flags := cmd.Flags()
	flags.StringVar(&f.identity, "identity", "method", "merge frames of consecutive dumps into one call if their `KEY` is equal: method (as in ART) or method+line (also the caller's line)")
	flags.StringVar(&f.sliceEnd, "slice-end", "next", SliceEndUsage)
	flags.StringVar(&f.Frames, "frames", "auto", "`FRAMES` of stack dumps to keep: managed (Java and Kotlin code), all (also native and kernel code), or auto (all for CPU samples and native processes, otherwise managed)")
	flags.StringVar(&f.event, "event", "", "`NAME` of the event to read, if a profile of perf or simpleperf has several; default: cpu-clock, else task-clock, cycles or another. For JFR: cpu or wall")
	f.Value.Add(cmd)
	flags.DurationVar(&f.last, "last", 0, "keep only the last `DURATION` of a series of stack dumps")
	flags.BoolVar(&f.first, "thread-first", false, "take the first frame of each folded stack as its thread's name")
	flags.StringVar(&f.format, "input-format", "", "read the input as this `FORMAT` (artifice help formats); default: detected from its content")
	flags.Uint64Var(&f.CounterHz, "counter-hz", 0, "frequency, in `HZ`, of the timestamp counter in a profile of long-running methods; default: 24576000")
	flags.StringVar(&f.repair, "repair", "forward", "`RULE` that ends calls without an end in a file of RheaTrace: forward (with their caller), article (at the last event before the end of their caller, as in RheaTrace's introduction), or rhea (as RheaTrace's scripts do)")
	flags.StringVar(&f.methods, "method-names", "", "`FILE` with method names, for traces that contain only numbers: methodMapping.txt (RheaTrace, btrace 2, Matrix) or sampling-mapping (btrace 3); default: such a file next to the trace")
	f.names.Add(cmd)
}

// Open opens a source according to these flags only.
func (f *ReadFlags) Open(cmd *cobra.Command, std Stdio, name string) (*Source, error) {
	how, err := f.Flags()
	if err != nil {
		return nil, err
	}
	return f.OpenAs(cmd, std, name, how)
}

// OpenAs opens a source with the options how, which come from [ReadFlags.Flags], and checks that
// the flags apply to it.
func (f *ReadFlags) OpenAs(cmd *cobra.Command, std Stdio, name string, how SourceFlags) (*Source, error) {
	src, err := Open(cmd.Context(), std, name, how)
	if err != nil {
		return nil, err
	}
	if err := f.Check(src); err != nil {
		src.Close()
		return nil, err
	}
	return src, nil
}

// Flags returns the options for reading a source according to the flags.
func (f *ReadFlags) Flags() (how SourceFlags, err error) {
	how = SourceFlags{nesting: f.Nesting, inPlace: f.InPlace, format: f.format, counterHz: f.CounterHz, methods: f.methods, Names: f.names, Value: f.Value, quantity: f.Quantity}
	if how.Dumps, err = f.config(); err != nil {
		return how, err
	}
	if how.repair, err = format.ParseRepair(f.repair); err != nil {
		return how, Usagef("--repair: %v", err)
	}
	return how, nil
}

// config returns the options for reading dumps.
func (f *ReadFlags) config() (cfg format.DumpConfig, err error) {
	if cfg.Identity, err = diffstack.ParseIdentity(f.identity, diffstack.BySite); err != nil {
		return cfg, Usagef("--identity: %v", err)
	}
	if cfg.SliceEnd, err = diffstack.ParseSliceEnd(f.sliceEnd); err != nil {
		return cfg, Usagef("--slice-end: %v", err)
	}
	if cfg.Include, err = format.ParseFrameChoice(f.Frames); err != nil {
		return cfg, Usagef("--frames: %v", err)
	}
	cfg.Last, cfg.Event = f.last, f.event
	cfg.Watch = f.Watch
	if f.first {
		cfg.First = format.ThreadFirst
	}
	return cfg, nil
}

// Check returns an error for flags that do not apply to the source.
func (f *ReadFlags) Check(src *Source) error {
	for _, name := range DumpFlagNames {
		if src.Dumps == nil && f.Cmd.Flags().Changed(name) {
			return Usagef("--%s applies to stack dumps, but %s has none", name, src.Name)
		}
	}
	given := f.Cmd.Flags().Changed
	switch {
	case f.event != "" && !src.In.HasEvents():
		return Usagef("--event applies to CPU profiles of perf, simpleperf, Perfetto and JFR, and %s is not one", src.Name)
	case given("repair") && !src.In.Format.Holds.Has(format.LostEnds):
		return Usagef("--repair applies to rhea-atrace files of RheaTrace, and %s is not one", src.Name)
	case f.methods != "" && !src.In.Numbered():
		return Usagef("--method-names applies to traces of RheaTrace, btrace and Matrix, which have numbers for methods, but %s has names", src.Name)
	}
	return nil
}

// ValueFlag is the name of the value to read from a profile with several values; empty: the
// default.
type ValueFlag string

// Add adds the flag to cmd.
func (f *ValueFlag) Add(cmd *cobra.Command) {
	cmd.Flags().StringVar((*string)(f), "value", "", "`NAME` of the sample type to read, such as cpu, wall or inuse_space, if a profile of pprof or OpenTelemetry has several; default: as in go tool pprof")
}

// formerly returns a hint for a value that this flag accepted for folded stacks before --weight was
// introduced.
func (f ValueFlag) formerly() string {
	if f == "time" || f == "cpu" || f == "calls" {
		return fmt.Sprintf("; the number of folded stacks is now --weight %s", string(f))
	}
	return ""
}

// MappingFlag is the name of a mapping.txt of R8 or ProGuard; empty: none.
type MappingFlag string

// Add adds the flag to cmd.
func (f *MappingFlag) Add(cmd *cobra.Command) {
	cmd.Flags().StringVar((*string)(f), "mapping", "", "restore obfuscated class and method names with this `FILE` (mapping.txt) of R8 or ProGuard")
}

// read reads the mapping; it returns nil if the flag is not set.
func (f MappingFlag) read() (*filter.Mapping, error) {
	if f == "" {
		return nil, nil
	}
	file, err := inputs.Open(string(f))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := decode.Bytes(file, 0)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f, err)
	}
	return filter.ReadMapping(text, string(f))
}

// warnMapping warns about a mapping that does not match the trace.
func (s *Source) warnMapping() {
	if s.Renamed == nil {
		return
	}
	switch r := s.Renamed; {
	case r.Known == 0 && r.Methods > 0:
		fmt.Fprintf(s.Std.Err, "artifice: warning: %s: the mapping contains none of the trace's classes; is it from another build?\n", s.Name)
	case r.Ambiguous > 0:
		s.Std.Remark("artifice: %s: the mapping has several names for %s; they are joined with |\n",
			s.Name, words.Count(r.Ambiguous, "method"))
	}
}
