package pprof_test

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/pprof/profile"

	"artifice/format/dmtrace"
	"artifice/format/pprof"
	"artifice/internal/testdata"
	"artifice/internal/testdata/tracetest"
	"artifice/trace"
	"artifice/trace/calltree"
)

// realProfile is the profile of a real trace, and the call tree with the expected times.
type realProfile struct {
	rec  *trace.Recording
	tree *calltree.Tree
	data []byte
	pw   *pprof.Writer
}

func profileOf(t testing.TB, name string) *realProfile {
	t.Helper()
	in, err := dmtrace.Open(testdata.Path(t, "traces", name), dmtrace.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close() })
	var out bytes.Buffer
	w, err := pprof.NewWriter(&out, &in.Recording, pprof.Options{Name: name})
	if err != nil {
		t.Fatal(err)
	}
	b := calltree.NewBuilder()
	if _, err := trace.Copy(both{w, b}, in.Events); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	tree, _ := b.Finish(&in.Recording, trace.UnknownTechnique, calltree.UntilEnd) // these files state the threads that were alive
	return &realProfile{&in.Recording, tree, out.Bytes(), w}
}

// both writes events to two writers.
type both [2]trace.Writer

func (b both) WriteEvents(p []trace.Event) error {
	if err := b[0].WriteEvents(p); err != nil {
		return err
	}
	return b[1].WriteEvents(p)
}

// flatAndCum is a row of pprof's -top in ns.
type flatAndCum struct{ Flat, Cum int64 }

// totals returns the times of methods by their names in pprof. Cumulative times are computed from
// stacks, because methods of one name can call each other.
func (p *realProfile) totals(t *testing.T) map[string]flatAndCum {
	t.Helper()
	sum := make(map[string]flatAndCum)
	for id := range p.tree.Threads() {
		err := p.tree.Stacks(trace.ThreadID(id), 1<<30, func(s *calltree.Stack) error {
			names := map[string]bool{"(toplevel)": len(s.Frames) == 0}
			leaf := "(toplevel)"
			for _, m := range s.Frames {
				leaf = p.rec.Symbols.Method(m).FullName()
				names[leaf] = true
			}
			for name, on := range names {
				row := sum[name]
				if on {
					row.Cum += int64(s.Self.Wall)
				}
				if name == leaf {
					row.Flat += int64(s.Self.Wall)
				}
				sum[name] = row
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	maps.DeleteFunc(sum, func(_ string, row flatAndCum) bool { return row.Cum == 0 })
	return sum
}

var topRow = regexp.MustCompile(`^ *(\d+)(?:ns)? +[\d.e-]+% +[\d.e-]+% +(\d+)(?:ns)? +[\d.e-]+%  (.*)$`)

// TestGoToolPprofOnRealTraces: the flat and cumulative times of every method equal those computed
// by pprof.
func TestGoToolPprofOnRealTraces(t *testing.T) {
	names := []string{"sampled-art-file.trace", "sampled-streaming.trace", "instrumented-art-file.trace"}
	if testing.Short() {
		names = names[:1]
	}
	for _, name := range names {
		p := profileOf(t, name)
		file := filepath.Join(t.TempDir(), "out.pb")
		if err := os.WriteFile(file, p.data, 0o600); err != nil {
			t.Fatal(err)
		}
		out := goToolPprof(t, file, "-top", "-unit=ns", "-nodecount=1000000", "-nodefraction=0", "-edgefraction=0")
		got := make(map[string]flatAndCum)
		for line := range strings.Lines(out) {
			if m := topRow.FindStringSubmatch(strings.TrimSuffix(line, "\n")); m != nil {
				flat, _ := strconv.ParseInt(m[1], 10, 64)
				cum, _ := strconv.ParseInt(m[2], 10, 64)
				got[m[3]] = flatAndCum{flat, cum}
			}
		}
		if diff := cmp.Diff(p.totals(t), got); diff != "" {
			t.Errorf("%s (-ours +pprof)\n%s", name, diff)
		}
		t.Logf("%s: %d functions agree", name, len(got))
	}
}

// TestPprofTotalsOnRealTraces: the total of a thread is the time from its first event to its end,
// and the bytes are reproducible.
func TestPprofTotalsOnRealTraces(t *testing.T) {
	for _, name := range []string{"sampled-art-file.trace", "sampled-host-file.trace", "sampled-streaming.trace", "instrumented-art-file.trace", "tiny-basic.trace", "tiny-basic-api10.trace", "tiny-exception.trace", "tiny-mismatched.trace"} {
		p := profileOf(t, name)
		if !bytes.Equal(p.data, profileOf(t, name).data) {
			t.Errorf("%s: two runs differ", name)
		}
		if diff := cmp.Diff(spans(t, name), profileTotals(parseProfile(t, p.data))); diff != "" {
			t.Errorf("%s (-end minus first +profile)\n%s", name, diff)
		}
	}
}

// threadKey identifies a thread of a profile.
type threadKey struct {
	Name string
	TID  int64
}

// profileTotals sums the values of each type by thread, without threads that have no time.
func profileTotals(prof *profile.Profile) map[threadKey]map[string]time.Duration {
	sum := make(map[threadKey]map[string]time.Duration)
	for _, s := range prof.Sample {
		key := threadKey{s.Label["thread"][0], s.NumLabel["tid"][0]}
		for i, typ := range prof.SampleType {
			if v := s.Value[i]; v != 0 && typ.Unit == "nanoseconds" {
				if sum[key] == nil {
					sum[key] = make(map[string]time.Duration)
				}
				sum[key][typ.Type] += time.Duration(v)
			}
		}
	}
	return sum
}

// spans returns the time of each thread from its first event to its end, by clock. The end is the
// stop if frames are open and the thread was alive, and otherwise the last event. The tables of
// these files list threads that were alive from main on, with the tid of the process. Dalvik lists
// no others.
func spans(t *testing.T, name string) map[threadKey]map[string]time.Duration {
	t.Helper()
	in, err := dmtrace.Open(testdata.Path(t, "traces", name), dmtrace.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	first := make(map[trace.ThreadID]trace.Event)
	last := make(map[trace.ThreadID]trace.Event)
	open := make(map[trace.ThreadID]int)
	for e, err := range trace.All(in.Events) {
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := first[e.Thread]; !ok {
			first[e.Thread] = e
		}
		last[e.Thread] = e
		if e.Action == trace.Enter {
			open[e.Thread]++
		} else if open[e.Thread] > 0 {
			open[e.Thread]--
		}
	}
	exited := make(map[string]bool) // by line of the table
	for i, line := range in.Source.Threads {
		if in.Info.VM == "art" && strings.HasPrefix(line, strconv.Itoa(in.Info.PID)+"\t") {
			for _, before := range in.Source.Threads[:i] {
				exited[before] = true
			}
		}
	}
	for id, e := range last {
		thread := in.Symbols.Thread(id)
		if in.Info.Clock.HasWall() && open[id] > 0 && !exited[fmt.Sprintf("%d\t%s", thread.TID, thread.Name)] {
			e.Wall = in.Info.Elapsed
			last[id] = e
		}
	}
	sum := make(map[threadKey]map[string]time.Duration)
	for id, e := range last {
		times := make(map[string]time.Duration)
		if d := e.Wall - first[id].Wall; d > 0 {
			times["wall"] = d
		}
		if d := e.CPU - first[id].CPU; d > 0 {
			times["cpu"] = d
		}
		if len(times) > 0 {
			thread := in.Symbols.Thread(id)
			sum[threadKey{thread.String(), int64(thread.TID)}] = times
		}
	}
	return sum
}

// TestPprofPeriodOfRealTraces: the files do not state the period. Its estimate is close to 6.2, 3.6
// and 2.3 ms, the medians of single-period gaps of the busiest thread, as measured independently.
func TestPprofPeriodOfRealTraces(t *testing.T) {
	for name, want := range map[string]time.Duration{
		"sampled-art-file.trace":      6200 * time.Microsecond,
		"sampled-host-file.trace":     3600 * time.Microsecond,
		"sampled-streaming.trace":     2300 * time.Microsecond,
		"instrumented-art-file.trace": 0,
	} {
		stats := profileOf(t, name).pw.Stats()
		if (stats.Period-want).Abs() > want/20 || stats.Guessed != (want > 0) {
			t.Errorf("%s: period %v, estimated: %v; want %v within 5 %%", name, stats.Period, stats.Guessed, want)
		}
	}
}

// BenchmarkPprof writes a profile of a repeated real trace without open frames. It measures the
// cost of events and distinct stacks, not of reading.
func BenchmarkPprof(b *testing.B) {
	for _, name := range []string{"sampled-art-file.trace", "instrumented-art-file.trace"} {
		b.Run(name, func(b *testing.B) {
			rec, all := tracetest.RealEvents(b, name)
			events, _ := testdata.Calls(all)
			const rounds = 20
			var stacks int64
			b.ReportAllocs()
			for b.Loop() {
				w, err := pprof.NewWriter(io.Discard, rec)
				if err != nil {
					b.Fatal(err)
				}
				for range rounds {
					w.WriteEvents(events)
				}
				if err := w.Close(); err != nil {
					b.Fatal(err)
				}
				stacks = w.Stats().Stacks
			}
			n := float64(rounds * len(events))
			total := float64(b.Elapsed().Nanoseconds()) / float64(b.N)
			b.ReportMetric(total/n, "ns/event")
			b.ReportMetric(total/(70*n+15000*float64(stacks)), "of-allowed")
			b.ReportMetric(float64(stacks), "stacks")
		})
	}
}
