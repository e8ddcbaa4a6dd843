package dmtrace

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"

	"artifice/internal/dmformat"
	"artifice/internal/testdata"
	"artifice/trace"
)

// madeV2 composes a file in format V2 from packets.
type madeV2 struct {
	gen    dmformat.Generation
	clocks int
	b      []byte

	// of the current block
	body              []byte
	records           int
	method, wall, cpu uint64
	head              []byte
}

func newMadeV2(gen dmformat.Generation, clocks int) *madeV2 {
	m := &madeV2{gen: gen, clocks: clocks}
	m.b = append(m.b, "SLOW"...)
	m.b = append(m.b, 0xf3+byte(clocks), 0, 7, 0, 0, 0, 0, 0, 0, 0) // version 4 or 5, start 7
	m.b = append(m.b, make([]byte, 18)...)
	return m
}

func (m *madeV2) thread(tid uint32, name string) {
	m.b = binary.LittleEndian.AppendUint32(append(m.b, 0), tid)
	m.b = append(append(m.b, byte(len(name)), byte(len(name)>>8)), name...)
}

func (m *madeV2) define(id uint64, line string) {
	m.b = binary.LittleEndian.AppendUint64(append(m.b, 1), id)
	m.b = append(append(m.b, byte(len(line)), byte(len(line)>>8)), line...)
}

// event adds a record to the block.
func (m *madeV2) event(word, wall, cpu uint64) {
	switch first := m.records == 0; {
	case m.gen == dmformat.V2of15 && first:
		m.head = binary.LittleEndian.AppendUint64(nil, word)
		if m.clocks == 2 {
			m.head = binary.LittleEndian.AppendUint32(m.head, uint32(cpu))
		}
		m.head = binary.LittleEndian.AppendUint32(m.head, uint32(wall))
	case m.gen == dmformat.V2of17:
		m.body = dmformat.AppendSLEB(m.body, int64((wall<<2|word&3)-m.wall))
		if m.clocks == 2 {
			m.body = dmformat.AppendSLEB(m.body, int64(cpu-m.cpu))
		}
		if word&3 == 0 {
			m.body = dmformat.AppendSLEB(m.body, int64(word-m.method))
			m.method = word
		}
		m.wall, m.cpu = wall<<2|word&3, cpu
	default:
		m.body = dmformat.AppendSLEB(m.body, int64(word-m.method))
		m.body = dmformat.AppendULEB(m.body, wall-m.wall)
		if m.clocks == 2 {
			m.body = dmformat.AppendULEB(m.body, cpu-m.cpu)
		}
	}
	if m.gen != dmformat.V2of17 {
		m.method, m.wall, m.cpu = word, wall, cpu
	}
	m.records++
}

// flush ends the block. Its numbers are truncated to the size of ART's fields.
func (m *madeV2) flush(tid uint32) {
	m.b = binary.LittleEndian.AppendUint32(append(m.b, 2), tid)
	if m.gen == dmformat.V2of15 {
		m.b = append(m.b, m.head...)
		m.b = binary.LittleEndian.AppendUint16(m.b, uint16(m.records-1))
		m.b = binary.LittleEndian.AppendUint16(m.b, uint16(len(m.body)))
	} else {
		count := uint16(m.records)
		m.b = append(m.b, byte(count), byte(count>>8), 0)
		m.b = binary.LittleEndian.AppendUint32(m.b, uint32(len(m.body)))
	}
	m.b = append(m.b, m.body...)
	m.body, m.records, m.method, m.wall, m.cpu = nil, 0, 0, 0, 0
}

func (m *madeV2) summary(clock string) {
	unit := "n"
	if m.gen == dmformat.V2of15 {
		unit = "u"
	}
	text := fmt.Sprintf("*version\n%d\nclock=%s\nelapsed-time-%ssec=9000\nvm=art\n*end\n", 3+m.clocks, clock, unit)
	m.b = append(append(m.b, 3, byte(len(text)), byte(len(text)>>8)), text...)
}

// IDs are addresses, like those of ART.
const idF, idG = 0x7fa2c01010, 0x7fa2c01038

// smallV2 returns the calls of dualRecords, in two blocks of thread 1 and one block of thread 2.
func smallV2(gen dmformat.Generation, clocks int, clock string) *madeV2 {
	m := newMadeV2(gen, clocks)
	m.define(idF, "a.A\tf\t()V\tA.java\n")
	m.define(idG, "a.A\tg\t()V\tA.java\n")
	m.thread(70001, "main")
	m.event(idF, 100, 0)
	m.event(idG, 120, 10)
	m.flush(70001)
	m.thread(2, "worker")
	m.event(idF, 125, 0)
	m.event(idF|2, 140, 5)
	m.flush(2)
	m.event(idG|1, 130, 20)
	m.event(idF|1, 150, 30)
	m.flush(70001)
	if clock != "" {
		m.summary(clock)
	}
	return m
}

var generations = []dmformat.Generation{dmformat.V2of15, dmformat.V2of16, dmformat.V2of17}

// unitOf returns the time unit of a generation.
func unitOf(g dmformat.Generation) time.Duration {
	if g == dmformat.V2of15 {
		return time.Microsecond
	}
	return time.Nanosecond
}

func TestV2ShortFiles(t *testing.T) {
	for _, g := range generations {
		for _, clock := range []string{"dual", "wall", "thread-cpu"} {
			clocks := 1
			if clock == "dual" {
				clocks = 2
			}
			f, events, err := open(smallV2(g, clocks, clock).b)
			if err != nil || len(f.Warnings) > 0 {
				t.Errorf("%d, %s: %v, warnings %q", g, clock, err, f.Warnings)
				continue
			}
			var got []string
			for _, e := range events {
				th, m := f.Symbols.Thread(e.Thread), f.Symbols.Method(e.Method)
				got = append(got, fmt.Sprintf("%d %d %d %s %s %s", e.Wall/unitOf(g), e.CPU/unitOf(g), th.TID, th.Name, e.Action, m.Name))
			}
			want := map[string]string{
				"dual": "100 0 70001 main enter f; 120 10 70001 main enter g; 125 0 2 worker enter f; 140 5 2 worker unwind f; 130 20 70001 main exit g; 150 30 70001 main exit f",
				"wall": "100 0 70001 main enter f; 120 0 70001 main enter g; 125 0 2 worker enter f; 140 0 2 worker unwind f; 130 0 70001 main exit g; 150 0 70001 main exit f",
				// A single clock replaces the wall clock.
				"thread-cpu": "0 100 70001 main enter f; 0 120 70001 main enter g; 0 125 2 worker enter f; 0 140 2 worker unwind f; 0 130 70001 main exit g; 0 150 70001 main exit f",
			}[clock]
			if s := strings.Join(got, "; "); s != want {
				t.Errorf("%d, %s:\n%s, want\n%s", g, clock, s, want)
			}
			if f.Source.Format != dmformat.OfGeneration(g).Name || f.Info.Clock.String() != clock || f.Info.Start != 7*unitOf(g) {
				t.Errorf("%d, %s: %s, %s, start %s", g, clock, f.Source.Format, f.Info.Clock, f.Info.Start)
			}
		}
	}
}

// TestV2GenerationsWithoutSummary checks that, without a summary, the first blocks determine the
// generation.
func TestV2GenerationsWithoutSummary(t *testing.T) {
	for _, g := range generations {
		for _, clocks := range []int{1, 2} {
			f, events, err := open(smallV2(g, clocks, "").b)
			if err != nil || len(events) != 6 || f.Source.Format != dmformat.OfGeneration(g).Name || !hasWarning(f, "no summary,") {
				t.Errorf("%d, %d clocks: %d events, read as %s, %v, warnings %q", g, clocks, len(events), f.Source.Format, err, f.Warnings)
			}
			if hasWarning(f, "read as wall time") != (clocks == 1) {
				t.Errorf("%d, %d clocks: warnings %q", g, clocks, f.Warnings)
			}
		}
	}
}

// TestV2FormatOverrides checks that ReadOptions.Format overrides the detection by content.
func TestV2FormatOverrides(t *testing.T) {
	b := smallV2(dmformat.V2of16, 1, "").b
	f, err := New(bytes.NewReader(b), "made", ReadOptions{Format: "art-v2-17"})
	if err != nil || f.Source.Format != "art-v2-17" {
		t.Errorf("%v", err)
	}
	f.Close()
	for _, format := range []string{"art", "none"} {
		if _, err := New(bytes.NewReader(b), "made", ReadOptions{Format: format}); err == nil {
			t.Errorf("a file in format V2 was read as %s", format)
		}
	}
}

// TestV2CutAtEveryByte checks files of each generation that are truncated at every byte. The reader
// returns the complete records, and an error, or a warning if the file ends between two packets.
func TestV2CutAtEveryByte(t *testing.T) {
	testdata.Seldom(t, 4)
	for _, g := range generations {
		for _, clocks := range []int{1, 2} {
			clock := []string{"wall", "dual"}[clocks-1]
			whole := smallV2(g, clocks, clock).b
			_, all, err := open(whole)
			if err != nil {
				t.Fatal(err)
			}
			ends, packets := walkV2(whole, g, clocks)
			for n := range len(whole) {
				f, err := New(bytes.NewReader(whole[:n]), "cut", ReadOptions{Format: dmformat.OfGeneration(g).Name})
				var b trace.Buffer
				if err == nil {
					_, err = trace.Copy(&b, f.Events)
				}
				want := 0
				for want < len(ends) && ends[want] <= n {
					want++
				}
				for i, e := range b.Events {
					if e != all[i] {
						t.Fatalf("%d, %d clocks, cut at %d: event %d is %+v, want %+v", g, clocks, n, i, e, all[i])
					}
				}
				switch {
				case len(b.Events) != want:
					t.Fatalf("%d, %d clocks, cut at %d: %d events, want %d", g, clocks, n, len(b.Events), want)
				case packets[n]:
					if err != nil || !hasWarning(f, "no summary,") {
						t.Fatalf("%d, %d clocks, cut at %d, between packets: %v", g, clocks, n, err)
					}
				default:
					(&cutFile{}).checkError(t, n, err)
				}
				if f != nil {
					f.Close()
				}
			}
		}
	}
}

// walkV2 returns the offsets of the ends of records and of packets.
func walkV2(b []byte, g dmformat.Generation, clocks int) (ends []int, packets map[int]bool) {
	packets = map[int]bool{}
	for at := 32; at < len(b); {
		packets[at] = true
		switch b[at] {
		case 0:
			at += 7 + int(binary.LittleEndian.Uint16(b[at+5:]))
		case 1:
			at += 11 + int(binary.LittleEndian.Uint16(b[at+9:]))
		case 3:
			at += 3 + int(binary.LittleEndian.Uint16(b[at+1:]))
		default:
			size := map[bool]int{true: 17 + 4*clocks, false: 12}[g == dmformat.V2of15]
			end := at + size + int(binary.LittleEndian.Uint16(b[at+size-2:]))
			if g != dmformat.V2of15 {
				end = at + size + int(binary.LittleEndian.Uint32(b[at+8:]))
			}
			at += size
			if g == dmformat.V2of15 {
				ends = append(ends, at)
			}
			word := uint64(0)
			for at < end {
				x, n, _ := dmformat.SLEB(b[at:])
				word += uint64(x)
				at += n
				more := clocks // number of the following differences
				if g == dmformat.V2of17 && word&3 != 0 {
					more--
				}
				for range more {
					_, n, _ := dmformat.SLEB(b[at:])
					at += n
				}
				ends = append(ends, at)
			}
		}
	}
	return ends, packets
}

// TestV2LongBlocks checks runs that are written as one block. ART of Android 15 truncates both
// numbers of a block to 16 bits, and ART of Android 16 the count.
func TestV2LongBlocks(t *testing.T) {
	for _, g := range generations {
		m := newMadeV2(g, 2)
		m.define(idF, "a.A\tf\t()V\tA.java\n")
		m.define(idG, "a.A\tg\t()V\tA.java\n")
		m.thread(9, "main")
		const runs, records = 2, 170000 // 65536 * 2 + 38928
		for range runs {
			for i := range uint64(records) {
				m.event([]uint64{idF, idG, idG | 1, idF | 1}[i%4], 1000+i*300, i*200)
			}
			m.flush(9)
		}
		for _, summary := range []bool{true, false} {
			if summary {
				m.summary("dual")
			}
			f, events, err := open(m.b)
			if err != nil || len(events) != runs*records || len(f.Source.Blocks) != runs || f.Source.Format != dmformat.OfGeneration(g).Name {
				t.Fatalf("%d: %d events, %v, read as %s", g, len(events), err, f.Source.Format)
			}
			for i, e := range events {
				i %= records
				if e.Wall != time.Duration(1000+i*300)*unitOf(g) || e.CPU != time.Duration(i*200)*unitOf(g) ||
					e.Action != []trace.Action{0, 0, 1, 1}[i%4] || f.Symbols.Method(e.Method).Name != []string{"f", "g", "g", "f"}[i%4] {
					t.Fatalf("%d: event %d is %+v", g, i, e)
				}
			}
			if summary != (len(f.Warnings) == 0) {
				t.Errorf("%d: warnings %q", g, f.Warnings)
			}
			if summary {
				m.b = m.b[:bytes.LastIndex(m.b, []byte("*version"))-3]
			}
		}
	}
}

// TestV2BlockInPieces: a block of more than a million records is represented by pieces that add up
// to the whole block.
func TestV2BlockInPieces(t *testing.T) {
	const records = maxPiece + 6
	m := newMadeV2(dmformat.V2of16, 1)
	m.define(idF, "a.A\tf\t()V\tA.java\n")
	m.thread(9, "main")
	for i := range uint64(records) {
		m.event([]uint64{idF, idF | 1}[i%2], 1000+i, 0)
	}
	m.flush(9)
	m.summary("global")
	f, events, err := open(m.b)
	if err != nil || len(events) != records {
		t.Fatalf("%d events, %v", len(events), err)
	}
	if b := f.Source.Blocks; len(b) != 2 || b[0].Events != maxPiece || b[1].Events != 6 {
		t.Errorf("the pieces of a block of %d records are %+v", records, b)
	}
	if w := f.Warnings; len(w) != 1 || w[0].Text != "a block of thread 9 has more than 1048576 records; convert splits the block" {
		t.Errorf("warnings %q", w)
	}
}

// TestV2ReusedTID checks blocks of Android 15, which have 32 bits of microseconds of each clock.
// Threads share the wall clock, so a thread that reuses a tid begins when its predecessor ended,
// also after a wrap. Each thread has its own CPU clock, which begins at 0.
func TestV2ReusedTID(t *testing.T) {
	const turn = 1 << 32 * time.Microsecond
	m := newMadeV2(dmformat.V2of15, 2)
	m.define(idF, "a.A\tf\t()V\tA.java\n")
	m.thread(9, "first")
	m.event(idF, 1<<32-100, 3_000_000_000)
	m.flush(9)
	m.event(idF|1, 200, 3_000_000_100) // after the wrap
	m.flush(9)
	m.thread(9, "second")
	m.event(idF, 300, 10)
	m.event(idF|1, 1300, 20)
	m.flush(9)
	m.summary("dual")
	f, events, err := open(m.b)
	if err != nil || len(events) != 4 {
		t.Fatalf("%d events, error %v", len(events), err)
	}
	for i, want := range []struct {
		thread    string
		wall, cpu time.Duration
	}{
		{"first", turn - 100*time.Microsecond, 3000 * time.Second},
		{"first", turn + 200*time.Microsecond, 3000*time.Second + 100*time.Microsecond},
		{"second", turn + 300*time.Microsecond, 10 * time.Microsecond},
		{"second", turn + 1300*time.Microsecond, 20 * time.Microsecond},
	} {
		if e := events[i]; f.Symbols.Thread(e.Thread).Name != want.thread || e.Wall != want.wall || e.CPU != want.cpu {
			t.Errorf("event %d of %s at %s, CPU %s; want %+v", i, f.Symbols.Thread(e.Thread).Name, e.Wall, e.CPU, want)
		}
	}
}

// TestV2SplitRun checks a streamed run of more than 3 MiB, which ART of Android 16 splits. The
// differences of the second block continue from the last values of the first one, and its count
// includes that of the first one.
func TestV2SplitRun(t *testing.T) {
	testdata.Seldom(t, 4)
	m := newMadeV2(dmformat.V2of16, 1)
	m.define(idF, "a.A\tf\t()V\tA.java\n")
	m.thread(9, "main")
	n := uint64(0)
	step := func() { m.event(idF|n%2, n<<40>>1, 0); n++ } // differences of 7 bytes
	for 3<<20-12-len(m.body) >= 20 {
		step()
	}
	first, method, wall := m.records, m.method, m.wall
	m.flush(9)
	m.method, m.wall, m.records = method, wall, first
	for range 1000 {
		step()
	}
	m.flush(9)
	m.event(idF, 5, 0) // another run; its differences start from 0
	m.flush(9)
	m.summary("wall")
	f, events, err := open(m.b)
	if err != nil || uint64(len(events)) != n+1 || !hasWarning(f, "at 3 MiB; convert writes it as two blocks") || len(f.Warnings) != 1 {
		t.Fatalf("%d events, want %d, error %v, warnings %q", len(events), n+1, err, f.Warnings)
	}
	for i, e := range events[:n] {
		if want := time.Duration(uint64(i) << 40 >> 1); e.Wall != want || e.Method != 0 || e.Action != trace.Action(i%2) {
			t.Fatalf("event %d is %+v, want it at %d", i, e, want)
		}
	}
	if e := events[n]; e.Wall != 5 {
		t.Errorf("the last event is %+v", e)
	}
	sameOnAllCores(t, "split", m.b, ReadOptions{}, aheadOptions{Cores: 2, Bytes: 1 << 22}, aheadOptions{Cores: 3, Bytes: testdata.Times(1<<16, 1)})
}

// TestV2Frequency checks times of the 17th generation, which are ticks of a counter. The header
// states its frequency.
func TestV2Frequency(t *testing.T) {
	m := smallV2(dmformat.V2of17, 1, "wall")
	binary.LittleEndian.PutUint64(m.b[22:], 24_576_000)
	f, events, err := open(m.b)
	if err != nil || len(f.Warnings) > 0 {
		t.Fatal(err, f.Warnings)
	}
	for i, ticks := range []int64{100, 120, 125, 140, 130, 150} {
		if want := time.Duration(ticks * 1_000_000_000 / 24_576_000); events[i].Wall != want {
			t.Errorf("event %d at %d ns, want %d", i, events[i].Wall, want)
		}
	}
	binary.LittleEndian.PutUint64(m.b[22:], 2_400_000_000)
	if f, _, err := open(m.b); err != nil || !hasWarning(f, "times are truncated to ns") {
		t.Errorf("2.4 GHz: %v", err)
	}
}

// TestV2LatestCounter checks the maximum time at 250 MHz. After 1<<61 ticks it is 1<<63 ns, which
// exceeds time.Duration. The previous tick is valid. The time is rejected also between records of
// the usual form.
func TestV2LatestCounter(t *testing.T) {
	for _, test := range []struct {
		ticks  uint64
		events int // before the error; 30 without an error
	}{{1<<61 - 1, 30}, {1 << 61, 1}} {
		m := newMadeV2(dmformat.V2of17, 1)
		binary.LittleEndian.PutUint64(m.b[22:], 250_000_000)
		m.define(idF, "a.A\tf\t()V\tA.java\n")
		m.thread(9, "main")
		m.event(idF, test.ticks-100, 0)
		for i := range 29 {
			m.event(idF|uint64(1-i%2), test.ticks, 0)
		}
		m.flush(9)
		m.summary("wall")
		_, events, err := open(m.b)
		if len(events) != test.events || (err == nil) != (test.events == 30) || err != nil && !strings.Contains(err.Error(), "record 1: a time is out of range") {
			t.Errorf("%d ticks: %d events, error %v", test.ticks, len(events), err)
		}
	}
}

// TestV2OrphanExit checks that an orphan exit has no method in the 17th generation.
func TestV2OrphanExit(t *testing.T) {
	m := newMadeV2(dmformat.V2of17, 1)
	m.define(idF, "a.A\tf\t()V\tA.java\n")
	m.thread(9, "main")
	m.event(1, 10, 0)
	m.event(idF, 20, 0)
	m.event(1, 30, 0)
	m.flush(9)
	m.summary("wall")
	f, events, err := open(m.b)
	if err != nil || len(events) != 3 {
		t.Fatal(len(events), err)
	}
	if !f.Symbols.Method(events[0].Method).Unlisted || f.Symbols.Method(events[2].Method).Name != "f" {
		t.Errorf("methods %+v", f.Symbols.Methods)
	}
}

func TestV2Broken(t *testing.T) {
	for _, test := range []struct {
		gen  dmformat.Generation
		make func(m *madeV2)
		want string
	}{
		{dmformat.V2of16, func(m *madeV2) { m.b = append(m.b, 9) }, "offset 67: unknown packet code 9"},
		{dmformat.V2of16, func(m *madeV2) { m.event(idF, 1, 0); m.body = append(m.body, 0x80); m.flush(9); m.summary("wall") }, "record 1: the record runs past the end of the block"},
		{dmformat.V2of16, func(m *madeV2) {
			m.event(idF, 1, 0)
			m.body = append(m.body, bytes.Repeat([]byte{0xff}, 11)...)
			m.flush(9)
			m.summary("wall")
		}, "record 1: a number does not end after 10 bytes"},
		{dmformat.V2of16, func(m *madeV2) { m.event(idF, 1<<63, 0); m.flush(9); m.summary("wall") }, "record 0: a time is out of range"},
		{dmformat.V2of15, func(m *madeV2) { m.event(idF, 1, 0); m.event(idF|1, 1<<33, 0); m.flush(9); m.summary("wall") }, "more than 32 bits"},
		{dmformat.V2of15, func(m *madeV2) {
			m.event(idF, 1, 0)
			m.event(idF|1, 2, 0)
			m.records = 9
			m.flush(9)
			m.summary("wall")
		}, "numbers of records and bytes that do not match"},
		{dmformat.V2of16, func(m *madeV2) { m.clocks = 2; m.summary("dual") }, "the key section states version 5, but the header states version 4"},
		{dmformat.V2of16, func(m *madeV2) { m.b = append(m.b, 3, 1, 0, 'x') }, "before its *end"},
		{dmformat.V2of16, func(m *madeV2) { m.b = append(m.b, 3, 9, 0); m.b = append(m.b, "*version\n3"...) }, ""},
	} {
		m := newMadeV2(test.gen, 1)
		m.define(idF, "a.A\tf\t()V\tA.java\n")
		m.thread(9, "")
		test.make(m)
		_, _, err := open(m.b)
		var fe *trace.FormatError
		if !errors.As(err, &fe) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("generation %d: error %v, want %q", test.gen, err, test.want)
		}
	}
}

func TestV2IrregularBlocks(t *testing.T) {
	for _, test := range []struct {
		gen    dmformat.Generation
		make   func(m *madeV2)
		events int
		want   string // warning; "" for none
	}{
		{dmformat.V2of16, func(m *madeV2) { m.flush(9) }, 0, ""}, // an empty block, as after an overflow
		{dmformat.V2of17, func(m *madeV2) { m.flush(9); m.event(idF, 1, 0); m.flush(9) }, 1, ""},
		{dmformat.V2of16, func(m *madeV2) { m.event(idF, 1, 0); m.records = 7; m.flush(9) }, 1, "has 1 records, but its header states 7"},
		{dmformat.V2of16, func(m *madeV2) { m.event(idF, 1, 0); m.flush(8) }, 1, ""},           // unlisted thread
		{dmformat.V2of16, func(m *madeV2) { m.event(idG, 1, 0); m.flush(9) }, 1, ""},           // unlisted method
		{dmformat.V2of16, func(m *madeV2) { m.event(idF|3, 1, 0); m.flush(9) }, 1, "action 3"}, // reserved
		{dmformat.V2of16, func(m *madeV2) {
			m.event(idF, 1, 0)
			m.body[len(m.body)-1] |= 0x80
			m.body = append(m.body, 0)
			m.flush(9)
		}, 1, "redundant bytes"},
		{dmformat.V2of16, func(m *madeV2) { m.thread(9, "again"); m.event(idF, 1, 0); m.flush(9) }, 1, ""},
		{dmformat.V2of16, func(m *madeV2) { m.define(idG, "one column\n") }, 0, "has 2 columns"},
		{dmformat.V2of16, func(m *madeV2) { m.define(idG|1, "a\tf\t()V\t\n") }, 0, "not a multiple of 4"},
	} {
		m := newMadeV2(test.gen, 1)
		m.define(idF, "a.A\tf\t()V\tA.java\n")
		m.thread(9, "main")
		test.make(m)
		m.summary("wall")
		f, err := New(bytes.NewReader(m.b), "made", ReadOptions{Format: dmformat.OfGeneration(test.gen).Name})
		if err != nil {
			t.Errorf("%q: %v", test.want, err)
			continue
		}
		events := readAll(t, f.Events)
		if len(events) != test.events || test.want == "" && len(f.Warnings) > 0 || test.want != "" && !hasWarning(f, test.want) {
			t.Errorf("%d events, want %d; warnings %q, want %q", len(events), test.events, f.Warnings, test.want)
		}
		f.Close()
	}
}

// TestHostileLengths checks that the size of a file bounds the allocated memory, whatever lengths
// it states. Each of these files has a few bytes and states the maximum length.
func TestHostileLengths(t *testing.T) {
	v2 := func(b ...byte) []byte { return append(newMadeV2(dmformat.V2of16, 1).b, b...) }
	big := []byte{0xff, 0xff, 0xff, 0xff}
	hostile := map[string][]byte{
		"v2 block":          append(append(v2(2, 9, 0, 0, 0), 0xff, 0xff, 0xff), big...),
		"v2 thread":         v2(0, 9, 0, 0, 0, 0xff, 0xff),
		"v2 method":         v2(1, 8, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff),
		"v2 summary":        v2(3, 0xff, 0xff, '*'),
		"stream method":     append(madeHeader(0xf3, 14), 0, 0, 1, 0xff, 0xff),
		"stream thread":     append(madeHeader(0xf3, 14), 0, 0, 2, 1, 0, 0xff, 0xff),
		"stream summary":    append(append(madeHeader(0xf3, 14), 0, 0, 3), big...),
		"header":            append([]byte(madeKey(3, "clock=dual")), "SLOW\x03\x00\xff\xff"...),
		"record size":       append([]byte(madeKey(3, "clock=dual")), madeHeader(3, 0xffff)...),
		"records":           append([]byte(madeKey(3, "clock=dual", "num-method-calls=9223372036854775807")), madeHeader(3, 14)...),
		"tid":               append([]byte("*version\n3\nclock=dual\n*threads\n4294967295\tmain\n*methods\n*end\n"), madeHeader(3, 14)...),
		"method id":         append([]byte("*version\n3\nclock=dual\n*threads\n*methods\n0xfffffffc\ta\tf\t()V\n*end\n"), madeHeader(3, 14)...),
		"method id, 64 bit": append([]byte("*version\n3\nclock=dual\n*threads\n*methods\n0xfffffffffffffffc\ta\tf\t()V\n*end\n"), madeHeader(3, 14)...),
	}
	for name, data := range hostile {
		for _, format := range []string{"", "art-v2-15", "art-v2-17"} {
			if format != "" && !strings.HasPrefix(name, "v2") {
				continue
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			f, err := New(bytes.NewReader(data), name, ReadOptions{Format: format})
			if err == nil {
				_, err = trace.Copy(&trace.Buffer{}, f.Events)
				f.Close()
			}
			runtime.ReadMemStats(&after)
			// These are buffers for reading, lookahead and copying.
			if used := after.TotalAlloc - before.TotalAlloc; used > 2<<20 {
				t.Errorf("%s of %d bytes, %q: %d KiB allocated", name, len(data), format, used>>10)
			}
			if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
				var fe *trace.FormatError
				if !errors.As(err, &fe) {
					t.Errorf("%s: %v", name, err)
				}
			}
		}
	}
}

func BenchmarkReadV2(b *testing.B) {
	for _, g := range generations {
		for _, clocks := range []int{1, 2} {
			b.Run(fmt.Sprintf("%d, %d clocks", g, clocks), func(b *testing.B) {
				defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
				readFile(b, benchmarkV2(b, g, clocks), benchmarkEvents)
			})
		}
	}
}

// benchmarkEvents is the number of events in files of benchmarkV2.
const benchmarkEvents = 1 << 20

// benchmarkV2 writes a file in format V2 and returns its path.
func benchmarkV2(b *testing.B, g dmformat.Generation, clocks int) string {
	m := newMadeV2(g, clocks)
	ids := make([]uint64, 2000)
	for i := range ids {
		ids[i] = idF + uint64(i)*40
		m.define(ids[i], fmt.Sprintf("a.A\tf%d\t()V\tA.java\n", i))
	}
	m.thread(9, "main")
	for i := range uint64(benchmarkEvents) {
		m.event(ids[i*7919%2000]|i%2, i*2500, i*2300)
		if m.records == 50000 {
			m.flush(9)
		}
	}
	m.flush(9)
	m.summary([]string{"wall", "dual"}[clocks-1])
	path := b.TempDir() + "/bench.trace"
	writeFile(b, path, m.b)
	f, err := Open(path, ReadOptions{})
	if err != nil || f.Source.Format != dmformat.OfGeneration(g).Name {
		b.Fatal(err)
	}
	f.Close()
	return path
}
