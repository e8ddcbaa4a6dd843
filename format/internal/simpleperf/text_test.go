package simpleperf_test

import (
	"testing"

	"artifice/format/internal/formattest"
	"artifice/format/internal/stackdump"
)

// TestSimpleperf checks the text output of simpleperf report-sample (cmd_report_sample.cpp).
func TestSimpleperf(t *testing.T) {
	s := formattest.Parse(t, stackdump.Config{}, `sample:
  event_type: cpu-clock:u
  time: 1000000000
  event_count: 250000
  thread_id: 23523
  thread_name: example.app
  vaddr_in_file: 7f00
  file: /system/lib64/libc.so
  symbol: syscall
  callchain:
    vaddr_in_file: 10
    file: [JIT app cache]
    symbol: com.example.Main.work
    vaddr_in_file: 20
    file: /system/lib64/libart.so
    symbol: art::Run(int)
sample:
  event_type: instructions
  time: 1000100000
  event_count: 1
  thread_id: 23523
  thread_name: example.app
  vaddr_in_file: 0
  file: [kernel.kallsyms]
  symbol: el0_svc
sample:
  event_type: cpu-clock:u
  time: 1001000000
  event_count: 250000
  thread_id: 23523
  thread_name: example.app
  vaddr_in_file: 20
  file: /system/lib64/libart.so
  symbol: art::Run(int)
lost_situation:
  sample_count: 3
  lost_count: 0
meta_info:
  trace_offcpu: false
`)
	formattest.Same(t, formattest.Text(t, s), `
thread	23523	example.app
0 0 23523 enter art::Run
0 0 23523 enter com.example.Main.work
0 0 23523 enter syscall
250000 250000 23523 exit syscall
250000 250000 23523 exit com.example.Main.work
250000 250000 23523 exit art::Run
1000000 250000 23523 enter art::Run
1250000 500000 23523 exit art::Run
`)
	formattest.Warned(t, s, "samples of cpu-clock:u are read; other events are ignored: instructions (1 sample)")
}

// TestPerfHeads checks the output of simpleperf's report_sample.py, and of perf script with few
// fields.
func TestPerfHeads(t *testing.T) {
	const frames = "\t    7f20 f (/lib/x.so)\n\t    7f10 main (/bin/app)\n\n"
	const shorter = "\t    7f10 main (/bin/app)\n\n"
	// A sample of cpu-clock counts 250 us; other samples count their distance.
	for _, test := range []struct{ name, head1, head2, thread, at, cpu, end string }{
		{"report_sample.py", "example.app\t7 [001] 12.000500: 250000 cpu-clock:u:\n", "example.app\t7 [001] 12.000750: 250000 cpu-clock:u:\n", "7\texample.app", "250000", "250000", "500000 500000"},
		{"no time", "app 6/7 [000]     235 cycles:u: \n", "app 6/7 [000]     235 cycles:u: \n", "7\tapp", "10000000", "10000000", "20000000 20000000"},
		{"comm and tid", "app 7 \n", "app 7 \n", "7\tapp", "10000000", "10000000", "20000000 20000000"},
		{"comm, pid and tid", "V8 Worker 6/7\n", "V8 Worker 6/7\n", "7\tV8 Worker", "10000000", "10000000", "20000000 20000000"},
	} {
		s := formattest.Parse(t, stackdump.Config{}, test.head1+frames+test.head2+shorter)
		t.Run(test.name, func(t *testing.T) {
			formattest.Same(t, formattest.Text(t, s), "thread\t"+test.thread+"\n0 0 7 enter main\n0 0 7 enter f\n"+test.at+" "+test.cpu+" 7 exit f\n"+test.end+" 7 exit main\n")
			if test.cpu != "250000" {
				formattest.Warned(t, s, "a typical sample counts as 10ms of CPU time")
			} else {
				formattest.Warned(t, s)
			}
		})
	}
}
