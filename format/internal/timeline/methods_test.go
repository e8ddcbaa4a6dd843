package timeline_test

import (
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"artifice/format/internal/formattest"
	"artifice/format/internal/kind"
	"artifice/format/internal/timeline"
	"artifice/internal/testdata/tracetest"
	"artifice/trace"
)

// mapping has the forms of lines that RheaTrace and Matrix write: descriptors with slashes and with
// dots, a native method without a descriptor, and the comment of btrace 2.
const mapping = "#6b1c-uuid\n" +
	"4,1,com.example.A run ()V\r\n" +
	"5,257,com.example.A nativeCall\n" + // 1 + 256: public native
	"6,10,com.example.B$1 <init> (Ljava.lang.String;[I)Lcom.example.C;\n" +
	"1048574,1,android.os.Handler dispatchMessage (Landroid.os.Message;)V\n"

func methods(t *testing.T, text string) timeline.Methods {
	t.Helper()
	m, err := timeline.ReadMethods(strings.NewReader(text), "methodMapping.txt", trace.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestNames checks which names are split into class and method.
func TestNames(t *testing.T) {
	const text = "main-1 (1) [000] ...1 1.0: tracing_mark_write: B|1|a.B.m\n" +
		"main-1 (1) [000] ...1 1.1: tracing_mark_write: B|1|f.isra.26\n" +
		"main-1 (1) [000] ...1 1.2: tracing_mark_write: B|1|v1.2\n"
	rec := formattest.MustOpen(t, []byte(text), kind.Config{}).Recording
	tracetest.Events(t, rec.Events)
	var got []string
	for _, m := range rec.Symbols.Methods {
		got = append(got, m.Class+"|"+m.Name)
	}
	if want := "a.B|m |f.isra.26 |v1.2"; strings.Join(got, " ") != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestReadMethods(t *testing.T) {
	m := methods(t, mapping)
	if len(m) != 4 || m[5].Flags&trace.Native == 0 || m[4].Flags != 0 {
		t.Errorf("%+v", m)
	}
	if got := m[6]; got.Class != "com.example.B$1" || got.Name != "<init>" || got.Signature != "(Ljava/lang/String;[I)Lcom/example/C;" {
		t.Errorf("%+v", got)
	}
	for text, line := range map[string]int{"ignore methods:\n": 1, "1,1,a b ()V\n2,x,a b\n": 2, "1,1,a\n": 1, "-1,1,a b\n": 1} {
		_, err := timeline.ReadMethods(strings.NewReader(text), "m", trace.Limits{})
		var bad *trace.FormatError
		if !errors.As(err, &bad) || bad.Line != line {
			t.Errorf("%q: %v, want an error in line %d", text, err, line)
		}
	}
	if _, err := timeline.ReadMethods(strings.NewReader("\x1f\x8b\x08"), "m", trace.Limits{}); err == nil || !strings.HasPrefix(err.Error(), "m: the gzip file is cut off") {
		t.Errorf("a gzip file that is cut off in its header: %v", err)
	}
	var limit *trace.LimitError
	if _, err := timeline.ReadMethods(strings.NewReader(mapping), "m", trace.Limits{Methods: 2}); !errors.As(err, &limit) {
		t.Errorf("three methods with a limit of two: error %v", err)
	}
}

// TestNumbers checks that the method numbers of every format become names. Those of RheaTrace can
// have arguments and the suffix of a repair.
func TestNumbers(t *testing.T) {
	cfg := kind.Config{Names: filepath.Join(t.TempDir(), timeline.MethodMapping)}
	if err := os.WriteFile(cfg.Names, []byte(mapping), 0o666); err != nil {
		t.Fatal(err)
	}
	formattest.Check(t, "matrix", formattest.Read(t, "0,1048574,1,9\n1,5,1,4\n1,77,1,2\n", "matrix", cfg),
		"0 main >android.os.Handler.dispatchMessage, 0 main >com.example.A.nativeCall, 4000 main <com.example.A.nativeCall, 4000 main >method_77, 6000 main <method_77, 9000 main <android.os.Handler.dispatchMessage")
	var buffer []byte
	for _, w := range []struct{ begin, method, ms uint64 }{{1, 1048574, 0}, {1, 4, 1}, {0, 4, 3}, {1, 77, 3}, {0, 77, 4}, {0, 1048574, 9}} {
		buffer = binary.LittleEndian.AppendUint64(buffer, w.begin<<63|w.method<<43|w.ms)
	}
	formattest.Check(t, "matrix-buffer", formattest.Read(t, string(buffer), "matrix-buffer", cfg),
		"0 main >android.os.Handler.dispatchMessage, 1000 main >com.example.A.run, 3000 main <com.example.A.run, 3000 main >method_77, 4000 main <method_77, 9000 main <android.os.Handler.dispatchMessage")
	rhea := "1|TRACE_START|0|10|2147483647|2|x\n" +
		"7.000000: B|10|B:4\n7.000001: B|10|B:6[1, x]\n7.000002: B|10|E:6[1, x]\n7.000003: B|10|B:5\n"
	cfg.Repair = kind.RepairRhea
	formattest.Check(t, "rhea", formattest.Read(t, rhea, "rhea", cfg),
		"0 main >com.example.A.run: CrashTag, 0 main <com.example.A.run: CrashTag, 1 main >com.example.B$1.<init>, 2 main <com.example.B$1.<init>, 3 main >com.example.A.nativeCall: CrashTag, 3 main <com.example.A.nativeCall: CrashTag")
}

// TestUnknownNumbers checks that a warning counts the numbers that the mapping lacks. If there are
// none, there is no warning.
func TestUnknownNumbers(t *testing.T) {
	cfg := kind.Config{Names: filepath.Join(t.TempDir(), timeline.MethodMapping)}
	if err := os.WriteFile(cfg.Names, []byte(mapping), 0o666); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{
		"0,1048574,1,9\n1,5,1,4\n1,77,1,2\n": "1 of 3 method numbers have no name in the mapping",
		"0,1048574,1,9\n1,5,1,4\n":           "",
	} {
		var text []string
		for _, w := range formattest.MustOpen(t, []byte(file), cfg).Recording.Warnings {
			text = append(text, w.String())
		}
		if got := strings.Join(text, "; "); !strings.Contains(got, want) || (got == "") != (want == "") {
			t.Errorf("%q: warnings %q, want %q", file, got, want)
		}
	}
}

// TestMethodsCut checks a mapping truncated at every byte. All complete lines are read. The
// truncated line is read, too, or the error contains it.
func TestMethodsCut(t *testing.T) {
	ids := []uint64{4, 5, 6, 1048574} // of the lines after the comment
	whole := methods(t, mapping)
	for n := range len(mapping) + 1 {
		lines := strings.Count(mapping[:n], "\n")
		m, err := timeline.ReadMethods(strings.NewReader(mapping[:n]), "m", trace.Limits{})
		var bad *trace.FormatError
		if err != nil {
			if !errors.As(err, &bad) || bad.Line != lines+1 || m != nil {
				t.Errorf("cut at %d: %v and %d methods, want an error in line %d", n, err, len(m), lines+1)
			}
			continue
		}
		for i, id := range ids[:max(0, lines-1)] {
			if m[id] != whole[id] {
				t.Errorf("cut at %d: line %d is %+v, want %+v", n, i+2, m[id], whole[id])
			}
		}
		if len(m) > lines {
			t.Errorf("cut at %d: %d methods of %d lines", n, len(m), lines)
		}
	}
}

// FuzzMethods checks that a mapping is either read, with at most one method per line, or refused
// with an error that contains a line.
func FuzzMethods(f *testing.F) {
	f.Add(mapping)
	f.Add("4,1,a b\n4,1,a c (")
	f.Fuzz(func(t *testing.T, text string) {
		var bad *trace.FormatError
		m, err := timeline.ReadMethods(strings.NewReader(text), "m", trace.Limits{})
		switch lines := strings.Count(text, "\n") + 1; {
		case err != nil && (!errors.As(err, &bad) || m != nil || bad.Line > lines):
			t.Errorf("%v, with %d methods", err, len(m))
		case err == nil && len(m) > lines:
			t.Errorf("%d methods of %d lines", len(m), lines)
		}
	})
}
