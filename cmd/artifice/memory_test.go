package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"artifice/cmd/internal/command"
	"artifice/internal/cli"
	"artifice/internal/dmformat"
	"artifice/internal/testdata"
)

// peak runs the program and prints its peak memory in kB instead of its results.
func peak() {
	status := run(context.Background(), os.Args[1:], command.Stdio{In: os.Stdin, Out: io.Discard, Err: os.Stderr})
	text, _ := os.ReadFile("/proc/self/status")
	_, rest, _ := strings.Cut(string(text), "VmHWM:")
	fmt.Println(strings.Fields(rest + " 0")[0])
	os.Exit(status)
}

// v2of17 returns a file in format V2 of 2026 with one clock, one thread and its records. Its
// methods have the IDs 1 to methods.
func v2of17(methods, records int, body []byte) []byte {
	b := dmformat.HeaderV2{Clocks: 1, Streaming: true}.Append(nil)
	b, _ = dmformat.AppendThreadPacket(b, 1, "main")
	for i := range methods {
		b, _ = dmformat.AppendMethodPacket(b, uint64(i+1), fmt.Sprintf("a\tf%d\t()V\tF\n", i))
	}
	b = dmformat.BlockHead{TID: 1, Count: uint32(records), Bytes: uint32(len(body))}.Append(b, dmformat.V2of17, 1)
	b = append(b, body...)
	b, _ = dmformat.AppendSummaryPacket(b, []byte("*version\n4\nclock=wall\nelapsed-time-nsec=1\nvm=art\n*end\n"))
	return b
}

// classicFile returns a classic file with both clocks; record returns its records.
func classicFile(tables string, records int, record func(i int) (tid uint16, word, us uint32)) []byte {
	b := fmt.Appendf(nil, "*version\n3\nclock=dual\nnum-method-calls=%d\nvm=art\n%s*end\n", records, tables)
	b = append(b, "SLOW\x03\x00\x20\x00\x00\x00\x00\x00\x00\x00\x00\x00\x0e\x00"...)
	b = append(b, make([]byte, 14)...)
	for i := range records {
		tid, word, us := record(i)
		b = binary.LittleEndian.AppendUint16(b, tid)
		b = binary.LittleEndian.AppendUint32(b, word)
		b = binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(b, us), us)
	}
	return b
}

// hostile returns inputs that made memory grow disproportionately, or could. A hundred thousand
// records show the growth as well as a million.
func hostile() map[string][]byte {
	const n = 100_000
	tables := "*threads\n1\tmain\n*methods\n0x10\ta.A\tf\t()V\tA.java\n"
	sleb := func(b []byte, x int64) []byte { return dmformat.AppendSLEB(b, x) }
	var deep, distinct, paths []byte
	for range 4 * n {
		deep = sleb(sleb(deep, 4), 0)
	}
	for range n {
		distinct = sleb(sleb(sleb(distinct, 3), 1), 1)
	}
	random := rand.New(rand.NewPCG(1, 2))
	was, method, last := int64(0), int64(500), int64(0)
	for i, depth := 0, 0; i < 2*n; i++ {
		now := int64(i) << 2
		if depth == 0 || depth < 30_000 && random.IntN(2) == 0 {
			method = min(max(method+random.Int64N(121)-60, 1), 1000)
			paths = sleb(sleb(paths, now-was), method-last)
			last = method
			depth++
		} else {
			now |= 1
			paths = sleb(paths, now-was)
			depth--
		}
		was = now
	}
	files := map[string][]byte{
		"deep.trace":     v2of17(1, 4*n, deep),
		"distinct.trace": v2of17(0, 2*n, distinct),
		"paths.trace":    v2of17(1000, 2*n, paths),
		"threads.trace": classicFile(tables, 4*20_000, func(i int) (uint16, uint32, uint32) {
			return uint16(1 + i%20_000), 0x10 | uint32(i/20_000%2), uint32(i)
		}),
		"unlisted.trace": classicFile(tables, 2*n/7, func(i int) (uint16, uint32, uint32) { return 1, uint32(i/2)<<2 | uint32(i%2), uint32(i) }),
		"back.trace":     classicFile(tables, n, func(i int) (uint16, uint32, uint32) { return 1, 0x10 | uint32(i%2), uint32(n - i) }),
		"lines.trace":    classicFile(tables+strings.Repeat("\n", n), 0, nil),
	}
	var lines []byte
	for i := range n {
		lines = fmt.Appendf(lines, "m%d 1\n", i)
	}
	files["methods.folded"] = lines
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write(files["deep.trace"])
	z.Close()
	files["deep.trace.gz"] = packed.Bytes()
	return files
}

// TestPeakMemory checks that no command uses more than 64 MiB plus 64 bytes per byte of input.
func TestPeakMemory(t *testing.T) {
	testdata.Seldom(t, 4)
	if runtime.GOOS != "linux" {
		t.Skip("the peak memory of a process is read from /proc")
	}
	if testing.Short() {
		t.Skip("starts the program some 60 times")
	}
	folder := t.TempDir()
	for name, content := range hostile() {
		file := filepath.Join(folder, name)
		if err := os.WriteFile(file, content, 0o666); err != nil {
			t.Fatal(err)
		}
		most := 64<<20 + 64*len(content)
		for _, args := range testdata.Some(t, [][]string{
			{"info", file}, {"check", file}, {"dump", file}, {"convert", file, "-o", file + ".txt"}, {"convert", file, "-o", file + ".out.trace"},
			{"convert", file, "-o", file + ".pb.gz"}, {"convert", file, "-o", file + ".out.folded"}, {"record", file, "-o", file + ".rec.trace"},
		}, 1) {
			cmd := exec.Command("artifice-peak", args...)
			cmd.Env = append(os.Environ(), "TMPDIR="+folder)
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			out, err := cmd.Output()
			kB, _ := strconv.Atoi(strings.TrimSpace(string(out)))
			if status := cmd.ProcessState.ExitCode(); kB == 0 || status != 0 && status != 1 {
				t.Errorf("%s %s: %v: %s", name, args[0], err, stderr.String())
			}
			t.Logf("%-15s %-8s %-12s %4d MiB of %d", name, args[0], filepath.Ext(args[len(args)-1]), kB>>10, most>>20)
			if kB<<10 > most {
				t.Errorf("%s: %s used %d MiB for %d bytes, want at most %d MiB", name, strings.Join(args, " "), kB>>10, len(content), most>>20)
			}
		}
	}
}

// TestViewSampleMemory checks that the page of a million calls and of samples of them needs less
// memory than a list of the calls, with 40 bytes each, that doubles as it grows.
func TestViewSampleMemory(t *testing.T) {
	testdata.Seldom(t, 6)
	if runtime.GOOS != "linux" {
		t.Skip("the peak memory of a process is read from /proc")
	}
	if testing.Short() {
		t.Skip("makes a page of 2 million events")
	}
	cmd := exec.Command("artifice-peak", "view", "w4-function-bias", "--sample", "1ms", "-o", filepath.Join(t.TempDir(), "page.html"))
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, stderr.String())
	}
	kB, _ := strconv.Atoi(strings.TrimSpace(string(out)))
	t.Logf("%d MiB", kB>>10)
	if kB == 0 || kB<<10 > 120e6 {
		t.Errorf("%d MiB, want at most 114", kB>>10)
	}
}

// TestLimitFlag checks that every command that reads rejects an input beyond a limit with the flag
// that raises it, and reads the input with that flag.
func TestLimitFlag(t *testing.T) {
	var deep []byte
	for range 70_000 {
		deep = dmformat.AppendSLEB(dmformat.AppendSLEB(deep, 4), 0)
	}
	file := filepath.Join(t.TempDir(), "deep.trace")
	if err := os.WriteFile(file, v2of17(1, 70_000, deep), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"info", "dump", "check"} {
		for _, c := range []struct {
			limit   string
			want    int
			message string
		}{
			{"", 1, "--limit depth=N"},
			{"depth=69999", 1, "event 69999"},
			{"depth=70000", 0, ""},
			{"width=1", 2, "depth, methods, unlisted, ratio"},
		} {
			args := []string{name, file}
			if c.limit != "" {
				args = append(args, "--limit", c.limit)
			}
			var out, stderr bytes.Buffer
			status := run(context.Background(), args, command.Stdio{Out: &out, Err: &stderr})
			if status != c.want || !strings.Contains(out.String()+stderr.String(), c.message) {
				t.Errorf("%q: status %d, want %d and %q: %s%s", args, status, c.want, c.message, out.String(), stderr.String())
			}
		}
	}
}

// TestBenchDecreasingTimes checks that bench accepts a trace in which every event is earlier than
// the previous one.
func TestBenchDecreasingTimes(t *testing.T) {
	file := filepath.Join(t.TempDir(), "back.trace")
	tables := "*threads\n1\tmain\n*methods\n0x10\ta.A\tf\t()V\tA.java\n"
	content := classicFile(tables, 20, func(i int) (uint16, uint32, uint32) { return 1, 0x10 | uint32(i%2), uint32(20 - i) })
	if err := os.WriteFile(file, content, 0o666); err != nil {
		t.Fatal(err)
	}
	var out, stderr bytes.Buffer
	if status := run(context.Background(), []string{"bench", file}, command.Stdio{Out: &out, Err: &stderr}); status != 0 {
		t.Errorf("status %d: %s", status, stderr.String())
	}
}

// TestMemoryFlag checks that a sweep of a trace without repeated stacks needs little memory. A
// comparison ends with a remedy before it exceeds --memory, and completes with a larger value.
func TestMemoryFlag(t *testing.T) {
	testdata.Seldom(t, 6)
	if runtime.GOOS != "linux" {
		t.Skip("the peak memory of a process is read from /proc")
	}
	if testing.Short() {
		t.Skip("starts a sweep that takes 200 MiB")
	}
	file := filepath.Join(t.TempDir(), "paths.trace")
	if err := os.WriteFile(file, hostile()["paths.trace"], 0o666); err != nil {
		t.Fatal(err)
	}
	sweep := []string{"bench", file, "--intervals", "100us", "--seeds", "12", "--modes", "sample,instrument-dual"}
	compared := []string{"score", file, file, file, file}
	for _, c := range []struct {
		args   []string
		memory int
		status int
	}{
		{sweep, 64, 0},
		{compared, 64, 1}, {compared, 512, 0},
	} {
		cmd := exec.Command("artifice-peak", append(c.args, "--memory", fmt.Sprintf("%dMiB", c.memory))...)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, _ := cmd.Output()
		kB, _ := strconv.Atoi(strings.TrimSpace(string(out)))
		advised := strings.Contains(stderr.String(), "or allow more with --memory")
		if status := cmd.ProcessState.ExitCode(); status != c.status || advised != (status == 1) {
			t.Errorf("%s with %d MiB: status %d, want %d: %s", c.args[0], c.memory, status, c.status, stderr.String())
		}
		// Goroutine stacks and the garbage collector need additional memory.
		if peak := kB >> 10; peak > c.memory+16 {
			t.Errorf("%s with %d MiB used %d MiB", c.args[0], c.memory, peak)
		}
		t.Logf("%s with %d MiB took %d MiB", c.args[0], c.memory, kB>>10)
	}
}

// TestMachineMemory checks that the machine's memory is found if /proc states it.
func TestMachineMemory(t *testing.T) {
	if _, err := os.Stat("/proc/meminfo"); err != nil {
		t.Skip(err)
	}
	if n := cli.MachineMemory(); n < 64<<20 {
		t.Errorf("MachineMemory() = %d bytes, want at least 64 MiB", n)
	}
}

// TestMaximumLength checks that commands that sample reject a trace of the maximum length that
// times can express, and that the error states the length. All other commands read it.
func TestMaximumLength(t *testing.T) {
	file := filepath.Join(t.TempDir(), "far.txt")
	text := "# artifice text trace\ninfo\tclock\twall\nthread\t1\tm\nmethod\t0x4\ta\tb\t()V\tF\t1\n0 - 1 enter a.b()V\n9223372036854775807 - 1 exit a.b()V\n"
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args    []string
		want    int
		message string
	}{
		{[]string{"info", file}, 0, ""},
		{[]string{"score", file, file}, 0, ""},
		{[]string{"record", file, "-o", file + ".trace"}, 1, "an event at 2562047h47m16.854775807s"},
		{[]string{"bench", file, "--device", "ideal"}, 1, "an event at 2562047h47m16.854775807s"},
		{[]string{"bench", file, "--modes", "poisson"}, 1, "an event at 2562047h47m16.854775807s"},
	} {
		var out, stderr bytes.Buffer
		if status := run(context.Background(), c.args, command.Stdio{Out: &out, Err: &stderr}); status != c.want || !strings.Contains(stderr.String(), c.message) {
			t.Errorf("%q: status %d, want %d and %q: %s", c.args, status, c.want, c.message, stderr.String())
		}
	}
}
