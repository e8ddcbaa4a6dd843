package main

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"artifice/fleet/corpus"
)

// listening returns the addresses on which a process or one of its children listens, according to
// the kernel (proc_pid_fd(5), proc_net_tcp: state 0A).
func listening(t *testing.T, process int) (found []netip.AddrPort) {
	t.Helper()
	inodes := map[string]bool{}
	for _, pid := range family(process) {
		links, _ := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid))
		for _, link := range links {
			to, _ := os.Readlink(link) // it may have been closed
			if inode, is := strings.CutPrefix(to, "socket:["); is {
				inodes[strings.TrimSuffix(inode, "]")] = true
			}
		}
	}
	for _, table := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		f, err := os.Open(table)
		if os.IsNotExist(err) {
			continue // a kernel without IPv6
		}
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		for lines := bufio.NewScanner(f); lines.Scan(); {
			if row := strings.Fields(lines.Text()); len(row) > 9 && row[3] == "0A" && inodes[row[9]] {
				found = append(found, addressOf(t, row[1]))
			}
		}
	}
	return found
}

// addressOf parses an address of the kernel's tables: words of four bytes in little-endian order,
// and a port.
func addressOf(t *testing.T, text string) netip.AddrPort {
	t.Helper()
	host, port, _ := strings.Cut(text, ":")
	b, err := hex.DecodeString(host)
	if err != nil {
		t.Fatal(err)
	}
	for word := range slices.Chunk(b, 4) {
		slices.Reverse(word)
	}
	number, err := strconv.ParseUint(port, 16, 16)
	if err != nil {
		t.Fatal(err)
	}
	ip, _ := netip.AddrFromSlice(b)
	return netip.AddrPortFrom(ip.Unmap(), uint16(number))
}

// family returns a process and all its descendants.
func family(process int) []int {
	pids := []int{process}
	for i := 0; i < len(pids); i++ {
		tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pids[i]))
		for _, task := range tasks {
			text, _ := os.ReadFile(task)
			for _, child := range strings.Fields(string(text)) {
				if pid, err := strconv.Atoi(child); err == nil {
					pids = append(pids, pid)
				}
			}
		}
	}
	return pids
}

// TestListening: listening finds sockets of this process on every interface and on loopback, so
// that it would find those of other processes.
func TestListening(t *testing.T) {
	for _, test := range []struct {
		address  string
		loopback bool
	}{{":0", false}, {"127.0.0.1:0", true}} {
		l, err := net.Listen("tcp", test.address)
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		port := l.Addr().(*net.TCPAddr).AddrPort().Port()
		seen := false
		for _, a := range listening(t, os.Getpid()) {
			if a.Port() == port {
				seen = true
				if a.Addr().IsLoopback() != test.loopback {
					t.Errorf("%s is seen as %s", test.address, a)
				}
			}
		}
		if !seen {
			t.Errorf("%s is not seen", test.address)
		}
	}
}

// TestSockets: a command that reads files in its own process listens on no address while it works.
func TestSockets(t *testing.T) {
	made := traces(t, corpus.Config{Traces: 400, Seed: 9})
	for _, args := range [][]string{
		{"profile", made.Manifest, "-o", filepath.Join(t.TempDir(), "all.pb.gz")},
		{"diff", made.Manifest, "--by", "version", "--from", "1.2", "--to", "1.3"},
	} {
		cmd := program(t, args...)
		var looks int
		lookAt(t, cmd, func() {
			looks++
			if found := listening(t, cmd.Process.Pid); len(found) > 0 {
				t.Errorf("%s listens on %s", args[0], found)
			}
		})
		if looks < 10 {
			t.Errorf("%s was looked at %d times: too few to see what it opens", args[0], looks)
		}
	}
}

// TestSubmitterSockets: a command that provides workers for a job server in its own process
// listens only on loopback.
func TestSubmitterSockets(t *testing.T) {
	if testing.Short() {
		t.Skip("builds Beam's job server")
	}
	made := traces(t, corpus.Config{Traces: 100, Seed: 9})
	submitted := jobServer(t)
	cmd := program(t, submitted("profile", made.Manifest, "-o", filepath.Join(t.TempDir(), "all.pb.gz"))...)
	seen := map[netip.AddrPort]bool{}
	lookAt(t, cmd, func() {
		for _, address := range listening(t, cmd.Process.Pid) {
			seen[address] = true
			if !address.Addr().IsLoopback() {
				t.Errorf("the command waits on %s", address)
			}
		}
	})
	if len(seen) == 0 {
		t.Error("no workers were waited for: nothing was seen")
	}
}

// lookAt calls look repeatedly while a command runs, and suspends the command during each call.
func lookAt(t *testing.T, cmd *exec.Cmd, look func()) {
	t.Helper()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for !t.Failed() {
		select {
		case err := <-ended:
			if err != nil {
				t.Error(err)
			}
			return
		case <-time.After(2 * time.Millisecond):
			cmd.Process.Signal(syscall.SIGSTOP) // looking takes longer on a busy machine, and the command waits for it
			look()
			cmd.Process.Signal(syscall.SIGCONT)
		}
	}
	cmd.Process.Kill()
	<-ended
}

// TestWorkerSockets: a pool of workers listens on loopback, or on the address that its user
// selects.
func TestWorkerSockets(t *testing.T) {
	for address, want := range map[string]string{"": "127.0.0.1", "127.0.0.2": "127.0.0.2"} {
		port := freePort(t)
		args := []string{"worker", "--port", port}
		if address != "" {
			args = append(args, "--address", address)
		}
		cmd := program(t, args...)
		startAt(t, nil, cmd, net.JoinHostPort(want, port))
		found := listening(t, cmd.Process.Pid)
		if len(found) != 1 || found[0].String() != net.JoinHostPort(want, port) {
			t.Errorf("worker --address %q listens on %s", address, found)
		}
	}
}
