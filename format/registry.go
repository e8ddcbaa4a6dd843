package format

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"artifice/format/dmtrace"
	"artifice/format/internal/anr"
	"artifice/format/internal/blockinfo"
	"artifice/format/internal/btrace"
	"artifice/format/internal/chrome"
	"artifice/format/internal/cpuprofile"
	"artifice/format/internal/firefox"
	"artifice/format/internal/folded"
	"artifice/format/internal/ftrace"
	"artifice/format/internal/jfr"
	"artifice/format/internal/kind"
	"artifice/format/internal/matrix"
	"artifice/format/internal/nanoscope"
	"artifice/format/internal/otlp"
	"artifice/format/internal/perf"
	"artifice/format/internal/perfetto"
	"artifice/format/internal/profilo"
	"artifice/format/internal/rhea"
	"artifice/format/internal/simpleperf"
	"artifice/format/internal/speedscope"

	"artifice/format/internal/jsonlines"
	"artifice/format/internal/jvm"
	"artifice/format/internal/stackdump"
	"artifice/format/pprof"
	"artifice/internal/dmformat"
	"artifice/trace"
)

// all builds the list of formats at its first call. A new format needs a folder of package format
// and a line here.
var all = sync.OnceValue(func() []*kind.Format {
	return append(dmtrace.Variants(),
		&dmtrace.Format,
		otlp.JSON,
		otlp.Format,
		&pprof.Format,
		folded.Format,
		perfetto.Format,
		perfetto.Samples,
		chrome.Format,
		cpuprofile.Samples,
		speedscope.Format,
		firefox.Format,
		ftrace.Format,
		ftrace.Atrace,
		simpleperf.Proto,
		&dmtrace.TextFormat,
		rhea.Format,
		nanoscope.Format,
		matrix.Report,
		btrace.Calls,
		matrix.Buffer,
		anr.Format,
		jvm.Format,
		jvm.Javacore,
		anr.Tombstone,
		jvm.Text,
		jvm.JSON,
		perf.Format,
		simpleperf.Text,
		blockinfo.Format,
		profilo.Format,
		jsonlines.Format,
		btrace.Sampling,
		cpuprofile.Format,
		jfr.Format,
		speedscope.Sampled,
	)
})

// All returns all formats.
func All() []*kind.Format { return slices.Clone(all()) }

// Written returns the formats that can be written.
func Written() []*kind.Format {
	return slices.DeleteFunc(All(), func(f *kind.Format) bool { return f.Write == nil })
}

// OfProfiles returns the names of the formats of profiles with pprof's model.
func OfProfiles() []string {
	var names []string
	for _, f := range Written() {
		if f.WriteProfile != nil {
			names = append(names, f.Name)
		}
	}
	return names
}

// Dumps returns the formats of stack dumps and samples.
func Dumps() []*stackdump.Format {
	var list []*stackdump.Format
	for _, f := range All() {
		if f.Dumps != nil {
			list = append(list, f.Dumps)
		}
	}
	return list
}

// Sniffed returns the formats that are detected by content, in the order in which they are tried,
// the least specific ones last. Their Head values do not decrease, so that detection in a growing
// file waits for no more bytes than necessary.
func Sniffed() []*kind.Format {
	list := slices.DeleteFunc(All(), func(f *kind.Format) bool { return f.Sniff == nil })
	slices.SortStableFunc(list, func(a, b *kind.Format) int {
		switch {
		case a.Vague && !b.Vague:
			return 1
		case b.Vague && !a.Vague:
			return -1
		}
		return cmp.Compare(a.Head, b.Head)
	})
	return list
}

// ByName returns the format with that name, or nil.
func ByName(name string) *kind.Format {
	for _, f := range All() {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// ToWrite returns the format with that name if it can be written, else nil.
func ToWrite(name string) *kind.Format {
	if f := ByName(name); f != nil && f.Write != nil {
		return f
	}
	return nil
}

// ForFile returns the format for the name of a file, or nil if the name is ambiguous. For a .trace
// file it returns the variant of source, the layout of the file that the recording was read from.
// If source is nil, it returns the classic file of the runtime vm: ART or Dalvik.
func ForFile(name string, source *trace.Source, vm string) *kind.Format {
	unpacked := strings.TrimSuffix(name, ".gz")
	var best *kind.Format
	longest := 0 // the longest match counts: .speedscope.json also ends in .json
	for _, f := range Written() {
		for _, ending := range f.Endings {
			if len(ending) > longest && (strings.HasSuffix(name, ending) || strings.HasSuffix(unpacked, ending)) {
				best, longest = f, len(ending)
			}
		}
	}
	switch {
	case best != nil:
		return best
	case !strings.HasSuffix(unpacked, ".trace"):
		return nil
	case source == nil && vm == "dalvik":
		return ToWrite(dmformat.Dalvik3)
	case source == nil:
		return ToWrite(dmformat.ART)
	}
	return ToWrite(source.Format)
}
