package workload

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"artifice/internal/testdata"
	"artifice/trace"
	"artifice/workload/internal/machine"
)

func mustReadTree(t *testing.T, text string) *trace.Recording {
	t.Helper()
	rec, err := ReadTree(strings.NewReader(text), "test.tree")
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

// docTree is the example of ReadTree: that of READERS for create_test_dmtrace, with
// thread names and an unwind.
const docTree = `# app.tree: a comment has # as its first character, blank lines are free
@thread 1 main
@thread 2 worker

2  1 app.Main.main ()V
5  1  app.Main.work (I)I
9  2 app.Bg.run ()V
12 1  app.Main.work (I)I
15 2 !app.Bg.run ()V
20 1 app.Main.main ()V`

func TestReadTree(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"the documented one", docTree, `2000 - 1 enter app.Main.main()V
5000 - 1 enter app.Main.work(I)I
9000 - 2 enter app.Bg.run()V
12000 - 1 exit app.Main.work(I)I
15000 - 2 unwind app.Bg.run()V
20000 - 1 exit app.Main.main()V
`},
		{"implied times, single words, tabs, line ends of DOS", "a\r\n\tb\r\n\tb\r\na\r\n", `2000 - 1 enter a.m()V
4000 - 1 enter b.m()V
6000 - 1 exit b.m()V
8000 - 1 exit a.m()V
`},
		{"mixed forms", "010 1 x.Y.a\n x.Y.b\n x.Y.b\n20.5 1 x.Y.a\n", `10000 - 1 enter x.Y.a()V
12000 - 1 enter x.Y.b()V
14000 - 1 exit x.Y.b()V
20500 - 1 exit x.Y.a()V
`},
		{"both clocks", "0/1 7 x.Y.a(I)V\n10/4.25 7 x.Y.a (I)V\n", `0 1000 7 enter x.Y.a(I)V
10000 4250 7 exit x.Y.a(I)V
`},
		{"class with dots, cut at the last", "1 1 java.lang.Object.wait (JI)V\n", "1000 - 1 enter java.lang.Object.wait(JI)V\n"},
		{"recursion", "1 1 x.Y.a\n2 1  x.Y.a\n3 1  x.Y.a\n4 1 x.Y.a\n", `1000 - 1 enter x.Y.a()V
2000 - 1 enter x.Y.a()V
3000 - 1 exit x.Y.a()V
4000 - 1 exit x.Y.a()V
`},
		{"exits without entries", "1 1   x.Y.c\n2 1   x.Y.c\n3 1  !x.Y.b\n4 1  x.Y.d\n5 1  x.Y.d\n6 1 x.Y.a\n", `1000 - 1 enter x.Y.c()V
2000 - 1 exit x.Y.c()V
3000 - 1 unwind x.Y.b()V
4000 - 1 enter x.Y.d()V
5000 - 1 exit x.Y.d()V
6000 - 1 exit x.Y.a()V
`},
		{"unwind of a frame from before", "1 1  !x.Y.b\n2 1 x.Y.a\n", `1000 - 1 unwind x.Y.b()V
2000 - 1 exit x.Y.a()V
`},
		{"threads merged in time order", "1 1 x.Y.a\n9 1 x.Y.a\n3 2 x.Y.b\n9 2 x.Y.b\n", `1000 - 1 enter x.Y.a()V
3000 - 2 enter x.Y.b()V
9000 - 1 exit x.Y.a()V
9000 - 2 exit x.Y.b()V
`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, textOf(t, mustReadTree(t, c.in))); diff != "" {
				t.Errorf("events (-want +got):\n%s", diff)
			}
		})
	}
}

func TestReadTreeSymbols(t *testing.T) {
	rec := mustReadTree(t, `@method x.Y.run ()V file=Y.kt line=12 flags=native,leaf wait=io
@open 5 2
@thread 9 late one
@thread 8 silent
0/3 5 x.Y.main
0/3 5  x.Y.run ()V
7/4 9 x.Y.run
8/5 9 x.Y.run
6/4 6 x.Y.run
`)
	threads := []trace.Thread{
		{TID: 5, Name: "main", Open: 2},
		{TID: 8, Name: "silent"},
		{TID: 6, Name: "Thread-6", Start: 6 * time.Microsecond},
		{TID: 9, Name: "late one", Start: 7 * time.Microsecond, End: 8 * time.Microsecond},
	}
	if diff := cmp.Diff(threads, rec.Symbols.Threads); diff != "" {
		t.Errorf("threads (-want +got):\n%s", diff)
	}
	methods := []trace.Method{
		{ID: 4, Class: "x.Y", Name: "run", Signature: "()V", File: "Y.kt", Line: 12, Flags: trace.Native | trace.LeafNoPoll, Wait: trace.IO},
		{ID: 8, Class: "x.Y", Name: "main", Signature: "()V"},
	}
	if diff := cmp.Diff(methods, rec.Symbols.Methods); diff != "" {
		t.Errorf("methods (-want +got):\n%s", diff)
	}
	want := trace.Info{Clock: trace.Dual, Technique: trace.Truth, Elapsed: 8 * time.Microsecond, VM: "art", PID: 5, Events: 5}
	if diff := cmp.Diff(want, rec.Info); diff != "" {
		t.Errorf("info (-want +got):\n%s", diff)
	}
}

func TestReadTreeRefuses(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"nothing", "# empty\n", `f.tree: no call`},
		{"another method's exit", "1 1 x.Y.a\n2 1 x.Y.b\n", `f.tree:2: this leaves x.Y.b()V, but x.Y.a()V is innermost; leave that first, or indent by one more to enter`},
		{"too deep", "1 1 x.Y.a\n2 1   x.Y.b\n", `f.tree:2: indented by 2; indent by 0 to leave x.Y.a()V, by 1 to enter a callee`},
		{"too shallow", "1 1 x.Y.a\n2 1  x.Y.b\n3 1 x.Y.a\n", `f.tree:3: indented by 0; indent by 1 to leave x.Y.b()V, by 2 to enter a callee`},
		{"unwind of nothing", "1 1 x.Y.a\n2 1 x.Y.a\n3 1 !x.Y.a\n", `f.tree:3: indented by 0, but no frame is open to leave; indent by 0 to enter a method`},
		{"over the limit", "1 1 " + strings.Repeat(" ", machine.MaxDepth) + "x.Y.a\n", `f.tree:1: 10001 frames deep; a stack has at most 10000`},
		{"time goes back", "5 1 x.Y.a\n4 1 x.Y.a\n", `f.tree:2: time goes backwards on thread 1, from 5µs to 4µs: "x.Y.a"`},
		{"CPU time goes back", "5/3 1 x.Y.a\n6/2 1 x.Y.a\n", `f.tree:2: time goes backwards on thread 1, from 5µs/3µs to 6µs/2µs`},
		{"one clock, then two", "5 1 x.Y.a\n6/2 1 x.Y.a\n", `f.tree:2: either all lines have a CPU time (WALL/CPU) or none does: "6/2"`},
		{"two clocks, then none", "5/1 1 x.Y.a\nx.Y.a\n", `f.tree:2: either all lines have a CPU time (WALL/CPU) or none does`},
		{"no time", "1x 1 x.Y.a\n", `f.tree:1: not a time in us such as 12, 12.5 or WALL/CPU: "1x"`},
		{"too fine a time", "1.2345 1 x.Y.a\n", `f.tree:1: not a time in us`},
		{"too late", "99999999999999 1 x.Y.a\n", `f.tree:1: a time above 10000h0m0s: "99999999999999"`},
		{"tid", "1 0 x.Y.a\n", `f.tree:1: not a thread id from 1 to 4194304: "0"`},
		{"only a time", "12\n", `f.tree:1: a line is TIME TID NAME, or NAME alone: "12"`},
		{"no name", "12 1\n", `f.tree:1: a line is TIME TID NAME, or NAME alone: "12 1"`},
		{"empty name", "12 1 !\n", `f.tree:1: no method`},
		{"no signature", "12 1 x.Y.a I\n", `f.tree:1: a signature begins with a parenthesis, as in (I)V: "x.Y.a I"`},
		{"name without class", "12 1 .a\n", `f.tree:1: write a method as class.name or class.name(signature): ".a"`},
		{"directive", "@theard 1 x\n", `f.tree:1: unknown directive; use @thread, @open or @method: "@theard"`},
		{"thread without name", "@thread 1\n", `f.tree:1: @thread TID NAME lacks the name: "1"`},
		{"open too late", "0 1 x.Y.a\n@open 1 1\n", `f.tree:2: @open must come before the first line of its thread`},
		{"open after the start", "@open 1 1\n1 1 x.Y.a\n", `f.tree:2: the first 1 lines of thread 1 are open at the start, so they must enter at time 0: "x.Y.a"`},
		{"method's line", "@method x.Y.a line=0\n", `f.tree:1: not a line number: "line=0"`},
		{"method's flag", "@method x.Y.a flags=x\n", `f.tree:1: unknown flag "x"; use native`},
		{"method's key", "@method x.Y.a size=1\n", `f.tree:1: unknown attribute; use file=, line=, flags= or wait=: "size=1"`},
		{"long line", "1 1 " + strings.Repeat("x", maxTreeLine) + "\n", `f.tree:1: a line over 262144 bytes`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := ReadTree(strings.NewReader(c.in), "f.tree")
			var e *trace.FormatError
			if !errors.As(err, &e) || !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
		})
	}
}

// FuzzReadTree checks that a text is either rejected with a trace.FormatError, or a valid truth in
// time order.
func FuzzReadTree(f *testing.F) {
	for _, s := range []string{docTree, "a\n b\n !b\na", "0/1 1 x.Y.a\n", "@open 1 1\n0 1 a\n", "@method a.b flags=leaf\n1 1  c\n1 1  c\n1 1 d"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		rec, err := ReadTree(strings.NewReader(text), "f.tree")
		if err != nil {
			var e *trace.FormatError
			if !errors.As(err, &e) {
				t.Fatalf("%T: %v", err, err)
			}
			return
		}
		var b trace.Buffer
		trace.Copy(&b, rec.Events)
		for i := 1; i < len(b.Events); i++ {
			if b.Events[i].Wall < b.Events[i-1].Wall {
				t.Fatalf("event %d goes back in time", i)
			}
		}
		again := *rec
		again.Events = trace.NewSliceReader(b.Events)
		if err := testdata.CheckValid(&again); err != nil {
			t.Fatal(err)
		}
	})
}
