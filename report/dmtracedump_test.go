package report

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"artifice/internal/peers/dmtracedump"
	"artifice/internal/testdata"
	"artifice/reader"
	"artifice/trace"
	"artifice/writer"
)

// TestDmtracedump: our report is Debian's dmtracedump's, byte for byte, on every
// real trace that it reads, and on what our writer makes of them with other
// clocks and columns.
func TestDmtracedump(t *testing.T) {
	dmtracedump.Require(t)
	for _, name := range []string{
		"sampled-art-file.trace", "sampled-host-file.trace", "instrumented-art-file.trace",
		"tiny-basic.trace", "tiny-basic-api10.trace", "tiny-exception.trace", "tiny-mismatched.trace",
	} {
		file := testdata.Path(t, "traces", name)
		t.Run(name, func(t *testing.T) { sameReport(t, file) })
		for _, format := range []string{"dalvik1", "dalvik2", "art"} {
			t.Run(name+" as "+format, func(t *testing.T) { sameReport(t, rewritten(t, file, format)) })
		}
	}
}

// TestDmtracedumpRecursion does the same with an example in which fact calls itself,
// three deep.
func TestDmtracedumpRecursion(t *testing.T) {
	dmtracedump.Require(t)
	text := "# artifice text trace\ninfo\tclock\twall\nthread\t1\tmain\nthread\t2\tworker\n" +
		"method\t0x4\tapp.Main\tmain\t()V\tMain.java\t1\nmethod\t0x8\tapp.Math\tfact\t(I)I\tMath.java\t1\n" +
		"method\t0xc\tapp.Util\tlog\t()V\tUtil.java\t1\nmethod\t0x10\tlib.Util\tlog\t()V\tUtil.java\t1\nmethod\t0x14\tlib.Util\tunused\t()V\tUtil.java\t9\n"
	for _, e := range []string{
		"0 1 enter app.Main.main()V", "5 1 enter app.Math.fact(I)I", "15 1 enter app.Math.fact(I)I", "30 1 enter app.Math.fact(I)I", "40 1 enter app.Util.log()V",
		"45 1 exit app.Util.log()V", "50 1 exit app.Math.fact(I)I", "60 1 exit app.Math.fact(I)I", "65 1 exit app.Math.fact(I)I",
		"70 2 enter lib.Util.log()V", "80 1 exit app.Main.main()V", "130 2 exit lib.Util.log()V",
	} {
		at, rest, _ := strings.Cut(e, " ")
		text += at + "000 - " + rest + "\n"
	}
	sameReport(t, rewrittenText(t, text, "art"))
}

// rewritten returns the file in another format.
func rewritten(t *testing.T, file, format string) string {
	t.Helper()
	in, err := reader.Open(file, reader.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	to := filepath.Join(t.TempDir(), "out.trace")
	write(t, &in.Recording, to, format)
	return to
}

func write(t *testing.T, rec *trace.Recording, to, format string) {
	t.Helper()
	out, err := os.Create(to)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	w, err := writer.NewDmtrace(out, rec, writer.DmtraceConfig{Format: format})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := trace.Copy(w, rec.Events); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// sameReport holds our report of a file against dmtracedump's.
func sameReport(t *testing.T, file string) {
	t.Helper()
	want, err := exec.Command("dmtracedump", file).Output()
	if err != nil {
		t.Fatal(err)
	}
	in, err := reader.Open(file, reader.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	d := NewDmtracedump(&in.Recording)
	if _, err := trace.Copy(d, in.Events); err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	if err := d.Print(&got); err != nil {
		t.Fatal(err)
	}
	ours, theirs := strings.Split(got.String(), "\n"), strings.Split(string(want), "\n")
	for i := range theirs {
		if i >= len(ours) || ours[i] != theirs[i] {
			t.Fatalf("line %d of %d and %d:\n%q, dmtracedump has\n%q", i+1, len(ours), len(theirs), ours[min(i, len(ours)-1)], theirs[i])
		}
	}
	if len(ours) != len(theirs) {
		t.Errorf("%d lines, dmtracedump has %d", len(ours), len(theirs))
	}
}
