package main

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"artifice/fleet/corpus"
)

// TestJobServer runs a job of 1000 traces on Prism as a job server of its own, with
// workers in processes of their own, of which the first is killed: the profile is, byte
// for byte, that of Prism in this process.
func TestJobServer(t *testing.T) {
	if testing.Short() {
		t.Skip("builds two programs")
	}
	dir := t.TempDir()
	prism, program := filepath.Join(dir, "prism"), filepath.Join(dir, "artifice-fleet")
	for name, pkg := range map[string]string{prism: "github.com/apache/beam/sdks/v2/go/cmd/prism", program: "."} {
		if out, err := exec.Command("go", "build", "-o", name, pkg).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	made := traces(t, corpus.Config{Traces: 1000, Seed: 6, Broken: 100})
	want, got := filepath.Join(dir, "want.pb.gz"), filepath.Join(dir, "got.pb.gz")
	must(t, "profile", made.Manifest, "--by", "app", "-o", want)

	server, pool := freePort(t), freePort(t)
	start(t, nil, prism, "--job_port", server, "--serve_http=false", "--log_level=error")
	var killed sync.Once
	started := regexp.MustCompile(`is process (\d+)\n`)
	start(t, func(line []byte) {
		if m := started.FindSubmatch(line); m != nil {
			killed.Do(func() {
				var pid int
				fmt.Sscan(string(m[1]), &pid)
				syscall.Kill(pid, syscall.SIGKILL)
			})
		}
	}, program, "worker", "--port", pool)
	job := exec.CommandContext(t.Context(), program, "profile", made.Manifest, "--by", "app", "-o", got,
		"--runner", "universal", "--endpoint", "localhost:"+server, "--environment_type", "external", "--environment_config", "localhost:"+pool)
	out, err := job.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if !strings.Contains(string(out), "is submitted again (2 of 3)") {
		t.Errorf("no worker was lost:\n%s", out)
	}
	a, err := os.ReadFile(want)
	if err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(got); err != nil || !bytes.Equal(a, b) {
		t.Errorf("the profile is another one, of %d bytes, not %d: %v", len(b), len(a), err)
	}
}

// freePort returns a port that nothing waits on.
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

// lines passes on what is written to it.
type lines func(line []byte)

func (f lines) Write(p []byte) (int, error) {
	if f != nil {
		f(p)
	}
	return len(p), nil
}

// start starts a program that waits on a port, and ends it with the test. The port is
// the argument behind one that ends in port.
func start(t *testing.T, said lines, args ...string) {
	t.Helper()
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stderr = said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Signal(os.Interrupt)
		time.AfterFunc(5*time.Second, func() { cmd.Process.Kill() })
		cmd.Wait()
	})
	port := ""
	for i, arg := range args[:len(args)-1] {
		if strings.HasSuffix(arg, "port") {
			port = args[i+1]
		}
	}
	for range 600 {
		if c, err := net.Dial("tcp", "localhost:"+port); err == nil {
			c.Close()
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatalf("%s does not wait on port %s", args[0], port)
}
