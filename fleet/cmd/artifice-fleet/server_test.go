package main

import (
	"bytes"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"artifice/fleet/corpus"
)

// TestJobServer runs jobs of 1000 traces on Prism as a separate job server, with workers in
// separate processes, the first of them killed, and with workers in the submitting process. The
// result equals that of the local runner byte for byte.
func TestJobServer(t *testing.T) {
	if testing.Short() {
		t.Skip("builds Beam's job server")
	}
	dir := t.TempDir()
	made := traces(t, corpus.Config{Traces: 1000, Seed: 6, Broken: 100, Sampled: true})
	submitted := jobServer(t)

	profile := []string{"profile", made.Manifest, "--by", "app", "--keep-going", "-o"}
	want, got := filepath.Join(dir, "want.pb.gz"), filepath.Join(dir, "got.pb.gz")
	fleet(t, append(profile, want)...)
	pool := freePort(t)
	var first sync.Once
	startPool(t, pool, func(worker int) { first.Do(func() { syscall.Kill(worker, syscall.SIGKILL) }) })
	external := func(pool string) []string {
		return submitted(append(profile, got, "--environment_type", "external", "--environment_config", "localhost:"+pool)...)
	}
	out, err := program(t, external(pool)...).CombinedOutput()
	if !strings.Contains(string(out), "is submitted again (2 of 3)") || !strings.Contains(string(out), "1,000 files (10 left out)") {
		t.Fatalf("no worker was lost, or for good: %v\n%s", err, out)
	}
	a, errA := os.ReadFile(want)
	b, errB := os.ReadFile(got)
	if errA != nil || errB != nil || !bytes.Equal(a, b) {
		t.Errorf("the profile is another one, of %d bytes, not %d: %v %v", len(b), len(a), errA, errB)
	}

	for _, args := range [][]string{
		{"check", made.Manifest, "--csv", "--keep-going"},
		{"diff", made.Manifest, "--by", "version", "--from", "1.2", "--to", "1.3", "--csv", "--keep-going"},
	} {
		_, want, _ := fleet(t, args...)
		out, err := program(t, submitted(args...)...).Output()
		if string(out) != want {
			t.Errorf("%s: %v: another result than in this process:\n%s", args, err, cmp.Diff(want, string(out)))
		}
	}
}

// jobServer starts Prism, and returns a function that adds its flags to a command.
func jobServer(t *testing.T) (submitted func(args ...string) []string) {
	t.Helper()
	prism := filepath.Join(t.TempDir(), "prism")
	if out, err := exec.Command("go", "build", "-o", prism, "github.com/apache/beam/sdks/v2/go/cmd/prism").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	port := freePort(t)
	start(t, nil, exec.Command(prism, "--job_port", port, "--serve_http=false", "--log_level=error"), port)
	return func(args ...string) []string {
		return append(args, "--runner", "universal", "--endpoint", "localhost:"+port)
	}
}

// startPool starts a pool of workers on a port, and calls started with the process ID of each.
func startPool(t *testing.T, port string, started func(worker int)) {
	t.Helper()
	pattern := regexp.MustCompile(`is process (\d+)\n`)
	cmd := program(t, "worker", "--port", port)
	start(t, func(line []byte) {
		if m := pattern.FindSubmatch(line); m != nil {
			pid, _ := strconv.Atoi(string(m[1]))
			started(pid)
		}
	}, cmd, port)
}

// freePort returns an unused port.
func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return port
}

// lines passes on the lines written to it.
type lines func(line []byte)

func (f lines) Write(p []byte) (int, error) {
	if f != nil {
		f(p)
	}
	return len(p), nil
}

// start starts a program that listens on a port, and ends it with the test.
func start(t *testing.T, said lines, cmd *exec.Cmd, port string) {
	t.Helper()
	startAt(t, said, cmd, "localhost:"+port)
}

// startAt is start for a given address.
func startAt(t *testing.T, said lines, cmd *exec.Cmd, address string) {
	t.Helper()
	cmd.Stderr = said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Signal(os.Interrupt)
		time.AfterFunc(5*time.Second, func() { cmd.Process.Kill() })
		cmd.Wait()
	})
	for range 600 {
		if c, err := net.Dial("tcp", address); err == nil {
			c.Close()
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatalf("%s does not wait on %s", cmd.Path, address)
}
