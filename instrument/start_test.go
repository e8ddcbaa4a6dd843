package instrument

import (
	"slices"
	"testing"
	"time"

	"artifice/art"
	"artifice/trace"
)

// TestInterpretedFramesOfARelease: from Android 14 on an app that is no debug build
// shows, of the frames on a stack at the start, interpreted and native ones; the
// enter and the exit of a compiled one are not reported. 13 and older report no
// frame, and every exit.
func TestInterpretedFramesOfARelease(t *testing.T) {
	for name, want := range map[string]string{"art13": "-n-i-c-i", "art14": "+i+i+n-n-i-i", "art15": "+i+i+n-n-i-i"} {
		s := newScript()
		s.method("i", trace.Interpreted)
		s.method("n", trace.Native)
		s.thread("main", 4100, 0).open("i", "c", "i", "n").run(time.Millisecond).exit().exit().exit().exit()
		runtime, err := art.ByName(name)
		if err != nil {
			t.Fatal(err)
		}
		rec, events := record(t, s.truth(), Config{Runtime: runtime, KeepSymbols: true, NotDebuggable: true})
		got := ""
		for _, e := range events {
			got += "+-"[e.Action:][:1] + rec.Symbols.Method(e.Method).Name
		}
		if got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// TestInterpretedFramesAtStart: InstrumentationInstallStack of Android 10 to 12
// (instrumentation.cc, the loop over ssi and isi at its end) reports an interpreted
// frame when it comes to the next younger one that has a return address, and so
// leaves the youngest ones out; that of 13 puts all into stack_methods_. Up to 9
// nothing is reported. The exits come in any case.
func TestInterpretedFramesAtStart(t *testing.T) {
	frames := func(names []string) *trace.Recording {
		s := newScript()
		s.method("interpreted", trace.Interpreted)
		s.method("compiled", 0)
		s.method("native", trace.Native)
		s.method("stub", trace.RuntimeInternal)
		a := s.thread("main", 4100, 0).open(names...)
		for range names {
			a.run(time.Millisecond).exit()
		}
		return s.truth()
	}
	const i, c, n, stub = "interpreted", "compiled", "native", "stub"
	for _, test := range []struct {
		stack        []string
		art12, art13 []string
	}{
		{[]string{i, c, i, i}, []string{i, c}, []string{i, c, i, i}},
		{[]string{i, i}, nil, []string{i, i}},
		{[]string{i, i, n}, []string{i, i, n}, []string{i, i, n}},
		{[]string{i, stub, i}, []string{i}, []string{i, i}},
		{[]string{c, c}, []string{c, c}, []string{c, c}},
	} {
		for name, want := range map[string][]string{"art9": nil, "art12": test.art12, "art13": test.art13, "art15": test.art13} {
			runtime, err := art.ByName(name)
			if err != nil {
				t.Fatal(err)
			}
			rec, events := record(t, frames(test.stack), Config{Runtime: runtime, KeepSymbols: true})
			var enters []string
			exits := 0
			for _, e := range events {
				if e.Action == trace.Enter {
					enters = append(enters, rec.Symbols.Method(e.Method).Name)
				} else {
					exits++
				}
			}
			seen := len(test.stack)
			if slices.Contains(test.stack, stub) {
				seen--
			}
			if !slices.Equal(enters, want) || exits != seen {
				t.Errorf("%s, stack %q: enters of %q and %d exits, want %q and %d", name, test.stack, enters, exits, want, seen)
			}
		}
	}
}
