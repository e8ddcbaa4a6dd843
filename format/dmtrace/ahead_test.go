package dmtrace

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"artifice/internal/dmformat"
	"artifice/internal/testdata"
	"artifice/trace"
)

// reading is the complete result of reading a file.
type reading struct {
	Events   []trace.Event
	Offsets  []int64 // of some events, if the reader states them
	Err      string
	Warnings []string
	Info     trace.Info
	Symbols  *trace.Symbols
	Source   *trace.Source
}

// readWith reads data, on several cores if how specifies them.
func readWith(t testing.TB, data []byte, cfg ReadOptions, batch int) reading {
	t.Helper()
	cfg.TempDir = t.TempDir()
	f, err := newFile("made", cfg).open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return reading{Err: err.Error()}
	}
	defer f.Close()
	var got reading
	p := make([]trace.Event, batch)
	for err == nil {
		var n int
		n, err = f.Events.ReadEvents(p)
		for i := len(got.Events); i < len(got.Events)+n; i++ {
			if i%97 == 0 {
				got.Offsets = append(got.Offsets, f.Events.(trace.Locator).Offset(int64(i)))
			}
		}
		got.Events = append(got.Events, p[:n]...)
	}
	if n, again := f.Events.ReadEvents(p); n > 0 || again != err {
		t.Errorf("read after %v: %d events, %v", err, n, again)
	}
	got.Err, got.Info, got.Symbols, got.Source = err.Error(), f.Info, f.Symbols, f.Source
	for _, w := range f.Warnings {
		got.Warnings = append(got.Warnings, w.String())
	}
	return got
}

// sameOnAllCores checks that reading data on one core, and on several in chunks of several sizes,
// gives equal results.
func sameOnAllCores(t *testing.T, name string, data []byte, cfg ReadOptions, hows ...aheadOptions) {
	t.Helper()
	cfg.ahead = aheadOptions{Cores: 1}
	want := readWith(t, data, cfg, trace.BatchSize)
	for _, how := range hows {
		how.From = 1
		cfg.ahead = how
		got := readWith(t, data, cfg, trace.BatchSize)
		if slices.Equal(got.Events, want.Events) && slices.Equal(got.Offsets, want.Offsets) {
			got.Events, got.Offsets = want.Events, want.Offsets // compared above; a diff would be long
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%s on %d cores in chunks of %d bytes (-one core +these):\n%.4000s", name, how.Cores, how.Bytes, diff)
		}
	}
}

var allCores = []aheadOptions{{Cores: 2, Bytes: 100}, {Cores: 3, Bytes: 1000}, {Cores: 8, Bytes: 5000}, {Cores: 2, Bytes: 1 << 17}}

// TestDecodeAheadSameResult: reading a file on one core and on several cores gives the same result
// for any damage. All other tests check the result on one core.
func TestDecodeAheadSameResult(t *testing.T) {
	seed := uint64(2)
	if !testdata.Exhaustive() {
		seed = rand.Uint64()
		t.Log("seed", seed)
	}
	rng := rand.New(rand.NewPCG(18, seed))
	files := aheadFiles(t)
	for _, name := range testdata.Some(t, slices.Sorted(maps.Keys(files)), 2) {
		t.Run(name, func(t *testing.T) {
			data, cfg := files[name], ReadOptions{}
			if g := 0; strings.Contains(name, "wild") {
				if n, _ := fmt.Sscanf(name, "V2 of %d", &g); n == 1 { // its beginning fits others as well
					cfg.Format = fmt.Sprintf("art-v2-%d", g)
				}
			}
			sameOnAllCores(t, name, data, cfg, allCores...)
			deep := cfg
			deep.Limits.Depth = 12
			sameOnAllCores(t, name+", deep", data, deep, allCores...)
			times := min(50, 2+1<<20/len(data))
			if testing.Short() || !testdata.Exhaustive() {
				times = min(times, 4)
			}
			for range times {
				how := aheadOptions{Cores: 2 + rng.IntN(7), Bytes: 1 + rng.IntN(1<<rng.IntN(17))}
				n := rng.IntN(len(data))
				sameOnAllCores(t, fmt.Sprintf("cut at %d", n), data[:n], cfg, how)
				broken := slices.Clone(data)
				for range 1 + rng.IntN(3) {
					n, c := rng.IntN(len(data)), byte(rng.IntN(256))
					if rng.IntN(2) == 0 {
						c = 0 // turns records into items
					}
					broken[n] = c
				}
				sameOnAllCores(t, fmt.Sprintf("broken, %+v", how), broken, cfg, how)
			}
		})
	}
}

// aheadFiles returns real files, and generated files of each format with special cases: threads and
// methods that are announced late or not at all, reused tids and ids, wrapping clocks, orphan
// exits, padding, and reserved actions.
func aheadFiles(t testing.TB) map[string][]byte {
	files := madeFiles()
	paths, _ := filepath.Glob(filepath.Join(testdata.Path(t, "traces"), "*.trace"))
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(path)] = data
	}
	rng := rand.New(rand.NewPCG(18, 1))
	files["classic, wild"] = wildRecords(rng, false, 14)
	files["classic, wild, padded"] = wildRecords(rng, false, 17)
	files["streaming, wild"] = wildRecords(rng, true, 14)
	for _, g := range generations {
		files[fmt.Sprintf("V2 of %d, dual", g)] = smallV2(g, 2, "dual").b
		for _, clock := range []string{"dual", "wall", "thread-cpu"} {
			files[fmt.Sprintf("V2 of %d, %s, wild", g, clock)] = wildV2(rng, g, clock, false)
		}
		files[fmt.Sprintf("V2 of %d, dual, wild, a time out of range", g)] = wildV2(rng, g, "dual", true)
	}
	return files
}

// wildRecords returns a file of 5000 random records, with announcements in a streaming file.
func wildRecords(rng *rand.Rand, streaming bool, size int) []byte {
	b := append([]byte(madeKey(3, "clock=dual")), madeHeader(3, size)...)
	if streaming {
		b = madeHeader(0xf3, size)
	}
	var wall, cpu uint32
	for range 5000 {
		switch k := rng.IntN(400); {
		case streaming && k < 10:
			b = append(b, madeMethod(fmt.Sprintf("%#x\ta.A\tf%d\t()V\tA.java\n", 4*rng.IntN(60), rng.IntN(3)))...)
		case streaming && k < 12:
			b = append(b, madeThread(uint16(1+rng.IntN(9)), fmt.Sprint("thread ", rng.IntN(3)))...)
		case k == 20:
			wall -= uint32(rng.IntN(1000))
		case k == 21:
			cpu, wall = cpu+1<<30, wall+1<<30
		}
		wall, cpu = wall+uint32(rng.IntN(50)), cpu+uint32(rng.IntN(30))
		tid, word := uint16(1+rng.IntN(4)), uint32(4*rng.IntN(20)+rng.IntN(2))
		switch rng.IntN(300) {
		case 0:
			tid = uint16(1 + rng.IntN(12))
		case 1:
			word = 4*uint32(rng.IntN(70)) | uint32(rng.IntN(4))
		case 2:
			word = 0xfffff000 + 4*uint32(rng.IntN(3))
		}
		b = append(b, madeRecords(2, rec{tid, word, []uint32{cpu, wall}})...)
		for range size - 14 {
			b = append(b, byte(rng.IntN(50)/49))
		}
	}
	if streaming {
		b = append(b, madeSummary(madeKey(3, "clock=dual", "vm=art"))...)
	}
	return b
}

// wildV2 returns a file of 100 random blocks in format V2. If far is set, a time in the last block
// can be out of range.
func wildV2(rng *rand.Rand, g dmformat.Generation, clock string, far bool) []byte {
	clocks := 1
	if clock == "dual" {
		clocks = 2
	}
	m := newMadeV2(g, clocks)
	m.define(idF, "a.A\tf\t()V\tA.java\n")
	m.thread(1, "main")
	var wall, cpu uint64
	for range 100 {
		if rng.IntN(3) == 0 {
			m.define(idF+40*uint64(rng.IntN(30)), fmt.Sprintf("a.A\tf%d\t()V\tA.java\n", rng.IntN(3)))
		}
		if rng.IntN(20) == 0 {
			m.thread(uint32(1+rng.IntN(5)), fmt.Sprint("thread ", rng.IntN(3)))
		}
		for range 1 + rng.IntN(100) {
			wall, cpu = wall+uint64(rng.IntN(50)), cpu+uint64(rng.IntN(1<<rng.IntN(12)))
			if g == dmformat.V2of15 && rng.IntN(400) == 0 {
				wall, cpu = (wall+1<<30)&0xffffffff, (cpu+1<<30)&0xffffffff
				break // differences have 32 bits, so wraps occur between blocks
			}
			word := idF + 40*uint64(rng.IntN(8)) + uint64(rng.IntN(2))
			switch rng.IntN(100) {
			case 0:
				word = idF + 40*uint64(rng.IntN(40)) + uint64(rng.IntN(4))
			case 1:
				word |= 2
			}
			m.event(word, wall, cpu)
		}
		if m.records > 0 {
			m.flush(uint32(1 + rng.IntN(4)))
		}
	}
	if far {
		m.event(idF, wall, cpu)
		m.event(idF, wall+1, cpu+1<<63)
		m.flush(1)
	}
	m.summary(clock)
	return m.b
}

// TestDecodeAheadLeavesNoGoroutine: no goroutine remains if a file is closed or dropped before its
// end, or is damaged.
func TestDecodeAheadLeavesNoGoroutine(t *testing.T) {
	before := runtime.NumGoroutine()
	for _, data := range aheadFiles(t) {
		for _, n := range []int{len(data), len(data) - 1} {
			f, err := newFile("made", ReadOptions{TempDir: t.TempDir(), ahead: aheadOptions{From: 1, Bytes: 100, Cores: 8}}).open(bytes.NewReader(data[:n]), int64(n))
			if err != nil {
				continue
			}
			f.Events.ReadEvents(make([]trace.Event, 3))
			f.Close()
		}
	}
	for end := time.Now().Add(10 * time.Second); runtime.NumGoroutine() > before; runtime.Gosched() {
		if time.Now().After(end) {
			t.Fatalf("%d goroutines, want %d as before", runtime.NumGoroutine(), before)
		}
	}
}

// TestDecodeAheadConditions: a large file is decoded in goroutines, except on one core and in
// place. A small file and one of unknown size are not.
func TestDecodeAheadConditions(t *testing.T) {
	for _, c := range []struct {
		total   int64
		cores   int
		inPlace bool
		want    bool
	}{
		{1 << 20, 2, false, true}, {1<<20 - 1, 2, false, false}, {-1, 2, false, false}, {1 << 20, 1, false, false}, {1 << 20, 2, true, false},
	} {
		f := &File{total: c.total, options: ReadOptions{InPlace: c.inPlace, ahead: aheadOptions{Cores: c.cores}}}
		if used := newAhead[worker](f, nil) != nil; used != c.want {
			t.Errorf("%d bytes on %d cores, in place %t: decoded ahead %t, want %t", c.total, c.cores, c.inPlace, used, c.want)
		}
	}
}
