// Package firefoxprofiler loads traces with the importer of the Firefox
// Profiler, through its command-line client of the npm registry, so that tests
// see what profiler.firefox.com makes of our files.
//
// It is for tests. It needs node and npm; the client itself is installed into a
// temporary folder, and its version is pinned: it asks for Node 24 and was seen
// to work on Node 20.
package firefoxprofiler

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// client is the npm package.
const client = "@firefox-devtools/profiler-cli@0.10.0"

// Client is an installed client.
type Client struct {
	script   string
	sessions string // folder
	loaded   int
}

// loadTime is how long a file may take to load. The client's own limit for its
// start, half a second, is too short on a busy machine: so it is not asked to
// start what holds the file.
const loadTime = time.Minute

// Install installs the client. It skips the test where node or npm is missing or
// the registry cannot be reached, and fails it where CI=true says that all has
// to be there.
func Install(t testing.TB) *Client {
	t.Helper()
	for _, program := range []string{"node", "npm"} {
		if _, err := exec.LookPath(program); err != nil {
			missing(t, program+" is not installed; on Debian: apt-get install nodejs npm")
		}
	}
	dir := t.TempDir()
	cmd := exec.Command("npm", "install", "--prefix", dir, "--no-save", "--no-package-lock", "--no-audit", "--no-fund", client)
	if out, err := cmd.CombinedOutput(); err != nil {
		missing(t, fmt.Sprintf("npm install %s: %v\n%s", client, err, out))
	}
	return &Client{
		script:   filepath.Join(dir, "node_modules", "@firefox-devtools", "profiler-cli", "dist", "profiler-cli.js"),
		sessions: t.TempDir(),
	}
}

func missing(t testing.TB, why string) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatal(why)
	}
	t.Skip(why)
}

// Session is a loaded trace.
type Session struct {
	client *Client
	name   string
	holder *exec.Cmd // the process that has the trace
}

// Load loads a file. The error is the importer's. The client gets the file from a
// server: one of less than 4 KiB that it reads from disk it takes from the wrong
// place of the block that Node has put several small files into. What happens is
// read from the log that the holder writes: to ask it costs a start of node each
// time.
func (c *Client) Load(file string) (*Session, error) {
	c.loaded++
	s := &Session{client: c, name: fmt.Sprint("test", c.loaded)}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/octet-stream")
		http.ServeFile(w, r, file)
	}))
	defer server.Close()
	s.holder = c.command(context.Background(), "--daemon", server.URL+"/some.trace", "--session", s.name)
	if err := s.holder.Start(); err != nil {
		return nil, err
	}
	for deadline := time.Now().Add(loadTime); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		log, err := os.ReadFile(filepath.Join(c.sessions, s.name+".log"))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			s.Close()
			return nil, err
		}
		if bytes.Contains(log, []byte("Profile loaded successfully")) {
			return s, nil
		}
		if _, why, failed := strings.Cut(string(log), "[ERROR] "); failed {
			s.Close()
			return nil, errors.New(why)
		}
	}
	s.Close()
	return nil, fmt.Errorf("%s is not loaded after %v", file, loadTime)
}

// Close ends the session. The client is not asked to: what holds a file that it
// could not load does not always hear.
func (s *Session) Close() {
	s.holder.Process.Kill()
	s.holder.Wait()
}

// Thread is a thread as the Firefox Profiler shows it.
type Thread struct {
	Handle string `json:"threadHandle"`
	Name   string `json:"name"`
	TID    int64  `json:"tid"`
}

// Threads returns the threads.
func (s *Session) Threads() ([]Thread, error) {
	var list struct{ Threads []Thread }
	err := s.query(&list, "thread", "list")
	return list.Threads, err
}

// Function is a function's share of a thread.
type Function struct {
	Name  string  `json:"name"`
	Self  float64 `json:"selfPercentage"`  // of the thread's samples with a stack
	Total float64 `json:"totalPercentage"` // the same
}

// Functions returns the functions of a thread.
func (s *Session) Functions(t Thread) ([]Function, error) {
	var list struct{ Functions []Function }
	err := s.query(&list, "thread", "functions", "--thread", t.Handle, "--include-idle", "--limit", "1000000")
	return list.Functions, err
}

// query runs a command of the session and decodes its answer.
func (s *Session) query(answer any, args ...string) error {
	out, err := s.client.run(append(args, "--session", s.name, "--json")...)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(out, answer); err != nil {
		return fmt.Errorf("profiler-cli %s: %w", strings.Join(args, " "), err)
	}
	return nil
}

func (c *Client) run(args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), loadTime)
	defer cancel()
	cmd := c.command(ctx, args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("profiler-cli %s: %w: %s", strings.Join(args, " "), err, strings.TrimSpace(stderr.String()))
	}
	return stdout.Bytes(), nil
}

func (c *Client) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "node", append([]string{c.script}, args...)...)
	cmd.Env = append(os.Environ(), "PROFILER_CLI_SESSION_DIR="+c.sessions, "PROFILER_CLI_NO_SYMBOLICATE=1")
	return cmd
}
