package view

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"testing"
	"time"
)

// openDoor serves what a handler answers until the test ends, with little patience.
func openDoor(t *testing.T, inside http.HandlerFunc) *door {
	t.Helper()
	d, err := newDoor(0)
	if err != nil {
		t.Fatal(err)
	}
	d.patience = patience{50 * time.Millisecond, 50 * time.Millisecond, 50 * time.Millisecond}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- d.serve(ctx, inside) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return d
}

// connect returns a connection that sent some text, which the test gives up after a
// while.
func connect(t *testing.T, d *door, text string) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", d.hosts[0])
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

// request is one for the page behind a door.
func request(d *door) string {
	return "GET /" + d.token + "/ HTTP/1.1\r\nHost: " + d.hosts[0] + "\r\n\r\n"
}

// TestIdleConnections: a connection on which no request comes, or only half of one, or
// no second one, is closed by the server.
func TestIdleConnections(t *testing.T) {
	d := openDoor(t, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "all") })
	for name, text := range map[string]string{"nothing": "", "half a request": request(d)[:20], "one request": request(d)} {
		c := connect(t, d, text)
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
		if rest, err := io.ReadAll(in); err != nil {
			t.Errorf("%s: the connection stays open: %q %v", name, rest, err)
		}
	}
}

// TestSlowClient: a client that does not take its answer does not hold the server, and
// one whose answer takes long to be made gets it.
func TestSlowClient(t *testing.T) {
	written := make(chan error, 1)
	d := openDoor(t, func(w http.ResponseWriter, _ *http.Request) {
		var err error
		for piece := make([]byte, 1<<20); err == nil; {
			_, err = w.Write(piece)
		}
		written <- err
	})
	connect(t, d, request(d))
	select {
	case <-written:
	case <-time.After(time.Minute):
		t.Error("the server waits without end")
	}

	d = openDoor(t, func(w http.ResponseWriter, _ *http.Request) {
		time.Sleep(200 * time.Millisecond)
		io.WriteString(w, "all")
	})
	answer, err := http.ReadResponse(bufio.NewReader(connect(t, d, request(d)+request(d))), nil)
	if err != nil || answer.StatusCode != 200 {
		t.Errorf("%v %v", answer, err)
	}
}
