package report

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"artifice/format/dmtrace"
	"artifice/format/formattest"
	"artifice/internal/testdata"
	"artifice/trace"
	tracetext "artifice/trace/text"
)

// What Traceview prints in these tests was printed by its own reader: DmTraceReader of
// CyanogenMod 10.1's android_sdk, with empty classes in place of its window's, run by
// OpenJDK 17.

// waits is an example with all that Traceview has rules for: threads that wait, a
// method that calls itself, an exit without enter, open calls, and the id 0.
const waits = "# artifice text trace\ninfo\tclock\tdual\nthread\t1\tmain\nthread\t2\tpool\n" +
	"method\t0x0\ta.A\tzero\t()V\tA.java\t1\nmethod\t0x4\ta.A\twait\t()V\tA.java\t2\nmethod\t0x8\ta.A\tfact\t(I)I\tA.java\t3\n" +
	"1000 1000 1 enter a.A.wait()V\n" +
	"1011000 11000 1 exit a.A.wait()V\n" +
	"1012000 12000 2 exit a.A.zero()V\n" +
	"1013000 13000 1 enter a.A.fact(I)I\n" +
	"1014000 14000 2 enter a.A.zero()V\n" +
	"1015000 15000 1 enter a.A.fact(I)I\n" +
	"1218000 18000 1 exit a.A.fact(I)I\n" +
	"1221000 19000 1 unwind a.A.fact(I)I\n" +
	"1300000 90000 2 enter a.A.wait()V\n" +
	"1500000 190000 2 enter a.A.fact(I)I\n"

// TestTraceviewSwitches: with both clocks a context switch is where a thread waited
// for more than 100 us: from 6 to 1006 us in wait, whose 10 us of CPU time are half
// before and half after it.
func TestTraceviewSwitches(t *testing.T) {
	const want = `totalCpuTime 196us
totalRealTime 1704us

Thread Times
id  t-start    t-end  g-start    g-end     name
 1        1       19        1     1221  [1] main
 2       12      190     1012     1500  [2] pool

Call Times
id  t-start    t-end  g-start    g-end    excl.    incl.  method
 1        1       11        1     1011       10       10  a.A.wait ()V
 1        6        6        6     1006        0        0  (context switch)
 1       13       19     1013     1221        3        6  a.A.fact (I)I
 2       14      190     1014     1500       76      176  a.A.zero ()V
 1       15       18     1015     1218        3        3  a.A.fact (I)I
 1       16       16     1016     1216        0        0  (context switch)
 2       52       52     1052     1262        0        0  (context switch)
 2       90      190     1300     1500      100      100  a.A.wait ()V
 2      190      190     1500     1500        0        0  a.A.fact (I)I

Method Stats
Excl Cpu  Incl Cpu  Excl Real Incl Real    Calls  Method
       76       176        76       486       1+0  0 a.A.zero ()V
      110       110       210      1210       2+0  1 a.A.wait ()V
        6         6         8       208       2+1  2 a.A.fact (I)I

Time Records
id  t-start    t-end  g-start    g-end  method
 2       12      190     1012     1500  (toplevel)
 1        1       19        1     1221  (toplevel)
 1        1       11        1     1011  a.A.wait ()V
 1        6        6        6     1006  (context switch)
 1       13       19     1013     1221  a.A.fact (I)I
 2       14      190     1014     1500  a.A.zero ()V
 1       15       18     1015     1218  a.A.fact (I)I
 1       16       16     1016     1216  (context switch)
 2       52       52     1052     1262  (context switch)
 2       90      190     1300     1500  a.A.wait ()V
 2      190      190     1500     1500  a.A.fact (I)I
`
	if got := traceviewOf(t, rewrittenText(t, waits, "art")); got != want {
		t.Errorf("got\n%s\nTraceview prints\n%s", got, want)
	}
}

// TestTraceviewTurns: with CPU time alone a thread that another one's events follow
// is away until it has one again.
func TestTraceviewTurns(t *testing.T) {
	const want = `totalCpuTime 196us
totalRealTime -15us

Thread Times
id  t-start    t-end  g-start    g-end     name
 1        1       19       -1       58  [1] main
 2       12      190       -1       58  [2] pool

Call Times
id  t-start    t-end  g-start    g-end    excl.    incl.  method
 1        1       11        0       10       10       10  a/A.wait ()V
 1       12       12       11       12        0        0  (context switch)
 2       13       13       12       14        0        0  (context switch)
 1       13       19       13       58        3        6  a/A.fact (I)I
 1       14       14       14       53        0        0  (context switch)
 2       14      190       15        0       76      176  a/A.zero ()V
 2       52       52       53       58        0        0  (context switch)
 1       15       18       54       57        3        3  a/A.fact (I)I
 1       19       19       58        0        0        0  (context switch)
 2       90      190       96        0      100      100  a/A.wait ()V
 2      190      190      196        0        0        0  a/A.fact (I)I

Method Stats
Excl Cpu  Incl Cpu  Excl Real Incl Real    Calls  Method
       76       176        76       -15       1+0  0 a/A.zero ()V
      110       110       110       -86       2+0  1 a/A.wait ()V
        6         6         6      -151       2+1  2 a/A.fact (I)I

Time Records
id  t-start    t-end  g-start    g-end  method
 2       12      190       -1       58  (toplevel)
 1        1       19       -1       58  (toplevel)
 1        1       11        0       10  a/A.wait ()V
 1       12       12       11       12  (context switch)
 2       13       13       12       14  (context switch)
 1       13       19       13       58  a/A.fact (I)I
 1       14       14       14       53  (context switch)
 2       14      190       15        0  a/A.zero ()V
 2       52       52       53       58  (context switch)
 1       15       18       54       57  a/A.fact (I)I
 1       19       19       58        0  (context switch)
 2       90      190       96        0  a/A.wait ()V
 2      190      190      196        0  a/A.fact (I)I
`
	text := strings.Replace(waits, "dual", "thread-cpu", 1)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if wall, rest, _ := strings.Cut(line, " "); strings.Trim(wall, "0123456789") == "" && wall != "" {
			lines[i] = "- " + rest
		}
	}
	if got := traceviewOf(t, rewrittenText(t, strings.Join(lines, "\n"), "dalvik2")); got != want {
		t.Errorf("got\n%s\nTraceview prints\n%s", got, want)
	}
}

// TestTraceviewSmall: the files of perflib's tests.
func TestTraceviewSmall(t *testing.T) {
	const idle = ` 1        0        0        0        0  [1] main
 2        0        0        0        0  [2] GC
 3        0        0        0        0  [3] Signal Catcher
 4        0        0        0        0  [4] JDWP
 5        0        0        0        0  [5] Compiler
 6        0        0        0        0  [6] ReferenceQueueDaemon
 7        0        0        0        0  [7] FinalizerDaemon
 8        0        0        0        0  [8] FinalizerWatchdogDaemon
 9        0        0        0        0  [9] Binder_1
10        0        0        0        0  [10] Binder_2
` // threads without events, as three of the files have them
	for _, c := range []struct{ name, want string }{
		{"tiny-basic.trace", `totalCpuTime 58us
totalRealTime 23us

Thread Times
id  t-start    t-end  g-start    g-end     name
` + idle + `11        3       61      230      287  [11] AsyncTask #1

Call Times
id  t-start    t-end  g-start    g-end    excl.    incl.  method
11       16       23      242      249        5        7  com/test/android/traceview/Basic.foo ()V
11       19       21      245      247        2        2  com/test/android/traceview/Basic.bar ()I
11       45       61      271      287       16       16  android/os/Debug.stopMethodTracing ()V
11       61       61      287      287        0        0  dalvik/system/VMDebug.stopMethodTracing ()V

Method Stats
Excl Cpu  Incl Cpu  Excl Real Incl Real    Calls  Method
       35        58         0        23      11+0  0 (toplevel)
       16        16        16        16       1+0  1 android/os/Debug.stopMethodTracing ()V
        5         7         5         7       1+0  2 com/test/android/traceview/Basic.foo ()V
        2         2         2         2       1+0  3 com/test/android/traceview/Basic.bar ()I

Time Records
id  t-start    t-end  g-start    g-end  method
11        3       61      230      287  (toplevel)
11       16       23      242      249  com/test/android/traceview/Basic.foo ()V
11       19       21      245      247  com/test/android/traceview/Basic.bar ()I
11       45       61      271      287  android/os/Debug.stopMethodTracing ()V
11       61       61      287      287  dalvik/system/VMDebug.stopMethodTracing ()V
`},
		{"tiny-basic-api10.trace", `totalCpuTime 23us
totalRealTime -11us

Thread Times
id  t-start    t-end  g-start    g-end     name
 1        0        0        0        0  [1] main
 2        0        0        0        0  [2] HeapWorker
 3        0        0        0        0  [3] GC
 4        0        0        0        0  [4] Signal Catcher
 5        0        0        0        0  [5] JDWP
 6        0        0        0        0  [6] Binder Thread #1
 7        0        0        0        0  [7] Binder Thread #2
 8        1       24       -1       15  [8] AsyncTask #1

Call Times
id  t-start    t-end  g-start    g-end    excl.    incl.  method
 8        1        6        0        5        5        5  dalvik/system/VMDebug.startMethodTracing (Ljava/lang/String;II)V
 8       12       16       11       15        0        4  com/test/android/traceview/Basic.foo ()V
 8       12       16       11       15        4        4  com/test/android/traceview/Basic.bar ()I
 8       21       24       20        0        3        3  android/os/Debug.stopMethodTracing ()V
 8       24       24       23        0        0        0  dalvik/system/VMDebug.stopMethodTracing ()V

Method Stats
Excl Cpu  Incl Cpu  Excl Real Incl Real    Calls  Method
       11        23         0       -11       8+0  0 (toplevel)
        5         5         5         5       1+0  1 dalvik/system/VMDebug.startMethodTracing (Ljava/lang/String;II)V
        4         4         4         4       1+0  2 com/test/android/traceview/Basic.bar ()I
        0         4         0         4       1+0  3 com/test/android/traceview/Basic.foo ()V
        3         3         3       -20       1+0  4 android/os/Debug.stopMethodTracing ()V

Time Records
id  t-start    t-end  g-start    g-end  method
 8        1       24       -1       15  (toplevel)
 8        1        6        0        5  dalvik/system/VMDebug.startMethodTracing (Ljava/lang/String;II)V
 8       12       16       11       15  com/test/android/traceview/Basic.foo ()V
 8       12       16       11       15  com/test/android/traceview/Basic.bar ()I
 8       21       24       20        0  android/os/Debug.stopMethodTracing ()V
 8       24       24       23        0  dalvik/system/VMDebug.stopMethodTracing ()V
`},
		{"tiny-exception.trace", `totalCpuTime 69us
totalRealTime 55us

Thread Times
id  t-start    t-end  g-start    g-end     name
` + idle + `11        3       72      232      300  [11] AsyncTask #1

Call Times
id  t-start    t-end  g-start    g-end    excl.    incl.  method
11       14       66      242      294        5       52  com/test/android/traceview/Exceptions.foo ()V
11       17       64      245      292        5       47  com/test/android/traceview/Exceptions.bar ()V
11       20       62      248      290        9       42  com/test/android/traceview/Exceptions.baz ()V
11       26       59      254      287        5       33  java/lang/RuntimeException.<init> ()V
11       29       57      257      285        4       28  java/lang/Exception.<init> ()V
11       31       55      259      283        7       24  java/lang/Throwable.<init> ()V
11       34       36      262      264        2        2  java/util/Collections.emptyList ()Ljava/util/List;
11       38       53      266      281        6       15  java/lang/Throwable.fillInStackTrace ()Ljava/lang/Throwable;
11       41       50      269      278        9        9  java/lang/Throwable.nativeFillInStackTrace ()Ljava/lang/Object;
11       69       72      297      300        3        3  android/os/Debug.stopMethodTracing ()V
11       72       72      300      300        0        0  dalvik/system/VMDebug.stopMethodTracing ()V

Method Stats
Excl Cpu  Incl Cpu  Excl Real Incl Real    Calls  Method
       14        69         0        55      11+0  0 (toplevel)
        5        52         5        52       1+0  1 com/test/android/traceview/Exceptions.foo ()V
        5        47         5        47       1+0  2 com/test/android/traceview/Exceptions.bar ()V
        9        42         9        42       1+0  3 com/test/android/traceview/Exceptions.baz ()V
        5        33         5        33       1+0  4 java/lang/RuntimeException.<init> ()V
        4        28         4        28       1+0  5 java/lang/Exception.<init> ()V
        7        24         7        24       1+0  6 java/lang/Throwable.<init> ()V
        6        15         6        15       1+0  7 java/lang/Throwable.fillInStackTrace ()Ljava/lang/Throwable;
        9         9         9         9       1+0  8 java/lang/Throwable.nativeFillInStackTrace ()Ljava/lang/Object;
        3         3         3         3       1+0  9 android/os/Debug.stopMethodTracing ()V
        2         2         2         2       1+0  10 java/util/Collections.emptyList ()Ljava/util/List;

Time Records
id  t-start    t-end  g-start    g-end  method
11        3       72      232      300  (toplevel)
11       14       66      242      294  com/test/android/traceview/Exceptions.foo ()V
11       17       64      245      292  com/test/android/traceview/Exceptions.bar ()V
11       20       62      248      290  com/test/android/traceview/Exceptions.baz ()V
11       26       59      254      287  java/lang/RuntimeException.<init> ()V
11       29       57      257      285  java/lang/Exception.<init> ()V
11       31       55      259      283  java/lang/Throwable.<init> ()V
11       34       36      262      264  java/util/Collections.emptyList ()Ljava/util/List;
11       38       53      266      281  java/lang/Throwable.fillInStackTrace ()Ljava/lang/Throwable;
11       41       50      269      278  java/lang/Throwable.nativeFillInStackTrace ()Ljava/lang/Object;
11       69       72      297      300  android/os/Debug.stopMethodTracing ()V
11       72       72      300      300  dalvik/system/VMDebug.stopMethodTracing ()V
`},
		{"tiny-mismatched.trace", `totalCpuTime 23us
totalRealTime 5us

Thread Times
id  t-start    t-end  g-start    g-end     name
` + idle + `11        3       26      232      254  [11] AsyncTask #1

Call Times
id  t-start    t-end  g-start    g-end    excl.    incl.  method
11       15       17      243      245        2        2  com/test/android/traceview/MisMatched.baz ()I
11       23       26      251      254        3        3  android/os/Debug.stopMethodTracing ()V
11       26       26      254      254        0        0  dalvik/system/VMDebug.stopMethodTracing ()V

Method Stats
Excl Cpu  Incl Cpu  Excl Real Incl Real    Calls  Method
       18        23         0         5      11+0  0 (toplevel)
        3         3         3         3       1+0  1 android/os/Debug.stopMethodTracing ()V
        2         2         2         2       1+0  2 com/test/android/traceview/MisMatched.baz ()I

Time Records
id  t-start    t-end  g-start    g-end  method
11        3       26      232      254  (toplevel)
11       15       17      243      245  com/test/android/traceview/MisMatched.baz ()I
11       23       26      251      254  android/os/Debug.stopMethodTracing ()V
11       26       26      254      254  dalvik/system/VMDebug.stopMethodTracing ()V
`},
	} {
		if got := traceviewOf(t, testdata.Path(t, "traces", c.name)); got != c.want {
			t.Errorf("%s: got\n%s\nTraceview prints\n%s", c.name, got, c.want)
		}
	}
}

// TestTraceviewLarge: of the real traces the totals, the number of lines with a
// context switch, and the SHA-256 of all that Traceview prints.
func TestTraceviewLarge(t *testing.T) {
	for _, c := range []struct {
		name     string
		cpu, all int // us
		switches int
		sum      string
	}{
		{"sampled-art-file.trace", 6081916, 52599734, 1362, "2cfc034d41dc96b998412726d73f8d136d9d0c514f7f6e15212aaee319f4bf45"},
		{"sampled-host-file.trace", 2991204, 7563852, 1152, "c0e2a915d358859f830fac680a4e9ef9c8fed1c1acab6cde6cab56414f533272"},
		{"instrumented-art-file.trace", 654433, 992396, 378, "455af34b3d84dcc5356a0c3680cbfe86290aa6128377a66d5e315f862c1bba55"},
	} {
		got := traceviewOf(t, testdata.Path(t, "traces", c.name))
		if want := fmt.Sprintf("totalCpuTime %dus\ntotalRealTime %dus\n", c.cpu, c.all); !strings.HasPrefix(got, want) {
			t.Errorf("%s: begins with %q, Traceview's with %q", c.name, got[:min(60, len(got))], want)
		}
		if n := strings.Count(got, "(context switch)"); n != c.switches {
			t.Errorf("%s: %d lines have a context switch, Traceview's %d", c.name, n, c.switches)
		}
		if sum := fmt.Sprintf("%x", sha256.Sum256([]byte(got))); sum != c.sum {
			t.Errorf("%s: SHA-256 %s, Traceview's is %s", c.name, sum, c.sum)
		}
	}
}

// TestTraceviewMismatch: Traceview gives up at an exit of another method.
func TestTraceviewMismatch(t *testing.T) {
	symbols := &trace.Symbols{Threads: make([]trace.Thread, 1), Methods: []trace.Method{{ID: 4, Class: "a.A", Name: "x"}, {ID: 8, Class: "a.A", Name: "y"}}}
	tv := NewTraceview(&trace.Recording{Symbols: symbols})
	err := tv.WriteEvents([]trace.Event{{Method: 0}, {Method: 1, Action: trace.Exit}})
	if err == nil || !strings.Contains(err.Error(), "an exit of a.A.y  while a.A.x  is innermost") {
		t.Errorf("got %v", err)
	}
}

// traceviewOf returns our report of a file.
func traceviewOf(t *testing.T, file string) string {
	t.Helper()
	in, err := dmtrace.ReaderOpen(file, dmtrace.ReaderConfig{})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	tv := NewTraceview(&in.Recording)
	if _, err := trace.Copy(tv, in.Events); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := tv.Print(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// rewrittenText returns the path of a trace file made of text.
func rewrittenText(t *testing.T, text, format string) string {
	t.Helper()
	rec, err := tracetext.NewReader(strings.NewReader(text), "example")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "example.trace")
	formattest.WriteTrace(t, file, rec, format)
	return file
}
