package dmtrace_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"artifice/format/dmtrace"

	"artifice/internal/dmformat"
	"artifice/internal/testdata"
	"artifice/trace"
)

// FuzzDmtraceRoundTrip checks that a file that is read without an error or a warning is written
// unchanged, and that other files cause no panic.
func FuzzDmtraceRoundTrip(f *testing.F) {
	for _, name := range completeFiles { // optional seeds
		if b, err := os.ReadFile(filepath.Join(testdata.Root(), "..", "shared", "data", "traces", name)); err == nil && len(b) < 4096 {
			f.Add(b)
		}
	}
	for _, b := range madeFiles(f) {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		if len(in) > 1<<16 {
			return
		}
		file, err := dmtrace.New(bytes.NewReader(in), "fuzz", dmtrace.ReadOptions{})
		if err != nil {
			return
		}
		defer file.Close()
		if file.Source != nil && dmformat.IsLongRun(file.Source.Format) {
			return // covered by FuzzLongRun
		}
		var out bytes.Buffer
		d, err := dmtrace.NewWriter(&out, &file.Recording, dmtrace.Options{})
		if err != nil {
			t.Fatalf("what was read cannot be written: %v", err)
		}
		_, err = trace.Copy(d, file.Events)
		if err != nil || len(file.Warnings) > 0 || file.Source == nil {
			return
		}
		if err := d.Close(); err != nil {
			t.Fatalf("what was read cannot be written: %v", err)
		}
		if !bytes.Equal(out.Bytes(), in) {
			t.Errorf("read\n%q\nwrote\n%q", in, out.Bytes())
		}
	})
}

// madeFiles returns a small file of each variant, converted from a text trace.
func madeFiles(t testing.TB) map[string][]byte {
	files := map[string][]byte{}
	for _, format := range dmformat.Names() {
		for _, clock := range []string{"dual", "wall", "thread-cpu"} {
			rec := fromText(t, smallText(clock))
			files[format+"/"+clock] = rewrite(t, rec, dmtrace.Options{Format: format})
		}
	}
	return files
}

// smallText returns a trace of two threads with an orphan exit, an open frame, an unlisted method
// and an unlisted thread.
func smallText(clock string) string {
	text := "info\tclock\t" + clock + "\ninfo\tstart-ns\t5000000\ninfo\tpid\t77\ninfo\telapsed-ns\t9000000\n" +
		"thread\t1\tmain\nthread\t2\tbg\nthread\t3\n" +
		"method\t0x0\ta.A\tf\t()V\tA.java\t-1\nmethod\t0x4\ta.A\tg\t(I)J\t\t-1\nmethod\t0x8\n"
	for _, e := range []struct{ wall, cpu, rest string }{
		{"1000", "0", "1 enter a.A.f()V"}, {"2000", "500000", "1 enter a.A.g(I)J"}, {"2000", "0", "2 exit a.A.f()V"},
		{"3000", "501000", "1 unwind a.A.g(I)J"}, {"4000", "1000", "3 enter unknown.method_0x8"}, {"8000", "9000", "2 enter a.A.g(I)J"},
	} {
		if clock == "wall" {
			e.cpu = "-"
		}
		if clock == "thread-cpu" {
			e.wall = "-"
		}
		text += e.wall + " " + e.cpu + " " + e.rest + "\n"
	}
	return text
}
