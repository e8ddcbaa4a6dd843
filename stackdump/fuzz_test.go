package stackdump

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"artifice/diffstack"
	"artifice/internal/testdata"
	"artifice/trace"
)

// A fuzz target for each format: whatever the bytes, reading ends, in an error
// or in a valid trace whose snapshots count the samples that the dumps have.

func FuzzANR(f *testing.F)             { fuzz(f, ANR) }
func FuzzJVM(f *testing.F)             { fuzz(f, JVM) }
func FuzzJVMText(f *testing.F)         { fuzz(f, JVMText) }
func FuzzJVMJSON(f *testing.F)         { fuzz(f, JVMJSON) }
func FuzzFolded(f *testing.F)          { fuzz(f, Folded) }
func FuzzPerf(f *testing.F)            { fuzz(f, Perf) }
func FuzzSimpleperf(f *testing.F)      { fuzz(f, Simpleperf) }
func FuzzBlockInfo(f *testing.F)       { fuzz(f, BlockInfo) }
func FuzzJSONLines(f *testing.F)       { fuzz(f, JSONLines) }
func FuzzProfilo(f *testing.F)         { fuzz(f, Profilo) }
func FuzzBtrace3(f *testing.F)         { fuzz(f, Btrace3) }
func FuzzSimpleperfProto(f *testing.F) { fuzz(f, SimpleperfProto) }
func FuzzJFR(f *testing.F)             { fuzz(f, JFR) }
func FuzzFirefox(f *testing.F)         { fuzz(f, Firefox) }
func FuzzCPUProfile(f *testing.F)      { fuzz(f, CPUProfile) }
func FuzzSpeedscope(f *testing.F)      { fuzz(f, Speedscope) }

// seeds are small files of each format.
var seeds = map[Format][][]byte{
	ANR: {
		[]byte(anrTwoDumps),
		[]byte("DALVIK THREADS:\n\"m\" prio=5 tid=1 N\n  at a.B.f(B.java:1)\n  ... repeated 3 times\n  #00 pc 00 x (f(int)+1) (BuildId: 2)\n  kernel: [<0>] f+0x1/0x2\n"),
	},
	JVM: {
		[]byte(jvmDump("2025-12-22 16:10:17", `"main" #1 [42] prio=5 os_prio=31 cpu=12.90ms elapsed=5.65s tid=0x1 nid=42 runnable  [0x0]`, "\tat a.B$$Lambda/0x1.f(java.base@25/B.java:1)\n\t- locked <0x1> (a X)\n   Mounted virtual thread #7\n\tat b\n")),
		[]byte("Full thread dump x\n_java_thread_list=0x1, elements={\n}\nos_prio=1 tid=0x1 nid=1\n\nFound one Java-level deadlock:\n"),
	},
	JVMText: {
		[]byte("7\n2025-06-10T00:49:22.146091Z\n21\n\n#1 \"main\"\n      a.B.f(B.java:1)\n      - locked <x>\n\n#22 \"\" virtual\n\n8\n2025-06-10T00:49:23Z\n21\n\n#1 \"m\" RUNNABLE 2025\n      f\n"),
	},
	JVMJSON: {
		[]byte(`{"threadDump":{"processId":"1","time":"2025-06-10T00:49:22.146091Z","threadContainers":[{"threads":[{"tid":"1","name":"m","virtual":true,"stack":["a.B.f(B.java:1)"]}]},null]}}{"threadDump":null}`),
	},
	Folded: {
		[]byte("# c\na;b;c 1\r\n[m tid=3];x 2\n[m tid=3] 1\nbad\n"),
		[]byte("\xff\xfea\x00 \x001\x00\n\x00"),
		[]byte("# wall;us 0\na;b 1500\na;(toplevel) 2\n"),
		[]byte("# cpu;ms 0\n[m tid=3];x 2\n[n tid=4];y;z 7\n"),
	},
	Perf: {
		[]byte("# c\nV8 W 1/2 [000] 1.5: 3 cycles:u:\n\t1 f+0x1->g(int) (/tmp/perf-1.map)\n\t2 [unknown] ([vdso])\n\njava 0 2.0: cycles:u:\n\t1 La;.b (x (deleted))\n\n"),
	},
	Simpleperf: {
		[]byte("sample:\n  event_type: cpu-clock\n  time: 5\n  thread_id: 7\n  thread_name: a\n  vaddr_in_file: 1\n  file: x\n  symbol: f\n  callchain:\n    vaddr_in_file: 2\n    file: [JIT app cache]\n    symbol: a.B.g\nlost_situation:\n"),
	},
	BlockInfo: {
		[]byte(`{"sampleInterval":50,"stackTraceSamples":[{"time":1,"stackTraceElements":[{"declaringClass":"a.B","methodName":"m","fileName":"B.java","lineNumber":-2}]},{}],"x":[]} {"stackTraceSamples":null}`),
	},
	JSONLines: {
		[]byte("{\"time_us\":1,\"cpu_us\":2,\"pid\":3,\"thread\":\"m\",\"tid\":4,\"partial\":true,\"frames\":[\"a.B.f(B.java:1)\",\"x\"]}\n{\"time_us\":1,\"thread\":\"n\",\"frames\":[]}\n{}\n"),
	},
	Profilo: {
		[]byte("dt\nver|3\nprec|6\npid|10\n\n1|TRACE_START|5|10|0|1|7\n1|STACK_FRAME|1|0|0|0|3\n1|STACK_FRAME|0|0|0|0|1\n1|JAVA_FRAME_NAME|0|0|0|0|1\n5|STRING_VALUE|4|La/B;c\n1|TRACE_THREAD_NAME|1|0|0|0|0\n7|STRING_KEY|6|10\n8|STRING_VALUE|7|w\n"),
	},
	Btrace3: {
		btrace3File(btrace3Bytes(8, 1, 1, 5, 1, 2, 32, 16), btrace3Bytes(16, 1, 9_000_000, 0, 0, 0, 16), btrace3Bytes(15, 2, 3, 0, 0, 0, 16)),
	},
	SimpleperfProto: {
		simpleperfFileOf(proto(1, proto(1, 9, 2, 7, 3, proto(1, 5, 2, 1, 3, 0))), proto(3, proto(1, 1, 2, "x", 3, "f")), proto(4, proto(1, 7, 2, 6, 3, "t"))),
	},
	Speedscope: {[]byte(smallSpeedscope)},
	Firefox:    {[]byte(smallFirefox)},
	JFR:        {[]byte(smallJFR)},
	CPUProfile: {
		[]byte(smallCPUProfile),
		[]byte(`{"head":{"functionName":"(root)","id":1,"callUID":1,"children":[{"functionName":"a","id":2}]},"startTime":1,"endTime":2,"samples":[2],"timestamps":[1000000]}`),
	},
}

func fuzz(f *testing.F, format Format) {
	for _, seed := range seeds[format] {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		Detect(data)
		for _, cfg := range []Config{
			{Format: format},
			{Format: format, Include: AllFrames, Identity: diffstack.BySite, SliceEnd: diffstack.EndMid, First: ThreadFirst},
			{Format: format, Last: 50_000_000, SliceEnd: diffstack.EndLast},
		} {
			checkSequence(t, data, cfg)
		}
	})
}

func checkSequence(t *testing.T, data []byte, cfg Config) {
	s, err := New(bytes.NewReader(data), "fuzz", cfg)
	if err != nil {
		if !strings.HasPrefix(err.Error(), "fuzz") {
			t.Errorf("error without its place: %v", err)
		}
		return
	}
	var samples int64
	s.SnapshotsTo(snapshotFunc(func(snap *trace.Snapshot) {
		if end := snap.IsEnd() && s.Info.Clock.HasCPU() && len(snap.Stack) == 0; !end && (snap.Count < 1 || len(snap.Stack) == 0) || snap.Until < snap.Wall {
			t.Errorf("impossible snapshot %+v", snap)
		}
		samples += snap.Count
	}))
	if err := testdata.CheckValid(&s.Recording); err != nil {
		if _, broken := err.(*trace.Violation); broken {
			t.Errorf("%+v: %v", cfg, err)
		}
		return
	}
	if cfg.Last == 0 {
		if want := countSamples(t, data, cfg); samples != want {
			t.Errorf("%+v: snapshots count %d samples, the dumps have %d", cfg, samples, want)
		}
	}
}

// countSamples counts the samples with a frame that counts, without the second
// of two threads with one identity.
func countSamples(t *testing.T, data []byte, cfg Config) (n int64) {
	r, err := NewReader(bytes.NewReader(data), "fuzz", cfg.reader(NewFrames()))
	if err != nil {
		t.Fatal(err)
	}
	for {
		d, err := r.Next()
		if err != nil {
			return n
		}
		seen := map[ID]bool{}
		for _, thread := range d.Threads {
			if !seen[thread.ID] && counts(r.Frames(), thread.Stack, cfg.Include, thread.Ran > 0) {
				n += thread.Count
			}
			seen[thread.ID] = true
		}
	}
}

func counts(frames *Frames, stack []FrameID, include Include, running bool) bool {
	for _, id := range stack {
		if include == AllFrames || include == AutoFrames && running || frames.Frame(id).Kind == Managed {
			return true
		}
	}
	return false
}

// TestCutEveryFormat: whatever the format is and wherever its file is cut, it is an error
// that names the file, or a valid trace without more samples than the whole file has.
func TestCutEveryFormat(t *testing.T) {
	for _, format := range Formats() {
		if len(seeds[format]) == 0 {
			t.Errorf("%s: no file to be cut, nor to begin fuzzing with", format)
		}
		for _, whole := range seeds[format] {
			cfg := Config{Format: format}
			most := countSamples(t, whole, cfg)
			if most == 0 {
				continue
			}
			at := make([]int, len(whole))
			for n := range at {
				at[n] = n
			}
			for _, n := range testdata.Some(t, at, 60) {
				checkSequence(t, whole[:n], cfg)
				if r, err := NewReader(bytes.NewReader(whole[:n]), "fuzz", cfg.reader(NewFrames())); err == nil && r != nil {
					if got := countSamples(t, whole[:n], cfg); got > most {
						t.Errorf("%s cut at %d: %d samples, the whole has %d", format, n, got, most)
					}
				}
			}
		}
	}
}

// FuzzBtrace3Names: a sampling-mapping is read or refused with its name.
func FuzzBtrace3Names(f *testing.F) {
	f.Add(btrace3Mapping("void a.B.main(java.lang.String[])", "<runtime method>"))
	f.Add([]byte{0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 255, 255, 255, 255})
	f.Fuzz(func(t *testing.T, data []byte) {
		name := filepath.Join(t.TempDir(), "sampling-mapping")
		if err := os.WriteFile(name, data, 0o666); err != nil {
			t.Fatal(err)
		}
		names := btrace3Names{file: name}
		if err := names.read(); err != nil && !strings.HasPrefix(err.Error(), name) {
			t.Errorf("error without its place: %v", err)
		}
		if len(names.methods)*10+len(names.threads)*3 > len(data) {
			t.Errorf("%d names in %d bytes", len(names.methods)+len(names.threads), len(data))
		}
	})
}
