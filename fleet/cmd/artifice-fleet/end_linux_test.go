package main

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	fnpb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/fnexecution_v1"
	pipepb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/pipeline_v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"artifice/fleet/corpus"
)

// TestSignals: a command that a signal ends has the exit status of shells, and leaves no temporary
// files.
func TestSignals(t *testing.T) {
	made := traces(t, corpus.Config{Traces: 5000, Seed: 4})
	for signal, want := range map[syscall.Signal]int{syscall.SIGINT: 130, syscall.SIGTERM: 143} {
		temp := t.TempDir()
		cmd := program(t, "bench", made.Manifest)
		cmd.Env = append(cmd.Env, "TMPDIR="+temp)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		eventually(t, "a temporary folder", func() bool { return len(in(temp)) > 0 })
		cmd.Process.Signal(signal)
		cmd.Wait()
		if got := cmd.ProcessState.ExitCode(); got != want || len(in(temp)) > 0 {
			t.Errorf("%s: status %d, want %d; left: %s", signal, got, want, in(temp))
		}
	}
}

// TestKilled: a command removes the temporary files of a killed one, but not those of a live one.
func TestKilled(t *testing.T) {
	made := traces(t, corpus.Config{Traces: 5000, Seed: 4})
	temp := t.TempDir()
	start := func() *exec.Cmd {
		cmd := program(t, "bench", made.Manifest)
		cmd.Env = append(cmd.Env, "TMPDIR="+temp)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		return cmd
	}
	begin := func() *exec.Cmd {
		before := in(temp)
		cmd := start()
		eventually(t, "a temporary folder", func() bool { return len(in(temp)) > len(before) })
		return cmd
	}
	killed := begin()
	of := in(temp)
	killed.Process.Signal(syscall.SIGSTOP) // alive, and does not end before it is killed
	other := begin()
	if !slices.Contains(in(temp), of[0]) {
		t.Errorf("%s was removed while its program was alive", of[0])
	}
	killed.Process.Kill()
	killed.Wait()
	if !slices.Contains(in(temp), of[0]) {
		t.Fatalf("the killed program left nothing: the test shows nothing")
	}
	other.Process.Signal(syscall.SIGTERM)
	other.Wait()
	last := start()
	eventually(t, "the removal of "+of[0], func() bool { return !slices.Contains(in(temp), of[0]) })
	last.Process.Signal(syscall.SIGTERM)
	last.Wait()
	if left := in(temp); len(left) > 0 {
		t.Errorf("left: %s", left)
	}
}

// TestWorkersEndWithPool: the workers of a pool end with it, even if it is killed, and leave no
// temporary files.
func TestWorkersEndWithPool(t *testing.T) {
	silent, err := net.Listen("tcp", "127.0.0.1:0") // a runner that never answers
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGKILL} {
		temp, port := t.TempDir(), freePort(t)
		said := make(chan int, 1)
		cmd := program(t, "worker", "--port", port)
		cmd.Env = append(cmd.Env, "TMPDIR="+temp)
		start(t, func(line []byte) {
			var id string
			var pid int
			if n, _ := fmt.Sscanf(string(line), "artifice-fleet: worker %s is process %d", &id, &pid); n == 2 {
				said <- pid
			}
		}, cmd, port)
		c, err := grpc.NewClient("127.0.0.1:"+port, grpc.WithTransportCredentials(insecure.NewCredentials()))
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		to := &pipepb.ApiServiceDescriptor{Url: silent.Addr().String()}
		r, err := fnpb.NewBeamFnExternalWorkerPoolClient(c).StartWorker(t.Context(), &fnpb.StartWorkerRequest{WorkerId: "w", ControlEndpoint: to, LoggingEndpoint: to})
		if err != nil || r.GetError() != "" {
			t.Fatal(err, r.GetError())
		}
		worker := <-said
		if len(in(temp)) == 0 || !isRunning(worker) {
			t.Errorf("%s: the worker %d does not run, or has no folder", signal, worker)
		}
		cmd.Process.Signal(signal)
		eventually(t, fmt.Sprintf("%s: the end of the worker", signal), func() bool { return !isRunning(worker) })
		eventually(t, fmt.Sprintf("%s: an empty folder", signal), func() bool { return len(in(temp)) == 0 })
	}
}

// in returns the entries of a folder.
func in(folder string) []string {
	names, _ := filepath.Glob(filepath.Join(folder, "*"))
	return names
}

// isRunning reports whether a process exists and has not ended (proc_pid_stat(5)).
func isRunning(pid int) bool {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, state, _ := strings.Cut(string(text), ") ")
	return err == nil && !strings.HasPrefix(state, "Z")
}

// eventually waits until is returns true.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for range 3000 {
		if is() {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatalf("waited a minute for %s", what)
}
