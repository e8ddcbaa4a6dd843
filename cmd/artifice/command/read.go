package command

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"artifice/diffstack"
	"artifice/format"
	"artifice/internal/decode"
	"artifice/internal/inputs"
	"artifice/internal/words"
	"artifice/trace/filter"
)

// ReadFlags are the flags of commands that read a recorded trace or stack dumps. The first ones only stack dumps know.
type ReadFlags struct {
	Cmd      *cobra.Command // whose flags these are
	identity string
	sliceEnd string
	Frames   string // which are kept, by name
	last     time.Duration
	first    bool
	names    MappingFlag                            // of traces, too
	Nesting  bool                                   // see [SourceFlags]
	InPlace  bool                                   // see [SourceFlags]
	Watch    func(*format.Dump, *format.FrameTable) // see format.DumpConfig

	// How to read a method trace whose content does not tell.
	format    string
	CounterHz uint64 // see [SourceFlags]
	repair    string // of RheaTrace's files
	methods   string // file with the names of numbers
}

// DumpFlagNames are the names of the flags that only stack dumps know.
var DumpFlagNames = []string{"identity", "slice-end", "frames", "last", "thread-first"}

// ReadGroups are the groups of the flags of commands with [ReadFlags];
// the first has those of the command itself.
var ReadGroups = []FlagGroup{
	{Title: "Flags"},
	{Title: "Stack dumps to read", Flags: DumpFlagNames},
	{Title: "Traces to read", Flags: []string{"input-format", "counter-hz", "repair", "method-names", "mapping"}},
}

// Add gives cmd the flags.
func (f *ReadFlags) Add(cmd *cobra.Command) {
	f.Cmd = cmd
	flags := cmd.Flags()
	flags.StringVar(&f.identity, "identity", "method", "take frames of two dumps as the same call if they have the same `KEY`: method (as ART does) or method+line (with the caller's line)")
	flags.StringVar(&f.sliceEnd, "slice-end", "next", "`WHEN` to end a call that a dump no longer sees: next (at this dump, as ART does), last (at the last dump that saw it), capped (at most 1 ms after that) or mid (halfway between)")
	flags.StringVar(&f.Frames, "frames", "auto", "keep these `FRAMES`: managed (as ART does), all (native and kernel frames, too) or auto (all of CPU samples, such as perf's, and managed of other dumps)")
	flags.DurationVar(&f.last, "last", 0, "keep only this much time at the end, like the ring buffers of APM tools")
	flags.BoolVar(&f.first, "thread-first", false, "the first frame of a folded stack is the thread name")
	flags.StringVar(&f.format, "input-format", "", "read the source as this `FORMAT`, whatever it looks like (see artifice list); default: detected by content")
	flags.Uint64Var(&f.CounterHz, "counter-hz", 0, "frequency of the timestamp counter of a long-running-methods profile in `HZ`; default: 24576000")
	flags.StringVar(&f.repair, "repair", "forward", "restore ends that RheaTrace lost by this `RULE`: forward (an end closes everything its call called) or rhea (as RheaTrace's own scripts do)")
	flags.StringVar(&f.methods, "method-names", "", "`FILE` that names the methods of a trace that has them as numbers: methodMapping.txt of RheaTrace, btrace 2 and Matrix, sampling-mapping of btrace 3; default: the file of that name beside the trace")
	f.names.Add(cmd)
}

// Open opens a source with these flags alone.
func (f *ReadFlags) Open(cmd *cobra.Command, std Stdio, name string) (*Source, error) {
	how, err := f.Flags()
	if err != nil {
		return nil, err
	}
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

// Flags returns how to read a source as the flags say.
func (f *ReadFlags) Flags() (how SourceFlags, err error) {
	how = SourceFlags{nesting: f.Nesting, inPlace: f.InPlace, format: f.format, counterHz: f.CounterHz, methods: f.methods, Names: f.names}
	if how.Dumps, err = f.config(); err != nil {
		return how, err
	}
	if how.repair, err = format.ParseRepair(f.repair); err != nil {
		return how, Usagef("--repair: %v", err)
	}
	return how, nil
}

// config returns how to read dumps.
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
	cfg.Last = f.last
	cfg.Watch = f.Watch
	if f.first {
		cfg.First = format.ThreadFirst
	}
	return cfg, nil
}

// Check refuses the flags that do not apply to the source.
func (f *ReadFlags) Check(src *Source) error {
	for _, name := range DumpFlagNames {
		if src.Dumps == nil && f.Cmd.Flags().Changed(name) {
			return Usagef("--%s applies to stack dumps, but %s has none", name, src.Name)
		}
	}
	given := f.Cmd.Flags().Changed
	switch {
	case given("repair") && !src.In.Format.Holds.Has(format.LostEnds):
		return Usagef("--repair applies to rhea-atrace files of RheaTrace, and %s is not one", src.Name)
	case f.methods != "" && !src.In.Numbered():
		return Usagef("--method-names applies to traces of RheaTrace, btrace and Matrix, which have numbers for methods, but %s has names", src.Name)
	}
	return nil
}

// MappingFlag is the name of a mapping.txt of R8 or ProGuard; empty: none.
type MappingFlag string

// Add gives cmd the flag.
func (f *MappingFlag) Add(cmd *cobra.Command) {
	cmd.Flags().StringVar((*string)(f), "mapping", "", "restore class and method names with this mapping.txt `FILE` of R8 or ProGuard")
}

// read reads the mapping; it is nil when there is none.
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

// warnMapping warns of a mapping that does not fit.
func (s *Source) warnMapping() {
	if s.Renamed == nil {
		return
	}
	switch r := s.Renamed; {
	case r.Known == 0 && r.Methods > 0:
		fmt.Fprintf(s.Std.Err, "artifice: warning: %s: the mapping knows none of the trace's classes; is it from another build?\n", s.Name)
	case r.Ambiguous > 0:
		s.Std.Remark("artifice: %s: the mapping has several names for %s; they are joined with |\n",
			s.Name, words.Count(r.Ambiguous, "method"))
	}
}
