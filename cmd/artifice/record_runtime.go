package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"artifice/art"
	"artifice/internal/dmformat"
	"artifice/trace"
	"artifice/writer"
)

// runtimeFlags say which runtime traces, and how it is told to.
type runtimeFlags struct {
	name      string
	streaming bool
	buffer    sizeValue
	clock     string
	release   bool
}

func (f *runtimeFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.name, "runtime", "", "which runtime traces, one of artifice list; default art15, or what --format implies")
	flags.BoolVar(&f.streaming, "streaming", false, "write the file while tracing")
	flags.Var(&f.buffer, "buffer", "size of the trace buffer; default 8MiB; not with --streaming")
	flags.StringVar(&f.clock, "clock", "", "clocks to record: dual, wall or thread-cpu; default what the source has")
	flags.BoolVar(&f.release, "release-build", false, "instrument: the app is not debuggable")
}

// start returns the trace that the flags start of a source with clock have. The
// output format can imply the runtime, streaming and format V2.
func (f *runtimeFlags) start(have trace.Clock, format string) (cfg art.Config, err error) {
	cfg = art.Config{Streaming: f.streaming, BufferSize: int64(f.buffer), Clock: have}
	if f.clock != "" {
		var ok bool
		if cfg.Clock, ok = trace.ParseClock(f.clock); !ok {
			return cfg, usagef("--clock %s: it is dual, wall or thread-cpu", f.clock)
		}
	}
	cfg.Runtime = art.Default()
	if f.name != "" {
		if cfg.Runtime, err = art.ByName(f.name); err != nil {
			return cfg, usageError{err}
		}
	}
	if v, err := dmformat.ByName(format); err == nil {
		f.imply(&cfg, v)
	}
	if _, err := cfg.WithDefaults(); err != nil {
		return cfg, usageError{err}
	}
	return cfg, nil
}

// imply sets what the output format v says of the trace.
func (f *runtimeFlags) imply(cfg *art.Config, v *dmformat.Variant) {
	cfg.Streaming = cfg.Streaming || v.Streaming
	cfg.V2 = slices.ContainsFunc(art.All(), func(r *art.Runtime) bool { return r.V2Format == v.Name })
	if v.V2 == dmformat.V2of15 {
		cfg.Streaming = true // in output mode file Android 15 gets format V2 wrong
	}
	if f.name != "" {
		return
	}
	for _, r := range art.All() {
		if r.V2Format == v.Name || !cfg.V2 && r.VM == v.VM && r.VM == "dalvik" {
			cfg.Runtime = r
		}
	}
}

// outputOf returns how a file in format V2 of a trace is laid out.
func outputOf(start art.Config) writer.Output {
	if start.Streaming {
		return writer.Streamed
	}
	return writer.EntriesLast
}

// isRuntimeFile reports whether a runtime writes files of a format, or the
// format shows all that is in one.
func isRuntimeFile(format string) bool {
	_, err := dmformat.ByName(format)
	return err == nil || format == "text"
}

func runtimeEntries() []entry {
	all := []entry{}
	for _, r := range art.All() {
		all = append(all, entry{r.Name, r.Description})
	}
	return all
}

// printWarnings prints and forgets the warnings that rec has by now.
func printWarnings(std stdio, rec *trace.Recording) {
	for _, w := range rec.Warnings {
		fmt.Fprintf(std.err, "artifice: warning: %s\n", strings.TrimSpace(w))
	}
	rec.Warnings = nil
}
