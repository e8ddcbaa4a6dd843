package main

import (
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"artifice/fleet/corpus"
)

// TestDiff: the table equals that of artifice diff on the same files, for any number of workers
// and any order, up to rounding of sums. The change of Feed.draw is the generated one.
func TestDiff(t *testing.T) {
	made := traces(t, corpus.Config{Traces: 48, Seed: 4})
	var sides [2][]string
	var drawn [2]time.Duration
	for i, path := range made.Paths {
		side := i / 6 % 2 // versions alternate every 6 traces
		sides[side] = append(sides[side], path)
		drawn[side] += made.Drawn[i]
	}
	status, text := artifice(t, slices.Concat([]string{"diff"}, sides[0], []string{"--csv", "--thread", "all", "--to"}, sides[1])...)
	if status != 0 {
		t.Fatal(status)
	}
	want := table(t, text)
	for _, workers := range []string{"1", "2", "8"} {
		list := made.Manifest
		if workers == "2" {
			list = reversed(t, made.Manifest)
		}
		text, _ := must(t, "diff", list, "--by", "version", "--from", "1.2", "--to", "1.3", "--csv", "--workers", workers)
		got := table(t, text)
		if len(got) != len(want) {
			t.Fatalf("%d rows, want %d", len(got), len(want))
		}
		for i := range want {
			for c := range want[i] {
				if !sameCell(want[i][c], got[i][c]) {
					t.Errorf("%s workers, %s: %s is %s, want %s", workers, want[i][0], want[0][c], got[i][c], want[i][c])
				}
			}
		}
	}
	sum := time.Duration(0)
	for _, row := range want[1:] {
		if strings.HasSuffix(row[0], ".Feed.draw") {
			ns, err := strconv.ParseInt(row[slices.Index(want[0], "self_change_ns")], 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			sum += time.Duration(ns)
		}
	}
	if truth := (drawn[1] - drawn[0]) / 24; (sum - truth).Abs() > 1 { // rounded
		t.Errorf("Feed.draw changed by %s, truly by %s", sum, truth)
	}
}

// TestDiffOverloads: f() of 2 ms and f(int) of 3 ms are separate methods if all traces have
// signatures, and one method of 5 ms if one side is timelines, which have none.
func TestDiffOverloads(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	const withSignatures = "# artifice text trace\ninfo\tclock\twall\nthread\t1\tmain\n" +
		"method\t0x4\ta.B\tf\t()V\t\t-1\nmethod\t0x8\ta.B\tf\t(I)V\t\t-1\n" +
		"0 - 1 enter a.B.f()V\n2000000 - 1 exit a.B.f()V\n2000000 - 1 enter a.B.f(I)V\n5000000 - 1 exit a.B.f(I)V\n"
	const timeline = `{"traceEvents":[{"ph":"X","pid":1,"tid":1,"ts":0,"dur":9000,"name":"a.B.f"}]}`
	list := "path,kind\n"
	for _, name := range []string{"trace-0", "trace-1", "same-0", "same-1"} {
		list += write(name, withSignatures) + "," + strings.TrimRight(name, "-01") + "\n"
	}
	for _, name := range []string{"timeline-0", "timeline-1"} {
		list += write(name, timeline) + ",timeline\n"
	}
	list = write("list.csv", list)
	for side, want := range map[string][]string{
		"timeline": {"a.B.f 5000000 9000000"},
		"same":     {"a.B.f() 2000000 2000000", "a.B.f(int) 3000000 3000000"},
	} {
		text, _ := must(t, "diff", list, "--by", "kind", "--from", "trace", "--to", side, "--csv")
		rows := table(t, text)
		var got []string
		for _, row := range rows[1:] {
			cells := []string{row[0]}
			for _, column := range []string{"self_old_ns", "self_new_ns"} {
				cells = append(cells, row[slices.Index(rows[0], column)])
			}
			got = append(got, strings.Join(cells, " "))
		}
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", side, diff)
		}
	}
}

// reversed returns a manifest with the files of another in reverse order.
func reversed(t *testing.T, manifest string) string {
	t.Helper()
	text, err := os.ReadFile(manifest)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(strings.TrimSuffix(string(text), "\n"), "\n")
	lines[len(lines)-1] += "\n"
	slices.Reverse(lines[1:])
	name := filepath.Join(filepath.Dir(manifest), "reversed.csv")
	if err := os.WriteFile(name, []byte(strings.Join(lines, "")), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

func table(t *testing.T, text string) [][]string {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || len(rows) < 2 {
		t.Fatal(err, text)
	}
	return rows
}

// sameCell reports whether two cells have the same text, or numbers that differ by no more than a
// different order of summation can explain.
func sameCell(a, b string) bool {
	x, err := strconv.ParseFloat(a, 64)
	y, err2 := strconv.ParseFloat(b, 64)
	return a == b || err == nil && err2 == nil && math.Abs(x-y) <= 1e-9*math.Abs(x)
}
