package workload

import (
	order "cmp"
	"io"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"artifice/internal/testdata"
	"artifice/trace"
)

// mixed has every distribution, random choices, recursion, exceptions, and threads that start and
// end.
const mixed = `
name: mixed
duration: 50ms
methods:
  a.M.main()V:
  a.M.visit()V:
    do:
      - {self: exp 20us}
      - {call: a.M.visit, prob: 0.4}
      - {call: a.M.visit, prob: 0.4}
      - loop: uniform 0..3
        do: [{call: a.M.leaf}]
      - {throw: a.E.<init>, prob: 0.05}
  a.M.leaf()V: {flags: leaf, do: [{self: uniform 1us..9us}]}
  a.M.wait()V: {wait: lock, flags: native, do: [{self: lognormal 50us 0.8}]}
  a.E.<init>()V: {do: [{self: pareto 2us 2.5}]}
  a.Z.m{1..20}()V: {do: [{self: 3us}]}
threads:
  - name: main
    stack: [a.M.main]
    do:
      - loop: forever
        do:
          - {call: a.M.visit, catch: true}
          - {call: a.M.wait}
          - call: a.Z.m{1..20}
            zipf: 1
  - name: pool-%d
    count: 10
    start: 5ms
    every: 4ms
    end: 8ms
    reuse_tid: false
    stack: [a.M.main]
    do: [{loop: forever, do: [{call: a.M.visit, catch: true}, {call: a.M.wait}]}]
`

func readAll(t testing.TB, rec *trace.Recording) []trace.Event {
	t.Helper()
	var b trace.Buffer
	if _, err := trace.Copy(&b, rec.Events); err != nil {
		t.Fatal(err)
	}
	return b.Events
}

func TestTruthIsValidAndInTimeOrder(t *testing.T) {
	p := mustRead(t, mixed)
	for seed := range uint64(20) {
		if err := testdata.CheckValid(truthOf(t, p, Config{Seed: seed})); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		rec := truthOf(t, p, Config{Seed: seed})
		var last trace.Event
		for _, e := range readAll(t, rec) {
			if e.Wall < last.Wall || e.Wall == last.Wall && e.Thread < last.Thread {
				t.Fatalf("seed %d: %+v after %+v", seed, e, last)
			}
			if e.CPU < time.Microsecond || e.CPU > e.Wall-rec.Symbols.Threads[e.Thread].Start+startCPU {
				t.Fatalf("seed %d: CPU time of %+v: a thread starts with %v and cannot use more than passes", seed, e, startCPU)
			}
			last = e
		}
		if last.Wall > rec.Info.Elapsed {
			t.Fatalf("seed %d: event at %v after the stop at %v", seed, last.Wall, rec.Info.Elapsed)
		}
	}
}

// TestWaitsUseNoCPU checks that, between two events of a thread, CPU time advances like wall time,
// or not at all if the innermost method waits.
func TestWaitsUseNoCPU(t *testing.T) {
	rec := truthOf(t, mustRead(t, mixed), Config{})
	var stacks trace.Stacks
	last := map[trace.ThreadID]trace.Event{}
	waited := false
	for _, e := range readAll(t, rec) {
		before, seen := last[e.Thread]
		if open := stacks.Of(e.Thread); seen && len(open) > 0 {
			want := e.Wall - before.Wall
			if rec.Symbols.Method(open[len(open)-1]).Wait != trace.Running {
				waited = waited || want > 0
				want = 0
			}
			if got := e.CPU - before.CPU; got != want {
				t.Fatalf("%+v after %+v: CPU grew by %v, want %v", e, before, got, want)
			}
		}
		stacks.Apply(e)
		last[e.Thread] = e
	}
	if !waited {
		t.Error("no thread waits in this truth")
	}
}

func TestSameSeedSameEvents(t *testing.T) {
	p := mustRead(t, mixed)
	want := readAll(t, truthOf(t, p, Config{Seed: 7}))
	if diff := cmp.Diff(want, readAll(t, truthOf(t, p, Config{Seed: 7}))); diff != "" {
		t.Errorf("second truth differs:\n%s", diff)
	}
	if cmp.Equal(want, readAll(t, truthOf(t, p, Config{Seed: 8}))) {
		t.Error("different seeds yield the same events")
	}
	// The result does not depend on the batch sizes of the reader.
	for _, size := range []int{1, 3, 1000} {
		rec := truthOf(t, p, Config{Seed: 7})
		var got []trace.Event
		batch := make([]trace.Event, size)
		for {
			n, err := rec.Events.ReadEvents(batch)
			if n == 0 {
				if err != io.EOF {
					t.Fatal(err)
				}
				break
			}
			got = append(got, batch[:n]...)
		}
		if !cmp.Equal(want, got) {
			t.Errorf("batches of %d have other events", size)
		}
	}
}

// TestLengthTruncatesTruth checks that the length truncates a truth, and does not change the
// part before.
func TestLengthTruncatesTruth(t *testing.T) {
	p := mustRead(t, mixed)
	short := readAll(t, truthOf(t, p, Config{Duration: 20 * time.Millisecond}))
	long := readAll(t, truthOf(t, p, Config{Duration: 40 * time.Millisecond}))
	if len(short) == 0 || len(long) <= len(short) || !cmp.Equal(short, long[:len(short)]) {
		t.Errorf("%d events in 20ms are not the first of the %d in 40ms", len(short), len(long))
	}
}

func TestTruthRefusesBadLength(t *testing.T) {
	p := mustRead(t, mixed)
	for _, d := range []time.Duration{-1, maxDuration + 1} {
		if _, err := p.Truth(Config{Duration: d}); err == nil {
			t.Errorf("a truth of %v: no error, want one", d)
		}
	}
}

// TestMemoryIsFixed generates ten million events and checks the allocated memory.
func TestMemoryIsFixed(t *testing.T) {
	testdata.Seldom(t, 4)
	events := 10_000_000
	if testing.Short() {
		events /= 10
	}
	rec := truthOf(t, loopProgram(t, 100, "exp 1us"), Config{Duration: maxDuration})
	batch := make([]trace.Event, trace.BatchSize)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for n := 0; n < events; {
		k, err := rec.Events.ReadEvents(batch)
		if k == 0 {
			t.Fatal(err)
		}
		n += k
	}
	runtime.ReadMemStats(&after)
	// The limit covers 100 threads with a batch of 655 events of 24 bytes, and their small stacks.
	if got := after.TotalAlloc - before.TotalAlloc; got > 4<<20 {
		t.Errorf("%d events allocated %d bytes", events, got)
	}
}

// TestManyThreads checks the maximum number of threads of a trace, one after the other with the
// same tid.
func TestManyThreads(t *testing.T) {
	if testing.Short() {
		t.Skip("65536 threads")
	}
	p := mustRead(t, `
name: many
methods:
  a.M.a()V: {do: [{self: 10us}]}
threads:
  - {name: main, tid: 1, stack: [a.M.a]}
  - {name: t, tid: 2, count: 65535, start: 1us, end: 12us, every: 11us, reuse_tid: true, do: [{call: a.M.a}]}
`)
	rec := truthOf(t, p, Config{})
	if got, want := len(readAll(t, rec)), 1+2*65535; got != want {
		t.Errorf("%d events, want %d", got, want)
	}
	if got := rec.Symbols.Threads[65535]; got.TID != 2 || got.End != got.Start+10*time.Microsecond {
		t.Errorf("last thread %+v", got)
	}
}

// alone returns p with all threads except one idle.
func (p *Program) alone(id int) *Program {
	q := *p
	q.threads = slices.Clone(p.threads)
	for i := range q.threads {
		if i != id {
			q.threads[i].Stack, q.threads[i].body, q.threads[i].at = nil, nil, nil
		}
	}
	q.compile()
	return &q
}

// TestMergeSorts checks that the truth consists of the events of each thread run alone, sorted by
// time and then by thread.
func TestMergeSorts(t *testing.T) {
	p := mustRead(t, mixed)
	rec := truthOf(t, p, Config{Seed: 5})
	got := readAll(t, rec)
	var want []trace.Event
	lives := p.symbols(p.Duration)
	for id := range lives.Threads {
		alone := truthOf(t, p.alone(id), Config{Seed: 5})
		want = append(want, readAll(t, alone)...)
		lives.Threads[id].End = alone.Symbols.Threads[id].End
	}
	slices.SortStableFunc(want, func(a, b trace.Event) int {
		return order.Or(order.Compare(a.Wall, b.Wall), order.Compare(a.Thread, b.Thread))
	})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("merged truth (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(lives.Threads, rec.Symbols.Threads); diff != "" {
		t.Errorf("lifetimes of threads (-want +got):\n%s", diff)
	}
}
