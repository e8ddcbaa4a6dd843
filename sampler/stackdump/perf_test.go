package stackdump

import (
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
	same(t, twin(t, s), `
thread	25607	V8_WorkerThread
0 - 25607 enter main
0 - 25607 enter f
thread	24636	java
500000 - 24636 enter do_sys_open_[k]
500000 - 24636 enter org/mozilla/Context:::call_[j]
500000 - 24636 enter java/lang/Object:::hash_[i]
1500000 - 25607 exit f
`)
	warned(t, s, "1 samples of other events than cycles:u are left out")
}
