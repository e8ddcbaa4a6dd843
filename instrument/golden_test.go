package instrument

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"artifice/art"
	"artifice/format/text"
	"artifice/trace"
)

var update = flag.Bool("update", false, "write the golden files anew")

// usualCost is approximately the cost of an event on a phone. In runtimes that include the clock
// measurement, the zero of wall time is delayed by 32000 * 2.1 µs = 67.2 ms.
var usualCost = Cost{CPURead: 2 * time.Microsecond, WallRead: 100, Hook: 900, Compiled: 60, Granularity: time.Microsecond}

// scene returns a truth with everything that runtimes treat differently: frames open at the start,
// an exception, a proxy, a native method, threads that start and end, a reused tid, a thread
// without events, and a method of the runtime.
func scene() *trace.Recording {
	const us = time.Microsecond
	s := newScript()
	s.method("run", 0)
	s.method("nativePoll", trace.Native)
	s.method("invoke", trace.Proxy)
	s.method("<runtime>", trace.RuntimeInternal)
	s.method("collect", trace.Collector)
	main := s.thread("main", 4100, 0).open("run", "startMethodTracing")
	idle := s.thread("Signal Catcher", 4103, 0)
	worker := s.thread("worker", 4101, 0)
	worker.cpu = 40 * us
	s.method("inlined", trace.Inlined)
	worker.open("run", "inlined", "nativePoll")
	first := s.thread("pool-1", 4102, 30*us)
	again := s.thread("pool-2", 4102, 200*us)

	main.run(10 * us).exit().run(5 * us).enter("outer").run(2 * us).enter("leaf").run(us).exit().run(us).exit()
	main.enter("throwing").run(3 * us).unwind().run(20 * us)
	main.enter("invoke").run(us).enter("target").run(us).exit().run(us).exit()
	main.enter("<runtime>").run(2 * us).exit()
	worker.wait(40 * us).run(5 * us).exit().exit().run(10 * us).enter("inlined").exit().exit()
	first.run(5 * us).enter("task").run(50 * us).exit().run(us).ends()
	again.run(5 * us).enter("task").run(30 * us).enter("collect").run(40 * us).exit()
	main.wait(200 * us).run(4 * us).enter("stopMethodTracing")
	_ = idle
	return s.truth()
}

// goldenCase is one way to start the trace of the scene.
type goldenCase struct {
	name string
	cfg  Config
}

func goldenCases() (all []goldenCase) {
	for _, r := range art.All() {
		add := func(suffix string, cfg Config) {
			cfg.Runtime, cfg.Cost = r, usualCost
			all = append(all, goldenCase{r.Name + suffix, cfg})
		}
		add("", Config{})
		if r.StreamFormat != "" {
			add("-stream", Config{Streaming: true})
		}
		add("-wall", Config{Clock: trace.Wall})
		add("-release", Config{NotDebuggable: true})
	}
	return all
}

// TestGolden compares each runtime's recording of the scene with text that was checked by hand
// against the behavior of that runtime.
func TestGolden(t *testing.T) {
	for _, c := range goldenCases() {
		t.Run(c.name, func(t *testing.T) {
			got := dump(t, c.cfg)
			// In instrumented mode, Android 6 to 8 behave like 9.
			file := filepath.Join("testdata", strings.Replace(c.name, "art8", "art9", 1)+".txt")
			if *update {
				if err := os.WriteFile(file, got, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("%s differs; the recording is\n%s", file, got)
			}
		})
	}
}

// dump records the scene and writes it as text, followed by the layout of the file.
func dump(t *testing.T, cfg Config) []byte {
	rec, err := Record(scene(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	events := read(t, rec)
	var b bytes.Buffer
	w := text.NewWriter(&b, rec)
	if err := w.WriteEvents(events); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(&b, "# layout of %s\n", rec.Source.Format)
	for _, a := range rec.Source.Announced {
		kind := "thread"
		if a.Method {
			kind = "method"
		}
		fmt.Fprintf(&b, "# before event %d: %s %d %q\n", a.Before, kind, a.TID, a.Text)
	}
	for _, section := range [][]string{rec.Source.Options, {"*threads"}, rec.Source.Threads, {"*methods"}, rec.Source.Methods} {
		for _, line := range section {
			fmt.Fprintf(&b, "# %q\n", line)
		}
	}
	return b.Bytes()
}
