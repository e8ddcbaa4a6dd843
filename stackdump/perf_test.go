package stackdump

import (
	"strings"
	"testing"
)

func TestPerf(t *testing.T) {
	s := parse(t, Config{}, `# perf's header
V8 WorkerThread 24636/25607 [000] 100.000000:     235 cycles:u:
	    7f26dc479340 f+0x1f (/lib/libfoo.so)
	    7f26cab4c0b0 main (/bin/app)

java 24636/24636 [001] 100.000500:     235 cycles:u:
	    7f26dc479340 Lorg/mozilla/Context;::call->Ljava/lang/Object;::hash (/tmp/perf-24636.map)
	ffffffff8104f45a do_sys_open ([kernel.kallsyms])

V8 WorkerThread 24636/25607 [000] 100.001000:     instructions:u:
	    7f26cab4c0b0 main (/bin/app)

V8 WorkerThread 24636/25607 [000] 100.001500:     1 cycles:u:
	    7f26cab4c0b0 main (/bin/app)

`)
	same(t, textOf(t, s), `
thread	25607	V8_WorkerThread
0 - 25607 enter main
0 - 25607 enter f
thread	24636	java
500000 - 24636 enter do_sys_open_[k]
500000 - 24636 enter org/mozilla/Context:::call_[j]
500000 - 24636 enter java/lang/Object:::hash_[i]
1500000 - 25607 exit f
`)
	warned(t, s, "1 samples of events other than cycles:u are left out")
}

// The names that stackcollapse-perf.pl --all gives, tried with the tool's own
// rules in mind; what perf leaves without a name is named by its module.
func TestPerfFrames(t *testing.T) {
	for _, test := range []struct {
		text string
		java bool
		want string
	}{
		{"native_write_msr_safe ([kernel.kallsyms])", false, "native_write_msr_safe_[k]"},
		{"fsnotify+0x1f (/lib/modules/4.1.0/build/vmlinux)", false, "fsnotify_[k]"},
		{"[unknown] ([unknown])", false, "[unknown]"},
		{"[unknown] (/usr/lib/libz.so.1)", false, "[libz.so.1]"},
		{"[unknown] ([vdso])", false, "[[vdso]]_[k]"},
		{" (/lib/libc.so)", false, "[libc.so]"},
		{"Lorg/mozilla/Context;.call(Ljava/lang/Object;)V (/tmp/perf-7.map)", true, "org/mozilla/Context:.call_[j]"},
		{"Lorg/mozilla/Context;.call (/tmp/perf-7.map)", false, "Lorg/mozilla/Context:.call_[j]"},
		{"a::b(int, c<d>)+0x10 (/bin/x)", false, "a::b"},
		{"(anonymous namespace)::f(int) (/bin/x)", false, "(anonymous namespace)::f"},
		{"net/http.(*Client).Do (/bin/go)", false, "net/http.(*Client).Do"},
		{`RegExp:[&<>"'] (/tmp/perf-7.map)`, false, "RegExp:[&<>]_[j]"},
		{"f (/bin/x (deleted))", false, "f"},
		{"a->b->c (/tmp/perf-7.map)", false, "c_[i] b_[i] a_[j]"},
		{"(app) (/bin/x)", false, ""}, // the process, not a frame
	} {
		var got []string
		for _, f := range parsePerfFrame(test.text, test.java) {
			got = append(got, f.Method)
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%q: %q, want %q", test.text, got, test.want)
		}
	}
}

// The idle task has tid 0 on every CPU, and is a thread on each.
func TestPerfIdle(t *testing.T) {
	s := parse(t, Config{}, "swapper     0 [000] 1.000000: cycles:\n\t40 f (x)\n\nswapper     0 [001] 1.001000: cycles:\n\t40 g (x)\n\n")
	same(t, textOf(t, s), "thread\t1\tswapper\n0 - 1 enter f\nthread\t2\tswapper\n1000000 - 2 enter g\n")
}

// Heads without times, of old versions of perf: the interval separates samples.
// Two processes' threads of one command keep their plain names.
func TestPerfWithoutTimes(t *testing.T) {
	s := parse(t, Config{}, "ab 8/9 cpu-clock: \n\t40 f (/bin/ab)\n\nab 10/11 cpu-clock: \n\t40 g (/bin/ab)\n\nab 8/9 cpu-clock: \n\t40 h (/bin/ab)\n\n")
	same(t, textOf(t, s), `
thread	9	ab
0 - 9 enter f
thread	11	ab
10000000 - 11 enter g
20000000 - 9 exit f
20000000 - 9 enter h
`)
	warned(t, s)
}
