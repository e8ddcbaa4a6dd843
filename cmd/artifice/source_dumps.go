package main

import (
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"artifice/diffstack"
	"artifice/filter"
	"artifice/format"
	"artifice/internal/words"
	"artifice/stackdump"
)

// dumpFlags are the flags that only stack dumps know.
type dumpFlags struct {
	cmd      *cobra.Command
	identity string
	sliceEnd string
	frames   string
	last     time.Duration
	first    bool
	names    mappingFlag                              // of traces, too
	nesting  bool                                     // see sourceFlags
	inPlace  bool                                     // see sourceFlags
	watch    func(*stackdump.Dump, *stackdump.Frames) // see stackdump.Config

	// How to read a method trace whose content does not tell.
	format    string
	counterHz uint64
	repair    string // of RheaTrace's files
	methods   string // file with the names of numbers
}

// dumpFlagNames are the names of the flags that only stack dumps know.
var dumpFlagNames = []string{"identity", "slice-end", "frames", "last", "thread-first"}

// readGroups are the groups of the flags of commands that read with dumpFlags;
// the first has those of the command itself.
var readGroups = []flagGroup{
	{title: "Flags"},
	{"Stack dumps to read", nil, dumpFlagNames},
	{"Traces to read", nil, []string{"input-format", "counter-hz", "repair", "method-names", "mapping"}},
}

func (f *dumpFlags) add(cmd *cobra.Command) {
	f.cmd = cmd
	flags := cmd.Flags()
	flags.StringVar(&f.identity, "identity", "method", "take frames of two dumps for the same call if they have the same `KEY`: method (as ART does) or method+line (with the caller's line)")
	flags.StringVar(&f.sliceEnd, "slice-end", "next", "`WHEN` to end a call that a dump no longer sees: next (at this dump, as ART does), last (at the last dump that saw it), capped (at most 1 ms after that) or mid (halfway between)")
	flags.StringVar(&f.frames, "frames", "auto", "keep these `FRAMES`: managed (as ART does), all (native and kernel frames, too) or auto (all of CPU samples, such as perf's, and managed of other dumps)")
	flags.DurationVar(&f.last, "last", 0, "keep only this much time at the end, like the ring buffers of APM tools")
	flags.BoolVar(&f.first, "thread-first", false, "the first frame of a folded stack is the thread name")
	flags.StringVar(&f.format, "input-format", "", "read the source as this `FORMAT`, whatever it looks like (see artifice list); default: detected by content")
	flags.Uint64Var(&f.counterHz, "counter-hz", 0, "frequency of the timestamp counter of a long-running-methods profile in `HZ`; default: 24576000")
	flags.StringVar(&f.repair, "repair", "forward", "restore ends that RheaTrace lost by this `RULE`: forward (an end closes everything its call called) or rhea (as RheaTrace's own scripts do)")
	flags.StringVar(&f.methods, "method-names", "", "`FILE` that names the methods of a trace that has them as numbers: methodMapping.txt of RheaTrace, btrace 2 and Matrix, sampling-mapping of btrace 3; default: the file of that name beside the trace")
	f.names.add(cmd)
}

// open opens a source with these flags alone.
func (f *dumpFlags) open(cmd *cobra.Command, std stdio, name string) (*source, error) {
	how, err := f.sourceFlags()
	if err != nil {
		return nil, err
	}
	src, err := openSource(cmd.Context(), std, name, how)
	if err != nil {
		return nil, err
	}
	if err := f.check(src); err != nil {
		src.Close()
		return nil, err
	}
	return src, nil
}

// sourceFlags returns how to read a source as the flags say.
func (f *dumpFlags) sourceFlags() (how sourceFlags, err error) {
	how = sourceFlags{nesting: f.nesting, inPlace: f.inPlace, format: f.format, counterHz: f.counterHz, methods: f.methods, names: f.names}
	if how.dumps, err = f.config(); err != nil {
		return how, err
	}
	if how.repair, err = format.ParseRepair(f.repair); err != nil {
		return how, usagef("--repair: %v", err)
	}
	return how, nil
}

// config returns how to read dumps.
func (f *dumpFlags) config() (cfg stackdump.Config, err error) {
	if cfg.Identity, err = diffstack.ParseIdentity(f.identity, diffstack.BySite); err != nil {
		return cfg, usagef("--identity: %v", err)
	}
	if cfg.SliceEnd, err = diffstack.ParseSliceEnd(f.sliceEnd); err != nil {
		return cfg, usagef("--slice-end: %v", err)
	}
	if cfg.Include, err = stackdump.ParseInclude(f.frames); err != nil {
		return cfg, usagef("--frames: %v", err)
	}
	if cfg.Last = f.last; f.last < 0 {
		return cfg, usagef("--last %s: must be above 0", f.last)
	}
	cfg.Watch = f.watch
	if f.first {
		cfg.First = stackdump.ThreadFirst
	}
	return cfg, nil
}

// check refuses the flags that do not apply to the source.
func (f *dumpFlags) check(src *source) error {
	for _, name := range dumpFlagNames {
		if src.dumps == nil && f.cmd.Flags().Changed(name) {
			return usagef("--%s applies to stack dumps, but %s has none", name, src.name)
		}
	}
	given := f.cmd.Flags().Changed
	switch {
	case given("repair") && !src.in.Format.Holds.Has(format.LostEnds):
		return usagef("--repair applies to rhea-atrace files of RheaTrace, and %s is not one", src.name)
	case f.methods != "" && !src.in.Numbered():
		return usagef("--method-names applies to traces of RheaTrace, btrace and Matrix, which have numbers for methods, but %s has names", src.name)
	}
	return nil
}

// mappingFlag is the name of a mapping.txt of R8 or ProGuard; empty: none.
type mappingFlag string

func (f *mappingFlag) add(cmd *cobra.Command) {
	cmd.Flags().StringVar((*string)(f), "mapping", "", "restore class and method names with this mapping.txt `FILE` of R8 or ProGuard")
}

// read reads the mapping; it is nil when there is none.
func (f mappingFlag) read() (*filter.Mapping, error) {
	if f == "" {
		return nil, nil
	}
	file, err := os.Open(string(f))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return filter.ReadMapping(file, string(f))
}

// tellMapping says what a mapping could not tell.
func (s *source) tellMapping() {
	if s.renamed == nil {
		return
	}
	switch r := s.renamed; {
	case r.Known == 0 && r.Methods > 0:
		fmt.Fprintf(s.std.err, "artifice: warning: %s: the mapping knows none of the trace's classes; is it from another build?\n", s.name)
	case r.Ambiguous > 0:
		s.std.remark("artifice: %s: the mapping has several names for %s; they are joined with |\n",
			s.name, words.Count(r.Ambiguous, "method"))
	}
}
