package dmtrace_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"artifice/format/dmtrace"

	tracetext "artifice/format/text"
	"artifice/internal/testdata"
	"artifice/trace"
)

// portable writes rec as a portable file and returns the file and the changes.
func portable(rec *trace.Recording) ([]byte, []string, error) {
	var out bytes.Buffer
	p, err := dmtrace.NewWriter(&out, rec, dmtrace.Options{Portable: true})
	if err != nil {
		return nil, nil, err
	}
	if _, err = trace.Copy(p, rec.Events); err == nil {
		err = p.Close()
	}
	return out.Bytes(), p.Notes(), err
}

// fromText returns the recording that a text trace describes.
func fromText(t testing.TB, text string) *trace.Recording {
	t.Helper()
	rec, err := tracetext.NewReader(strings.NewReader(text), "text")
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

func TestPortableRealFiles(t *testing.T) {
	for _, name := range completeFiles {
		f, err := dmtrace.Open(testdata.Path(t, "traces", name), dmtrace.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		out, changes, err := portable(&f.Recording)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if f := checkPortable(t, out); len(changes) == 0 || len(f.records) == 0 {
			t.Errorf("%s: %d records, changes %q, want changes because of open frames", name, len(f.records), changes)
		}
	}
}

// TestPortableInstrumented checks a file with 70341 records, 139 orphan exits and 144 frames open
// at the end, as counted by another program.
func TestPortableInstrumented(t *testing.T) {
	f, err := dmtrace.Open(testdata.Path(t, "traces", "instrumented-art-file.trace"), dmtrace.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	out, changes, err := portable(&f.Recording)
	if err != nil {
		t.Fatal(err)
	}
	got := checkPortable(t, out)
	if len(got.records) != 70341+139+144 {
		t.Errorf("%d records, want 70624", len(got.records))
	}
	for i, want := range []string{"139 calls that began before", "144 calls that are open", "method ids that do not fit or are in use are replaced"} {
		if i >= len(changes) || !strings.HasPrefix(changes[i], want) {
			t.Errorf("changes %q, want %q… at index %d", changes, want, i)
		}
	}
	checkThreadsKept(t, &f.Recording, got)
}

// checkThreadsKept checks that the file has the threads' ids and names of the recording.
func checkThreadsKept(t *testing.T, rec *trace.Recording, got portableFile) {
	t.Helper()
	for _, th := range rec.Symbols.Threads {
		if got.threads[int(th.TID)] != th.Name {
			t.Errorf("thread %d is %q, want %q", th.TID, got.threads[int(th.TID)], th.Name)
		}
	}
	if len(got.threads) != len(rec.Symbols.Threads) {
		t.Errorf("%d threads listed, want %d", len(got.threads), len(rec.Symbols.Threads))
	}
}

const portableHead = "info\tclock\tdual\ninfo\tstart-ns\t5000000\nthread\t1\tmain\nthread\t2\tbg\n" +
	"method\t0x4\ta.A\tf\t()V\tA.java\t7\nmethod\t0x8\ta.A\tg\t()V\t\t-1\n"

// TestPortableRules checks each rule for portable traces on a trace that violates only this rule.
func TestPortableRules(t *testing.T) {
	for _, test := range []struct {
		name, text string
		records    string // "tid id action times" in order, joined by "; ", the id in hex; "" for any
		change     string // "" for none
		also       func(*portableFile) error
	}{
		{name: "nothing to do", text: portableHead +
			"2000 1000 1 enter a.A.f()V\n3000 2000 1 exit a.A.f()V\n",
			records: "1 4 0 [1 2]; 1 4 1 [2 3]"},
		{name: "orphans, outermost entered first", text: portableHead +
			"5000 1000 1 enter a.A.g()V\n6000 2000 1 exit a.A.g()V\n7000 3000 1 exit a.A.f()V\n8000 4000 1 exit a.A.g()V\n",
			records: "1 8 0 [1 5]; 1 4 0 [1 5]; 1 8 0 [1 5]; 1 8 1 [2 6]; 1 4 1 [3 7]; 1 8 1 [4 8]",
			change:  "2 calls that began before the trace are entered"},
		{name: "open frames, innermost left first, before other threads go on", text: portableHead +
			"5000 1000 1 enter a.A.g()V\n6000 2000 1 enter a.A.f()V\n9000 1000 2 enter a.A.g()V\n9500 1500 2 exit a.A.g()V\n",
			records: "1 8 0 [1 5]; 1 4 0 [2 6]; 1 4 1 [2 6]; 1 8 1 [2 6]; 2 8 0 [1 9]; 2 8 1 [1 9]",
			change:  "2 calls that are open at the end now end"},
		{name: "unlisted method", text: portableHead + "method\t0x7c\n" +
			"5000 1000 1 enter unknown.method_0x7c\n6000 2000 1 unwind unknown.method_0x7c\n",
			records: "1 7c 0 [1 5]; 1 7c 2 [2 6]",
			change:  "listed as unknown.method_0x7c",
			also: func(f *portableFile) error {
				if got := fmt.Sprint(f.methods[0x7c]); got != "[unknown method_0x7c ()V  ]" {
					return fmt.Errorf("method line %s", got)
				}
				return nil
			}},
		{name: "unlisted thread", text: portableHead + "thread\t9\n" +
			"5000 1000 9 enter a.A.f()V\n6000 2000 9 exit a.A.f()V\n",
			records: "9 4 0 [1 5]; 9 4 1 [2 6]", change: "added as thread-9"},
		{name: "method id 0 and one with bit 31", text: portableHead + "method\t0x0\tb\tz\t()V\t\t-1\nmethod\t0x80000000\tb\th\t()V\t\t-1\n" +
			"5000 1000 1 enter b.z()V\n5000 1000 1 enter a.A.f()V\n5000 1000 1 exit a.A.f()V\n6000 2000 1 enter b.h()V\n7000 2000 1 exit b.h()V\n8000 2000 1 exit b.z()V\n",
			change: "method ids that do not fit or are in use are replaced",
			also: func(f *portableFile) error {
				if f.records[0].method == 0 || f.records[3].method == 0x80000000 || f.methods[f.records[3].method][1] != "h" {
					return fmt.Errorf("records %+v", f.records)
				}
				return nil
			}},
		{name: "tid above 32767", text: portableHead + "thread\t40000\thigh\n" +
			"5000 1000 40000 enter a.A.f()V\n6000 2000 40000 exit a.A.f()V\n",
			change: "thread ids that do not fit or are in use are replaced",
			also: func(f *portableFile) error {
				if name := f.threads[f.records[0].tid]; name != "high" {
					return fmt.Errorf("the method of the records is %q", name)
				}
				return nil
			}},
		{name: "tid 32767, the highest that readers accept", text: portableHead + "thread\t32767\thigh\n" +
			"5000 1000 32767 enter a.A.f()V\n6000 2000 32767 exit a.A.f()V\n",
			records: "32767 4 0 [1 5]; 32767 4 1 [2 6]"},
		{name: "tid 32768", text: portableHead + "thread\t32768\thigh\n" +
			"5000 1000 32768 enter a.A.f()V\n6000 2000 32768 exit a.A.f()V\n",
			change: "thread ids that do not fit or are in use are replaced"},
		{name: "method id 3, which has bits of the action", text: portableHead + "method\t0x3\tb\tz\t()V\t\t-1\n" +
			"5000 1000 1 enter b.z()V\n6000 2000 1 exit b.z()V\n",
			change: "method ids that do not fit or are in use are replaced"},
		{name: "times up to 2^31 - 2 us", text: portableHead + "1000 1000 1 enter a.A.f()V\n2147483646000 2000 1 exit a.A.f()V\n",
			records: "1 4 0 [1 1]; 1 4 1 [2 2147483646]"},
		{name: "start at 9.2e15 us", text: strings.Replace(portableHead, "5000000", "9200000000000000000", 1) +
			"2000 1000 1 enter a.A.f()V\n3000 2000 1 exit a.A.f()V\n", records: "1 4 0 [1 2]; 1 4 1 [2 3]"},
		{name: "start after 9.2e15 us", text: strings.Replace(portableHead, "5000000", "9200000000000001000", 1) +
			"2000 1000 1 enter a.A.f()V\n3000 2000 1 exit a.A.f()V\n",
			records: "1 4 0 [1 2]; 1 4 1 [2 3]", change: "the start time 9200000000000001 us becomes 1 us"},
		{name: "tid used twice", text: portableHead + "thread\t2\tagain\n" +
			"5000 1000 2 enter a.A.f()V\n6000 2000 2 exit a.A.f()V\n7000 0 2#2 enter a.A.f()V\n8000 1 2#2 exit a.A.f()V\n",
			change: "thread ids that do not fit or are in use are replaced",
			also: func(f *portableFile) error {
				if a, b := f.threads[f.records[0].tid], f.threads[f.records[2].tid]; a != "bg" || b != "again" {
					return fmt.Errorf("the methods of the records are %q and %q", a, b)
				}
				return nil
			}},
		{name: "earliest time 0", text: portableHead + "0 0 1 enter a.A.f()V\n6000 2000 1 exit a.A.f()V\n",
			records: "1 4 0 [1 1]; 1 4 1 [3 7]", change: "1 us is added to all times"},
		{name: "late but short", text: portableHead + "3000000000000 1000 1 enter a.A.f()V\n3000000001000 2000 1 exit a.A.f()V\n",
			records: "1 4 0 [1 1]; 1 4 1 [2 2]", change: "2999999999 us are subtracted from all",
			also: func(f *portableFile) error {
				if f.start != 5000+2999999999 {
					return fmt.Errorf("start time %d us, want 3000004999", f.start)
				}
				return nil
			}},
		{name: "late but short, the first in a later block", text: portableHead + "3000000002000 1000 1 enter a.A.f()V\n3000000003000 2000 1 exit a.A.f()V\n" +
			"3000000000000 1000 2 enter a.A.f()V\n3000000001000 2000 2 exit a.A.f()V\n",
			records: "1 4 0 [1 3]; 1 4 1 [2 4]; 2 4 0 [1 1]; 2 4 1 [2 2]", change: "2999999999 us are subtracted from all"},
		{name: "earliest time 0 in a later block", text: portableHead + "4000 1000 1 enter a.A.f()V\n5000 2000 1 exit a.A.f()V\n" +
			"0 1000 2 enter a.A.f()V\n1000 2000 2 exit a.A.f()V\n",
			records: "1 4 0 [2 5]; 1 4 1 [3 6]; 2 4 0 [2 1]; 2 4 1 [3 2]", change: "1 us is added to all times"},
		{name: "thread CPU only", text: strings.Replace(portableHead, "dual", "thread-cpu", 1) +
			"- 2000 1 enter a.A.f()V\n- 3000 1 exit a.A.f()V\n",
			records: "1 4 0 [2]; 1 4 1 [3]", change: "thread CPU times but are labelled wall"},
		{name: "wall only", text: strings.Replace(portableHead, "dual", "wall", 1) +
			"2000 - 1 enter a.A.f()V\n3000 - 1 exit a.A.f()V\n",
			records: "1 4 0 [2]; 1 4 1 [3]"},
		{name: "names", text: portableHead + "thread\t3\ta\\tb\\r\\nc\xff\n" + "2000 1000 3 enter a.A.f()V\n3000 2000 3 exit a.A.f()V\n",
			records: "3 4 0 [1 2]; 3 4 1 [2 3]", change: "tabs, line ends, NULs",
			also: func(f *portableFile) error {
				if f.threads[3] != "a b  c?" {
					return fmt.Errorf("thread 3 is %q", f.threads[3])
				}
				return nil
			}},
		{name: "NUL", text: portableHead + "thread\t3\ta\x00b\n" + "2000 1000 3 enter a.A.f()V\n3000 2000 3 exit a.A.f()V\n",
			records: "3 4 0 [1 2]; 3 4 1 [2 3]", change: `are removed from names: "a\x00b" becomes "a?b"`,
			also: func(f *portableFile) error {
				if f.threads[3] != "a?b" {
					return fmt.Errorf("thread 3 is %q", f.threads[3])
				}
				return nil
			}},
		{name: "a name at Perfetto's limit", text: portableHead + "method\t0x10\ta.A\t" + strings.Repeat("x", 2047-len("a.A.: ()V")) + "\t()V\t\t-1\n" +
			"2000 1000 1 enter a.A." + strings.Repeat("x", 2047-len("a.A.: ()V")) + "()V\n3000 2000 1 exit a.A." + strings.Repeat("x", 2047-len("a.A.: ()V")) + "()V\n", records: "1 10 0 [1 2]; 1 10 1 [2 3]"},
		{name: "a longer name", text: portableHead + "method\t0x10\ta.A\t" + strings.Repeat("x", 2048-len("a.A.: ()V")) + "\t()V\t\t-1\n" +
			"2000 1000 1 enter a.A." + strings.Repeat("x", 2048-len("a.A.: ()V")) + "()V\n3000 2000 1 exit a.A." + strings.Repeat("x", 2048-len("a.A.: ()V")) + "()V\n", records: "1 10 0 [1 2]; 1 10 1 [2 3]", change: "but Perfetto truncates them"},
		{name: "empty fields", text: portableHead + "thread\t3\t\nmethod\t0x10\t\t\tV\t\t-1\n" + "2000 1000 3 enter V\n3000 2000 3 exit V\n",
			records: "3 10 0 [1 2]; 3 10 1 [2 3]", change: "missing classes, names and signatures",
			also: func(f *portableFile) error {
				if f.threads[3] != "thread-3" || f.methods[16][0] != "unknown" || f.methods[16][2] != "()V" {
					return fmt.Errorf("thread %q, method %q", f.threads[3], f.methods[16])
				}
				return nil
			}},
		{name: "start 0", text: strings.Replace(portableHead, "5000000", "0", 1) + "2000 1000 1 enter a.A.f()V\n3000 2000 1 exit a.A.f()V\n",
			records: "1 4 0 [1 2]; 1 4 1 [2 3]", change: "the start time 0 us becomes 1 us"},
	} {
		t.Run(test.name, func(t *testing.T) {
			out, changes, err := portable(fromText(t, test.text))
			if err != nil {
				t.Fatal(err)
			}
			f := checkPortable(t, out)
			var got []string
			for _, r := range f.records {
				got = append(got, fmt.Sprintf("%d %x %d %d", r.tid, r.method, r.action, r.times))
			}
			if all := strings.Join(got, "; "); test.records != "" && all != test.records {
				t.Errorf("records %s, want %s", all, test.records)
			}
			all := strings.Join(changes, "\n")
			if !strings.Contains(all, test.change) || test.change == "" && all != "" {
				t.Errorf("changes %q, want %q", all, test.change)
			}
			if test.also != nil {
				if err := test.also(&f); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

func TestPortableRefuses(t *testing.T) {
	deep := portableHead + strings.Repeat("2000 1000 1 enter a.A.f()V\n", 513)
	orphans := portableHead + strings.Repeat("2000 1000 1 exit a.A.f()V\n", 513)
	for _, test := range []struct{ text, want string }{
		{portableHead + "1000 0 1 enter a.A.f()V\n2147483649000 0 1 exit a.A.f()V\n", "the events span 2147483648 us"},
		{deep, "thread main nests 513 calls"},
		{orphans, "thread main nests 513 calls"},
		{portableHead + "1000 0 1 enter a.A.f()V\n2000 0 1 exit a.A.g()V\n", "event 1 of thread main is an exit of a.A.g()V, but the innermost call is a.A.f()V"},
		{portableHead + "2000 0 1 enter a.A.f()V\n1000 0 1 exit a.A.f()V\n", "goes back in time"},
		{"info\tclock\twall\nthread\t1\tmain\n", "no thread or no method"},
	} {
		_, _, err := portable(fromText(t, test.text))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%.150q…: error %v, want %q", test.text, err, test.want)
		}
	}
	rec := fromText(t, portableHead)
	rec.Events = trace.NewSliceReader([]trace.Event{{Wall: time.Millisecond, Action: 3}})
	if _, _, err := portable(rec); err == nil || !strings.Contains(err.Error(), "action 3") {
		t.Errorf("action 3: error %v", err)
	}
}

// TestPortableDepthAfterOrphans checks that calls that began before the trace do not enclose later
// calls. 300 of them end, followed by 300 nested calls, so the maximum depth is 300.
func TestPortableDepthAfterOrphans(t *testing.T) {
	text := portableHead + strings.Repeat("2000 1000 1 exit a.A.f()V\n", 300) +
		strings.Repeat("2000 1000 1 enter a.A.f()V\n", 300) + strings.Repeat("2000 1000 1 exit a.A.f()V\n", 300)
	out, _, err := portable(fromText(t, text))
	if err != nil {
		t.Fatal(err)
	}
	if f := checkPortable(t, out); len(f.records) != 1200 {
		t.Errorf("%d records, want 1200", len(f.records))
	}
}

// TestPortableDepthAtItsLimit checks that the maximum depth includes calls that began before the
// trace.
func TestPortableDepthAtItsLimit(t *testing.T) {
	text := portableHead + strings.Repeat("2000 1000 1 enter a.A.f()V\n", 171) +
		strings.Repeat("2000 1000 1 exit a.A.f()V\n", 512) // 341 orphans below 171 calls
	out, _, err := portable(fromText(t, text))
	if err != nil {
		t.Fatal(err)
	}
	if f := checkPortable(t, out); len(f.records) != 1024 {
		t.Errorf("%d records, want 1024", len(f.records))
	}
}
