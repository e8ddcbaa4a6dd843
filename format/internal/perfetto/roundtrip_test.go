package perfetto_test

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"artifice/format/internal/formattest"
	"artifice/format/internal/perfetto"
	"artifice/internal/testdata"
	"artifice/internal/testdata/tracetest"
	"artifice/sampler"
	threadsampler "artifice/sampler/thread"
	"artifice/trace"
	"artifice/workload"
)

// run is a sequence of consecutive samples of a thread with equal stacks; at is the time of the
// first.
type run struct {
	at    time.Duration
	stack string
	count int64
}

// runs is a SnapshotWriter that lists the samples of a recording by thread.
type runs struct {
	symbols *trace.Symbols
	list    map[uint32][]run
	samples int64
	first   time.Duration
}

func newRuns(symbols *trace.Symbols) *runs {
	return &runs{symbols: symbols, list: map[uint32][]run{}, first: math.MaxInt64}
}

func (r *runs) WriteSnapshot(s *trace.Snapshot) error {
	if s.IsEnd() {
		return nil
	}
	var names []string
	for _, m := range s.Stack {
		names = append(names, r.symbols.Method(m).FullName())
	}
	r.samples += s.Count
	r.first = min(r.first, s.Wall)
	tid, stack := r.symbols.Thread(s.Thread).TID, strings.Join(names, ";")
	if of := r.list[tid]; len(of) > 0 && of[len(of)-1].stack == stack {
		of[len(of)-1].count += s.Count
		return nil
	}
	r.list[tid] = append(r.list[tid], run{s.Wall, stack, s.Count})
	return nil
}

// since returns the runs with times relative to the first sample. It omits threads without frames,
// which have no snapshot in a file that is read.
func (r *runs) since() map[uint32][]run {
	for tid, of := range r.list {
		if len(of) == 1 && of[0].stack == "" {
			delete(r.list, tid)
		}
		for i := range of {
			of[i].at -= r.first
		}
	}
	return r.list
}

// both passes snapshots to two writers.
type both [2]trace.SnapshotWriter

func (b both) WriteSnapshot(s *trace.Snapshot) error {
	if err := b[0].WriteSnapshot(s); err != nil {
		return err
	}
	return b[1].WriteSnapshot(s)
}

// TestSamplesRoundTrip checks that the samples of a recording keep their times and stacks in a
// Perfetto file: as StackSamples, with weights of CPU time or of the wall time until the next
// sample, and as PerfSamples. A walk over the bytes of the file counts the same number of samples.
func TestSamplesRoundTrip(t *testing.T) {
	app := workload.Must(workload.ByName("cold-start"))
	for _, c := range []struct {
		name    string
		record  func(truth *trace.Recording) (*trace.Recording, error)
		options perfetto.Options
		weight  time.Duration // of each sample; 0: weights differ
	}{
		{"cpu", byCPU, perfetto.Options{}, 10 * time.Millisecond},
		{"cpu, perf", byCPU, perfetto.Options{PerfSamples: true}, 0},
		{"wall", byWall, perfetto.Options{}, 0},
	} {
		truth, err := app.Truth(workload.Config{Seed: 3, Duration: time.Second})
		if err != nil {
			t.Fatal(err)
		}
		rec, err := c.record(truth)
		if err != nil {
			t.Fatal(err)
		}
		rec.Info.Start = 0
		out, want := sampled(t, rec, c.options)
		found := walk(t, out)
		kind := found.stackSamples
		if c.options.PerfSamples {
			kind = found.perfSamples
		}
		back := parse(t, out)
		got := newRuns(back.Symbols)
		back.SnapshotsTo(got)
		tracetest.Events(t, back)
		if back.Info.OfCPU != rec.Info.OfCPU || int64(kind) != want.samples || want.samples < 100 || found.perfSamples+found.stackSamples != kind {
			t.Errorf("%s: %+v; %d samples, of CPU time %v", c.name, found, want.samples, back.Info.OfCPU)
		}
		for _, weight := range found.weights {
			if c.weight > 0 && weight != uint64(c.weight) {
				t.Errorf("%s: weight %d", c.name, weight)
				break
			}
		}
		if diff := cmp.Diff(want.since(), got.since(), cmp.AllowUnexported(run{})); diff != "" {
			t.Errorf("%s: %.2000s", c.name, diff)
		}
	}
}

func byCPU(truth *trace.Recording) (*trace.Recording, error) {
	return threadsampler.Record(truth, threadsampler.Config{Interval: 10 * time.Millisecond, Timer: threadsampler.CoreTimer})
}

func byWall(truth *trace.Recording) (*trace.Recording, error) {
	return sampler.Record(truth, sampler.Config{Interval: 5 * time.Millisecond, Seed: 1, KeepSymbols: true})
}

// TestUnwindErrors checks that samples with incomplete stacks state the reason, as traced_perf
// does: by the number or name of libunwindstack's error, and by a frame in place of the callers. A
// walk over the bytes and the reader count the same numbers.
func TestUnwindErrors(t *testing.T) {
	for _, perf := range []bool{false, true} {
		truth, err := workload.Must(workload.ByName("cold-start")).Truth(workload.Config{Seed: 3, Duration: time.Second})
		if err != nil {
			t.Fatal(err)
		}
		rec, err := threadsampler.Record(truth, threadsampler.Config{Interval: time.Millisecond, Timer: threadsampler.CoreTimer, Failures: []threadsampler.Failure{
			{Cause: "none", Share: 0.1, Reason: "UNSUPPORTED"}, {Cause: "error", Share: 0.3, Frames: 2, Reason: "INVALID_MAP"}}})
		if err != nil {
			t.Fatal(err)
		}
		out, _ := sampled(t, rec, perfetto.Options{PerfSamples: perf})
		failed := rec.Events.(*threadsampler.Reader).Stats().Failed
		none, cut := int(failed[0]), int(failed[1])
		found := walk(t, out)
		if got := [2]int{found.reasons["UNSUPPORTED"], found.reasons["INVALID_MAP"]}; !perf && got != [2]int{none, cut} {
			t.Errorf("%v, want %d and %d", found.reasons, none, cut)
		}
		if got := [2]int{found.unwindErrors[4], found.unwindErrors[5]}; perf && got != [2]int{none, cut} {
			t.Errorf("%v, want %d and %d", found.unwindErrors, none, cut)
		}
		back := parse(t, out)
		frames := map[string]int{}
		back.SnapshotsTo(outermost{back.Symbols, frames})
		tracetest.Events(t, back)
		if frames["ERROR UNSUPPORTED"] != none || frames["ERROR INVALID_MAP"] != cut || min(none, cut) < 50 {
			t.Errorf("outermost frames are %v, want errors %d and %d times", frames, none, cut)
		}
		formattest.Warned(t, back, fmt.Sprintf("the stacks of %d of %d samples were not unwound to the end (invalid map %d, unsupported %d)", none+cut, found.perfSamples+found.stackSamples, cut, none))
	}
}

// outermost is a SnapshotWriter that counts samples by the outermost frames of their stacks.
type outermost struct {
	symbols *trace.Symbols
	of      map[string]int
}

func (o outermost) WriteSnapshot(s *trace.Snapshot) error {
	if len(s.Stack) > 0 {
		o.of[o.symbols.Method(s.Stack[0]).FullName()] += int(s.Count)
	}
	return nil
}

// sampled returns the file of a sampled recording, and the samples that were recorded.
func sampled(t *testing.T, rec *trace.Recording, options ...any) (file []byte, samples *runs) {
	t.Helper()
	var out bytes.Buffer
	w, err := perfetto.Format.Write(&out, rec, options...)
	if err != nil {
		t.Fatal(err)
	}
	samples = newRuns(rec.Symbols)
	rec.Events.(trace.SnapshotSource).SnapshotsTo(both{samples, w.(trace.SnapshotWriter)})
	batch := make([]trace.Event, trace.BatchSize)
	for err = nil; err == nil; {
		var n int
		if n, err = rec.Events.ReadEvents(batch); n > 0 {
			if err := w.WriteEvents(batch[:n]); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes(), samples
}

// TestRealFiles reads the Perfetto traces in the folder of the variable ARTIFICE_PERFETTO, or in
// ../shared/data/perfetto. Samples, skipped samples, losses and failed unwinds equal the counts of
// a walk over the bytes. One trace with samples of linux.perf is
// TestData/Perfetto/perfetto_trace_cpu_sampling_not_scoped.pftrace of
// microsoft/Microsoft-Performance-Tools-Linux-Android (Android 12, whole system).
func TestRealFiles(t *testing.T) {
	folder := os.Getenv("ARTIFICE_PERFETTO")
	if folder == "" {
		folder = filepath.Join(testdata.Root(), "..", "shared", "data", "perfetto")
	}
	names, _ := filepath.Glob(filepath.Join(folder, "*trace"))
	if len(names) == 0 {
		t.Skip("no Perfetto trace in " + folder)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		f := walk(t, data)
		if f.perfSamples+f.stackSamples == 0 {
			t.Logf("%s: no stack samples", filepath.Base(name))
			continue
		}
		s := parse(t, data)
		got := newRuns(s.Symbols)
		s.SnapshotsTo(got)
		tracetest.Events(t, s)
		if got.samples != int64(f.perfSamples+f.stackSamples) {
			t.Errorf("%s: %d samples, the walk found %+v", name, got.samples, f)
		}
		var said []string
		if f.lost > 0 {
			said = append(said, fmt.Sprintf("the kernel lost %d records", f.lost))
		}
		if f.skipped > 0 {
			said = append(said, fmt.Sprintf("%d samples were skipped", f.skipped))
		}
		failed := 0
		for _, n := range f.unwindErrors {
			failed += n
		}
		if failed > 0 {
			said = append(said, fmt.Sprintf("the stacks of %d of %d samples were not unwound", failed, f.perfSamples))
		}
		formattest.Warned(t, s, said...)
		if len(s.DisplayFrames) != f.frames {
			t.Errorf("%s: %d display frames, the walk found %d", name, len(s.DisplayFrames), f.frames)
		}
		t.Logf("%s: %+v", filepath.Base(name), f)
	}
}

// found is the result of a walk over the bytes of a trace.
type found struct {
	packets, perfSamples, stackSamples, skipped, lost int
	unwindErrors                                      map[uint64]int // of PerfSamples
	reasons                                           map[string]int // of StackSamples
	weights                                           []uint64
	frames                                            int // ended frames of apps
}

// walk parses the packets of a trace that are not compressed. It shares no code with the reader.
func walk(t *testing.T, file []byte) (f found) {
	t.Helper()
	f.unwindErrors, f.reasons = map[uint64]int{}, map[string]int{}
	actual := map[uint64]bool{} // frames by their cookies
	each(t, file, func(field, _ uint64, packet []byte) {
		if field != 1 {
			t.Fatalf("field %d in a trace", field)
		}
		f.packets++
		each(t, packet, func(field, _ uint64, body []byte) {
			has := map[uint64]uint64{}
			if field == 76 {
				each(t, body, func(kind, _ uint64, message []byte) {
					each(t, message, func(field, cookie uint64, _ []byte) {
						switch {
						case field == 1 && kind == 4:
							actual[cookie] = true
						case field == 1 && kind == 5 && actual[cookie]:
							f.frames++
						}
					})
				})
			}
			if field == 66 || field == 135 {
				each(t, body, func(of, number uint64, text []byte) {
					if has[of] = number; of == 7 && field == 135 {
						f.reasons[string(text)]++
					}
				})
			}
			_, stack := has[4]
			_, skip := has[18]
			_, inline := has[5]
			_, interned := has[6]
			switch {
			case field == 135 && (inline || interned):
				f.stackSamples++
				f.weights = append(f.weights, has[11])
			case field == 66 && skip:
				f.skipped++
			case field == 66 && stack:
				f.perfSamples++
				if why, ok := has[16]; ok && why != 1 {
					f.unwindErrors[why]++
				}
			case field == 66:
				f.lost += int(has[17])
			}
		})
	})
	return f
}

// each calls do with each field of a message.
func each(t *testing.T, b []byte, do func(field, number uint64, body []byte)) {
	t.Helper()
	varint := func() (v uint64) {
		for shift := 0; ; shift += 7 {
			if len(b) == 0 {
				t.Fatal("a message ends within a number")
			}
			c := b[0]
			b = b[1:]
			if v |= uint64(c&0x7f) << shift; c < 0x80 {
				return v
			}
		}
	}
	for len(b) > 0 {
		switch tag := varint(); tag & 7 {
		case 0:
			do(tag>>3, varint(), nil)
		case 2:
			n := varint()
			do(tag>>3, 0, b[:n])
			b = b[n:]
		case 1:
			do(tag>>3, 0, b[:8])
			b = b[8:]
		case 5:
			do(tag>>3, 0, b[:4])
			b = b[4:]
		default:
			t.Fatalf("wire type %d", tag&7)
		}
	}
}
