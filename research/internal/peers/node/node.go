// Package node runs Node programs that answer requests, so that a test with a hundred files starts
// a reader only once.
package node

import (
	"bufio"
	_ "embed" // serve.js
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// serve is the main loop of a program; it calls the program's function answer.
//
//go:embed serve.js
var serve string

// Server is a Node program that answers requests. It must not be used concurrently.
type Server struct {
	// Limit is the maximum duration of an answer; 0 is unlimited. A program that takes longer is
	// killed and restarted.
	Limit time.Duration

	args     []string
	node     *exec.Cmd
	in       io.Closer
	requests *json.Encoder
	answers  *json.Decoder
}

// Start starts a script, which must define a function answer of a request; its result, or the value
// of its promise, is the answer. The script runs until the test ends, and gets args after Node and
// itself in process.argv.
func Start(t testing.TB, script string, args ...string) *Server {
	t.Helper()
	name := filepath.Join(t.TempDir(), "server.js")
	if err := os.WriteFile(name, []byte(script+"\n"+serve), 0o600); err != nil {
		t.Fatal(err)
	}
	s := &Server{args: append([]string{"--max-old-space-size=4096", name}, args...)}
	if err := s.start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.stop)
	return s
}

func (s *Server) start() error {
	s.node = exec.Command("node", s.args...)
	in, err := s.node.StdinPipe()
	if err != nil {
		return err
	}
	out, err := s.node.StdoutPipe()
	if err != nil {
		return err
	}
	s.in, s.requests, s.answers = in, json.NewEncoder(in), json.NewDecoder(bufio.NewReader(out))
	return s.node.Start()
}

func (s *Server) stop() {
	s.in.Close()
	s.node.Process.Kill()
	s.node.Wait()
}

// The two ways in which a program does not answer; it is restarted.
var (
	ErrCrashed = errors.New("it crashed")
	ErrHangs   = errors.New("it does not answer")
)

// Ask sends a request and decodes its answer. The error is the program's, or wraps
// [ErrCrashed] or [ErrHangs].
func (s *Server) Ask(request, result any) error {
	var answer struct {
		Error  string
		Result json.RawMessage
	}
	late := make(chan struct{})
	if s.Limit > 0 {
		program := s.node.Process
		timer := time.AfterFunc(s.Limit, func() {
			close(late)
			program.Kill()
		})
		defer timer.Stop()
	}
	err := s.requests.Encode(request)
	if err == nil {
		err = s.answers.Decode(&answer)
	}
	if err != nil {
		s.stop()
		return errors.Join(s.silent(late, err), s.start())
	}
	if answer.Error != "" {
		return errors.New(answer.Error)
	}
	return json.Unmarshal(answer.Result, result)
}

// silent returns the reason for a missing answer.
func (s *Server) silent(late <-chan struct{}, err error) error {
	select {
	case <-late:
		return fmt.Errorf("%w within %v", ErrHangs, s.Limit)
	default:
		return fmt.Errorf("%w, %v: %v", ErrCrashed, s.node.ProcessState, err)
	}
}
