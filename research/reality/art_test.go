package main

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"artifice/research/internal/art11"
	"artifice/trace"
)

// artRun is a run of 10 ms on ART, by hand: mid of thread 7 calls tiny from 4 to 7 ms, begins at 2
// ms and is open at the end. The sampling thread walked stacks from 3 to 5 ms and found tiny.
// Before that, ART read its clocks for 1 ms.
func artRun() *artTrace {
	const start = time.Second
	symbols := &trace.Symbols{
		Threads: []trace.Thread{{TID: 1, Name: "Signal Catcher"}, {TID: 7, Name: "worker"}},
		Methods: []trace.Method{{Class: "java.lang.Thread", Name: "mid"}, {Class: art11.ProgramClass, Name: "tiny", Signature: "()V"}},
	}
	return &artTrace{
		rec:    &trace.Recording{Info: trace.Info{Start: start - ms, Elapsed: 11 * ms, Clock: trace.Dual}, Symbols: symbols},
		events: []trace.Event{{Wall: 4 * ms, Thread: 1}, {Wall: 4 * ms, Thread: 1, Method: 1}, {Wall: 9 * ms, Thread: 1, Method: 1, Action: trace.Exit}},
		log: map[uint32][]art11.Mark{7: {
			{At: start + 2*ms, Method: 3, Enter: true}, {At: start + 4*ms, Method: 7, Enter: true}, {At: start + 7*ms, Method: 7}, {At: start + 12*ms, Method: 3},
		}},
		began: start, elapsed: 10 * ms,
	}
}

func artText(t *testing.T, rec *trace.Recording) string {
	t.Helper()
	var text bytes.Buffer
	if err := writeTruth(&text, rec); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

// TestARTTruth: without the stop of 2 ms, tiny begins when the stop began, and takes 2 ms; the run
// of a thread that never sleeps takes 8 ms. Events after the trace are dropped. A runtime thread
// without a log is in the list of sampled threads.
func TestARTTruth(t *testing.T) {
	run := artRun()
	cuts := run.pauses([]art11.Sleep{{From: 0, To: time.Second + 3*ms}, {From: time.Second + 5*ms, To: time.Second + 8*ms}})
	if want := []span{{3 * ms, 5 * ms}}; !slices.Equal(cuts, want) {
		t.Fatalf("pauses %v, want %v", cuts, want)
	}
	const want = "2000000 - 7 enter p.App.mid\n3000000 - 7 enter p.App.tiny\n5000000 - 7 exit p.App.tiny\n"
	for _, test := range []struct {
		rec   *trace.Recording
		long  time.Duration
		waits bool
	}{{run.truth(cuts), 10 * ms, true}, {run.awake(cuts), 8 * ms, false}} {
		text := artText(t, test.rec)
		if !strings.HasSuffix(text, want) || !strings.Contains(text, "thread\t1\tSignal Catcher\n") || test.rec.Info.Elapsed != test.long || strings.Contains(text, "wait:sleep") != test.waits {
			t.Errorf("%s long:\n%s\nwant %s and\n%s", test.rec.Info.Elapsed, text, test.long, want)
		}
	}
}

// TestSleepsAreNotExtended: a sleep from 4 to 7 ms lasts 3 ms, whatever pauses overlap with it. Of
// a pause from 3 to 5 ms, only the first ms is removed, of one from 6 to 8 ms the last, and of one
// from 4.2 to 6 ms nothing. A thread waits in finish to the end.
func TestSleepsAreNotExtended(t *testing.T) {
	run := artRun()
	at := func(at time.Duration) time.Duration { return run.began + at }
	run.log[7] = []art11.Mark{{At: at(2 * ms), Method: 0, Enter: true}, {At: at(4 * ms), Method: 10, Enter: true}, {At: at(7 * ms), Method: 10}, {At: at(9 * ms), Method: 11, Enter: true}}
	text := artText(t, run.truth([]span{{3 * ms, 5 * ms}, {4200 * time.Microsecond, 6 * ms}, {6 * ms, 8 * ms}, {9500 * time.Microsecond, 10 * ms}}))
	if want := "3000000 - 7 enter p.App.nap\n6000000 - 7 exit p.App.nap\n7000000 - 7 enter p.App.finish\n"; !strings.HasSuffix(text, want) {
		t.Errorf("%s\nwant\n%s", text, want)
	}
}

// TestARTLogged: of ART's file, the program's method remains, with times since the app resumed, and
// no CPU time is lost.
func TestARTLogged(t *testing.T) {
	text := artText(t, artRun().logged(trace.Sampled))
	if want := "3000000 0 7 enter p.App.tiny\n8000000 0 7 exit p.App.tiny\n"; !strings.HasSuffix(text, want) {
		t.Errorf("%s\nwant\n%s", text, want)
	}
	if strings.Contains(text, "java.lang") || strings.Contains(text, "Catcher") {
		t.Errorf("methods other than the program's remain:\n%s", text)
	}
}

// TestSelfTimes: mid is innermost from 2 to 4 and from 7 to 10 ms, tiny from 4 to 7.
func TestSelfTimes(t *testing.T) {
	name := filepath.Join(t.TempDir(), "real.txt")
	if err := writeTruthFile(name, artRun().truth(nil)); err != nil {
		t.Fatal(err)
	}
	times, err := selfTimes(name)
	if err != nil || len(times) != 2 || times["p.App.mid"] != 5*ms || times["p.App.tiny"] != 3*ms {
		t.Errorf("%v, %v, want 5ms of mid and 3ms of tiny", times, err)
	}
}

// TestMeanFrames: from 2 to 7 ms, the time of the last event, mid is open for 5 ms and tiny for 3.
func TestMeanFrames(t *testing.T) {
	name := filepath.Join(t.TempDir(), "real.txt")
	if err := writeTruthFile(name, artRun().truth(nil)); err != nil {
		t.Fatal(err)
	}
	if frames, err := meanFrames(name); err != nil || frames != 8.0/5 {
		t.Errorf("%g frames, %v, want 1.6", frames, err)
	}
}

// TestLostTime: exits every 100 us form a chain of 1200 us. A chain that contains a sample of 20 us
// takes 1231 us, 11 us more than the sample; one without a sample takes 1201 us. The difference is
// 10 us. Ignored are samples that begin shortly before a chain or end with it, chains with two
// samples, and shorter chains.
func TestLostTime(t *testing.T) {
	const us = time.Microsecond
	chain := func(from, longer time.Duration, steps int) (exits []time.Duration) {
		for i := range steps + 1 {
			at := from + time.Duration(i)*100*us
			if i > 2 {
				at += longer
			}
			exits = append(exits, at)
		}
		return exits
	}
	pauses := []span{{10250 * us, 10270 * us}, {29950 * us, 29990 * us}, {41690 * us, 41710 * us}, {50200 * us, 50220 * us}, {50800 * us, 50820 * us}}
	var l lost
	l.chain(chain(10*ms, 31*us, 12), pauses)
	l.chain(chain(20*ms, 1*us, 12), pauses)
	if longer, _ := l.mean(); longer != 10*us {
		t.Errorf("%s, want 10us", longer)
	}
	for _, from := range []time.Duration{30 * ms, 40 * ms, 50 * ms} {
		l.chain(chain(from, 500*us, 12), pauses)
	}
	l.chain(chain(60*ms, 500*us, 11), pauses)
	if len(l.sampled) != 1 || len(l.other) != 1 {
		t.Errorf("%d chains with a sample and %d without, want one of each", len(l.sampled), len(l.other))
	}
}

// TestLongThreadIDs: the program's log has full tids; a record of ART's file has their lower 16
// bits.
func TestLongThreadIDs(t *testing.T) {
	run := artRun()
	run.rec.Symbols.Threads[1].TID = 7 + 1<<16
	if text := artText(t, run.truth(nil)); !strings.Contains(text, "enter p.App.mid") {
		t.Errorf("thread 65543 is not found:\n%s", text)
	}
}
