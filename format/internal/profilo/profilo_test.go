package profilo_test

import (
	"testing"

	"artifice/format/internal/formattest"
	"artifice/format/internal/stackdump"
)

// TestProfilo checks a log that follows the description of the format. Numbers of an entry are
// differences from the previous entry, so the second stack, of another thread, is 40 us before the
// first.
func TestProfilo(t *testing.T) {
	s := formattest.Parse(t, stackdump.Config{}, `dt
ver|3
id|AAAAAAAAAAA
prec|6
pid|10
arch|aarch64
os|Android9

1|TRACE_START|1000|10|2147483647|1|7
1|CPU_STACK_SAMPLE|100|0|-2147483647|-1|-7
1|STACK_FRAME|0|0|0|0|4294967297
1|STACK_FRAME|0|0|0|0|4294967296
1|STACK_FRAME|-40|1|0|0|-4294967296
1|MARK_PUSH|200|-1|0|0|0
7|STRING_KEY|6|__name
8|STRING_VALUE|7|doFrame|x
3|STACK_FRAME|0|0|0|0|0
-6|JAVA_FRAME_NAME|0|0|0|0|0
11|STRING_VALUE|3|Lcom/example/Foo;bar
1|TRACE_THREAD_NAME|1|1|0|0|0
13|STRING_KEY|12|11
14|STRING_VALUE|13|worker|2
nonsense|STACK_FRAME|x|0|0|0|0
1|TRACE_END|1|0|0|0|0
`)
	formattest.Same(t, formattest.Text(t, s), `
thread	11	worker|2
0 - 11 enter com.example.Foo.bar
thread	10	thread-10
40000 - 10 enter com.example.Foo.bar
40000 - 10 enter _8589934593
200000 - 10 exit _8589934593
`)
	formattest.Warned(t, s, "not an entry of seven fields", "1 begins and ends of blocks are ignored")
}
