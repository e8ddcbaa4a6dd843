package stackdump

import (
	"testing"
	"time"

	"artifice/trace"
)

// Numbers are strings in the format's first version and numbers in the second.
func TestJVMJSON(t *testing.T) {
	const dumps = `{
  "threadDump": {
    "processId": "63406",
    "time": "2025-06-10T00:49:22.000000Z",
    "runtimeVersion": "25",
    "threadContainers": [
      {"container": "<root>", "parent": null, "owner": null,
       "threads": [
         {"tid": "1", "name": "main", "stack": ["java.base\/java.lang.Thread.run(Thread.java:1)", "a.B.main(B.java:9)"]},
         {"tid": "8", "name": "Reference Handler", "stack": []}
       ], "threadCount": "2"},
      {"container": "ForkJoinPool-1", "threads": [
         {"tid": "36", "name": "", "virtual": true, "stack": ["a.B.v(B.java:3)"]}
       ]}
    ]
  }
}
{"threadDump": {"formatVersion": 2, "processId": 63406, "time": "2025-06-10T00:49:22.250000Z",
  "threadContainers": [{"container": "<root>", "threads": [{"tid": 1, "name": "main", "stack": ["a.B.main(B.java:9)"]}]}]}}
`
	s := parse(t, Config{}, dumps)
	same(t, textOf(t, s), `
thread	1	main
thread	8	Reference Handler
thread	36	virtual-36
0 - 1 enter a.B.main
0 - 1 enter java.lang.Thread.run
0 - 36 enter a.B.v
250000000 - 1 exit java.lang.Thread.run
250000000 - 36 exit a.B.v
`)
	warned(t, s)
	if s.Info.PID != 63406 {
		t.Errorf("pid %d, want 63406", s.Info.PID)
	}
}

func TestBlockInfo(t *testing.T) {
	s := parse(t, Config{}, `{"startTime":1000,"endTime":1300,"dispatchFinish":true,"sampleInterval":50,"stackTraceSamples":[
{"time":1050,"stackTraceElements":[{"declaringClass":"java.lang.Thread","methodName":"sleep","fileName":"Thread.java","lineNumber":-2},{"declaringClass":"a.B","methodName":"m","fileName":"B.java","lineNumber":12}]},
{"time":1100,"stackTraceElements":[{"declaringClass":"a.B","methodName":"m","lineNumber":13}]}]}`)
	same(t, textOf(t, s), `
thread	1	main
0 - 1 enter a.B.m
0 - 1 enter java.lang.Thread.sleep
50000000 - 1 exit java.lang.Thread.sleep
`)
	warned(t, s)
	if s.Info.Interval != 50*time.Millisecond {
		t.Errorf("interval %s, want the report's 50ms", s.Info.Interval)
	}
	// Java's StackTraceElement.isNativeMethod: the line is -2.
	for _, m := range s.Symbols.Methods {
		if native := m.Flags&trace.Native != 0; native != (m.Name == "sleep") {
			t.Errorf("%s is native: %t", m.FullName(), native)
		}
	}
}

func TestJSONLines(t *testing.T) {
	s := parse(t, Config{}, `{"time_us":5000,"cpu_us":10,"thread":"main","tid":3,"frames":["a.B.f(B.java:1)","a.B.main(B.java:9)"]}
{"time_us":5000,"thread":"w","frames":["x"]}

{"time_us":7500,"cpu_us":1010,"thread":"main","tid":3,"frames":["a.B.main(B.java:9)"],"extra":null}
`)
	same(t, textOf(t, s), `
thread	3	main
thread	1	w
0 0 3 enter a.B.main
0 0 3 enter a.B.f
0 0 1 enter x
2500000 1000000 3 exit a.B.f
2500000 0 1 exit x
`)
	warned(t, s)
}

// Threads that are sampled one by one say so.
func TestJSONLinesPartial(t *testing.T) {
	s := parse(t, Config{}, `{"time_us":0,"thread":"a","frames":["x"],"partial":true}
{"time_us":1,"thread":"b","frames":["y"],"partial":true}
{"time_us":2,"thread":"a","frames":[],"partial":true}
`)
	same(t, textOf(t, s), `
thread	1	a
0 - 1 enter x
thread	2	b
1000 - 2 enter y
2000 - 1 exit x
`)
	warned(t, s)
}

// A thread has its own number where that is one of 32 bits, as Linux's are; another number
// must not take one that is a thread's own.
func TestJSONLinesLargeNumbers(t *testing.T) {
	s := parse(t, Config{}, `{"time_us":0,"thread":"large","tid":4294967303,"frames":["x"]}
{"time_us":0,"thread":"seventh","tid":7,"frames":["y"]}
{"time_us":1,"thread":"large","tid":4294967303,"frames":[]}
`)
	same(t, textOf(t, s), `
thread	1	large
thread	7	seventh
0 - 1 enter x
0 - 7 enter y
1000 - 1 exit x
1000 - 7 exit y
`)
}

// Lines of one time are one dump only when they are of one process and of one
// sort; CPU time does not go back.
func TestJSONLinesDumps(t *testing.T) {
	s := parse(t, Config{}, `{"time_us":0,"pid":1,"thread":"a","frames":["x"]}
{"time_us":0,"pid":2,"thread":"a","frames":["y"]}
{"time_us":0,"pid":2,"thread":"b","frames":["z"],"partial":true}
{"time_us":1,"pid":1,"thread":"a","frames":["x"]}
`)
	same(t, textOf(t, s), `
thread	1	a
0 - 1 enter x
thread	2	a (pid 2)
0 - 2 enter y
thread	3	b (pid 2)
0 - 3 enter z
`)
	if c := s.Counts(); c.Dumps != 4 || c.Processes != 2 {
		t.Errorf("%d dumps of %d processes, want 4 of 2", c.Dumps, c.Processes)
	}
	s = parse(t, Config{}, `{"time_us":0,"cpu_us":50,"thread":"a","frames":["x"]}
{"time_us":1,"cpu_us":70,"thread":"a","frames":["y"]}
{"time_us":2,"cpu_us":60,"thread":"a","frames":["x"]}
`)
	same(t, textOf(t, s), `
thread	1	a
0 0 1 enter x
1000 20000 1 exit x
1000 20000 1 enter y
2000 20000 1 exit y
2000 20000 1 enter x
`)
}
