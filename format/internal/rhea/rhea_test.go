package rhea_test

import (
	"fmt"
	"strings"
	"testing"

	"artifice/format/internal/formattest"
	format "artifice/format/internal/kind"
	"artifice/format/internal/rhea"
)

// TestRepair checks marks of RheaTrace 1 with missing ends against the observed output of
// RheaTrace's script. The expected output of RepairForward follows its definition.
func TestRepair(t *testing.T) {
	const tag = ": CrashTag"
	for _, c := range []struct{ name, marks, rhea, forward string }{
		{"the example of its documentation", "B a 0, B b 1, B c 2, E a 580",
			"0 >a, 1 >b" + tag + ", 2 >c" + tag + ", 580 <c" + tag + ", 580 <b" + tag + ", 580 <a",
			"0 >a, 1 >b, 2 >c, 580 <c, 580 <b, 580 <a"},
		{"a throw that the caller catches", "B a 0, B b 2, T b 3, E a 9",
			"0 >a, 2 >b, 3 <b, 9 <a", "0 >a, 2 >b, 3 <b, 9 <a"},
		{"open at the end", "B a 0, B b 2, E b 3",
			"0 >a" + tag + ", 0 <a" + tag + ", 2 >b, 3 <b", "0 >a, 2 >b, 3 <b"},
		{"two calls left by an exception", "B a 0, B b 2, B c 3, B d 4, E d 5, E a 6",
			"0 >a, 2 >b" + tag + ", 2 <b" + tag + ", 3 >c" + tag + ", 3 <c" + tag + ", 4 >d, 5 <d, 6 <a",
			"0 >a, 2 >b, 3 >c, 4 >d, 5 <d, 6 <c, 6 <b, 6 <a"},
		{"an end without a begin", "B a 0, E z 1, E a 2", "0 >a, 2 <a", "0 >a, 2 <a"},
		{"all at one time: the script reverses the nesting", "B a 0, B b 0, E b 0, E a 0",
			"0 >b, 0 <b, 0 >a, 0 <a", "0 >a, 0 >b, 0 <b, 0 <a"},
		{"captured parameters that changed: another name, so for the script an end without a begin", "B a 0, B b[1] 2, E b[2] 3, E a 9",
			"0 >a, 2 >b[1]" + tag + ", 2 <b[1]" + tag + ", 9 <a", "0 >a, 2 >b[1], 3 <b[1], 9 <a"},
		{"recursion", "B a 0, B a 1, E a 2, E a 3", "0 >a, 1 >a, 2 <a, 3 <a", "0 >a, 1 >a, 2 <a, 3 <a"},
		{"recursion of three: one has no length", "B a 0, B a 1, B a 2, E a 3, E a 4, E a 5",
			"0 >a" + tag + ", 0 <a" + tag + ", 1 >a, 2 >a, 4 <a, 5 <a", "0 >a, 1 >a, 2 >a, 3 <a, 4 <a, 5 <a"},
		{"recursion in a call: only the innermost has a length", "B m 0, B a 1, B a 2, E a 3, E a 4, E m 5",
			"0 >m, 1 >a" + tag + ", 1 <a" + tag + ", 2 >a, 4 <a, 5 <m", "0 >m, 1 >a, 2 >a, 3 <a, 4 <a, 5 <m"},
		{"an end after a throw and an end", "B a 0, E x 1, T y 2, E a 3", "0 >a, 3 <a", "0 >a, 3 <a"},
		{"marks of the framework stay", "b s 0, B a 1, B b 2, e - 3, E a 5",
			"0 >s, 1 >a, 2 >b" + tag + ", 3 <b" + tag + ", 5 <a, 5 <s", "0 >s, 1 >a, 2 >b, 3 <b, 5 <a"},
	} {
		file := "1|TRACE_START|0|4711|2147483647|2|x\n"
		for _, m := range strings.Split(c.marks, ", ") {
			var kind, name string
			var us int
			fmt.Sscan(m, &kind, &name, &us)
			form := map[string]string{"b": "B|4711|" + name, "e": "E|4711"}[kind]
			if form == "" {
				form = "B|4711|" + kind + ":" + name
			}
			file += fmt.Sprintf("5.%06d 4711: %s\n", us, form)
		}
		for repair, want := range map[format.Repair]string{format.RepairRhea: c.rhea, format.RepairForward: c.forward} {
			got := strings.ReplaceAll(strings.Join(formattest.Read(t, file, "rhea", format.Config{Repair: repair}), ", "), " main ", " ")
			if got != want {
				t.Errorf("%s, repair %d:\n%s\nwant\n%s", c.name, repair, got, want)
			}
		}
	}
}

// TestArticle checks the listing of RheaTrace's own introduction, where the missing ends of c and b
// are at the begin of c. Without other marks, callees end at the last mark before the end of their
// caller.
func TestArticle(t *testing.T) {
	const head = "1|TRACE_START|0|28045|2147483647|2|x\n"
	for _, c := range []struct{ marks, want string }{
		{"5108949.231989: B|28045|B:TestCrash:a\n5108949.232055: B|28045|B:TestCrash:b\n5108949.232554: B|28045|B:TestCrash:c\n5108949.232580: B|28045|E:TestCrash:a\n",
			"0 main >TestCrash:a, 66 main >TestCrash:b, 565 main >TestCrash:c, 565 main <TestCrash:c, 565 main <TestCrash:b, 591 main <TestCrash:a"},
		{"1.000000: B|28045|B:a\n1.000002: B|28045|B:b\n1.000003: B|28045|B:c\n1.000005: B|28045|E:c\n1.000009: B|28045|E:a\n",
			"0 main >a, 2 main >b, 3 main >c, 5 main <c, 5 main <b, 9 main <a"},
		{"1.000000: B|28045|B:a\n1.000001: B|28045|B:b\n1.000003 9: B|28045|B:x\n1.000004: B|28045|T:a\n1.000007: B|28045|E:z\n1.000008 9: B|28045|E:x\n",
			"0 main >a, 1 main >b, 1 main <b, 3 thread-9 >x, 4 main <a, 8 thread-9 <x"},
	} {
		got := formattest.Read(t, head+c.marks, "rhea", format.Config{Repair: format.RepairArticle})
		formattest.Check(t, "rhea", got, c.want)
	}
}

// TestRheaFrames checks that marks of the framework have no leading letter, that times of nine
// decimals are those of btrace 2, and that lines without a thread belong to the main thread.
func TestRheaFrames(t *testing.T) {
	file := "1|TRACE_START|0|10|2147483647|2|x\n" +
		"7.000000500: B|10|Choreographer#doFrame\n7.000001500 11: B|10|x.Y:z\n7.000002 11: E|10|x.Y:z\n7.000003500: E|10\nnonsense\n9|TRACE_END|1|10|0|0|x\n"
	formattest.Check(t, "rhea", formattest.Read(t, file, "rhea", format.Config{}),
		"0 main >Choreographer#doFrame, 1 thread-11 >x.Y:z, 1.5 thread-11 <x.Y:z, 3 main <Choreographer#doFrame")
}

// TestHeadless checks a file whose beginning is missing, including the header: marks contain the
// process id, too.
func TestHeadless(t *testing.T) {
	file := "7.000000: B|10|B:x\n7.000001 11: B|10|B:y\n7.000002: B|10|E:x\n7.000003 11: B|10|E:y\n"
	formattest.Check(t, "rhea", formattest.Read(t, file, "rhea", format.Config{}),
		"0 main >x, 1 thread-11 >y, 2 main <x, 3 thread-11 <y")
}

const small = "1|TRACE_START|0|10|0|2|x\n7.000000: B|10|B:x\n7.000001: B|10|E:x\n"

func FuzzRhea(f *testing.F) { formattest.Fuzz(f, rhea.Format, small) }

func TestCut(t *testing.T) { formattest.Cut(t, rhea.Format, true, small) }
