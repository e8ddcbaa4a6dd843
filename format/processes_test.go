package format_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/pprof/profile"

	"artifice/format/internal/formattest"
	"artifice/format/internal/kind"
	"artifice/internal/protobuf"
	"artifice/internal/testdata/tracetest"
)

// labeledProfile returns a pprof profile with a sample for each process. Labels name the process.
func labeledProfile(t *testing.T, processes map[int64]string) []byte {
	t.Helper()
	f := &profile.Function{ID: 1, Name: "f"}
	at := &profile.Location{ID: 1, Line: []profile.Line{{Function: f}}}
	p := &profile.Profile{SampleType: []*profile.ValueType{{Type: "cpu", Unit: "nanoseconds"}}, Function: []*profile.Function{f}, Location: []*profile.Location{at}}
	for _, pid := range []int64{10, 20} {
		p.Sample = append(p.Sample, &profile.Sample{Location: []*profile.Location{at}, Value: []int64{1e6},
			Label: map[string][]string{"thread": {"main"}, "process": {processes[pid]}}, NumLabel: map[string][]int64{"pid": {pid}, "tid": {pid + 1}}})
	}
	var b bytes.Buffer
	if err := p.WriteUncompressed(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// perfettoSlices returns a Perfetto trace with a slice on a thread of each process. A ProcessTree
// names the processes or, if tracks is set, the descriptors of their tracks. Field numbers are
// those of Perfetto's protos.
func perfettoSlices(tracks bool) []byte {
	var file protobuf.Message
	packet := func(fill func(m *protobuf.Message)) {
		var m protobuf.Message
		m.Uint(10, 1) // trusted_packet_sequence_id
		fill(&m)
		file.Bytes(1, m)
	}
	for i, name := range []string{"app.one", "app.two"} {
		pid := uint64(10 * (i + 1))
		var process, thread, track, tree protobuf.Message
		process.Uint(1, pid)
		process.Text(6, name) // ProcessDescriptor.process_name
		thread.Uint(1, pid)
		thread.Uint(2, pid+1)
		thread.Text(5, "main")
		track.Uint(1, pid)
		track.Bytes(4, thread)
		if tracks {
			var of protobuf.Message
			of.Uint(1, pid+5)
			of.Bytes(3, process)
			packet(func(m *protobuf.Message) { m.Bytes(60, of) })
		} else {
			var one protobuf.Message
			one.Uint(1, pid)
			one.Text(3, name) // ProcessTree.Process.cmdline
			tree.Bytes(1, one)
			packet(func(m *protobuf.Message) { m.Bytes(2, tree) })
		}
		packet(func(m *protobuf.Message) { m.Bytes(60, track) })
		for at, kind := range []uint64{1, 2} { // TYPE_SLICE_BEGIN, TYPE_SLICE_END
			var event protobuf.Message
			event.Uint(9, kind)
			event.Uint(11, pid)
			event.Text(23, "work")
			packet(func(m *protobuf.Message) {
				m.Uint(8, uint64(1000*(at+1)))
				m.Bytes(11, event)
			})
		}
	}
	return file
}

// TestProcesses: recordings of all formats with processes name the processes, and distinguish two
// threads called main.
func TestProcesses(t *testing.T) {
	chrome := `{"traceEvents":[` + strings.Join([]string{
		`{"ph":"M","name":"thread_name","pid":10,"tid":1,"args":{"name":"main"}}`, `{"ph":"M","name":"thread_name","pid":20,"tid":2,"args":{"name":"main"}}`,
		`{"ph":"X","name":"a","pid":10,"tid":1,"ts":1,"dur":5}`, `{"ph":"X","name":"a","pid":20,"tid":2,"ts":1,"dur":5}`,
		`{"ph":"M","name":"process_name","pid":10,"args":{"name":"app.one"}}`, `{"ph":"M","name":"process_name","pid":20,"args":{"name":"app.two"}}`}, ",") + `]}`
	mark := func(pid int, comm string, tid int, at float64, text string) string {
		return fmt.Sprintf("%16s-%-5d (%5d) [000] ...1 %.6f: tracing_mark_write: %s\n", comm, tid, pid, at, text)
	}
	ftrace := "# tracer: nop\n#\n" + mark(10, "app.one", 10, 1, "B|10|x") + mark(10, "app.one", 10, 1.1, "E|10") + mark(10, "main", 11, 1, "B|10|x") + mark(10, "main", 11, 1.1, "E|10") +
		mark(20, "main", 21, 2, "B|20|x") + mark(20, "main", 21, 2.1, "E|20") + mark(20, "app.two", 20, 2, "B|20|x") + mark(20, "app.two", 20, 2.1, "E|20")
	perf := "app.one 10/10 1.0: 1000 cpu-clock: \n\t40 f (/bin/a)\n\nmain 10/11 1.1: 1000 cpu-clock: \n\t40 f (/bin/a)\n\n" +
		"app.two 20/20 1.2: 1000 cpu-clock: \n\t40 f (/bin/a)\n\nmain 20/21 1.3: 1000 cpu-clock: \n\t40 f (/bin/a)\n\n"
	dump := func(pid int, name string) string {
		return fmt.Sprintf("\n----- pid %d at 2023-04-04 22:06:31 -----\nCmd line: %s\n\nDALVIK THREADS (1):\n\"main\" prio=5 tid=1 Runnable\n  at a.A.f(A.java:1)\n\n----- end %d -----\n", pid, name, pid)
	}
	thread := func(pid int, name string) string {
		return fmt.Sprintf(`{"name":"main","processName":%q,"pid":"%d","tid":%d,"samples":{"stack":[0,0],"time":[0,1],"length":2},`+
			`"stackTable":{"frame":[0],"prefix":[null],"length":1},"frameTable":{"func":[0],"line":[null],"length":1},"funcTable":{"name":[0],"resource":[-1],"fileName":[null],"length":1},`+
			`"resourceTable":{"length":0},"stringArray":["f"]}`, name, pid, pid+1)
	}
	firefox := `{"meta":{"interval":1,"preprocessedProfileVersion":48},"threads":[` + thread(10, "app.one") + "," + thread(20, "app.two") + `]}`
	names := map[int64]string{10: "app.one", 20: "app.two"}
	for name, file := range map[string][]byte{
		"chrome": []byte(chrome), "ftrace": []byte(ftrace), "perf": []byte(perf), "ANR": []byte(dump(10, "app.one") + dump(20, "app.two")), "firefox": []byte(firefox),
		"pprof": labeledProfile(t, names), "perfetto, tree": perfettoSlices(false), "perfetto, tracks": perfettoSlices(true),
	} {
		rec := formattest.MustOpen(t, file, kind.Config{}).Recording
		tracetest.Events(t, rec.Events)
		var got []string
		for _, th := range rec.Symbols.Threads {
			if strings.HasPrefix(th.Name, "main") {
				got = append(got, th.Name+" of "+th.Process)
			}
		}
		if diff := cmp.Diff([]string{"main of app.one", "main (app.two) of app.two"}, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
	}
}
