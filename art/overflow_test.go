package art

import (
	"testing"

	"artifice/trace"
)

// TestSharedBufferOverflow: ART up to 14 drops each record that exceeds the buffer, which includes
// the header of 32 bytes. A record that ends at the end of the buffer is kept.
func TestSharedBufferOverflow(t *testing.T) {
	for _, runtime := range []string{"dalvik", "art9", "art12", "art13", "art14"} {
		for _, size := range []int64{32 + 80*14 - 1, 32 + 80*14, 32 + 80*14 + 1} {
			l := newTestLog(t, runtime, Config{BufferSize: size})
			l.calls(0, 50)
			l.calls(1, 50)
			want := map[bool]string{true: "a50 b30", false: "a50 b29"}[size >= 32+80*14]
			if got := l.stop(); got != want || !l.out.Info.Overflow || l.out.Info.Events != l.written {
				t.Errorf("%s, buffer of %d: %s, overflow %t, %d events; want %s", runtime, size, got, l.out.Info.Overflow, l.out.Info.Events, want)
			}
		}
		l := newTestLog(t, runtime, Config{BufferSize: 32 + 100*10, Clock: trace.Wall})
		l.calls(0, 100)
		if got := l.stop(); got != "a100" || l.out.Info.Overflow {
			t.Errorf("%s: %s, overflow %t: an exact fit of 10-byte records is kept", runtime, got, l.out.Info.Overflow)
		}
	}
}

// TestThreadBufferOverflow: ART 15 and later drop a run as a whole unless it ends before the end of
// the buffer. A shorter run after it may still fit.
func TestThreadBufferOverflow(t *testing.T) {
	const hundred = 32 + 100*14
	for _, test := range []struct {
		name    string
		runtime string
		size    int64
		want    string
		lost    bool
	}{
		{"just below", "art15", hundred + 1, "a90 b10", true},
		{"exact", "art15", hundred, "a90 c5", true},
		{"the first does not fit", "art15", 32 + 90*14, "b10 c5", true},
		{"all", "art16", 32 + 105*14 + 1, "a90 b10 c5", false},
		// 90 events are 45 calls of 5 words, equivalent to 112 exits of 2 words.
		{"counted as exits, exact", "art17", 32 + 112*14, "b10 c5", true},
		{"counted as exits, just below", "art17", 32 + 112*14 + 1, "a90 b10 c5", false},
	} {
		l := newTestLog(t, test.runtime, Config{BufferSize: test.size})
		l.calls(0, 90)
		l.calls(1, 10)
		l.calls(2, 5)
		if got := l.stop(); got != test.want || l.out.Info.Overflow != test.lost {
			t.Errorf("%s: %s, overflow %t, want %s, %t", test.name, got, l.out.Info.Overflow, test.want, test.lost)
		}
	}
}

// TestOverflowByThreadEnd: if a run does not fit when its thread ends, every other thread drops its
// buffered events at its next event.
func TestOverflowByThreadEnd(t *testing.T) {
	l := newTestLog(t, "art15", Config{BufferSize: 1024})
	l.calls(0, 30) // at the stop 30 records of 14 bytes would fit
	l.calls(1, 20) // so would 20
	l.calls(2, 80) // 80 do not
	l.End(2)
	l.calls(0, 2)
	if got := l.stop(); got != "b20" || !l.out.Info.Overflow {
		t.Errorf("%s, overflow %t, want b20, true: a drops its 30 events", got, l.out.Info.Overflow)
	}
	if l.dropped != 112 {
		t.Errorf("%d events dropped, want 30+80+2", l.dropped)
	}
}

// TestFirstFullBufferStopsRecording: in output mode file ART 15 and 16 stop recording when the
// first thread buffer is full. All runs are written, followed by the event that did not fit, and
// nothing else, although the buffer has room. 17 continues, and so does a sampled trace.
func TestFirstFullBufferStopsRecording(t *testing.T) {
	const full, full17 = 174762, 209715
	for _, test := range []struct {
		runtime   string
		technique trace.Technique
		calls     int
		want      string
		listening bool
	}{
		{"art15", trace.Instrumented, full + 9, "a174762 b4 a1", false},
		{"art16", trace.Instrumented, full + 9, "a174762 b4 a1", false},
		{"art16", trace.Sampled, full + 9, "a174762 b4 a9 b6", true},
		{"art17", trace.Instrumented, full17 + 9, "a209715 b4 a9 b6", true},
	} {
		l := newTestLog(t, test.runtime, Config{Technique: test.technique})
		l.Attach(0)
		l.Attach(1)
		l.calls(1, 4)
		l.calls(0, test.calls)
		l.calls(1, 6)
		if got := l.stop(); got != test.want || l.out.Info.Overflow || l.Active() != test.listening {
			t.Errorf("%s %s: %s, overflow %t, listening %t; want %s, false, %t", test.runtime, test.technique,
				got, l.out.Info.Overflow, l.Active(), test.want, test.listening)
		}
		if warned := len(l.out.Warnings) > 0; warned == test.listening {
			t.Errorf("%s %s: warnings %q", test.runtime, test.technique, l.out.Warnings)
		}
	}
}

// TestFullFileEnds: flushing thread buffers into a full file stops at the first buffer that does
// not fit.
func TestFullFileEnds(t *testing.T) {
	const full = 174762
	l := newTestLog(t, "art15", Config{BufferSize: 32 + 14*full + 14*50})
	for id := range trace.ThreadID(3) {
		l.Attach(id)
	}
	l.calls(2, 10) // fits, but flushing stops at b
	l.calls(1, 60) // does not fit after a
	l.calls(0, full+1)
	if got, want := l.stop(), "a174762 c10"; got != want || !l.out.Info.Overflow {
		t.Errorf("%s, want %s: b's run is dropped, c's is written at stop", got, want)
	}
	if l.dropped != 61 {
		t.Errorf("%d events dropped, want the 60 of b and the one that did not fit into the buffer of a", l.dropped)
	}
}

// TestFullFileListens: if a flushed buffer fills the file, listeners stay in 14 QPR2 and end in 15
// and 17. The file has room for 100 records.
func TestFullFileListens(t *testing.T) {
	for runtime, listening := range map[string]bool{"art14qpr2": true, "art15": false, "art17": false} {
		l := newTestLog(t, runtime, Config{BufferSize: 32 + 14*100})
		l.Attach(0)
		l.calls(0, 300_000)
		if l.Active() != listening {
			t.Errorf("%s: listening %t, want %t", runtime, l.Active(), listening)
		}
		l.stop()
		if !l.out.Info.Overflow || len(l.out.Warnings) != 1 {
			t.Errorf("%s: overflow %t, warnings %q", runtime, l.out.Info.Overflow, l.out.Warnings)
		}
	}
}
