package anr_test

import (
	"strings"
	"testing"

	"artifice/format/internal/anr"
	"artifice/format/internal/formattest"
	"artifice/format/internal/stackdump"
	"artifice/internal/testdata/tracetest"
)

// crash is a tombstone in debuggerd's form, with frames of two threads. The numbers of the stack's
// words repeat those of frames.
const crash = `*** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***
Build fingerprint: 'x/y:14/Z/1:user/release-keys'
ABI: 'arm64'
Timestamp: 2024-06-22 14:32:15.123456+0800
Cmdline: com.example.app
pid: 12345, tid: 12350, name: RenderThread  >>> com.example.app <<<
signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x0
    x0  0000000000000000  x1  0000007fffffffff
backtrace:
      #00 pc 0000000000123456  /data/app/libexample.so (draw(Canvas*)+24) (BuildId: 12ab)
      #01 pc 0000000000234567  /system/lib64/libc.so (__pthread_start(void*)+64)

stack:
    #00  0000007b00000000  0000000000000000 pc 1
--- --- --- --- --- --- --- --- --- --- --- --- --- --- --- ---
pid: 12345, tid: 12345, name: example.app  >>> com.example.app <<<
      #00 pc 0000000000070a6c  /system/lib64/libc.so (__epoll_pwait+12)
`

// TestTombstone checks that native frames count in a tombstone, which has no others. The system's
// log contains tombstones in two forms, which are read alike.
func TestTombstone(t *testing.T) {
	inLog := func(head string) string {
		return head + strings.ReplaceAll(strings.TrimSuffix(crash, "\n"), "\n", "\n"+head) + "\n"
	}
	for _, text := range []string{crash, inLog("06-22 14:32:15.123  1999  1999 F DEBUG   : "), inLog("F/DEBUG   ( 1999): ")} {
		s := formattest.Parse(t, stackdump.Config{}, text)
		formattest.Same(t, formattest.Text(t, s), `
thread	12350	RenderThread
thread	12345	example.app
0 - 12350 enter __pthread_start(void*)
0 - 12350 enter draw(Canvas*)
0 - 12345 enter __epoll_pwait
`)
		formattest.Warned(t, s)
		if s.Info.PID != 12345 || s.Counts().Format != anr.Tombstone.Dumps {
			t.Errorf("pid %d, %+v; want 12345, a tombstone", s.Info.PID, s.Counts())
		}
	}
	two := formattest.Parse(t, stackdump.Config{}, crash+strings.ReplaceAll(crash, "14:32:15", "14:32:16"))
	tracetest.Events(t, two)
	if c := two.Counts(); c.Dumps != 2 || c.Threads != 4 || two.Info.Elapsed.Seconds() != 1 {
		t.Errorf("%+v in %s, want 2 dumps of 2 threads in 1 s", c, two.Info.Elapsed)
	}
}

// TestTombstoneWithoutFrames checks that a dump without frames does not determine which frames
// count: the native frames of the following dump count.
func TestTombstoneWithoutFrames(t *testing.T) {
	head, _, _ := strings.Cut(crash, "      #00")
	s := formattest.Parse(t, stackdump.Config{}, head+strings.ReplaceAll(crash, "14:32:15", "14:32:16"))
	formattest.Same(t, formattest.Text(t, s), `
thread	12350	RenderThread
thread	12345	example.app
1000000000 - 12350 enter __pthread_start(void*)
1000000000 - 12350 enter draw(Canvas*)
1000000000 - 12345 enter __epoll_pwait
`)
}

func FuzzTombstone(f *testing.F) { formattest.FuzzDumps(f, anr.Tombstone, crash) }

func TestCutTombstone(t *testing.T) { formattest.CutDumps(t, anr.Tombstone, crash) }
