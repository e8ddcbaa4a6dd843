package tracer_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"artifice/art"
	"artifice/internal/testdata"
	"artifice/sampler"
	"artifice/sampler/thread"
	"artifice/trace"
	"artifice/tracer"
	"artifice/tracer/device"
	"artifice/workload"
)

// TestEveryTracer checks that each tracer has a unique name, reads nothing before its recording is
// read, and records a valid and reproducible trace of a workload.
func TestEveryTracer(t *testing.T) {
	phone, err := device.Open("A")
	if err != nil {
		t.Fatal(err)
	}
	o := &tracer.Options{Seed: 1, TempDir: t.TempDir(), Device: phone, Threshold: 2 * time.Millisecond}
	names := map[string]bool{}
	for _, tr := range tracer.All() {
		if names[tr.Name] || tr.Description == "" {
			t.Errorf("%q: duplicate name, or no description (%q)", tr.Name, tr.Description)
		}
		names[tr.Name] = true
		if first, again := record(t, tr, o), record(t, tr, o); len(first) < 10 || !slices.Equal(first, again) {
			t.Errorf("%s: %d events, and %d different events in the second run", tr.Name, len(first), len(again))
		}
	}
}

// record returns a tracer's recording of cold-start.
func record(t *testing.T, tr tracer.Tracer, o *tracer.Options) []trace.Event {
	t.Helper()
	truth, err := workload.Must(workload.ByName("cold-start")).Truth(workload.Config{Seed: 1, Duration: 300 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	if tr.Again {
		if truth, err = sampler.Record(truth, sampler.Config{KeepSymbols: true}); err != nil {
			t.Fatal(err)
		}
	}
	source := &counting{Reader: truth.Events}
	truth.Events = source
	rec, err := tr.Record(truth, o)
	if err != nil {
		t.Fatalf("%s: %v", tr.Name, err)
	}
	if source.reads > 0 {
		t.Errorf("%s: the truth was read %d times before the recording is read", tr.Name, source.reads)
	}
	var all trace.Buffer
	if _, err := trace.Copy(&all, rec.Events); err != nil {
		t.Fatalf("%s: %v", tr.Name, err)
	}
	valid := *rec
	valid.Events = trace.NewSliceReader(all.Events)
	if err := testdata.CheckValid(&valid); err != nil {
		t.Errorf("%s: %v", tr.Name, err)
	}
	return all.Events
}

// counting counts the calls of ReadEvents.
type counting struct {
	trace.Reader
	reads int
}

func (c *counting) ReadEvents(p []trace.Event) (int, error) {
	c.reads++
	return c.Reader.ReadEvents(p)
}

func TestByName(t *testing.T) {
	if _, err := tracer.ByName("smaple"); err == nil || !strings.Contains(err.Error(), "truth, instrument, sample, longrun, dump, simpleperf") {
		t.Errorf("error %v, want one that lists the names", err)
	}
	if got := tracer.Using("schedule"); !slices.Equal(got, []string{"sample"}) {
		t.Errorf("the schedule is used by %q", got)
	}
}

// TestOptions checks that tracers use the buffer size, the clock, the runtime and the interval of
// their options.
func TestOptions(t *testing.T) {
	dalvik, err := art.ByName("dalvik")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"instrument", "sample"} {
		tr, err := tracer.ByName(name)
		if err != nil {
			t.Fatal(err)
		}
		truth, err := workload.Must(workload.ByName("cold-start")).Truth(workload.Config{Seed: 1, Duration: 300 * time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		o := &tracer.Options{Interval: 5 * time.Millisecond, Start: art.Config{Runtime: dalvik, Clock: trace.Wall, BufferSize: 2048}}
		rec, err := tr.Record(truth, o)
		if err != nil {
			t.Fatal(err)
		}
		// 2048 bytes hold the header of 32 and 201 records of 10.
		n, err := trace.Copy(trace.Discard, rec.Events)
		if err != nil || n != 201 || !rec.Info.Overflow || rec.Info.VM != "dalvik" || rec.Info.Clock != trace.Wall || rec.Source.Format != "dalvik2" {
			t.Errorf("%s: %d events, %+v, %v", name, n, rec.Info, err)
		}
		if want := map[string]time.Duration{"sample": o.Interval}[name]; rec.Info.Interval != want {
			t.Errorf("%s: interval %s, want %s", name, rec.Info.Interval, want)
		}
	}
}

// TestCommandOfTracer: an interval of 5 ms is 5000 µs for Android's activity manager and 200 Hz for
// profilers with a frequency; 1 ms is the setting of Android Studio's button.
func TestCommandOfTracer(t *testing.T) {
	for _, c := range []struct {
		tracer   string
		interval time.Duration
		want     string
	}{
		{"sample", 5 * time.Millisecond, "--sampling 5000 "},
		{"simpleperf", 5 * time.Millisecond, " -f 200 "},
		{"simpleperf", 0, " -f 4000 "},
		{"simpleperf", time.Millisecond, "Find CPU Hotspots"},
		{"perfetto", time.Second / 101, " -f 101 "},
		{"profilingmanager", time.Second / 101, "KEY_FREQUENCY_HZ 101 "},
		{"profilingmanager", time.Millisecond, "KEY_FREQUENCY_HZ 200 "},
		{"perf", time.Millisecond, "perf record -e cpu-clock -F 1000 -g COMMAND"}, {"perf", 0, " -F 4000 "}, {"perf", 2 * time.Second, " -F 1 "},
		{"perf", 3 * time.Millisecond, " -F 333 "}, {"perf", 1500 * time.Microsecond, " -F 667 "},
		{"go", 0, "pprof.StartCPUProfile of runtime/pprof (Go 1.18 and later)"}, {"go-itimer", 0, "(Go 1.17 and earlier)"},
		{"jfr", 0, "-XX:StartFlightRecording=filename=FILE"}, {"jfr-cpu", 0, "jdk.CPUTimeSample#throttle=10ms"}, {"safepoints", 0, "-agentlib:hprof=cpu=samples,interval=10 "},
		{"v8", 2 * time.Millisecond, "node --cpu-prof --cpu-prof-interval 2000 FILE"}, {"v8", time.Microsecond, "--cpu-prof-interval 1000 "},
		{"async", 10 * time.Millisecond, "asprof -e cpu -i 10ms PID"}, {"async", time.Microsecond, "-i 1ms PID"},
		{"sections", 0, "adb shell atrace -a PACKAGE -t 10 -z -o FILE gfx view am dalvik"},
		{"instrument", 0, "adb shell am profile start PACKAGE FILE"}, {"matrix", 0, "build the app with Matrix"}, {"btrace3", 0, "build the app with btrace 3"},
	} {
		way, err := tracer.ByName(c.tracer)
		if err != nil {
			t.Fatal(err)
		}
		if got := way.How(c.interval); !strings.Contains(got, c.want) {
			t.Errorf("%s every %s: %s, want %q in it", c.tracer, c.interval, got, c.want)
		}
	}
}

// TestProfilingManager: by default, a thread that runs for 2 minutes has a sample every 10 ms of
// the first minute (KEY_DURATION_MS, 60,000). Frequencies are clamped to 1 to 200 Hz (Configs.java
// of Android's profiling module).
func TestProfilingManager(t *testing.T) {
	way, err := tracer.ByName("profilingmanager")
	if err != nil {
		t.Fatal(err)
	}
	for interval, want := range map[time.Duration]int64{0: 5999, 10 * time.Millisecond: 5999, time.Millisecond: 11999, 10 * time.Second: 59} {
		truth := &trace.Recording{Info: trace.Info{Technique: trace.Truth, Clock: trace.Dual, Elapsed: 2 * time.Minute}, Symbols: &trace.Symbols{}}
		truth.Symbols.AddMethod(trace.Method{Class: "app.Main", Name: "run"})
		truth.Symbols.AddThread(trace.Thread{TID: 1, Name: "main"})
		truth.Events = trace.NewSliceReader([]trace.Event{{}, {Action: trace.Exit, Wall: 2 * time.Minute, CPU: 2 * time.Minute}})
		run := way.New(&truth.Info, &tracer.Options{Interval: interval, TempDir: t.TempDir()})
		rec, err := run.Record(truth)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := trace.Copy(trace.Discard, rec.Events); err != nil {
			t.Fatal(err)
		}
		if got := rec.Events.(*thread.Reader).Stats().Samples; got != want {
			t.Errorf("every %s: %d samples, want %d", interval, got, want)
		}
	}
}

// TestSimpleperfInterval: by default, simpleperf record takes 4000 samples per second of each
// thread's CPU time (its help: "Default: -f 4000").
func TestSimpleperfInterval(t *testing.T) {
	way, err := tracer.ByName("simpleperf")
	if err != nil {
		t.Fatal(err)
	}
	truth, err := workload.Must(workload.ByName("cold-start")).Truth(workload.Config{Seed: 1, Duration: 300 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	rec, err := way.Record(truth, &tracer.Options{Seed: 1, TempDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	if rec.Info.Interval != 250*time.Microsecond {
		t.Errorf("interval %v, want 250us", rec.Info.Interval)
	}
}
