package firefox

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"time"

	"artifice/format/internal/kind"
	"artifice/internal/encode"
	"artifice/internal/eventlog"
	"artifice/trace"
	"artifice/trace/calltree"
)

// writtenVersion is the version of the processed profile format that is written: one in which each
// thread has its own tables, so that threads can be written one by one. The Firefox Profiler reads
// every version since the first.
const writtenVersion = 48

// writer is a Writer of the Firefox Profiler's processed format. Each thread has a sample for
// every instant at which its stack changed, weighted by the time until the next one (tracing-ms)
// and, with a dual clock, with the CPU time used since the one before. If the samples are known
// (stack dumps), they are written with the same kind of weight. If no sample has a duration (a
// single dump), the weight is the number of samples with the stack.
//
// A profile contains its columns thread by thread, so their text is buffered until Close: up to 8
// MiB in memory, the rest in a temporary file. The distinct stacks of every thread stay in memory.
type writer struct {
	encode.Nested
	w       *bufio.Writer
	threads []*writtenThread     // nil for a thread without events
	samples *encode.SampleLists  // nil without snapshots
	wait    *eventlog.DiskBuffer // columns of all threads
	each    int                  // number of rows that each thread may have in memory
	text    []byte               // reused
}

func newWriter(w io.Writer, rec *trace.Recording, o kind.WriteOptions) *writer {
	f := &writer{w: bufio.NewWriterSize(w, 1<<16), each: rowsInMemory, wait: eventlog.NewDiskBuffer(o.TempDir)}
	f.Nested = encode.Nested{Rec: rec, Until: o.Until, To: f}
	return f
}

// Event implements [encode.Timeline]: the stack of the event's thread changes.
func (f *writer) Event(e *trace.Event) error {
	for int(e.Thread) >= len(f.threads) {
		f.threads = append(f.threads, nil)
		f.each = max(minRows, rowsInMemory/len(f.threads))
	}
	t := f.threads[e.Thread]
	if t == nil {
		t = &writtenThread{writer: f, contexts: &calltree.Contexts{}, cpu: f.Rec.Info.Clock == trace.Dual}
		f.threads[e.Thread] = t
	}
	return t.change(e)
}

// WriteSnapshot implements [trace.SnapshotWriter].
func (f *writer) WriteSnapshot(s *trace.Snapshot) error {
	if f.samples == nil {
		f.samples = &encode.SampleLists{OfCPU: f.Rec.Info.OfCPU}
	}
	return f.samples.Add(s, f.Rec.Symbols)
}

// Close writes the file.
func (f *writer) Close() error {
	err := f.Finish()
	if err == nil {
		err = f.writeFile()
	}
	if failed := f.wait.Close(); err == nil {
		err = failed
	}
	if err != nil {
		return fmt.Errorf("firefox: %w", err)
	}
	return nil
}

// writeFile writes the threads, and the text around them.
func (f *writer) writeFile() error {
	fmt.Fprintf(f.w, `{"meta":{"version":29,"preprocessedProfileVersion":%d,"interval":%s,"startTime":0,"processType":0,`+
		`"product":"Android method trace","stackwalk":1,"debug":false,"symbolicated":true,"usesOnlyOneStackType":true,`+
		`"categories":[{"name":"Other","color":"grey","subcategories":["Other"]}],"markerSchema":[],`+
		`"sampleUnits":{"time":"ms","eventDelay":"ms","threadCPUDelta":"ns"}},"libs":[],"pages":[],"counters":[],"threads":[`,
		writtenVersion, encode.AppendMillis(nil, cmp.Or(f.Rec.Info.SamplingInterval(), time.Millisecond)))
	separator := ""
	for i := range f.Rec.Symbols.Threads {
		t, err := f.thread(trace.ThreadID(i))
		if err != nil {
			return err
		}
		if t == nil {
			continue
		}
		f.w.WriteString(separator)
		separator = ","
		if err := t.write(trace.ThreadID(i)); err != nil {
			return err
		}
	}
	if separator == "" && len(f.Rec.Symbols.Threads) > 0 { // the importer fails on a profile without a thread
		t := &writtenThread{writer: f, contexts: &calltree.Contexts{}}
		if err := t.write(0); err != nil {
			return err
		}
	}
	f.w.WriteString("\n]}\n")
	return f.w.Flush()
}

// thread returns a thread with all of its rows, or nil if it has no rows.
func (f *writer) thread(id trace.ThreadID) (*writtenThread, error) {
	if f.samples.Has(id) {
		t := &writtenThread{writer: f, contexts: &f.samples.Contexts.Contexts, counts: !f.samples.Timed, cpu: f.Rec.Info.Clock == trace.Dual}
		return t, t.addSamples(id)
	}
	if int(id) >= len(f.threads) || f.threads[id] == nil {
		return nil, nil
	}
	t := f.threads[id]
	f.threads[id] = nil // its memory can be reused after it is written
	t.next.weight = 0
	return t, t.add(&t.next)
}
