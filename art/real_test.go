package art_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"artifice/art"
	"artifice/format/dmtrace"
	"artifice/internal/dmformat"
	"artifice/internal/testdata"
	"artifice/trace"
)

// TestRealFiles logs the events of real sampled traces of ART 5 to 13 again, in file order. The
// result must have the layout of the real file: the id of every event, the options, each line of
// both tables with the wrong ids of proxies, and the position of each announcement in a stream.
//
// For instrumented traces this holds only approximately, because threads race for the ids of new
// methods.
func TestRealFiles(t *testing.T) {
	for _, test := range []struct {
		file      string
		streaming bool
		proxies   int
	}{
		{"sampled-art-file.trace", false, 18},
		{"sampled-host-file.trace", false, 0},
		{"sampled-streaming.trace", true, 0},
	} {
		t.Run(test.file, func(t *testing.T) {
			real, err := dmtrace.Open(testdata.Path(t, "traces", test.file), dmtrace.ReadOptions{})
			if err != nil {
				t.Fatal(err)
			}
			defer real.Close()
			var b trace.Buffer
			if _, err := trace.Copy(&b, real.Events); err != nil {
				t.Fatal(err)
			}
			truth, events, proxies := truthOf(t, &real.Recording, b.Events)
			if proxies != test.proxies {
				t.Errorf("%d proxies, want %d", proxies, test.proxies)
			}
			compareLog(t, &real.Recording, b.Events, truth, events, test.streaming)
		})
	}
}

// truthOf returns a truth for the traced app: threads in list order, and methods in address order,
// which are the orders of the tables. A proxy's events have an undefined id; its line in a file's
// table has an id that no event has.
func truthOf(t *testing.T, real *trace.Recording, events []trace.Event) (truth *trace.Recording, again []trace.Event, proxies int) {
	t.Helper()
	truth = &trace.Recording{Info: real.Info, Symbols: &trace.Symbols{}}
	threads := map[uint32]trace.ThreadID{}
	for _, line := range real.Source.Threads {
		th, err := dmformat.ParseThreadLine(line)
		if err != nil {
			t.Fatal(err)
		}
		threads[th.TID], _ = truth.Symbols.AddThread(th)
	}
	used := map[uint64]bool{}
	var undefined []uint64
	for _, e := range events {
		m := real.Symbols.Method(e.Method)
		if !used[m.ID] && m.Unlisted {
			undefined = append(undefined, m.ID)
		}
		used[m.ID] = true
	}
	methods := map[uint64]trace.MethodID{}
	for _, m := range real.Symbols.Methods {
		switch {
		case m.Unlisted:
		case used[m.ID]:
			methods[m.ID] = truth.Symbols.AddMethod(m)
		default:
			m.Flags |= trace.Proxy
			methods[undefined[proxies]] = truth.Symbols.AddMethod(m)
			proxies++
		}
	}
	for _, e := range events {
		e.Thread = threads[real.Symbols.Thread(e.Thread).TID]
		e.Method = methods[real.Symbols.Method(e.Method).ID]
		again = append(again, e)
	}
	return truth, again, proxies
}

// compareLog logs events and compares the file's layout with that of the real file.
func compareLog(t *testing.T, real *trace.Recording, realEvents []trace.Event, truth *trace.Recording, events []trace.Event, streaming bool) {
	t.Helper()
	runtime, err := art.ByName("art9")
	if err != nil {
		t.Fatal(err)
	}
	log, err := art.NewLog(truth, art.Config{
		Runtime: runtime, Streaming: streaming, Clock: real.Info.Clock,
		Technique: trace.Sampled, ClockOverhead: real.Info.ClockOverhead,
	})
	if err != nil {
		t.Fatal(err)
	}
	for id := range truth.Symbols.Threads {
		log.Attach(trace.ThreadID(id))
	}
	if err := log.WriteEvents(events); err != nil {
		t.Fatal(err)
	}
	if err := log.Stop(real.Info.Elapsed); err != nil {
		t.Fatal(err)
	}
	ours := log.Recording()
	logged := make([]trace.Event, len(events))
	if n := log.Take(logged); n != len(events) {
		t.Fatalf("%d events, want %d", n, len(events))
	}
	for i, e := range logged {
		want := real.Symbols.Method(realEvents[i].Method).ID
		if got := ours.Symbols.Method(e.Method).ID; got != want {
			t.Fatalf("event %d: method id %#x, the real file has %#x", i, got, want)
		}
	}
	want := spelt(*real.Source)
	want.Header, want.RecordSize = nil, 0
	if diff := cmp.Diff(want, *ours.Source); diff != "" {
		t.Errorf("layout (-real +ours):\n%.4000s", diff)
	}
}

// spelt returns s in the spelling of Log. Log has no unknown source files, which ART prints as
// "(null)". One of the real files has "0x0" instead of "0".
func spelt(s trace.Source) trace.Source {
	respell := func(line string) string {
		line = strings.Replace(line, "\t"+dmformat.NullFile, "\t", 1)
		if strings.HasPrefix(line, "0x0\t") {
			line = "0" + line[3:]
		}
		return line
	}
	s.Methods = slices.Clone(s.Methods)
	for i, line := range s.Methods {
		s.Methods[i] = respell(line)
	}
	s.Announced = slices.Clone(s.Announced)
	for i := range s.Announced {
		s.Announced[i].Text = respell(s.Announced[i].Text)
	}
	return s
}
