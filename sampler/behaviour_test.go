package sampler

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"artifice/art"
	"artifice/diffstack"

	"artifice/trace"
)

// TestFirstSampleFollowsFirstSleep checks that the first sample follows the first sleep.
// Calls that begin and end before it are not sampled. Nothing is reported at the start, and there
// is no sample at the stop.
func TestFirstSampleFollowsFirstSleep(t *testing.T) {
	rec := script(t, trace.Truth, "0s main +a", "0.2ms main +gone", "0.8ms main -gone", "2.5ms main -a")
	s, got := sample(t, rec, Config{Interval: ms})
	expect(t, got, "1ms main +a@0s") // at 2 ms nothing changes; at 3 ms the app has ended
	if s.Stats().Ticks != 2 || s.Stats().Samples[0] != 2 {
		t.Errorf("stats %+v, want 2 ticks that sample main", s.Stats())
	}
	// The stop waits for the sampling thread, which sleeps until 3 ms.
	if got := s.Recording().Info.Elapsed; got != 3*ms {
		t.Errorf("elapsed %s, want 3ms", got)
	}
}

// TestDalvik checks the order of samples and threads. Dalvik samples first and then sleeps. It
// walks main, then the newest thread, which here is the sampling thread (dvmAttachCurrentThread
// inserts it after main in the list). ART walks the sampling thread after the threads that existed
// at the start.
func TestDalvik(t *testing.T) {
	lines := []string{"0s main +a@5ms", "0s one +b@5ms", "0s two +c@5ms", "3ms main -a@8ms"}
	_, got := sample(t, script(t, trace.Truth, lines...), Config{Interval: 2 * ms, Runtime: dalvik, Cost: Cost{PerThread: 10 * us}})
	expect(t, got, "10µs main +a@0s", "30µs two +c@0s", "40µs one +b@0s")
	_, got = sample(t, script(t, trace.Truth, lines...), Config{Interval: 2 * ms, Cost: Cost{PerThread: 10 * us}})
	expect(t, got, "2.01ms main +a@0s", "2.02ms one +b@0s", "2.03ms two +c@0s")
}

// TestDalvikKeepsEndedThreads checks a thread that ends while Dalvik traces. It waits in
// dvmDetachCurrentThread, in the list and without frames. The next sample writes the exits of its
// frames, and Dalvik walks it until the end of the trace. The stop reads the time immediately
// (dvmMethodTraceStop), not after a last sleep. ART 14 removes the thread and its frames.
func TestDalvikKeepsEndedThreads(t *testing.T) {
	lines := []string{"0s main +a@1ms", "0s old +b@1ms", "0s old +c@1ms", "3.5ms main -a@4ms"}
	rec := func() *trace.Recording {
		rec := script(t, trace.Truth, lines...)
		rec.Symbols.Threads[1].End = 1200 * us
		return rec
	}
	cfg := Config{Interval: ms, Runtime: dalvik, Cost: Cost{PerThread: 10 * us}}
	s, got := sample(t, rec(), cfg)
	expect(t, got,
		"10µs main +a@0s", "30µs old +b@0s", "30µs old +c@0s", // main, sampling, old
		"2.09ms old -c@1.2ms", "2.09ms old -b@1.2ms") // 2 ms + two pauses of 30 + 30; its CPU time is that of its end
	if st, elapsed := s.Stats(), s.Recording().Info.Elapsed; st.Paused != 4*30*us || elapsed != 3620*us || !slices.Equal(st.Samples, []int64{4, 4}) || st.Changed != 3 {
		t.Errorf("stats %+v, elapsed %s, want 4 pauses of 30 us, 3.62 ms, and 3 changed stacks", st, elapsed)
	}
	cfg.Runtime = nil
	s, got = sample(t, rec(), cfg)
	expect(t, got, "1.01ms main +a@0s", "1.02ms old +b@0s", "1.02ms old +c@0s")
	if st, elapsed := s.Stats(), s.Recording().Info.Elapsed; st.Paused != 30*us+2*20*us || elapsed != 4070*us || st.Changed != 2 {
		t.Errorf("stats %+v, elapsed %s, want pauses of 30, 20 and 20 us, a stop at 4 ms of the app, and 2 changed stacks", st, elapsed)
	}
}

// TestSampleIncludesSimultaneousEvent checks that a sample at the instant of an event includes
// the event.
func TestSampleIncludesSimultaneousEvent(t *testing.T) {
	_, got := sample(t, script(t, trace.Truth, "0s main +a", "1ms main +b", "1ms main -b", "1ms main +c", "2ms main -c"), Config{})
	expect(t, got, "1ms main +a@0s", "1ms main +c@0s", "2ms main -c@1ms")
}

// TestCallsMergeAndUnwindsAreExits checks that two calls of a method in consecutive samples become
// one, that an unwind appears as an exit, and that frames open at the end stay open.
func TestCallsMergeAndUnwindsAreExits(t *testing.T) {
	_, got := sample(t, script(t, trace.Truth, "0s main +a", "0.5ms main +b", "1.2ms main -b", "1.4ms main +b", "2.5ms main !b", "4ms main +c"),
		Config{})
	expect(t, got, "1ms main +a@0s", "1ms main +b@0s", "3ms main -b@2ms", "4ms main +c@3ms")
	_, got = sample(t, script(t, trace.Truth, "0s main +a", "0.5ms main +b", "1.2ms main -b", "1.4ms main +b", "2.5ms main -b", "4ms main +c"),
		Config{Identity: diffstack.ByCall})
	expect(t, got, "1ms main +a@0s", "1ms main +b@0s", "2ms main -b@1ms", "2ms main +b@1ms", "3ms main -b@2ms", "4ms main +c@3ms")
}

// TestLeavesHidden checks compiled leaves without a loop, which have no suspend check. With
// LeavesHidden, their time is attributed to their callers.
func TestLeavesHidden(t *testing.T) {
	lines := []string{"0s main +a", "0.5ms main +leaf", "1.5ms main -leaf", "1.6ms main +b", "1.7ms main +leaf", "3ms main -leaf"}
	for _, test := range []struct {
		leaves Leaves
		want   []string
	}{
		{LeavesSeen, []string{"1ms main +a@0s", "1ms main +leaf@0s", "2ms main -leaf@1ms", "2ms main +b@1ms", "2ms main +leaf@1ms", "3ms main -leaf@2ms"}},
		{LeavesHidden, []string{"1ms main +a@0s", "2ms main +b@1ms"}},
	} {
		rec := script(t, trace.Truth, lines...)
		rec.Symbols.Methods[1].Flags = trace.LeafNoPoll
		_, got := sample(t, rec, Config{Leaves: test.leaves})
		expect(t, got, test.want...)
	}
}

// TestRuntimeMethodsAreSkipped checks that samples never contain ART's own frames, in which the
// thread waits or runs as usual.
func TestRuntimeMethodsAreSkipped(t *testing.T) {
	rec := script(t, trace.Truth, "0s main +a@1ms", "0.5ms main +rt@1.5ms", "0.6ms main +b@1.6ms", "1.5ms main -b@2.5ms", "1.6ms main -rt@2.6ms", "3ms main -a@4ms")
	rec.Symbols.Methods[1].Flags = trace.RuntimeInternal
	_, got := sample(t, rec, Config{})
	expect(t, got, "1ms main +a@0s", "1ms main +b@0s", "2ms main -b@1ms", "3ms main -a@2ms")
}

// TestSamplesWaitForTheCollector checks that there is no sample during a garbage collection. A
// sample follows immediately after it, and then the sleep restarts.
func TestSamplesWaitForTheCollector(t *testing.T) {
	rec := script(t, trace.Truth, "0s main +a", "0.9ms gc +collect", "1.7ms gc -collect", "1.8ms main +b", "2.7ms main +c", "3ms main -c")
	rec.Symbols.Methods[1].Flags = trace.Collector
	s, got := sample(t, rec, Config{})
	expect(t, got, "1.7ms main +a@0s", "2.7ms main +b@1ms", "2.7ms main +c@1ms")
	if s.Stats().Ticks != 2 {
		t.Errorf("%d ticks, want 2", s.Stats().Ticks)
	}
}

// TestSampleDelayedByGCAtStop checks a sample that a collection delays until the
// stop, at 5 ms. The complete runtime of Android 16 wrote these two events, and an elapsed time of
// 6 ms, from this truth.
func TestSampleDelayedByGCAtStop(t *testing.T) {
	runtime, err := art.ByName("art16")
	if err != nil {
		t.Fatal(err)
	}
	rec := script(t, trace.Truth, "0.5ms main +a@0.5ms", "2.5ms main +collect@2.5ms")
	rec.Symbols.Methods[1].Flags = trace.Collector
	rec.Info.Elapsed = 5 * time.Millisecond
	s, got := sample(t, rec, Config{Runtime: runtime})
	expect(t, got, "1ms main +a@0s", "5ms main +collect@4ms")
	if elapsed := s.Recording().Info.Elapsed; elapsed != 6*time.Millisecond {
		t.Errorf("elapsed time %s, want 6ms", elapsed)
	}
}

// TestReleasesThatWaitForGC checks which runtimes wait for a collection.
// ScopedGCCriticalSection is in RunSamplingThread of Android 9 (trace.cc, "b/73624630") and later,
// but neither in 5 to 8.1 nor in Dalvik's runSamplingThread.
func TestReleasesThatWaitForGC(t *testing.T) {
	for _, r := range art.All() {
		rec := script(t, trace.Truth, "0s main +a", "0.9ms gc +collect", "1.7ms gc -collect", "1.8ms main -a")
		rec.Symbols.Methods[1].Flags = trace.Collector
		_, got := sample(t, rec, Config{Runtime: r})
		want := []string{"1.7ms main +a@0s"}
		switch r.Name {
		case "dalvik": // it also samples at 0
			want = []string{"0s main +a@0s", "1ms gc +collect@100µs"}
		case "art8":
			want = []string{"1ms main +a@0s", "1ms gc +collect@0s"}
		}
		expect(t, got, want...)
	}
}

// TestEndedThreadsKeepTheirFrames checks that a thread that has ended keeps its frames, and that a
// later thread with the same tid starts with an empty stack.
func TestEndedThreadsKeepTheirFrames(t *testing.T) {
	rec := script(t, trace.Truth, "0s main +a", "0s old +b", "1.5ms old +c", "1.6ms old -c", "2.5ms new +b", "4ms main -a")
	rec.Symbols.Threads[1].End = 1700 * us
	rec.Symbols.Threads[2].Start, rec.Symbols.Threads[2].TID = 2*ms, rec.Symbols.Threads[1].TID
	s, got := sample(t, rec, Config{Cost: Cost{PerThread: 10 * us}})
	expect(t, got,
		"1.01ms main +a@0s", "1.02ms old +b@0s", // three threads are walked, including the sampling thread
		"3.09ms new +b@530µs", // 2.03 ms: main, sampling and new are walked; its CPU zero is this sample. It was not in the previous sample, so this one is at 3.03 ms
		"4.1ms main -a@3ms")
	if got := s.Stats().Samples; !slices.Equal(got, []int64{4, 1, 3}) {
		t.Errorf("samples per thread %v, want 4, 1, 3", got)
	}
}

// TestRecordedThreadsAreAllWalked checks a recorded trace, which does not state when threads
// started and ended. Every sample walks all listed threads, and each has a stack only from its
// first to its last event.
func TestRecordedThreadsAreAllWalked(t *testing.T) {
	rec := script(t, trace.Instrumented, "0s main +a", "1.2ms other +b", "1.5ms other -b", "3ms main -a")
	rec.Symbols.Threads[0].End, rec.Symbols.Threads[1].End = 3*ms, 1500*us
	s, got := sample(t, rec, Config{Cost: Cost{PerThread: 10 * us}})
	expect(t, got, "1.01ms main +a@0s", "3.07ms main -a@2ms")
	if got := s.Stats(); got.Paused != 90*us || !slices.Equal(got.Samples, []int64{3, 0}) {
		t.Errorf("stats %+v, want 3 pauses of 30 us, the second thread not sampled", got)
	}
}

// TestBufferOverflow checks that a full buffer drops events, but keeps the remembered stacks. 1024
// bytes contain the 32-byte header and 70 records of 14 bytes (or 99 of 10).
func TestBufferOverflow(t *testing.T) {
	for _, test := range []struct {
		clock   trace.Clock
		records int
	}{{trace.Dual, 70}, {trace.Wall, 99}} {
		lines := []string{"0s main +a"}
		for i := range 60 {
			lines = append(lines, fmt.Sprintf("%dms main +b", 2*i+1), fmt.Sprintf("%dms main -b", 2*i+2))
		}
		s, got := sample(t, script(t, trace.Truth, lines...), Config{Clock: test.clock, BufferSize: 1024})
		_, all := sample(t, script(t, trace.Truth, lines...), Config{Clock: test.clock})
		expect(t, got, all[:test.records]...)
		if len(all) != 121 || s.Stats().Dropped != int64(121-test.records) || !s.Recording().Info.Overflow {
			t.Errorf("%d events in total, stats %+v", len(all), s.Stats())
		}
	}
}
