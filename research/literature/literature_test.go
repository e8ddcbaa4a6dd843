package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"artifice/trace"
)

// TestRows: the rows that need no recorded trace and little time are within their tolerance.
func TestRows(t *testing.T) {
	recordedName = "absent"
	for _, source := range []string{"JEP 509", "golang/go", "openjdk/jdk", "an article"} {
		var out bytes.Buffer
		if err := print(&out, source); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(out.String(), "| no |") || !strings.Contains(out.String(), "| yes |") {
			t.Errorf("%s:\n%s", source, out.String())
		}
	}
}

// TestVerdicts: a row outside its tolerance counts as "no"; a row without its input or trace gives
// the reason; an error is returned.
func TestVerdicts(t *testing.T) {
	defer func(all []row, name string) { rows, recordedName = all, name }(rows, recordedName)
	recordedName = "absent"
	rows = []row{
		{source: "a", find: func() (string, bool, error) { return "1", true, nil }},
		{source: "b", find: func() (string, bool, error) { return "2", false, nil }},
		{source: "c", lacks: "nobody knows"},
		{source: "d", recorded: true, find: func() (string, bool, error) { panic("it has no trace") }},
	}
	var out bytes.Buffer
	if err := print(&out, ""); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"| a |  | 1 |  | yes |", "| b |  | 2 |  | no |", "| c |  | - |  | no | nobody knows |", "-trace FILE", "1 of 4 within"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	rows = []row{{source: "e", find: func() (string, bool, error) { return "", false, errors.New("broken") }}}
	if err := print(&out, ""); err == nil || !strings.Contains(err.Error(), "e: broken") {
		t.Errorf("error %v", err)
	}
}

// TestRuns: in two runs of 20 samples, a has 10 and 12 samples and b 10 and 8; both runs name a,
// the first of equals. The interval of the first, 0.5 ± 0.22, and that of the second, 0.6 ± 0.21,
// contain the mean of 0.55.
func TestRuns(t *testing.T) {
	dir := t.TempDir()
	for i, text := range []string{`"a":"50.0","b":"50.0%","c":"5.0"`, `"a":"60.0","b":"40.0","d":"5.0"`} {
		file := `{"JavaFlightRecorder":{"X.jfr":{` + text + `}},"Runtimes":{"X.jfr":1.5}}`
		if err := os.WriteFile(filepath.Join(dir, "output"+string(rune('1'+i))+".json"), []byte(file), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	if err := printRuns(&out, dir); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"of 4 intervals of square root of n, of 2 methods, 100.0 % hold", "X.jfr: 1 different hottest methods in 2 runs", "choice of 20 samples"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	if err := printRuns(&out, t.TempDir()); err == nil || !strings.Contains(err.Error(), "report5") {
		t.Errorf("error %v of an empty folder", err)
	}
}

// TestCalls: two blocks of the agent are decoded correctly, method 5 is a single method, and input
// truncated within a record is not a regular end.
func TestCalls(t *testing.T) {
	var log bytes.Buffer
	write := func(numbers ...any) {
		for _, n := range numbers {
			binary.Write(&log, binary.LittleEndian, n)
		}
	}
	write(uint32(1), uint32(2), uint64(10), uint64(5<<1), uint64(30), uint64(5<<1|1))
	write(uint32(0), uint32(0))
	write(uint32(0), uint32(1), uint64(20), uint64(7<<1))
	want := []trace.Event{{Thread: 1, Wall: 10}, {Thread: 1, Wall: 30, Action: trace.Exit}, {Thread: 0, Wall: 20, Method: 1}}
	rec := readCalls(bytes.NewReader(log.Bytes()))
	got := make([]trace.Event, 4)
	n, err := rec.Events.ReadEvents(got)
	if err != nil || !slices.Equal(got[:n], want) || len(rec.Symbols.Threads) != 2 {
		t.Errorf("%+v, %v; want %+v", got[:n], err, want)
	}
	if n, err := rec.Events.ReadEvents(got); n != 0 || err != io.EOF {
		t.Errorf("%d events and %v at the end", n, err)
	}
	if _, err := readCalls(bytes.NewReader(log.Bytes()[:30])).Events.ReadEvents(got); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("cut: %v", err)
	}
}

// TestBursts: main is called once, a three times in the first of each 10 ms, b three times after
// that. Of 7 calls 4 are in bursts: main 1 and a 3. The overlap is 1/7 + 3/7. Of three hot edges
// two are found. Counters are 7/4 of the calls in bursts: main 1.75 for 1 and a 5.25 for 3, both 75
// % off, and b 0 for 3.
func TestBursts(t *testing.T) {
	const main, a, b = 0, 1, 2
	count := countBursts(burst{10 * time.Millisecond, time.Millisecond, 1})
	count.add(&trace.Event{Method: main})
	for i := range time.Duration(3) {
		for method, at := range []time.Duration{a: 500, b: 5000} {
			e := trace.Event{Method: trace.MethodID(method), Wall: (10_000*i + at) * time.Microsecond}
			if method == main {
				continue
			}
			count.add(&e)
			e.Action = trace.Exit
			count.add(&e)
		}
	}
	for name, c := range map[string][2]float64{"overlap": {count.overlap(), 4. / 7}, "hot edges": {count.hotEdges(), 2. / 3}, "counters": {count.counterError(), 2.5 / 3}} {
		if math.Abs(c[0]-c[1]) > 1e-12 {
			t.Errorf("%s: %v, want %v", name, c[0], c[1])
		}
	}
}

// TestAdaptiveBursts: the first burst begins outside of all methods, the second in main, and 10,000
// more do so, too. A quarter of these is taken with weight 4: 10,000 calls again, ± 3 standard
// deviations of 4 √(10,000 × 1/4 × 3/4) = 173.
func TestAdaptiveBursts(t *testing.T) {
	const n = 10_000
	count := countBursts(burst{time.Millisecond, time.Millisecond, 0.25})
	count.add(&trace.Event{})
	for i := range time.Duration(n + 1) {
		at := (i + 1) * time.Millisecond
		count.add(&trace.Event{Method: 1, Wall: at})
		count.add(&trace.Event{Method: 1, Wall: at, Action: trace.Exit})
		if i == 0 && count.sumIn != 2 {
			t.Errorf("%v calls in the first two bursts, want 2", count.sumIn)
		}
	}
	if again := count.sumIn - 2; math.Abs(again-n) > 520 {
		t.Errorf("%v calls, want %d", again, n)
	}
}
