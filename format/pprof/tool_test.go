package pprof_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"artifice/format/pprof"
	"artifice/internal/testdata"
	"artifice/trace"
)

// toolPprof returns the path of the program that go tool pprof runs. It is built at the first use.
var toolPprof = sync.OnceValues(func() (string, error) {
	out, err := exec.Command("go", "tool", "-n", "pprof").Output()
	return strings.TrimSpace(string(out)), err
})

// goToolPprof runs the Go distribution's pprof on a profile and returns its output from the line
// with the type on.
func goToolPprof(t *testing.T, file string, args ...string) string {
	t.Helper()
	program, err := toolPprof()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, append(args, file)...)
	cmd.Env = append(os.Environ(), "PPROF_TMPDIR="+t.TempDir())
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("go tool pprof %s: %v\n%s", strings.Join(args, " "), err, stderr.String())
	}
	out := stdout.String()
	if at := strings.Index(out, "Type: "); at >= 0 {
		out = out[at:]
	}
	return out
}

// TestGoToolPprof compares the values of TestWriter with the sums that pprof computes.
func TestGoToolPprof(t *testing.T) {
	file := filepath.Join(t.TempDir(), "example.pb")
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	w, err := pprof.NewWriter(f, testdata.ExampleRecording())
	if err != nil {
		t.Fatal(err)
	}
	w.WriteEvents(testdata.ExampleEvents())
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"-top", "-unit=us"}, `Type: wall
Duration: 100us, Total samples = 175us (175.00%)
Showing nodes accounting for 175us, 100% of 175us total
      flat  flat%   sum%        cum   cum%
      60us 34.29% 34.29%       60us 34.29%  unknown.method_0x10
      40us 22.86% 57.14%       40us 22.86%  (toplevel)
      40us 22.86% 80.00%       50us 28.57%  app.Work.run
      25us 14.29% 94.29%       75us 42.86%  app.Main.main
      10us  5.71%   100%       10us  5.71%  app.Log.log
`},
		{[]string{"-top", "-sample_index=calls"}, `Type: calls
Duration: 100us, Total samples = 5 
Showing nodes accounting for 5, 100% of 5 total
      flat  flat%   sum%        cum   cum%
         2 40.00% 40.00%          4 80.00%  app.Main.main
         1 20.00% 60.00%          1 20.00%  app.Log.log
         1 20.00% 80.00%          2 40.00%  app.Work.run
         1 20.00%   100%          1 20.00%  unknown.method_0x10
`},
		{[]string{"-peek=Work", "-unit=us", "-sample_index=cpu"}, `Type: cpu
Duration: 100us, Total samples = 36us (36.00%)
Showing nodes accounting for 36us, 100% of 36us total
----------------------------------------------------------+-------------
      flat  flat%   sum%        cum   cum%   calls calls% + context 	 	 
----------------------------------------------------------+-------------
                                              17us   100% |   app.Main.main
      15us 41.67% 41.67%       17us 47.22%                | app.Work.run
                                               2us 11.76% |   app.Log.log
----------------------------------------------------------+-------------
`},
		{[]string{"-traces", "-unit=us"}, `Type: wall
Duration: 100us, Total samples = 175us (175.00%)
-----------+-------------------------------------------------------
    thread:  main
       tid:  1
      15us   (toplevel)
-----------+-------------------------------------------------------
    thread:  main
       tid:  1
      25us   app.Main.main
-----------+-------------------------------------------------------
    thread:  main
       tid:  1
      40us   app.Work.run
             app.Main.main
-----------+-------------------------------------------------------
    thread:  main
       tid:  1
      10us   app.Log.log
             app.Work.run
             app.Main.main
-----------+-------------------------------------------------------
    thread:  thread-77
       tid:  77
      25us   (toplevel)
-----------+-------------------------------------------------------
    thread:  thread-77
       tid:  77
      60us   unknown.method_0x10
-----------+-------------------------------------------------------
`},
	} {
		if diff := cmp.Diff(test.want, goToolPprof(t, file, test.args...)); diff != "" {
			t.Errorf("%v (-want +got)\n%s", test.args, diff)
		}
	}
}

// TestDiffBase: pprof subtracts profiles of a truth, an instrumented trace and a sampled trace from
// each other, although the first columns of their samples differ. The wall times are 110 us and,
// for two samples, 2 ms.
func TestDiffBase(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, technique trace.Technique, sampled bool) string {
		rec := testdata.ExampleRecording()
		rec.Info.Technique = technique
		file, err := os.Create(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		w, err := pprof.NewWriter(file, rec)
		if err != nil {
			t.Fatal(err)
		}
		if sampled {
			s := trace.Snapshot{Wall: 0, Until: 2 * time.Millisecond, Count: 2, Stack: []trace.MethodID{0}}
			if err := w.WriteSnapshot(&s); err != nil {
				t.Fatal(err)
			}
		} else {
			w.WriteEvents(testdata.ExampleEvents())
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return file.Name()
	}
	files := map[string]string{
		write("truth.pb", trace.Truth, false):               "175us",
		write("instrumented.pb", trace.Instrumented, false): "175us",
		write("sampled.pb", trace.Sampled, true):            "2000us",
	}
	for base, of := range files {
		for file := range files {
			out := goToolPprof(t, file, "-top", "-unit=us", "-diff_base="+base)
			if !strings.Contains(out, "Total samples = "+of) {
				t.Errorf("%s against %s:\n%s\nwant a total of %s", file, base, out, of)
			}
		}
	}
}
