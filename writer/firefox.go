package writer

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"time"

	"artifice/calltree"
	"artifice/trace"
)

var firefoxFormat = Format{
	Name: "firefox", Description: "processed profile of the Firefox Profiler, for profiler.firefox.com", Endings: []string{".profile.json", ".firefox.json"}, Until: true,
	Open: func(w io.Writer, rec *trace.Recording, o Options) (Writer, error) {
		return newFirefox(w, rec, o), nil
	},
}

// firefoxVersion is the version of the processed profile format that is written:
// one whose tables are each thread's own, so that threads can be written one by
// one. The Firefox Profiler reads every version since the first.
const firefoxVersion = 48

// firefox is a Writer of the Firefox Profiler's processed format. Each thread has
// a sample for every instant at which its stack changed, weighted by the time
// until the next one (tracing-ms) and, with a dual clock, with the CPU time used
// since the one before. Where the samples are known (stack dumps), those are
// written, each weighted by how many saw the stack.
//
// A profile has its columns thread by thread: see threadwise. Besides, the distinct
// stacks of one thread are kept, and its columns wait as its events do.
type firefox struct {
	threadwise
	columns firefoxColumns // of the thread being written
}

func newFirefox(w io.Writer, rec *trace.Recording, o Options) *firefox {
	f := &firefox{}
	f.init(w, rec, o)
	f.format, f.write = "firefox", f.writeFile
	return f
}

// writeFile writes the file.
func (f *firefox) writeFile() error {
	f.columns = newFirefoxColumns(f.tempDir)
	return errors.Join(f.writeThreads(), f.columns.close())
}

// writeThreads writes the threads, and what stands around them.
func (f *firefox) writeThreads() error {
	fmt.Fprintf(f.w, `{"meta":{"version":29,"preprocessedProfileVersion":%d,"interval":%s,"startTime":0,"processType":0,`+
		`"product":"Android method trace","stackwalk":1,"debug":false,"symbolicated":true,"usesOnlyOneStackType":true,`+
		`"categories":[{"name":"Other","color":"grey","subcategories":["Other"]}],"markerSchema":[],`+
		`"sampleUnits":{"time":"ms","eventDelay":"ms","threadCPUDelta":"ns"}},"libs":[],"pages":[],"counters":[],"threads":[`,
		firefoxVersion, appendMillis(nil, cmp.Or(f.rec.Info.Interval, time.Millisecond)))
	separator := ""
	for i := range f.rec.Symbols.Threads {
		id := trace.ThreadID(i)
		t := f.thread(id)
		if t == nil {
			continue
		}
		f.w.WriteString(separator)
		separator = ","
		if err := t.write(); err != nil {
			return err
		}
	}
	f.w.WriteString("\n]}\n")
	return f.w.Flush()
}

// thread returns what is to be written of a thread, nil when it has nothing.
func (f *firefox) thread(id trace.ThreadID) *firefoxThread {
	t := &firefoxThread{firefox: f, id: id, frames: frameTable{symbols: f.rec.Symbols}}
	switch {
	case f.hasSamples(id):
		t.contexts, t.weights, t.rows = &f.samples.contexts, "samples", t.sampleRows
	case f.hasEvents(id):
		t.contexts, t.weights, t.rows = &calltree.Contexts{}, "tracing-ms", t.eventRows
		t.cpu = f.rec.Info.Clock == trace.Dual
	default:
		return nil
	}
	return t
}
