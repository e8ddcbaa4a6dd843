package main

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// dialect is a text format. In its parts N is a number that grows and NAME a name; a stack is a
// head, its frames and an end.
type dialect struct {
	name, ending            string
	begin, head, frame, end string
	finish                  string
}

// dialects are the text formats.
var dialects = []dialect{
	{name: "folded", ending: ".folded", head: "main", frame: ";NAME", end: " N\n"},
	{name: "perf", ending: ".txt", head: "app 10/10 [000] N.001000:    1000000 cpu-clock: \n", frame: "\t7f02 NAME (/usr/bin/app)\n", end: "\n"},
	{name: "perf-fields", ending: ".txt", head: "app 10/10 [000] N.001000: sched:sched_switch: prev_comm=NAME prev_pid=N ==> next_comm=NAME", frame: " ffffffff81N NAME (/usr/bin/app)", end: "\n\t7f02 NAME (/usr/bin/app)\n\n"},
	{name: "bpftrace", ending: ".txt", begin: "Attaching 1 probe...\n\n", head: "@[NAME, N, \n", frame: "    NAME+N\n", end: "]: N\n"},
	{name: "simpleperf", ending: ".txt", head: "sample:\n  event_type: cpu-clock\n  time: N\n  thread_id: 7\n  thread_name: a\n  vaddr_in_file: 1\n  file: x\n  symbol: f\n  callchain:\n",
		frame: "    vaddr_in_file: 2\n    file: x\n    symbol: NAME\n"},
	{name: "jstack", ending: ".txt", begin: "2000-01-01 00:00:00\nFull thread dump OpenJDK 64-Bit Server VM (17 mixed mode):\n\n",
		head:  "\"tN\" #1 prio=5 os_prio=0 cpu=29.78ms elapsed=0.05s tid=0x00007f0000000000 nid=0xN runnable  [0x0000000000000000]\n   java.lang.Thread.State: RUNNABLE\n",
		frame: "\tat a.B.NAME(B.java:20)\n", end: "\n"},
	{name: "jstack-forced", ending: ".txt", head: "Thread N: (state = BLOCKED)\n", frame: " - a.B.NAME(int) @bci=0, line=20 (Compiled frame)\n", end: "\n"},
	{name: "threads-alone", ending: ".txt", head: "\"tN\" prio=5 Id=N BLOCKED on a.B@1f owned by \"NAME\" Id=N\n", frame: "\tat a.B.NAME(B.java:20)\n\t-  locked a.B@N\n", end: "\n"},
	{name: "javacore", ending: ".txt", begin: "0SECTION       TITLE subcomponent dump routine\n1TIDATETIME    Date: 2018/05/18 at 13:15:15:250\n0SECTION       THREADS subcomponent dump routine\n",
		head:  "3XMTHREADINFO      \"tN\" J9VMThread:0xN, state:B, prio=5\n3XMTHREADBLOCK     Blocked on: a/B@0xN Owned by: \"NAME\" (J9VMThread:0xN)\n",
		frame: "4XESTACKTRACE                at a/B.NAME(B.java:20(Compiled Code))\n5XESTACKTRACE                   (entered lock: a/B@0xN, entry count: 1)\n"},
	{name: "tombstone", ending: ".txt", head: "pid: 7, tid: N, name: NAME  >>> x <<<\n", frame: "      #00 pc N  /x/liba.so (NAME+4)\n", end: "--- --- ---\n"},
	{name: "jcmd", ending: ".txt", begin: "7\n2025-06-10T00:49:22.146091Z\n21\n\n", head: "#N \"t\"\n", frame: "      a.B.NAME(B.java:1)\n", end: "\n"},
	{name: "anr", ending: ".txt", begin: "\n----- pid 7 at 2024-01-01 00:00:01 -----\nCmd line: app\n", head: "\"tN\" prio=5 tid=N Native\n  | sysTid=N nice=0\n",
		frame: "  at a.B.NAME(A.java:2)\n", end: "\n", finish: "----- end 7 -----\n"},
	{name: "jsonl", ending: ".jsonl", head: `{"time_us":N,"thread":"m","frames":["x"`, frame: `,"a.B.NAME(B.java:1)"`, end: "]}\n"},
	{name: "profilo", ending: ".txt", begin: "dt\nver|3\nprec|6\npid|10\n\n1|TRACE_START|5|10|0|1|7\n", head: "", frame: "N|STACK_FRAME|1|0|0|0|NAME\n", end: "N|STRING_VALUE|4|NAME\n"},
	{name: "ftrace", ending: ".txt", begin: "# tracer: nop\n#\n", head: "", frame: "  a-10 (10) [000] ...1 N.001000: tracing_mark_write: B|10|NAME\n", end: "  a-10 (10) [000] ...1 N.002000: tracing_mark_write: E|10\n"},
	{name: "rhea", ending: ".txt", begin: "1|TRACE_START|0|10|2147483647|2|x\n", frame: "N.000000: B|10|B:NAME\n", end: "N.000003: B|10|E:NAME\n"},
	{name: "nanoscope", ending: ".txt", frame: "N:NAME\n", end: "N:POP\n"},
	{name: "matrix", ending: ".txt", head: "0,1048574,1,9\n", frame: "N,NAME,1,4\n"},
	{name: "artifice", ending: ".txt", begin: "# artifice text trace\ninfo\tclock\twall\nthread\t1\tmain\nmethod\t0x4\ta.A\tf\t()V\tA.java\t-1\n", frame: "N - 1 enter a.A.f()V\n", end: "N - 1 exit a.A.f()V\n"},
	{name: "tree", ending: ".tree", begin: "@thread 1 main\n", frame: "N/N 1 a.B.NAME ()V\n", end: "N/N 1 !a.B.NAME ()V\n"},
}

// separators are the separators of the formats, and a few unexpected ones.
var separators = []string{";", " ", "\t", "\n", "\r", "\r\n", ",", ":", "|", "(", ")", "[", "]", "{", "}", "<", ">", "\"", "'", "/", "\\", "-", "_", "@", "#", "=", "+", ".", "$", "%",
	"0", "9", "a", "\x00", "\x1b", "\x80", "\xff", "é", "\u2028", "\ufeff", " 1\n", "; ", "::", "->", "\tat ", "  at ", "...", "0x", "\\u0000"}

// shapes are the ways in which a text is hostile.
var shapes = []struct {
	name string
	make func(d *dialect, r *rand.Rand, size int) []byte
}{
	{"separators", (*dialect).separators},
	{"deep", (*dialect).deep},
	{"long", (*dialect).long},
	{"stacks", (*dialect).stacks},
	{"numbers", (*dialect).numbers},
	{"mixed", (*dialect).mixed},
}

// textClasses are the formats in all shapes.
var textClasses = func() (list []class) {
	for i := range dialects {
		d := &dialects[i]
		for _, s := range shapes {
			list = append(list, plain(d.name+"-"+s.name, d.ending, recording, func(r *rand.Rand, size int) []byte { return s.make(d, r, size) }))
		}
	}
	return list
}()

// fill replaces the numbers and names of a part.
func fill(part string, n int, name string) string {
	part = strings.ReplaceAll(part, "NAME", "\x01")
	part = strings.ReplaceAll(part, "N", strconv.Itoa(n))
	return strings.ReplaceAll(part, "\x01", name)
}

// stack appends a stack of depth frames.
func (d *dialect) stack(b []byte, n, depth int, name func(i int) string) []byte {
	b = append(b, fill(d.head, n, "f")...)
	for i := range depth {
		b = append(b, fill(d.frame, n+i, name(i))...)
	}
	return append(b, fill(d.end, n+depth, "f")...)
}

// f names a frame.
func f(i int) string { return "f" + strconv.Itoa(i%100) }

// separators repeats one separator, in the middle of a stack: in place of a name, after a head, or
// instead of everything.
func (d *dialect) separators(r *rand.Rand, size int) []byte {
	run := strings.Repeat(pick(r, separators...), size)[:size]
	b := d.stack([]byte(d.begin), 1, 2, f)
	switch r.IntN(4) {
	case 0:
		b = d.stack(b, 2, 2, func(i int) string { return pick(r, "g", run) })
	case 1:
		b = append(append(b, fill(d.head, 2, "f")...), run...)
	case 2:
		b = append(append(b, fill(d.frame, 2, "f")...), run...)
	case 3:
		b = []byte(run)
	}
	return append(d.stack(b, 3, 2, f), d.finish...)
}

// deep has few stacks with many frames: of one name, of a few or all different.
func (d *dialect) deep(r *rand.Rand, size int) []byte {
	names := pick(r, 1, 2, 1000, size)
	stacks := pick(r, 1, 2, 16)
	depth := size / stacks / len(fill(d.frame, 10, "f10"))
	b := []byte(d.begin)
	for i := range stacks {
		b = d.stack(b, i*depth, depth, func(i int) string { return "f" + strconv.Itoa(i%names) })
	}
	return append(b, d.finish...)
}

// long has names of many bytes.
func (d *dialect) long(r *rand.Rand, size int) []byte {
	n := pick(r, size, size/10, 100_000, 70_000)
	b := []byte(d.begin)
	for len(b) < size {
		b = d.stack(b, len(b), 2, func(int) string { return long(r, max(n/2, 1)) })
	}
	return append(b, d.finish...)
}

// stacks has many different stacks, some with empty names.
func (d *dialect) stacks(r *rand.Rand, size int) []byte {
	b := []byte(d.begin)
	for i := 0; len(b) < size; i++ {
		b = d.stack(b, i, r.IntN(9), func(j int) string { return pick(r, "", f(r.IntN(100)), strconv.Itoa(i)) })
	}
	return append(b, d.finish...)
}

// numbers has numbers that are too large or too long.
func (d *dialect) numbers(r *rand.Rand, size int) []byte {
	length := pick(r, 20, 1000, size/4)
	b := []byte(d.begin)
	for len(b) < size {
		part := strings.ReplaceAll(pick(r, d.head, d.frame, d.frame, d.end), "NAME", "f")
		if strings.Contains(part, "N") {
			part = strings.ReplaceAll(part, "N", strings.ReplaceAll(number(r, length), "N", "n"))
		}
		b = append(b, part...)
	}
	return append(b, d.finish...)
}

// mixed deletes, doubles, swaps and cuts lines, and swaps bytes.
func (d *dialect) mixed(r *rand.Rand, size int) []byte {
	text := []byte(d.begin)
	for i := 0; len(text) < min(size, 20_000); i++ {
		text = d.stack(text, i, r.IntN(6), f)
	}
	return mixLines(append(text, d.finish...), r, size)
}

// mixLines damages a text line by line, and repeats it up to size.
func mixLines(text []byte, r *rand.Rand, size int) []byte {
	lines := strings.SplitAfter(string(text), "\n")
	for range 1 + r.IntN(20) {
		i, j := r.IntN(len(lines)), r.IntN(len(lines))
		switch r.IntN(6) {
		case 0:
			lines[i], lines[j] = lines[j], lines[i]
		case 1:
			lines[i] = strings.Repeat(lines[i], r.IntN(100))
		case 2:
			lines[i] = lines[i][:r.IntN(len(lines[i])+1)]
		case 3:
			lines[i] = strings.ReplaceAll(lines[i], pick(r, separators...), pick(r, separators...))
		case 4:
			lines[i] = numbersOf.ReplaceAllString(lines[i], fmt.Sprint(extreme(r)))
		case 5:
			lines = slices.Insert(lines, i, long(r, r.IntN(2000))+"\n")
		}
	}
	damaged := strings.Join(lines, "")
	return []byte(strings.Repeat(damaged, max(1, size/max(1, len(damaged)))))
}

// numbersOf matches the numbers of a line.
var numbersOf = regexp.MustCompile(`[0-9]+`)
