package dmtracedump_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"artifice/format/dmtrace"
	tracetext "artifice/format/text"
	ours "artifice/internal/dmtracedump"
	"artifice/internal/testdata"
	"artifice/internal/testdata/tracetest"
	"artifice/research/internal/peers/dmtracedump"
	"artifice/trace"
)

// TestReport: report's output in dmtracedump's format equals that of Debian's dmtracedump, byte for
// byte, for every real trace that it reads, and for those rewritten with other clocks and columns.
func TestReport(t *testing.T) {
	dmtracedump.Require(t)
	for _, name := range dmtracedump.RealFiles {
		file := testdata.Path(t, "traces", name)
		t.Run(name, func(t *testing.T) { sameReport(t, file) })
		for _, format := range []string{"dalvik1", "dalvik2", "art"} {
			t.Run(name+" as "+format, func(t *testing.T) { sameReport(t, rewritten(t, file, format)) })
		}
	}
}

// TestReportOfRecursion does the same with an example in which fact calls itself,
// three deep.
func TestReportOfRecursion(t *testing.T) {
	dmtracedump.Require(t)
	text := "# artifice text trace\ninfo\tclock\twall\nthread\t1\tmain\nthread\t2\tworker\n" +
		"method\t0x4\tapp.Main\tmain\t()V\tMain.java\t1\nmethod\t0x8\tapp.Math\tfact\t(I)I\tMath.java\t1\n" +
		"method\t0xc\tapp.Util\tlog\t()V\tUtil.java\t1\nmethod\t0x10\tlib.Util\tlog\t()V\tUtil.java\t1\nmethod\t0x14\tlib.Util\tunused\t()V\tUtil.java\t9\n"
	for _, e := range []string{
		"0 1 enter app.Main.main()V", "5 1 enter app.Math.fact(I)I", "15 1 enter app.Math.fact(I)I", "30 1 enter app.Math.fact(I)I", "40 1 enter app.Util.log()V",
		"45 1 exit app.Util.log()V", "50 1 exit app.Math.fact(I)I", "60 1 exit app.Math.fact(I)I", "65 1 exit app.Math.fact(I)I",
		"70 2 enter lib.Util.log()V", "80 1 exit app.Main.main()V", "130 2 exit lib.Util.log()V",
	} {
		at, rest, _ := strings.Cut(e, " ")
		text += at + "000 - " + rest + "\n"
	}
	rec, err := tracetext.NewReader(strings.NewReader(text), "example")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "example.trace")
	tracetest.WriteTrace(t, file, rec, "art")
	sameReport(t, file)
}

// negative matches dmtracedump's form of a difference below zero.
var negative = regexp.MustCompile(` 1844674407\d{10} `)

// TestDiff: the difference of every two real traces is that of dmtracedump -d, byte for byte. So is
// that of a trace and itself, and of a trace and one with doubled times, in both directions.
func TestDiff(t *testing.T) {
	dmtracedump.Require(t)
	var files []string
	for _, name := range []string{"sampled-art-file", "sampled-host-file", "instrumented-art-file", "tiny-basic", "tiny-exception", "tiny-mismatched"} {
		files = append(files, testdata.Path(t, "traces", name+".trace"))
	}
	for _, old := range testdata.SomeUnlessNamed(t, files, 2) {
		longer := doubled(t, old)
		for _, now := range append(files, longer) {
			if shorter := sameDiff(t, old, now); (now == old || now == longer) && shorter {
				t.Errorf("%s and %s: something became shorter", old, now)
			}
		}
		if !sameDiff(t, longer, old) {
			t.Errorf("%s: nothing became shorter than with doubled times", old)
		}
	}
}

// sameDiff compares the difference of two files with that of dmtracedump -d, and reports whether
// something became shorter.
func sameDiff(t *testing.T, old, now string) (shorter bool) {
	t.Helper()
	want, err := exec.Command("dmtracedump", "-d", old, now).Output()
	if err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	if err := reportOf(t, now).PrintDiff(&got, reportOf(t, old)); err != nil {
		t.Fatal(err)
	}
	sameLines(t, got.String(), string(want))
	return negative.Match(want)
}

// doubled returns the trace with doubled times.
func doubled(t *testing.T, file string) string {
	t.Helper()
	in, err := dmtrace.Open(file, dmtrace.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	in.Events = double{in.Events}
	to := filepath.Join(t.TempDir(), "double.trace")
	tracetest.WriteTrace(t, to, &in.Recording, "art")
	return to
}

type double struct{ trace.Reader }

func (d double) ReadEvents(p []trace.Event) (int, error) {
	n, err := d.Reader.ReadEvents(p)
	for i := range p[:n] {
		p[i].Wall *= 2
		p[i].CPU *= 2
	}
	return n, err
}

// rewritten returns the file in another format.
func rewritten(t *testing.T, file, format string) string {
	t.Helper()
	in, err := dmtrace.Open(file, dmtrace.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	to := filepath.Join(t.TempDir(), "out.trace")
	tracetest.WriteTrace(t, to, &in.Recording, format)
	return to
}

// sameReport compares the report of a file with dmtracedump's.
func sameReport(t *testing.T, file string) {
	t.Helper()
	want, err := exec.Command("dmtracedump", file).Output()
	if err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	if err := reportOf(t, file).Print(&got); err != nil {
		t.Fatal(err)
	}
	sameLines(t, got.String(), string(want))
}

func reportOf(t *testing.T, file string) *ours.Report {
	t.Helper()
	in, err := dmtrace.Open(file, dmtrace.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	d := ours.New(&in.Recording)
	if _, err := trace.Copy(d, in.Events); err != nil {
		t.Fatal(err)
	}
	return d
}

func sameLines(t *testing.T, got, want string) {
	t.Helper()
	ours, theirs := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range theirs {
		if i >= len(ours) || ours[i] != theirs[i] {
			t.Fatalf("line %d of %d and %d:\n%q, dmtracedump has\n%q", i+1, len(ours), len(theirs), ours[min(i, len(ours)-1)], theirs[i])
		}
	}
	if len(ours) != len(theirs) {
		t.Errorf("%d lines, dmtracedump has %d", len(ours), len(theirs))
	}
}

// TestEvents: the list of events equals that of dmtracedump -o, byte for byte.
func TestEvents(t *testing.T) {
	dmtracedump.Require(t)
	for _, name := range dmtracedump.RealFiles {
		t.Run(name, func(t *testing.T) {
			file := testdata.Path(t, "traces", name)
			want, err := exec.Command("dmtracedump", "-o", file).Output()
			if err != nil {
				t.Fatal(err)
			}
			in, err := dmtrace.Open(file, dmtrace.ReadOptions{})
			if err != nil {
				t.Fatal(err)
			}
			defer in.Close()
			var got bytes.Buffer
			w := ours.NewEventWriter(&got, &in.Recording)
			if _, err := trace.Copy(w, in.Events); err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			sameLines(t, got.String(), string(want))
		})
	}
}

// escaped matches a letter with a meaning in Graphviz's records, which our graph escapes.
var escaped = regexp.MustCompile(`\\([<>{}|"\\])`)

// TestGraph: the graph kept by dmtracedump -g -k equals ours except for escaped letters.
func TestGraph(t *testing.T) {
	dmtracedump.Require(t)
	for _, name := range dmtracedump.RealFiles {
		for _, threshold := range []int{5, 20, 50, 100} { // 100 is invalid, and means the default of 20
			file := testdata.Path(t, "traces", name)
			graph := filepath.Join(t.TempDir(), "graph.png")
			theirs := exec.Command("dmtracedump", "-k", "-g", graph, "-t", strconv.Itoa(threshold), file)
			theirs.Env = []string{"PATH="} // no Graphviz: a picture of the largest takes minutes
			if err := theirs.Run(); err != nil {
				t.Fatal(err)
			}
			want, err := os.ReadFile(graph + ".dot")
			if err != nil {
				t.Fatal(err)
			}
			var got bytes.Buffer
			if err := reportOf(t, file).WriteGraph(&got, threshold); err != nil {
				t.Fatal(err)
			}
			sameLines(t, escaped.ReplaceAllString(got.String(), "$1"), string(want))
		}
	}
}

// TestHTML: the pages of dmtracedump -h, for one trace and for a difference, have the same words
// and links as ours, in the same order.
func TestHTML(t *testing.T) {
	dmtracedump.Require(t)
	var old string
	for _, name := range dmtracedump.RealFiles {
		file := testdata.Path(t, "traces", name)
		want, err := exec.Command("dmtracedump", "-h", file).Output()
		if err != nil {
			t.Fatal(err)
		}
		var got bytes.Buffer
		if err := reportOf(t, file).PrintHTML(&got, "https://example.com/"); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(got.String(), `<script src="https://example.com/sortable.js">`) {
			t.Errorf("%s: the page does not name the script", name)
		}
		sameLines(t, strings.Join(pageWords(got.String()), "\n"), strings.Join(pageWords(string(want)), "\n"))
		if old != "" {
			sameDiffPage(t, old, file)
		}
		old = file
	}
}

func sameDiffPage(t *testing.T, old, file string) {
	t.Helper()
	want, err := exec.Command("dmtracedump", "-h", "-d", old, file).Output()
	if err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	if err := reportOf(t, file).PrintDiffHTML(&got, reportOf(t, old), old, file, ""); err != nil {
		t.Fatal(err)
	}
	// dmtracedump prints the names of the two runs again before its second table.
	_, theirs, _ := strings.Cut(string(want), "Run 2:")
	theirs = regexp.MustCompile(`(?s)<html>\s*<head>.*?</head><body>\s*Run 1: [^\n]*\nRun 2: [^\n]*\n`).ReplaceAllString("Run 2:"+theirs, "")
	theirs = strings.TrimSuffix(theirs, "</html\n") // the original's last tag is not closed
	_, ours, _ := strings.Cut(got.String(), "Run 2:")
	sameLines(t, strings.Join(pageWords("Run 2:"+ours), "\n"), strings.Join(pageWords(theirs), "\n"))
}

var (
	pageHead  = regexp.MustCompile(`(?s)<head>.*?</head>`)
	pageLinks = regexp.MustCompile(`<a href=["'](#[^"']*)["']>`)
	pageTags  = regexp.MustCompile(`<[^>]*>`)
	pageSigns = regexp.MustCompile(`<span class="parent"[^>]*>[^<]*</span>`) // the original's + of expandable parts
)

// pageWords returns the words of a page, and the targets of its links.
func pageWords(page string) []string {
	page = pageSigns.ReplaceAllString(pageHead.ReplaceAllString(page, ""), "")
	page = pageTags.ReplaceAllString(pageLinks.ReplaceAllString(page, " $1 "), " ")
	return strings.Fields(strings.ReplaceAll(page, "&nbsp;", " "))
}
