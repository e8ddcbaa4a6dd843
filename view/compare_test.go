package view

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"artifice/bench/score"
	tracetext "artifice/format/text"
	"artifice/trace"
)

// names are the symbols of the following traces.
const names = "thread\t1\tmain\nmethod\t0x0\ta.M\trun\t()V\t\t0\nmethod\t0x4\ta.M\twork\t()V\t\t0\nmethod\t0x8\ta.M\tother\t()V\t\t0\n"

// textTrace returns a trace of one thread with a wall clock. Each line is a time in us, an action
// and a method of a.M.
func textTrace(technique string, lines ...string) string {
	text := "# artifice text trace\ninfo\tclock\twall\ninfo\ttechnique\t" + technique + "\n" + names
	for _, line := range lines {
		f := strings.Fields(line)
		text += f[0] + "000 - 1 " + f[1] + " a.M." + f[2] + "()V\n"
	}
	return text
}

func opener(name, text string) Source {
	return Source{name, func() (*trace.Recording, error) { return tracetext.NewReader(strings.NewReader(text), name) }}
}

// compared is the content of a [comparedThread].
type compared struct {
	Marks []mark
	Seen  []int32
	Wrong []span
}

// TestCompare checks marks of calls. run calls work three times and other once, and is sampled at
// 1.5, 2.5, 4.5 and 6.5 ms. The first two calls of work are merged, the third is missed, and other
// is too long. Another tracer reports a call of work while nothing runs, which never happened.
func TestCompare(t *testing.T) {
	truth := textTrace("instrumented", "0 enter run",
		"1000 enter work", "2000 exit work", "2200 enter work", "3000 exit work", "3200 enter work", "3300 exit work",
		"4000 enter other", "5000 exit other", "10000 exit run")
	const ms, us = time.Millisecond, time.Microsecond
	for _, test := range []struct {
		name, observed string
		want           compared
	}{
		{"sampled", textTrace("sampled", "1500 enter run", "1500 enter work", "4500 exit work", "4500 enter other", "6500 exit other", "10000 exit run"),
			compared{
				// The third call of work is within the reported call. Without the times of the
				// samples, it counts as reported, too.
				Marks: []mark{markRight, markMerged, markTooLong}, Seen: []int32{0, 1, 2, 3, 4},
				Wrong: []span{{0, 1500 * us}, {2 * ms, 200 * us}, {3 * ms, 200 * us}, {3300 * us, 1200 * us}, {5 * ms, 1500 * us}},
			}},
		{"another", textTrace("sampled", "1000 enter run", "5500 enter work", "6000 exit work", "10000 exit run"),
			compared{
				Marks: []mark{markRight, markInvented}, Seen: []int32{0},
				Wrong: []span{{0, 2 * ms}, {2200 * us, 800 * us}, {3200 * us, 100 * us}, {4 * ms, 1 * ms}, {5500 * us, 500 * us}},
			}},
		{"instrumented", textTrace("instrumented", "100 enter run",
			"1100 enter work", "2400 exit work", "2500 enter work", "2600 exit work",
			"4000 enter other", "5000 exit other", "9000 enter work", "9001 exit work", "10000 exit run"),
			compared{
				// The marks are, in order: the first and second calls of work, other, and no third
				// call after it.
				Marks: []mark{markRight, markTooLong, markRight, markRight, markInvented}, Seen: []int32{0, 1, 2, 4},
				Wrong: []span{{0, 100 * us}, {1 * ms, 100 * us}, {2 * ms, 200 * us}, {2400 * us, 100 * us}, {2600 * us, 400 * us}, {3200 * us, 100 * us}, {9000 * us, 1 * us}},
			}},
	} {
		t.Run(test.name, func(t *testing.T) {
			page, err := ReadCompared(opener("truth", truth), opener("observed", test.observed), &score.Alignment{Scale: 1}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			got := page.Recordings[1].comparison.threads[0]
			if diff := cmp.Diff(test.want, compared{got.marks, got.seenCalls(), got.wrongSpans()}); diff != "" {
				t.Errorf("(-by hand +got)\n%s", diff)
			}
		})
	}
}

// TestRuntimeMethods checks that calls of the runtime's own methods, which no tracer records, do
// not count as missed. Methods are sorted by calls, so work is the first.
func TestRuntimeMethods(t *testing.T) {
	collect := strings.Replace(names, "work\t()V\t\t0", "work\t()V\t\t0\truntime", 1)
	truth := strings.Replace(textTrace("instrumented", "0 enter run", "1000 enter work", "2000 exit work", "3000 enter work", "4000 exit work", "5000 enter work", "6000 exit work", "9000 exit run"), names, collect, 1)
	observed := textTrace("instrumented", "0 enter run", "9000 exit run")
	page, err := ReadCompared(opener("truth", truth), opener("observed", observed), &score.Alignment{Scale: 1}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	if err := page.writePacked(&packed, 1); err != nil {
		t.Fatal(err)
	}
	if d := decode(t, packed.Bytes()); !slices.Equal(d.Comparison.Runtime, []int{0}) || d.Methods.Lengths.Count != 2 {
		t.Errorf("methods of the runtime: %v of %d, want the first of 2", d.Comparison.Runtime, d.Methods.Lengths.Count)
	}
}

// TestAligned checks an observed recording with a clock that began 1 s later and runs a tenth
// faster. The page places its events at the truth's times, which can be below 0.
func TestAligned(t *testing.T) {
	truth := textTrace("instrumented", "1000 enter run", "2000 enter work", "3000 exit work", "9000 exit run")
	observed := textTrace("instrumented", "999450 enter run", "1002200 enter work", "1003300 exit work", "1009900 exit run")
	page, err := ReadCompared(opener("truth", truth), opener("observed", observed), &score.Alignment{Offset: time.Second, Scale: 1.1}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	const us = time.Microsecond
	want := []call{{Start: -500 * us, Duration: 9500 * us, Method: 0}, {Start: 2000 * us, Duration: 1000 * us, Method: 1, Depth: 1}}
	if diff := cmp.Diff(want, page.Recordings[1].threads[0].Calls()); diff != "" {
		t.Errorf("(-by hand +got)\n%s", diff)
	}
}
