package perf_test

import (
	"fmt"
	"strings"
	"testing"

	"artifice/format/internal/formattest"
	"artifice/format/internal/perf"
	"artifice/format/internal/stackdump"
	"artifice/internal/testdata/tracetest"
	"artifice/trace"
)

// TestHeads checks that command, process, thread, time and event are found for any fields of perf
// script. The lines are from public files and bug reports.
func TestHeads(t *testing.T) {
	for _, test := range []struct{ head, thread string }{
		{"Worker 1 300/301 [000] 12.000001:    1000 cpu-clock: ", "Worker 1 (301) of 300"},
		{"Worker 1 301 12.000001:    1000 cpu-clock: ", "Worker 1 (301) of 0"},
		{"CUPSManager cup 11320 186448.846888:    1008373 cycles: ", "CUPSManager cup (11320) of 0"},
		{"foobar [worker] 21332 cycles: ", "foobar [worker] (21332) of 0"},
		{"Gecko\t25122 [007] 115539.936601:\t\t1000000 task-clock:u: ", "Gecko (25122) of 0"},
		{"python 1810767/1810767 2023391.719579:     363492 cycles:P: ", "python (1810767) of 1810767"},
		{"tokio (a b) 2/3 7 4/5 [011] 1.000000001:          1 cpu_core/cycles/P: ", "tokio (a b) 2/3 7 (5) of 4"},
		{"kworker/0:1-eve 77/77 [000] K   3.5:  1 cpu-clock:pppH: ", "kworker/0:1-eve (77) of 77"},
		{":-1    -1/-1    [003] 3.5:  1 cpu-clock: ", ":-1 (1) of -1"},
		{"sh 9/9 [003] 2021-01-01 12:00:00.123456 3.5:  1 cpu-clock: ", "sh (9) of 9"},
		{"java 1/2 cpu-clock: ", "java (2) of 1"},
		{"300/301 12.000001:    1000 cycles:u: ", "thread-301 (301) of 300"}, // without -F comm
		{"300/301 [002] 12.000001:    1000 cycles:u: ", "thread-301 (301) of 300"},
		{" 301 12.000001: cycles: ", "thread-301 (301) of 0"},
		{"12 301 12.000001: cycles: ", "12 (301) of 0"}, // a command that is a number
	} {
		s := formattest.Parse(t, stackdump.Config{}, test.head+"\n\t    7f20 f (/bin/x)\n\n")
		tracetest.Events(t, s)
		if len(s.Symbols.Threads) != 1 {
			t.Errorf("%s: %d threads", test.head, len(s.Symbols.Threads))
			continue
		}
		th := s.Symbols.Threads[0]
		if got := fmt.Sprintf("%s (%d) of %d", th.Name, th.TID, s.Info.PID); got != test.thread {
			t.Errorf("%s: thread %s, want %s", test.head, got, test.thread)
		}
	}
}

// TestOtherLines checks that perf's messages, records other than samples, source lines and branches
// are neither frames nor samples.
func TestOtherLines(t *testing.T) {
	s := formattest.Parse(t, stackdump.Config{}, `Failed to open /usr/lib64/libc-2.17.so, continuing without symbols
[ perf record: Woken up 1 times to write data ]
# ========
# cmdline : /usr/bin/perf record -e cpu-clock -g
#
a 1/1 1.000000: PERF_RECORD_COMM: a:1/1
a 1/1 [000] 1.000000: PERF_RECORD_MMAP2 1/1: [0x400000(0x1000) @ 0 fd:00 1 2]: r-xp /bin/a
a 1/1 1.000000:    1000000 cpu-clock:u: 
	    40 leaf+0x3 (/bin/app)
  foo.c:12
|12      for (;;) {
	    41 middle (inlined)
  ld-2.29.so[11634]
addr2line: /bin/app: could not read first record
 instruction trace error type 1 time 1.000000000 cpu -1 pid 1 tid 1 ip 0x42 code 7: Overflow packet
	    42 main+0x30 (/bin/app)
  main+48
 0x40/0x41/P/-/-/0  0x42/0x43/M/-/-/0
 main+0x30/leaf+0x3/PN/-/-/3/CALL/-
	main+48:
	0000000000000042	insn: 48 89 e5 
	0000000000000044	jmp 0x40 (%rip)                     # PRED 3 cycles [3] 0.66 IPC
	... not reaching sample ...

a 1/1 1.001000:    1000000 cpu-clock:u: 
	    42 main+0x30 (/bin/app)
  /home/a b/foo.c:12

`)
	formattest.Same(t, formattest.Text(t, s), `
thread	1	a
0 0 1 enter main
0 0 1 enter middle
0 0 1 enter leaf
1000000 1000000 1 exit leaf
1000000 1000000 1 exit middle
2000000 2000000 1 exit main
`)
	formattest.Warned(t, s)
}

// TestWithoutStacks checks the output of perf without -g: each sample is a leaf, in the line of the
// header. perf right-aligns the commands, and an editor may have removed the blanks. Commands such
// as dd are also hexadecimal numbers.
func TestWithoutStacks(t *testing.T) {
	const text = "              dd  9  1.000000:    1000000 cpu-clock:u:                40 f (/bin/ab)\n" +
		"              dd  9  1.001000:    1000000 cpu-clock:u:                41 g+0x2 (/bin/ab)\n" +
		"  CUPSManager cup 11  1.002000:    1000000 cpu-clock:u:                41 g+0x2 (/bin/ab)\n"
	const want = `
thread	9	dd
0 0 9 enter f
1000000 1000000 9 exit f
1000000 1000000 9 enter g
thread	11	CUPSManager cup
2000000 0 11 enter g
2000000 2000000 9 exit g
3000000 1000000 11 exit g
`
	var flush []string
	for line := range strings.Lines(text) {
		flush = append(flush, strings.TrimLeft(line, " "))
	}
	for _, text := range []string{text, strings.Join(flush, "")} {
		s := formattest.Parse(t, stackdump.Config{}, text)
		formattest.Same(t, formattest.Text(t, s), want)
		formattest.Warned(t, s)
	}
}

// TestTracepoints checks samples of a tracepoint without stacks. The frame follows the tracepoint's
// fields, which can be numbers. A sample without a frame is counted, too: the frame names that.
func TestTracepoints(t *testing.T) {
	s := formattest.Parse(t, stackdump.Config{}, "fio 2/2 [021] 1.791544: 1 block:block_rq_issue: 259,76 R 4096 () 57622160 + 8 [fio] ffffffff8beead90 blk_mq_start_request ([kernel.kallsyms])\n"+
		"fio 2/2 [021] 1.791628: 1 block:block_rq_issue: 259,76 R 4096 () 82612968 + 8 [fio]\n"+
		"fio 2/2 [021] 1.791728: 3 block:block_rq_issue: (none)\n"+
		"fio 2/2 [021] 1.791828: 1 block:block_rq_issue: ffffffff8beead90 f ([kernel.kallsyms])\n")
	formattest.Same(t, formattest.Text(t, s), `
thread	2	fio
0 - 2 enter blk_mq_start_request_[k]
1 - 2 exit blk_mq_start_request_[k]
1 - 2 enter (no stack)
5 - 2 exit (no stack)
5 - 2 enter f_[k]
`)
	formattest.Warned(t, s)
	if want := (trace.Quantity{Name: "block:block_rq_issue", Unit: "count"}); s.Info.Quantity != want {
		t.Errorf("quantity %v, want %v", s.Info.Quantity, want)
	}
}

// TestDeferred checks stacks of user space that are unwound when the kernel returns to it. If perf
// merged them, a sample without one ends in a cookie, which is no frame. If they are separate, the
// error states how to merge them.
func TestDeferred(t *testing.T) {
	const sample = "pwd    2312   121.163435:     249113 cpu/cycles/P: \n\tffffffff84 do_syscall_64+0x62 ([kernel.kallsyms])\n"
	s := formattest.Parse(t, stackdump.Config{}, sample+"\t       b00000006 (cookie) ([unknown])\n\n")
	formattest.Same(t, formattest.Text(t, s), `
thread	2312	pwd
0 0 2312 enter do_syscall_64_[k]
10000000 10000000 2312 exit do_syscall_64_[k]
`)
	s, err := formattest.New(strings.NewReader(sample+"\n"+
		"pwd    2312   121.163447: DEFERRED CALLCHAIN [cookie: b00000006]\n\t7f18fe mprotect+0x7 (/lib/ld.so)\n\n"), "x", stackdump.Config{})
	if err == nil {
		_, err = trace.Copy(&trace.Buffer{}, s)
	}
	const want = "x:4: the stacks of user space are separate from their samples (DEFERRED CALLCHAIN), which is not read: run perf script without --no-merge-callchains"
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// TestBranches checks samples of branches. They are those of the code that branches; the target
// follows an arrow, in the line of the frame or after the stack.
func TestBranches(t *testing.T) {
	s := formattest.Parse(t, stackdump.Config{}, `a 1/1 [001] 1.000001:          1 branches:uH:   call                    401126 main+0x0 (/bin/a) =>     401100 f+0x0 (/bin/a)
a 1/1 [001] 1.000002:          1 branches:uH: 
	          401110 f+0x10 (/bin/a)
	          40112b main+0x5 (/bin/a)
 =>           40112b main+0x5 (/bin/a)
`)
	formattest.Same(t, formattest.Text(t, s), `
thread	1	a
0 - 1 enter main
1 - 1 enter f
`)
}

// TestOffCPU checks the samples of perf record --off-cpu. They count ns off the CPU.
func TestOffCPU(t *testing.T) {
	s := formattest.Parse(t, stackdump.Config{Event: "offcpu-time"}, "a 1/1 1.5: 1000000 cpu-clock: \n\t40 f (/bin/x)\n\n"+
		"a 1/1 18446744069.414584: 499000000 offcpu-time: \n\t50 read (/bin/x)\n\n"+
		"a 1/1 18446744069.414584: 7000 offcpu-time: \n\t51 write (/bin/x)\n\n")
	formattest.Same(t, formattest.Text(t, s), `
thread	1	a
0 - 1 enter read
499000000 - 1 exit read
499000000 - 1 enter write
`)
	if want := (trace.Quantity{Name: "offcpu-time", Unit: "nanoseconds"}); s.Info.Quantity != want {
		t.Errorf("quantity %v, want %v", s.Info.Quantity, want)
	}
}

// TestNoStack checks that the CPU time of samples without frames is in the totals.
func TestNoStack(t *testing.T) {
	s := formattest.Parse(t, stackdump.Config{}, "a 1/1 1.000000: 1000000 cpu-clock: \n\n"+
		"a 1/1 1.001000: 1000000 cpu-clock: \n\t40 f (/bin/x)\n\na 1/1 1.002000: 1000000 cpu-clock: \n\n")
	formattest.Same(t, formattest.Text(t, s), `
thread	1	a
0 0 1 enter (no stack)
1000000 1000000 1 exit (no stack)
1000000 1000000 1 enter f
2000000 2000000 1 exit f
2000000 2000000 1 enter (no stack)
3000000 3000000 1 exit (no stack)
`)
	formattest.Warned(t, s)
}

// TestEvents checks that, of several events, the best measure of CPU time is read, and the others
// are listed with their counts. --event selects another event. Instructions are not a time, but a
// quantity.
func TestEvents(t *testing.T) {
	const stack = "\n\t40 %s (/bin/x)\n\n"
	file := func(events ...string) (text string) {
		for i, e := range events {
			text += fmt.Sprintf("a 1/1 1.%03d000: 1000000 %s: "+stack, i, e, strings.NewReplacer(":", "_", "/", "_", "-", "_").Replace(e))
		}
		return text
	}
	for _, test := range []struct {
		events       string
		wanted, read string
		warning      string
	}{
		{"instructions:u cycles:u", "", "cycles_u", "samples of cycles:u are read; other events are ignored: instructions:u (1 sample)"},
		{"cycles task-clock:ppp", "", "task_clock_ppp", "other events are ignored: cycles (1 sample)"},
		{"page-faults block:block_rq_issue instructions", "", "instructions", "other events are ignored: page-faults (1 sample), block:block_rq_issue (1 sample)"},
		{"cpu_core/cycles/P cpu_atom/cycles/P cpu-migrations", "", "cpu_core_cycles_P cpu_atom_cycles_P", "other events are ignored: cpu-migrations (1 sample)"},
		{"apple_icestorm_pmu/cycles/P armv9_cortex_a520/cycles/P cpu-migrations", "", "apple_icestorm_pmu_cycles_P armv9_cortex_a520_cycles_P", "other events are ignored: cpu-migrations (1 sample)"},
		{"cpu-clock:u offcpu-time", "", "cpu_clock_u", "other events are ignored: offcpu-time (1 sample)"},
		{"cpu-clock:u instructions:u", "instructions", "instructions_u", "other events are ignored: cpu-clock:u (1 sample)"},
		{"cpu-clock:u instructions:u", "instructions:u", "instructions_u", "other events are ignored: cpu-clock:u (1 sample)"},
		{"cycles:u cycles:k cycles:k", "", "cycles_k cycles_k", "other events are ignored: cycles:u (1 sample)"},
	} {
		s := formattest.Parse(t, stackdump.Config{Event: test.wanted}, file(strings.Fields(test.events)...))
		var got []string
		for _, e := range tracetest.Events(t, s) {
			if e.Action == trace.Enter {
				got = append(got, s.Symbols.Method(e.Method).Name)
			}
		}
		if len(got) == 1 && strings.Contains(test.read, " ") { // both samples have the same stack
			got = append(got, got[0])
		}
		if strings.Join(got, " ") != test.read {
			t.Errorf("%s, --event %q: read %q, want %s", test.events, test.wanted, got, test.read)
		}
		found := false
		for _, w := range s.Warnings {
			found = found || strings.Contains(w.Text, test.warning)
		}
		if !found {
			t.Errorf("%s: %v, want %s", test.events, s.Warnings, test.warning)
		}
	}
	_, err := formattest.New(strings.NewReader(file("cycles", "cs", "cs")), "in", stackdump.Config{Event: "foo"})
	if err == nil || !strings.Contains(err.Error(), "in: no samples of event foo (--event); the file has cs (2 samples), cycles (1 sample)") {
		t.Errorf("an event that the file lacks: error %v, want one that lists the events", err)
	}
}

// TestWaits checks that a thread waits from a context switch to its next sample, without CPU time.
// A gap between samples without a switch belongs to no stack.
func TestWaits(t *testing.T) {
	const text = `a 1/1 1.000000: 1 sched:sched_switch: prev_comm=a prev_pid=1
	40 wait (/bin/x)
	41 main (/bin/x)

a 1/1 1.005000: 1000000 cpu-clock: 
	42 work (/bin/x)
	41 main (/bin/x)

a 1/1 1.005100: 1 sched:sched_switch: prev_comm=a prev_pid=1
	40 wait (/bin/x)
	41 main (/bin/x)

a 1/1 1.010000: 1000000 cpu-clock: 
	42 work (/bin/x)
	41 main (/bin/x)

a 1/1 1.020000: 1000000 cpu-clock: 
	42 work (/bin/x)
	41 main (/bin/x)

`
	s := formattest.Parse(t, stackdump.Config{}, text)
	formattest.Same(t, formattest.Text(t, s), `
thread	1	a
0 0 1 enter main
0 0 1 enter wait
5000000 0 1 exit wait
5000000 0 1 enter work
6000000 1000000 1 exit work
6000000 1000000 1 enter wait
10000000 1000000 1 exit wait
10000000 1000000 1 enter work
11000000 2000000 1 exit work
11000000 2000000 1 exit main
20000000 2000000 1 enter main
20000000 2000000 1 enter work
21000000 3000000 1 exit work
21000000 3000000 1 exit main
`)
	formattest.Warned(t, s, "samples of cpu-clock are read; context switches are read as waits: sched:sched_switch (2 samples); --event NAME reads another event")
	s = formattest.Parse(t, stackdump.Config{Event: "sched_switch"}, text)
	formattest.Same(t, formattest.Text(t, s), `
thread	1	a
0 0 1 enter main
0 0 1 enter wait
5000000 0 1 exit wait
5000000 0 1 exit main
5100000 0 1 enter main
5100000 0 1 enter wait
10000000 0 1 exit wait
10000000 0 1 exit main
`)
	formattest.Warned(t, s, "samples of sched:sched_switch are read; other events are ignored: cpu-clock (3 samples)")
}

// TestWithoutThread checks samples without a thread, as perf script -F writes them if the list of
// fields has neither pid nor tid, and samples without heads.
func TestWithoutThread(t *testing.T) {
	const f = "\t    ffffffff8104f45a f ([kernel.kallsyms])\n\t          401136 main (/bin/app)\n"
	const g = "\t          401140 g (/bin/app)\n\t          401136 main (/bin/app)\n"
	ten := func(thread string) string {
		return "thread\t1\t" + thread + "\n0 0 1 enter main\n0 0 1 enter f_[k]\n10000000 10000000 1 exit f_[k]\n10000000 10000000 1 enter g\n20000000 20000000 1 exit g\n20000000 20000000 1 exit main\n"
	}
	assumed := "samples do not state the CPU time between them; a typical sample counts as 10ms of CPU time (an assumption)"
	lacks := func(what string) string {
		return "samples do not state " + what + " (perf script -F); samples of one command are read as samples of one thread"
	}
	for _, c := range []struct{ name, text, want, lacks, period string }{
		{"ip,sym,dso", f + "\n" + g + "\n", ten("main"), "the thread, the time and the event", assumed},
		{"ip,sym", strings.NewReplacer(" ([kernel.kallsyms])", "", " (/bin/app)", "").Replace(f + "\n" + g), strings.ReplaceAll(ten("main"), "_[k]", ""), "the thread, the time and the event", assumed},
		{"blanks for tabs", strings.ReplaceAll(f+"\n"+g+"\n", "\t", "    "), ten("main"), "the thread, the time and the event", assumed},
		{"comm", "V8 Worker \n" + f + "\nV8 Worker \n" + g, ten("V8 Worker"), "the thread, the time and the event", assumed},
		{"comm,event", "app cycles:u: \n" + f + "\napp cycles:u: \n" + g, ten("app"), "the thread and the time",
			"samples count cycles:u, which is not a unit of time; a typical sample counts as 10ms of CPU time (an assumption)"},
		{"cpu,time,event", "[001] 5.000000: cycles: \n" + f + "\n[000] 5.010000: cycles: \n" + g, ten("main"), "the thread",
			"samples count cycles, which is not a unit of time; a typical sample counts as 10ms of CPU time (the median distance of two samples of a thread)"},
	} {
		s := formattest.Parse(t, stackdump.Config{}, c.text)
		formattest.Same(t, formattest.Text(t, s), c.want)
		var end []string
		if !strings.HasSuffix(c.text, "\n\n") {
			end = []string{"there is no empty line after the last sample: its outer frames may be missing"}
		}
		formattest.Warned(t, s, append([]string{lacks(c.lacks)}, append(end, c.period)...)...)
	}
	const add = "; run perf script without -F, or with -F comm,pid,tid,time,period,event,ip,sym,dso"
	for _, c := range []struct{ name, text, want string }{
		{"one stack or three samples", f + g, "the samples have no first line (command, pid, time and event), and no empty line separates them, so they can be one stack or several" + add},
		{"tid or period", "   1234 \n" + f + "\n   1234 \n" + g, `the first line of a sample has a number that can be its thread or its count of events: "   1234 "` + add},
		{"tid or period, event", "   1234 cycles: \n" + f + "\n", `the first line of a sample has a number that can be its thread or its count of events: "   1234 cycles: "` + add},
	} {
		_, err := formattest.New(strings.NewReader(c.text), "x", stackdump.Config{})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %s", c.name, err, c.want)
		}
	}
}

// TestOtherColumns checks that numbers before words are not frames of samples without heads.
func TestOtherColumns(t *testing.T) {
	for _, text := range []string{"   1234 main\n      7 f\n\n   1234 g\n", "\tface to face\n\n\tfeed 1234\n", "0000000 457f 464c\n\n0000010 0002 003e\n", "total:\n\t    12 lines\n"} {
		if _, err := formattest.New(strings.NewReader(text), "x", stackdump.Config{}); err == nil {
			t.Errorf("%q is read", text)
		}
	}
}

// TestLacksStacks checks that output of perf script without threads or stacks is recognized, and that
// samples and other texts are not.
func TestLacksStacks(t *testing.T) {
	for text, want := range map[string]bool{
		"     app    1000000 cycles:u: \n kworker      90000 cycles:u: \n":            true, // -F comm,period,event
		"     app  1.000000: \n     app  1.010000: \n":                                true, // -F comm,time
		"# ========\n     app     7/7     sched:sched_switch: \n":                     true, // -F comm,pid,tid,event
		"   1000000 cpu-clock: \n":                                                    true, // -F period,event
		"app 401140 f+0x3 (/bin/app)\napp 401150 operator()(int)+0x3 (/bin/my app)\n": true, // -F comm,ip,sym,symoff,dso
		"cpu-clock:u:            401140 f+0x3 (/bin/app)\n":                           true, // -F event,ip,sym,symoff,dso
		"    node  ffffffff81c42f74 sbitmap_get\n    node            401140 f\n":      true, // -F comm,ip,sym
		"pick 1a2b3c4 a subject\npick 1a2b3c5 another\n":                              false,
		"     app    1000000 cycles:u: \n\t401140 f (/bin/app)\n":                     false, // it has a stack
		"Usage of this program:\nfrom:\n":                                             false,
		"12.5: one\n13.5: two\n":                                                      false,
		"\f\n\u00a0\n":                                                                false,
		"":                                                                            false,
	} {
		if got := perf.LacksStacks([]byte(text)); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}
