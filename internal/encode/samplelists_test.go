package encode

import (
	"bufio"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"artifice/trace"
	"artifice/trace/calltree"
)

// TestSampleLists: rows last until the next one of their thread; a gap is a row without samples, and a
// final gap ends where the thread is known to have none.
func TestSampleLists(t *testing.T) {
	symbols := &trace.Symbols{Threads: []trace.Thread{{TID: 1}, {TID: 2}, {TID: 3}}, Methods: []trace.Method{{Name: "a"}, {Name: "b"}}}
	var l SampleLists
	for _, s := range []trace.Snapshot{
		{Thread: 1, Wall: 9, Until: 9}, // an end before any sample
		{Wall: 0, CPU: 0, Until: 10, Count: 2, Stack: []trace.MethodID{0, 1}},
		{Wall: 10, CPU: 4, Until: 20, Count: 1, Stack: []trace.MethodID{0}},
		{Wall: 25, CPU: 9, Until: 30, Count: 3, Stack: []trace.MethodID{0, 1}},
		{Wall: 40, CPU: 12, Until: 40}, // no samples from 30 to 40
		{Thread: 1, Wall: 5, CPU: 1, Until: 8, Count: 1, Stack: []trace.MethodID{1}},
		{Thread: 1, Wall: 8, CPU: 3, Until: 8},
	} {
		if err := l.Add(&s, symbols); err != nil {
			t.Fatal(err)
		}
	}
	type row struct {
		at, cpu time.Duration
		count   int64
		weight  int64
		method  trace.MethodID
	}
	rows := func(id trace.ThreadID) (list []row) {
		for i, r := range l.Of(id) {
			m := calltree.NoMethod
			if !l.Contexts.IsRoot(r.Node) {
				m = l.Contexts.Method(r.Node)
			}
			list = append(list, row{r.At, r.CPU, r.count, l.Weight(id, i), m})
		}
		return list
	}
	main := []row{{0, 0, 2, 10, 1}, {10, 4, 1, 10, 0}, {20, 4, 0, 5, calltree.NoMethod}, {25, 9, 3, 5, 1}, {30, 9, 0, 10, calltree.NoMethod}}
	if got := rows(0); !slices.Equal(got, main) || l.Ends[0].At != 40 || l.Ends[0].CPU != 12 {
		t.Errorf("thread 0: %+v, end %+v, want %+v, ending at 40 and 12", got, l.Ends[0], main)
	}
	other := []row{{5, 1, 1, 3, 1}}
	if got := rows(1); !slices.Equal(got, other) || l.Ends[1].At != 8 || l.Ends[1].CPU != 3 {
		t.Errorf("thread 1: %+v, end %+v, want %+v, ending at 8 and 3", got, l.Ends[1], other)
	}
	if l.Has(2) || !l.Has(1) || (*SampleLists)(nil).Has(0) || !l.Timed {
		t.Error("threads 0 and 1 have samples, with durations")
	}
	if a, b := l.Of(0)[0].Node, l.Of(0)[3].Node; a != b {
		t.Errorf("one stack has the contexts %d and %d", a, b)
	}

	// Samples of CPU time weigh that, or the wall time if the thread used none.
	l.OfCPU = true
	var weights []int64
	for i := range l.Of(0) {
		weights = append(weights, l.Weight(0, i))
	}
	if want := []int64{4, 10, 5, 5, 3}; !slices.Equal(weights, want) {
		t.Errorf("weights of CPU time %v, want %v", weights, want)
	}
	for i, want := range []bool{false, false, true, false, true} {
		if got := l.IsGap(&l.Of(0)[i]); got != want {
			t.Errorf("row %d is a gap: %t", i, got)
		}
	}
	l.Timed = false
	if got := l.Weight(0, 3); got != 3 {
		t.Errorf("without durations, the weight is %d, want 3 samples", got)
	}
	for _, s := range []trace.Snapshot{{Thread: 3, Until: 1, Count: 1, Stack: []trace.MethodID{0}}, {Until: 1, Count: 1, Stack: []trace.MethodID{2}}} {
		if err := l.Add(&s, symbols); err == nil {
			t.Errorf("%+v is accepted", s)
		}
	}
	if err := CheckSnapshot(&trace.Snapshot{Thread: 2, Stack: []trace.MethodID{7, 1}, Same: 1}, symbols); err != nil {
		t.Errorf("a method of the previous stack is not checked again: %v", err)
	}
}

// TestFrameTable numbers methods in the order of their first use, also those added later.
func TestFrameTable(t *testing.T) {
	symbols := &trace.Symbols{Methods: []trace.Method{{Class: "a.A", Name: "<init>", File: "A.java", Line: 3}, {Name: "b"}}}
	table := &FrameTable{Symbols: symbols}
	var got []int32
	for _, m := range []trace.MethodID{1, calltree.NoMethod, 1, calltree.NoMethod} {
		got = append(got, table.Number(m))
	}
	symbols.Methods = append(symbols.Methods, trace.Method{Name: "c", Line: 9})
	for _, m := range []trace.MethodID{2, 0, 1} {
		got = append(got, table.Number(m))
	}
	if want := []int32{0, 1, 0, 1, 2, 3, 0}; !slices.Equal(got, want) {
		t.Errorf("numbers %v, want %v", got, want)
	}
	var out strings.Builder
	w := bufio.NewWriter(&out)
	table.Write(w)
	w.Flush()
	if want := "\n{\"name\":\"b\"},\n{\"name\":\"(toplevel)\"},\n{\"name\":\"c\",\"line\":9},\n{\"name\":\"a.A.<init>\",\"file\":\"A.java\",\"line\":3}"; out.String() != want {
		t.Errorf("written %q, want %q", out.String(), want)
	}
}

// TestTimes: times have no trailing zeros.
func TestTimes(t *testing.T) {
	for d, want := range map[time.Duration][2]string{
		0: {"0", "0"}, 1: {"0.001", "0.000001"}, -1: {"-0.001", "-0.000001"}, 1500: {"1.5", "0.0015"}, 1_000_000: {"1000", "1"}, -2_500_000: {"-2500", "-2.5"}, 12_345_678: {"12345.678", "12.345678"},
	} {
		if got := [2]string{string(AppendMicros(nil, d)), string(AppendMillis(nil, d))}; got != want {
			t.Errorf("%d ns: %v, want %v", d, got, want)
		}
	}
}

// TestUnits: the first line of folded stacks states the clock, or the quantity, and the unit.
func TestUnits(t *testing.T) {
	for line, want := range map[string]struct {
		unit time.Duration
		cpu  bool
	}{
		"# wall;ns 0": {1, false}, "# wall;us 0": {1000, false}, "# cpu;ms 0": {1_000_000, true},
	} {
		unit, cpu, ok := ParseUnit([]byte(line))
		clock := trace.Wall
		if cpu {
			clock = trace.ThreadCPU
		}
		if !ok || unit != want.unit || cpu != want.cpu || Unit(clock, unit) != line+"\n" {
			t.Errorf("%s: %s %t %t, written as %q", line, unit, cpu, ok, Unit(clock, unit))
		}
	}
	if Unit(trace.Dual, time.Microsecond) != "# wall;us 0\n" || Unit(trace.Wall, time.Second) != "" {
		t.Error("two clocks are written as wall time, and seconds have no name")
	}
	for _, line := range []string{"", "# wall;s 0", "# wall;us 1", "# wall;us 0 ", "wall;us 0"} {
		if _, _, ok := ParseUnit([]byte(line)); ok {
			t.Errorf("%q is accepted", line)
		}
	}
	for line, want := range map[string]struct {
		q    trace.Quantity
		unit time.Duration
	}{
		"# inuse_space;bytes 0": {trace.Quantity{Name: "inuse_space", Unit: "bytes"}, 1},
		"# delay;us 0":          {trace.Quantity{Name: "delay", Unit: "nanoseconds"}, time.Microsecond},
		"# delay;ns 0":          {trace.Quantity{Name: "delay", Unit: "nanoseconds"}, 1},
	} {
		q, unit, ok := ParseQuantity([]byte(line))
		if !ok || q != want.q || unit != want.unit || QuantityUnit(q, unit) != line+"\n" {
			t.Errorf("%s: %+v %s %t, written as %q", line, q, unit, ok, QuantityUnit(q, unit))
		}
	}
	for _, line := range []string{"# a;b", "a;b 0", "# ;b 0", "# a; 0", "# a 0", "# a;b;c 0", "# a b;c 0", "# a\tb;c 0"} {
		if _, _, ok := ParseQuantity([]byte(line)); ok {
			t.Errorf("%q is accepted", line)
		}
	}
	if got := QuantityUnit(trace.Quantity{Name: "a b;c", Unit: "x\ty"}, 1); got != "# a_b:c;x_y 0\n" {
		t.Errorf("separators: %q", got)
	}
}

// TestBinderProcess: the other process has the first ids from 1000 on, in steps of 10,000, that no
// thread of the app has.
func TestBinderProcess(t *testing.T) {
	for _, c := range []struct {
		tids []uint32
		want uint32
	}{{nil, 1000}, {[]uint32{999, 11_000}, 1000}, {[]uint32{1000}, 11_000}, {[]uint32{10_999}, 11_000}, {[]uint32{21_000, 11_500, 1500}, 31_000}} {
		symbols := &trace.Symbols{Methods: []trace.Method{{Wait: trace.Binder}, {}}}
		for _, tid := range c.tids {
			symbols.Threads = append(symbols.Threads, trace.Thread{TID: tid})
		}
		b := &Binder{}
		call, ok := b.Of(symbols, &trace.Event{Thread: 9})
		reply, replied := b.Of(symbols, &trace.Event{Thread: 9, Action: trace.Exit})
		if want := (Transaction{ID: 1, Server: c.want, Thread: c.want + 10}); !ok || call != want {
			t.Errorf("threads %d: %+v, want %+v", c.tids, call, want)
		}
		if want := (Transaction{ID: 2, Reply: true, Server: c.want, Thread: c.want + 10}); !replied || reply != want || reply.ThreadName() != fmt.Sprintf("binder:%d_A", c.want) {
			t.Errorf("threads %d: %+v of %s, want %+v", c.tids, reply, reply.ThreadName(), want)
		}
		if _, ok := b.Of(symbols, &trace.Event{Method: 1}); ok {
			t.Error("another method is a call to another process")
		}
	}
}
