package art

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"testing"
	"time"

	"artifice/format/dmtrace"
	"artifice/internal/dmformat"
	"artifice/trace"
)

// TestV2FullFile: in format V2 a run is truncated when the remaining space is less than the longest
// record (20 bytes with one clock, 30 with two). The expected size is that of the block in the
// written file.
func TestV2FullFile(t *testing.T) {
	for _, runtime := range []string{"art16", "art17"} {
		for clock := range trace.ThreadCPU + 1 {
			const room = 2000
			buffer := int64(headerSize + room)
			if runtime == "art16" { // its file header does not count
				buffer = room
			}
			l := newTestLog(t, runtime, Config{V2: true, Clock: clock, BufferSize: buffer})
			rng := rand.New(rand.NewPCG(uint64(clock), 7))
			for range 1000 {
				l.wall += time.Duration(rng.IntN(1 << rng.IntN(30)))
				m, action := trace.MethodID(rng.IntN(4)), trace.Enter
				e := []trace.Event{{Wall: l.wall, CPU: l.wall / 2, Method: m, Action: action}}
				if err := l.WriteEvents(e); err != nil {
					t.Fatal(err)
				}
			}
			if err := l.Stop(l.wall); err != nil {
				t.Fatal(err)
			}
			used := room - int(l.room)
			if block := blockSize(t, l.Log); block != used || room-used >= dmformat.MaxRecordV2(clock) || room < used {
				t.Errorf("%s, %s: %d of %d bytes used, the writer's block has %d", runtime, clock, used, room, block)
			}
			if !l.out.Info.Overflow || l.out.Info.Events+l.dropped != 1000 {
				t.Errorf("%s, %s: overflow %t, %d events in the file, %d dropped", runtime, clock,
					l.out.Info.Overflow, l.out.Info.Events, l.dropped)
			}
		}
	}
}

// TestV2ListsLoadedClasses: before any event the recording has the methods of the loaded classes,
// but not those internal to ART (Trace::Start visits all classes, RecordMethodInfoV2 records their
// declared methods). In older formats a method is defined by its first event.
func TestV2ListsLoadedClasses(t *testing.T) {
	truth := &trace.Recording{Symbols: &trace.Symbols{}}
	for _, m := range []trace.Method{{Name: "a"}, {Name: "stub", Flags: trace.RuntimeInternal}, {Name: "b"}} {
		truth.Symbols.AddMethod(m)
	}
	runtime, err := ByName("art16")
	if err != nil {
		t.Fatal(err)
	}
	for _, v2 := range []bool{false, true} {
		l, err := NewLog(truth, Config{Runtime: runtime, V2: v2})
		if err != nil {
			t.Fatal(err)
		}
		known := ""
		for _, m := range l.Recording().Symbols.Methods {
			known += m.Name
		}
		if want := map[bool]string{false: "", true: "ab"}[v2]; known != want {
			t.Errorf("V2 %t: methods %q are known at the start, want %q", v2, known, want)
		}
	}
}

// blockSize writes the file and returns the size of its only block of entries in bytes.
func blockSize(t *testing.T, l *Log) int {
	t.Helper()
	events := make([]trace.Event, l.written)
	events = events[:l.Take(events)]
	var file bytes.Buffer
	w, err := dmtrace.NewWriter(&file, l.Recording(), dmtrace.Options{Output: dmtrace.EntriesLast})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.WriteEvents(events); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	v, _ := dmformat.ByName(l.Recording().Source.Format)
	for b := file.Bytes()[dmformat.HeaderSize:]; len(b) > 0; {
		switch b[0] {
		case dmformat.PacketThread:
			b = b[dmformat.ThreadHead+int(binary.LittleEndian.Uint16(b[5:])):]
		case dmformat.PacketMethod:
			b = b[dmformat.MethodHead+int(binary.LittleEndian.Uint16(b[9:])):]
		case dmformat.PacketEntries:
			return dmformat.BlockHeadSize(v.V2, 2) + int(dmformat.ParseBlockHead(b, v.V2, 2).Bytes)
		default:
			t.Fatalf("packet %d before the entries", b[0])
		}
	}
	t.Fatal("no entries")
	return 0
}
