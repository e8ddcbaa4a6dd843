//go:build !inpage

package view

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"syscall"
	"testing"
	"time"
)

// openLocalServer serves a handler until the test ends, with short timeouts.
func openLocalServer(t *testing.T, inside http.HandlerFunc) *LocalServer {
	t.Helper()
	s, err := NewLocalServer(0)
	if err != nil {
		t.Fatal(err)
	}
	s.timeouts = timeouts{50 * time.Millisecond, 50 * time.Millisecond, 50 * time.Millisecond}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- s.ServeHandler(ctx, inside) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return s
}

// connect returns a connection on which text was sent. It has a deadline, so that the test ends.
func connect(t *testing.T, s *LocalServer, text string) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", s.Hosts[0])
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	c.SetDeadline(time.Now().Add(time.Minute))
	if _, err := io.WriteString(c, text); err != nil {
		t.Fatal(err)
	}
	return c
}

// request returns a request for the page of a local server.
func request(s *LocalServer) string {
	return "GET /" + s.token + "/ HTTP/1.1\r\nHost: " + s.Hosts[0] + "\r\n\r\n"
}

// TestIdleConnections checks that the server closes a connection without a request, with half a
// request, or without a second request.
func TestIdleConnections(t *testing.T) {
	s := openLocalServer(t, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "all") })
	for name, text := range map[string]string{"nothing": "", "half a request": request(s)[:20], "one request": request(s)} {
		c := connect(t, s, text)
		in := bufio.NewReader(c)
		if name == "one request" {
			answer, err := http.ReadResponse(in, nil)
			if err != nil || answer.StatusCode != 200 || answer.Close {
				t.Fatalf("%v %v", answer, err)
			}
			if body, err := io.ReadAll(answer.Body); string(body) != "all" || err != nil {
				t.Fatalf("%q %v", body, err)
			}
		}
		// Closing with unread data resets the connection.
		if rest, err := io.ReadAll(in); err != nil && !errors.Is(err, syscall.ECONNRESET) {
			t.Errorf("%s: the connection stays open: %q %v", name, rest, err)
		}
	}
}

// TestSlowClient checks that a client that does not read its response does not block the server,
// and that a client that waits for an expensive response receives it.
func TestSlowClient(t *testing.T) {
	written := make(chan error, 1)
	s := openLocalServer(t, func(w http.ResponseWriter, _ *http.Request) {
		var err error
		for piece := make([]byte, 1<<20); err == nil; {
			_, err = w.Write(piece)
		}
		written <- err
	})
	connect(t, s, request(s))
	select {
	case <-written:
	case <-time.After(time.Minute):
		t.Error("the server is blocked by a slow client")
	}

	s = openLocalServer(t, func(w http.ResponseWriter, _ *http.Request) {
		time.Sleep(200 * time.Millisecond)
		io.WriteString(w, "all")
	})
	answer, err := http.ReadResponse(bufio.NewReader(connect(t, s, request(s)+request(s))), nil)
	if err != nil || answer.StatusCode != 200 {
		t.Errorf("%v %v", answer, err)
	}
}
