package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"artifice/internal/testdata"
)

// TestSamplingInterval checks the sampling interval: the stated one, or the common divisor of all
// gaps, even if no gap is a single period. A call that is in four samples of 50 ms, but not in the
// fifth, lasted three to five intervals.
func TestSamplingInterval(t *testing.T) {
	sparse, call := testdata.Path(t, "field", "sampled-10ms-one-thread.trace"), testdata.Path(t, "field", "sampled-50ms-150-250.trace")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"report", sparse}, "sampled with a period of 10 ms"},
		{[]string{"info", sparse}, "10 ms (estimate"},
		{[]string{"report", sparse, "--sampled", "2ms"}, "sampled every 2 ms as stated"},
		{[]string{"report", call, "--sampled", "50ms", "--each", "B.m"}, "200 ms  150–250 ms"},
	} {
		status, stdout, stderr := artifice(c.args...)
		if status != exitOK || !strings.Contains(stdout, c.want) {
			t.Errorf("%v: no %q in\n%s%s", c.args, c.want, stdout, stderr)
		}
	}
}

// TestPeriodicMarks checks that marks of ftrace at regular times are recognized as recorded,
// not sampled.
func TestPeriodicMarks(t *testing.T) {
	var b strings.Builder
	b.WriteString("# tracer: nop\n#\n")
	for i := range 100 {
		fmt.Fprintf(&b, " app-100 ( 100) [000] ...1 %d.%02d0000: tracing_mark_write: B|100|draw\n", 100+i/50, i%50*2)
		fmt.Fprintf(&b, " app-100 ( 100) [000] ...1 %d.%02d0000: tracing_mark_write: E|100\n", 100+i/50, i%50*2+1)
	}
	file := filepath.Join(t.TempDir(), "marks.txt")
	if err := os.WriteFile(file, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	status, stdout, stderr := artifice("report", file)
	if status != exitOK || !strings.Contains(stdout, "sections marked by the app, not every call") || !regexp.MustCompile(`(?m)^ *1 s +100.0 % +1 s +100 +draw$`).MatchString(stdout) {
		t.Errorf("%s%s", stdout, stderr)
	}
}

// TestAdviceOfInterval checks that report recommends sampling every 1 ms only for traces with other
// intervals, even if pauses extend the period to 2.5 ms.
func TestAdviceOfInterval(t *testing.T) {
	dir := t.TempDir()
	phone, out := filepath.Join(dir, "phone.yaml"), filepath.Join(dir, "x.trace")
	if err := os.WriteFile(phone, []byte("name: slow\nsampling: {per-tick: 100us, per-thread: 64us, per-frame: 0ns}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for interval, want := range map[string]bool{"1ms": false, "5ms": true} {
		if status, _, stderr := artifice("record", "cold-start", "--device", phone, "--interval", interval, "-o", out); status != exitOK {
			t.Fatal(stderr)
		}
		_, stdout, _ := artifice("report", out)
		if advised := strings.Contains(stdout, "every 1 ms"); advised != want || !strings.Contains(stdout, "can be wrong by more than 50 %") {
			t.Errorf("sampled every %s:\n%s", interval, stdout)
		}
	}
}
