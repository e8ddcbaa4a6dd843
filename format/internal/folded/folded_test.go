package folded_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"artifice/diffstack"
	"artifice/format/internal/folded"
	"artifice/format/internal/formattest"
	"artifice/format/internal/stackdump"
	"artifice/internal/testdata/tracetest"
	"artifice/trace"
)

// TestFolded checks that a stack lasts one interval per count, and that the next stack starts at
// its end.
func TestFolded(t *testing.T) {
	s := formattest.Parse(t, stackdump.Config{Interval: time.Millisecond}, "# a comment\r\na;b;c 2\r\na;b 1\r\n\r\na;d 1")
	formattest.Same(t, formattest.Text(t, s), `
thread	1	main
0 - 1 enter a
0 - 1 enter b
0 - 1 enter c
2000000 - 1 exit c
3000000 - 1 exit b
3000000 - 1 enter d
`)
	formattest.Warned(t, s)
	if s.Info.Interval != time.Millisecond || s.Info.Elapsed != 3*time.Millisecond {
		t.Errorf("interval %s, elapsed %s, want 1ms and 3ms", s.Info.Interval, s.Info.Elapsed)
	}
}

// TestFoldedFractions checks that a fractional count lasts that fraction of an interval, and that a
// stack with a count of 0 is ignored, as in flamegraph.pl.
func TestFoldedFractions(t *testing.T) {
	s := formattest.Parse(t, stackdump.Config{Interval: time.Millisecond}, "z 0\na;b 2.5\na 0.25\na;c 1.\nz 0.0\n")
	formattest.Same(t, formattest.Text(t, s), `
thread	1	main
0 - 1 enter a
0 - 1 enter b
2500000 - 1 exit b
2750000 - 1 enter c
`)
	formattest.Warned(t, s)
	if s.Info.Elapsed != 2750*time.Microsecond {
		t.Errorf("elapsed %s, want 2.75ms", s.Info.Elapsed)
	}
	s = formattest.Parse(t, stackdump.Config{Format: folded.Format.Dumps}, "a 1.x\na .5\na 1.5.2\nb 1\n")
	formattest.Same(t, formattest.Text(t, s), "thread\t1\tmain\n0 - 1 enter b\n")
	formattest.Warned(t, s, ":1: not a folded stack", ":2: not a folded stack", ":3: not a folded stack")
}

// TestFoldedThreads checks that each thread has its own clock: the time of a line is the duration
// of the thread's samples before it.
func TestFoldedThreads(t *testing.T) {
	for _, test := range []struct {
		first    stackdump.FirstFrame
		main, gc string // tids in the trace
		text     string
	}{
		{first: stackdump.AutoFirst, main: "11", gc: "12", text: "[main tid=11];com.example.A.f 1\n[GC tid=12];g 3\n[main tid=11] 1\n[GC tid=12] 1\n"},
		{first: stackdump.ThreadFirst, main: "1", gc: "2", text: "main;com.example.A.f 1\nGC;g 3\nmain 1\nGC 1\n"},
	} {
		s := formattest.Parse(t, stackdump.Config{Interval: time.Millisecond, First: test.first}, test.text)
		formattest.Same(t, formattest.Text(t, s), strings.NewReplacer("MAIN", test.main, "OTHER", test.gc).Replace(`
thread	MAIN	main
0 - MAIN enter com.example.A.f
thread	OTHER	GC
0 - OTHER enter g
1000000 - MAIN exit com.example.A.f
3000000 - OTHER exit g
`))
		formattest.Warned(t, s)
	}
}

// TestFoldedRuns checks that two lines with one stack are one run, and that frames end after the
// last sample of their run. Each sample lasts an interval. The trace ends at the last sample.
func TestFoldedRuns(t *testing.T) {
	s := formattest.Parse(t, stackdump.Config{Interval: time.Millisecond, SliceEnd: diffstack.EndLast}, "a;b 2\na;b 3\na 2\n")
	type run struct {
		count int64
		until time.Duration
	}
	var runs []run
	s.SnapshotsTo(tracetest.SnapshotFunc(func(snap *trace.Snapshot) { runs = append(runs, run{snap.Count, snap.Until}) }))
	formattest.Same(t, formattest.Text(t, s), "thread\t1\tmain\n0 - 1 enter a\n0 - 1 enter b\n4000010 - 1 exit b\n")
	if want := []run{{5, 5 * time.Millisecond}, {2, 7 * time.Millisecond}}; !slices.Equal(runs, want) {
		t.Errorf("runs %v, want %v", runs, want)
	}
	if s.Info.Elapsed != 6*time.Millisecond {
		t.Errorf("elapsed %s, want 6ms", s.Info.Elapsed)
	}
}

// TestUnknownClock checks that counts have no known clock, unless the first line states a unit or a
// quantity.
func TestUnknownClock(t *testing.T) {
	for text, want := range map[string]bool{
		"a;b 2\n": true, "# wall;us 0\na;b 2\n": false, "# cpu;us 0\na;b 2\n": false, "# inuse_space;bytes 0\na;b 2\n": false,
	} {
		if s := formattest.Parse(t, stackdump.Config{Format: folded.Format.Dumps}, text); s.Info.Unclocked != want {
			t.Errorf("%q: unclocked = %v, want %v", text, s.Info.Unclocked, want)
		}
	}
}

// TestTabs checks that a tab separates a stack from its count, as in flamegraph.pl, and that a
// table of words and numbers is not detected as stacks.
func TestTabs(t *testing.T) {
	s := formattest.Parse(t, stackdump.Config{Interval: time.Millisecond}, "a;b c\t2\na;d \t1\n")
	formattest.Same(t, formattest.Text(t, s), "thread\t1\tmain\n0 - 1 enter a\n0 - 1 enter b c\n2000000 - 1 exit b c\n2000000 - 1 enter d\n")
	formattest.Warned(t, s)
	if table := []byte("name\tsize\t1\nx\t7\t2\n"); folded.Format.Dumps.Codec.Detect(table) {
		t.Errorf("%q is detected as folded stacks", table)
	}
}

// TestNonNaturalCounts checks that negative counts and counts with an exponent are ignored, as in
// flamegraph.pl, inferno and speedscope. The other counts are read.
func TestNonNaturalCounts(t *testing.T) {
	const text = "a;b 10\na;c -3\na;d 1e3\na;e -1.5\na;f 1E+03\n"
	if !folded.Format.Dumps.Codec.Detect([]byte(text)) {
		t.Errorf("%q is not detected as folded stacks", text)
	}
	s := formattest.Parse(t, stackdump.Config{Interval: time.Millisecond}, text)
	formattest.Same(t, formattest.Text(t, s), "thread\t1\tmain\n0 - 1 enter a\n0 - 1 enter b\n")
	if s.Info.Elapsed != 9*time.Millisecond { // from the first of ten samples to the last
		t.Errorf("elapsed %s, want 9ms", s.Info.Elapsed)
	}
	const negative, exponent = "a line with a negative count is ignored, as by flamegraph.pl: to compare two profiles, use artifice diff", "a line with an exponent in its count is ignored"
	formattest.Warned(t, s, negative, exponent, negative, exponent)
	_, err := formattest.New(strings.NewReader("a;b -1\na;c -2\n"), "test.txt", stackdump.Config{})
	if err == nil || !strings.Contains(err.Error(), negative) {
		t.Error(err)
	}
}

// TestAustin checks Austin's stacks, whose numbers are µs of the mode's clock (100 and 205), or
// bytes.
func TestAustin(t *testing.T) {
	const text = "# austin: 3.3.0\n# interval: 100\n# mode: wall\n\nP1;T1;x.py:f:2 100\nP1;T1;x.py:g:3 205\n\n# duration: 400\n"
	for mode, clock := range map[string]trace.Clock{"wall": trace.Wall, "cpu": trace.Dual, "memory": trace.Wall} {
		s := formattest.Parse(t, stackdump.Config{Format: folded.Format.Dumps}, strings.Replace(text, "wall", mode, 1))
		if isMemory := mode == "memory"; s.Info.Clock != clock || s.Info.Unclocked || s.Info.Quantity.IsSet() != isMemory {
			t.Errorf("%s: %+v", mode, s.Info)
		}
		unit := time.Microsecond
		if mode == "memory" {
			unit = 1
		}
		events := tracetest.Events(t, s)
		if last := events[len(events)-1]; last.Wall != 100*unit {
			t.Errorf("%s: the second stack begins at %s, want %s", mode, last.Wall, 100*unit)
		}
	}
}

// TestMapsWithoutStacks checks that bpftrace's maps without keys, which it prints with those of
// stacks, are not stacks, and that the value of stats() is its total.
func TestMapsWithoutStacks(t *testing.T) {
	s := formattest.Parse(t, stackdump.Config{Interval: time.Millisecond}, "@total: 170\n@[\n    f+1\n    main+10\n]: 5\n@start[12]: 9876543\n@[\n    g+1\n    main+10\n]: count 2, average 5, total 10\n"+
		"@[\n    h+1\n]: sum 5, count 2\n@[\n    h+1\n]: 1\n")
	formattest.Same(t, formattest.Text(t, s), `
thread	1	main
0 - 1 enter main
0 - 1 enter f
5000000 - 1 exit f
5000000 - 1 enter g
15000000 - 1 exit g
15000000 - 1 exit main
15000000 - 1 enter h
`)
	formattest.Warned(t, s, `a map without stacks is ignored: "@total: 170"`, `a map without stacks is ignored: "@start[12]: 9876543"`, `the value of a stack is not a number, as those of count() and sum() are: "]: sum 5, count 2"`)
}

// TestAustinFull checks Austin's mode full, with three numbers a stack: µs, 1 if the thread was idle,
// and bytes of memory, which are ignored. A line with other numbers is no stack.
func TestAustinFull(t *testing.T) {
	s := formattest.Parse(t, stackdump.Config{}, "# austin: 3.7.0\n# mode: full\n\nP1;T1;x.py:f:2 100,0,2048\nP1;T1;x.py:g:3 300,1,-4096\nP1;T1;x.py:f:2 200\nP1;T1;x.py:f:2 200,2,0\n"+
		"P1;T1;x.py:f:2 200,0,0\nP1;T1;x.py:h:4 1,0,0\n")
	got := formattest.Text(t, s)
	formattest.Same(t, got, `
thread	1	main
0 0 1 enter x.py:f:2
100000 100000 1 exit x.py:f:2
100000 100000 1 enter x.py:g:3
400000 100000 1 exit x.py:g:3
400000 100000 1 enter x.py:f:2
600000 300000 1 exit x.py:f:2
600000 300000 1 enter x.py:h:4
`)
	formattest.Warned(t, s, "the memory is ignored, the time is read; austin --memory writes the memory alone",
		`not a folded stack: frames, a space and a count: "P1;T1;x.py:f:2 200"`, `not a folded stack: frames, a space and a count: "P1;T1;x.py:f:2 200,2,0"`)
}

// TestAustinHeads checks that P and T name the process and the thread in files with Austin's
// comments. In files without comments they do so if all frames of the first stack have Austin's
// form. The last stack of each thread is open at the end.
func TestAustinHeads(t *testing.T) {
	const header = "# austin: 3.7.0\n# interval: 100\n# mode: wall\n\n"
	for name, c := range map[string]struct{ text, want string }{
		"threads": {header + "P7;T7;x.py:f:2 100\nP7;T9;x.py:g:3 50\nP7;T7 20\nP7;T7;x.py:f:2 5\n",
			"thread 7 main/0 - 7 enter x.py:f:2/thread 9 thread-9/0 - 9 enter x.py:g:3/100000 - 7 exit x.py:f:2/120000 - 7 enter x.py:f:2"},
		"interpreters": {header + "P7;T0:7;x.py:f:2 100\nP7;T1:7;x.py:g:3 50\n",
			"thread 7 main/0 - 7 enter x.py:f:2/thread 1 main (interpreter 1)/0 - 1 enter x.py:g:3"},
		"Windows":   {header + "P7;T0:1f4c;x.py:f:2 100\n", "thread 8012 thread-1f4c/0 - 8012 enter x.py:f:2"},
		"processes": {header + "P7;T9;x.py:f:2 100\nP8;T9;x.py:g:3 50\n", "thread 9 thread-9/0 - 9 enter x.py:f:2/thread 1 thread-9 (pid 8)/0 - 1 enter x.py:g:3"},
		"no header": {"P7;T9;x.py:f:2;x.py:g:3 1\nP7;T9;x.py:f:2 1\n", "thread 9 thread-9/0 - 9 enter x.py:f:2/0 - 9 enter x.py:g:3/10000000 - 9 exit x.py:g:3"},
		"functions": {"P7;T9;f 1\n", "thread 1 main/0 - 1 enter P7/0 - 1 enter T9/0 - 1 enter f"},
		"no frames": {"P7;T9 1\n", "thread 1 main/0 - 1 enter P7/0 - 1 enter T9"},
		"later": {"main;x.py:f:2 1\nP7;T9;x.py:f:2 1\n",
			"thread 1 main/0 - 1 enter main/0 - 1 enter x.py:f:2/10000000 - 1 exit x.py:f:2/10000000 - 1 exit main/10000000 - 1 enter P7/10000000 - 1 enter T9/10000000 - 1 enter x.py:f:2"},
		"other head": {header + "P7;U9;x.py:f:2 100\n", "thread 1 main/0 - 1 enter P7/0 - 1 enter U9/0 - 1 enter x.py:f:2"},
	} {
		s := formattest.Parse(t, stackdump.Config{Format: folded.Format.Dumps}, c.text)
		got := strings.ReplaceAll(strings.ReplaceAll(strings.TrimSpace(formattest.Text(t, s)), "\t", " "), "\n", "/")
		if got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, c.want)
		}
		if isHead := strings.Contains(c.want, "thread-") || strings.Contains(c.want, " 7 "); isHead != (s.Info.PID == 7) {
			t.Errorf("%s: PID %d, want 7 only with heads of Austin", name, s.Info.PID)
		}
	}
}

// TestTwoCounts checks lines with the counts of two profiles, which difffolded.pl writes. A name
// can end in a number, too.
func TestTwoCounts(t *testing.T) {
	for text, warnings := range map[string][]string{
		"main;a 5 9\nmain;b 7 2\n":      {"each line ends in two numbers"},
		"main;doFrame 42 9\nmain;b 2\n": nil,
	} {
		s := formattest.Parse(t, stackdump.Config{}, text)
		formattest.Text(t, s)
		formattest.Warned(t, s, warnings...)
	}
}
