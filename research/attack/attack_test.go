package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"artifice/internal/testdata"
)

// classesForTests returns all classes except those of valid files, which need the program.
func classesForTests() []class {
	return slices.Concat(pprofClasses, chainClasses, textClasses, traceClasses, jsonClasses, wireClasses, otlpClasses, companionClasses, packedClasses)
}

// TestClasses: the inputs of a class depend only on seed and round, grow with the size, and have
// unique names.
func TestClasses(t *testing.T) {
	one, same, other := &attack{seed: 1}, &attack{seed: 1}, &attack{seed: 2}
	names := map[string]bool{}
	differ := 0
	for _, c := range classesForTests() {
		if names[c.name] {
			t.Errorf("two classes have the name %s", c.name)
		}
		names[c.name] = true
		in := one.input(&c, 3, 1)
		if again := same.input(&c, 3, 1); !bytes.Equal(in.data, again.data) {
			t.Errorf("%s: two inputs of one seed differ", c.name)
		}
		if !bytes.Equal(in.data, other.input(&c, 3, 1).data) {
			differ++
		}
		if len(in.data) == 0 || in.unpacked < int64(len(in.data))/2 || in.unpacked > 64*int64(sizes[3]) {
			t.Errorf("%s: %d bytes, %d unpacked, want about %d", c.name, len(in.data), in.unpacked, sizes[3])
		}
		if len(commandsFor(c.role)) < 2 {
			t.Errorf("%s: fewer than two commands read it", c.name)
		}
	}
	if differ < len(names)*3/4 {
		t.Errorf("another seed changes %d of %d classes", differ, len(names))
	}
}

// TestForbiddenOutcomes checks that each kind of forbidden outcome is detected.
func TestForbiddenOutcomes(t *testing.T) {
	for _, test := range []struct {
		ran  outcome
		want string // "": no failure
	}{
		{outcome{status: 0}, ""},
		{outcome{status: 1, stderr: "artifice: in/hostile.txt:3: bad\n"}, ""},
		{outcome{status: 1, stdout: "in/hostile.txt: E100 bad\n"}, ""},
		{outcome{status: 2, stderr: "artifice: warning: in/hostile.txt is odd\nartifice: in/hostile.txt: bad\n"}, ""},
		{outcome{status: 3, stderr: "artifice: in/hostile.txt: bad\n"}, "exit status 3"},
		{outcome{status: 1}, "without a message"},
		{outcome{status: 1, stderr: "artifice: more than 65536 open calls\n"}, "does not name the file"},
		{outcome{status: 1, stderr: "artifice: hostile.txt: a\nartifice: hostile.txt: b\n"}, "2 error messages"},
		{outcome{status: 1, stderr: "artifice: hostile.txt: " + strings.Repeat("9", 2000) + "\n"}, "a message has 2024 bytes"},
		{outcome{status: 0, stderr: strings.Repeat("9", 2001) + "\n"}, "a message has"},
		{outcome{status: 2, stderr: "panic: index out of range\n\ngoroutine 1 [running]:\n"}, "crash: panic: index"},
		{outcome{status: 2, stderr: "fatal error: stack overflow\n"}, "crash: fatal error"},
		{outcome{status: 2, stderr: "runtime: out of memory: cannot allocate\n"}, "crash: runtime: out of memory"},
		{outcome{status: 1, stderr: "artifice: hostile.txt: runtime error: slice bounds\n"}, "crash: "},
		{outcome{status: 1, stderr: "artifice: out/out.txt: write .out-1: file too large\n"}, "the output exceeds its limit"},
		{outcome{status: -1}, "ended by a signal"},
		{outcome{status: -1, overtime: true}, "not finished after 5s"},
	} {
		wrong := strings.Join(test.ran.wrong("hostile.txt", 5*time.Second), "; ")
		if test.want == "" && wrong != "" || !strings.Contains(wrong, test.want) {
			t.Errorf("%+v: %q, want %q", test.ran, wrong, test.want)
		}
	}
}

// TestCheck checks that a program that mishandles files, memory or time fails.
func TestCheck(t *testing.T) {
	if _, err := os.Stat("/bin/sh"); err != nil {
		t.Skip("the program is a shell script here")
	}
	cmd := &command{name: "x", line: "x FILE -o OUT.txt"}
	c := &class{name: "x", ending: ".txt"}
	for script, want := range map[string]string{
		`exit 0`:                                       "",
		`echo y >out/out.txt`:                          "",
		`echo "artifice: $2: bad" >&2; exit 1`:         "",
		`echo y >>"$2"`:                                "the input has changed",
		`rm "$2"`:                                      "the input has changed",
		`echo y >"$4"; echo "$2" >&2; exit 1`:          "a failed run leaves out/out.txt",
		`echo y >"$TMPDIR/x"; echo "$2" >&2; exit 1`:   "a failed run leaves tmp/x",
		`exec truncate -s 600000000 "$4"`:              "ended by a signal",
		`kill -9 $$`:                                   "ended by a signal",
		`while :; do :; done`:                          "not finished after 5s of CPU time",
		`x=$(head -c 150000000 /dev/zero | tr '\0' y)`: "peak memory ",
	} {
		dir := t.TempDir()
		a := &attack{timing: true, folder: dir, program: filepath.Join(dir, "program")}
		if err := os.WriteFile(a.program, []byte("#!/bin/sh\n"+script+"\n"), 0o777); err != nil {
			t.Fatal(err)
		}
		ran, wrong, err := a.check(c, cmd, &input{[]byte("abc"), 3})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(wrong, "; "); want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%s: status %d, %q, want %q", script, ran.status, got, want)
		}
	}
}

// TestSuperlinear checks growth of the CPU time that is linear, superlinear, and superlinear in the
// first measurement only.
func TestSuperlinear(t *testing.T) {
	const s = time.Second
	const twiceForFour = "2.0 times the input takes 4.0 times the CPU time (1.0 s, 4.0 s)"
	for _, c := range []struct {
		one, two []time.Duration // the first of one is an argument of superlinear
		want     string
	}{
		{one: []time.Duration{s}, two: []time.Duration{2 * s}},
		{one: []time.Duration{s}, two: []time.Duration{3 * s}},
		{one: []time.Duration{s, s, s}, two: []time.Duration{4 * s, 4 * s}, want: twiceForFour},
		{one: []time.Duration{s, s, s}, two: []time.Duration{9 * s, 4 * s}, want: twiceForFour},
		{one: []time.Duration{s, s}, two: []time.Duration{4 * s, 3 * s}},
		{one: []time.Duration{s, 2 * s}, two: []time.Duration{4 * s, 4 * s}},
		{one: []time.Duration{s, s, 2 * s}, two: []time.Duration{4 * s, 4 * s}},
	} {
		next := func(list []time.Duration) func() (time.Duration, error) {
			return func() (time.Duration, error) {
				if len(list) == 0 {
					t.Fatalf("%v, %v: too many measurements", c.one, c.two)
				}
				first := list[0]
				list = list[1:]
				return first, nil
			}
		}
		got, err := superlinear(2, c.one[0], next(c.one[1:]), next(c.two))
		if got != c.want || err != nil {
			t.Errorf("superlinear(2, %v, %v) = %q, %v, want %q", c.one, c.two, got, err, c.want)
		}
	}
	failed := errors.New("failed")
	fail := func() (time.Duration, error) { return 0, failed }
	if _, err := superlinear(2, s, fail, fail); err != failed {
		t.Errorf("superlinear returned %v, want %v", err, failed)
	}
}

// TestSmallInputs: small inputs of all classes are read or rejected correctly.
func TestSmallInputs(t *testing.T) {
	if testing.Short() {
		t.Skip("starts the program some 200 times")
	}
	dir := t.TempDir()
	var out strings.Builder
	a := &attack{seed: 2, folder: dir, out: &out}
	var err error
	if a.program, err = testdata.Build(dir); err != nil {
		t.Fatal(err)
	}
	if err := a.prepare(); err != nil {
		t.Fatal(err)
	}
	a.classes = slices.DeleteFunc(a.classes, func(c class) bool { return c.fixed }) // fixed inputs are large
	if err := a.round(1, 1, time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	if a.runs < 190 || a.failed > 0 {
		t.Errorf("%d of %d runs failed:\n%s", a.failed, a.runs, out.String())
	}
	if a.baseline < 1<<20 || a.baseline > 64<<20 {
		t.Errorf("the program without an input takes %s", mebibytes(a.baseline))
	}
}
