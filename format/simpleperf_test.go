package format_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"artifice/format/dmtrace"
	"artifice/internal/testdata"
	"artifice/internal/testdata/tracetest"
	"artifice/trace"
)

// simpleperfSample is a sample of a file. Its stack is the tid and the methods, outermost first.
type simpleperfSample struct {
	stack string
	at    time.Duration
	count time.Duration
}

// simpleperfSamples decodes a file with the field numbers of cmd_report_sample.proto in Android's
// system/extras/simpleperf.
func simpleperfSamples(t *testing.T, file []byte) (list []simpleperfSample, threads map[uint64]string) {
	t.Helper()
	file, ok := bytes.CutPrefix(file, []byte("SIMPLEPERF\x01\x00"))
	if !ok {
		t.Fatal("the file does not begin with SIMPLEPERF")
	}
	var symbols []string
	var chains [][]uint64
	threads = map[uint64]string{}
	for {
		n := int(binary.LittleEndian.Uint32(file))
		record := fields(t, file[4:4+n])
		if file = file[4+n:]; n == 0 {
			break
		}
		if s := sub(t, record, 1); s != nil {
			chain := []uint64{number(s, 2)}
			for i := len(s[3]) - 1; i >= 0; i-- {
				entry := fields(t, s[3][i].([]byte))
				if number(entry, 2) != 0 || number(entry, 4) != 1 || number(entry, 1) == 0 {
					t.Errorf("unexpected record %v", entry)
				}
				chain = append(chain, number(entry, 3))
			}
			chains = append(chains, chain)
			list = append(list, simpleperfSample{at: time.Duration(number(s, 1)), count: time.Duration(number(s, 4))})
		}
		if f := sub(t, record, 3); f != nil {
			for _, symbol := range f[3] {
				symbols = append(symbols, string(symbol.([]byte)))
			}
		}
		if th := sub(t, record, 4); th != nil {
			threads[number(th, 1)] = string(th[3][0].([]byte))
		}
		if m := sub(t, record, 5); m != nil && string(m[1][0].([]byte)) != "cpu-clock" {
			t.Errorf("event %s", m[1][0])
		}
		if lost := sub(t, record, 2); lost != nil && (int(number(lost, 1)) != len(list) || number(lost, 2) != 0) {
			t.Errorf("%d samples and %d lost, want %d", number(lost, 1), number(lost, 2), len(list))
		}
	}
	if len(file) > 0 {
		t.Errorf("%d bytes after the end", len(file))
	}
	for i, chain := range chains {
		list[i].stack = fmt.Sprint(chain[0])
		for _, symbol := range chain[1:] {
			list[i].stack += ";" + symbols[symbol]
		}
	}
	return list, threads
}

// TestSimpleperf checks the samples of testdata.ExampleEvents, with the CPU times stated there.
// Intervals without CPU time have no sample.
func TestSimpleperf(t *testing.T) {
	file, _ := viewerFile(t, "simpleperf-proto", testdata.ExampleRecording(), testdata.ExampleEvents())
	got, threads := simpleperfSamples(t, file)
	want := []simpleperfSample{
		{"1;app.Main.main", 10 * us, 8 * us},
		{"1;app.Main.main;app.Work.run", 20 * us, 10 * us},
		{"1;app.Main.main;app.Work.run;app.Log.log", 50 * us, 2 * us},
		{"1;app.Main.main;app.Work.run", 60 * us, 5 * us},
		{"1;app.Main.main", 70 * us, 5 * us},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(simpleperfSample{})); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if diff := cmp.Diff(map[uint64]string{1: "main", 77: "thread-77"}, threads); diff != "" {
		t.Errorf("threads (-want +got)\n%s", diff)
	}
}

// TestSimpleperfStart: the time of a sample counts from the start of the device
// (cmd_report_sample.proto: "Wall clock time for current sample. By default, it is perf clock used
// in kernel"), so the trace's start is added.
func TestSimpleperfStart(t *testing.T) {
	rec := testdata.ExampleRecording()
	rec.Info.Start = 3 * time.Hour
	file, _ := viewerFile(t, "simpleperf-proto", rec, testdata.ExampleEvents())
	got, _ := simpleperfSamples(t, file)
	if len(got) != 5 || got[0].at != 3*time.Hour+10*us || got[4].at != 3*time.Hour+70*us {
		t.Errorf("samples at %v", got)
	}
}

// TestSimpleperfOfRealTrace: the counts of a stack's samples sum to the CPU time that the thread
// used in exactly that stack.
func TestSimpleperfOfRealTrace(t *testing.T) {
	testdata.Seldom(t, 6)
	f, err := dmtrace.Open(testdata.Path(t, "traces", "instrumented-art-file.trace"), dmtrace.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	all := tracetest.Events(t, f.Events)
	want := map[string]time.Duration{}
	stacks := map[trace.ThreadID][]string{}
	last := map[trace.ThreadID]trace.Event{}
	for _, e := range all {
		stack := stacks[e.Thread]
		if ran := e.CPU - last[e.Thread].CPU; len(stack) > 0 && ran > 0 {
			want[fmt.Sprint(f.Symbols.Thread(e.Thread).TID, ";", strings.Join(stack, ";"))] += ran
		}
		last[e.Thread] = e
		if e.Action == trace.Enter {
			stacks[e.Thread] = append(stack, f.Symbols.Method(e.Method).FullName())
		} else if len(stack) > 0 {
			stacks[e.Thread] = stack[:len(stack)-1]
		}
	}
	file, _ := viewerFile(t, "simpleperf-proto", &f.Recording, all)
	got := map[string]time.Duration{}
	list, _ := simpleperfSamples(t, file)
	for _, s := range list {
		got[s.stack] += s.count
	}
	if len(want) < 1000 {
		t.Errorf("only %d stacks in the trace", len(want))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%d stacks, want %d (-want +got)\n%.2000s", len(got), len(want), diff)
	}
}
