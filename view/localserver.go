//go:build !inpage

package view

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// LocalServer serves a page to one user of this machine. It listens on the loopback interface,
// every path begins with an unguessable token, and it rejects requests from other origins or with
// another host name (DNS rebinding). The address is sufficient to see the page, and other users of
// the machine can read it from the arguments of the browser.
type LocalServer struct {
	token    string // every path begins with it
	listener net.Listener
	Hosts    []string // accepted host names
	timeouts timeouts
}

// timeouts are the times for which a [Server] waits for a client: for the whole request, for the
// next request on the same connection, and until the client has received a part of a response. The
// time for computing a response is not limited.
type timeouts struct{ request, idle, take time.Duration }

var usualTimeouts = timeouts{request: 10 * time.Second, idle: 2 * time.Minute, take: time.Minute}

// PortTakenError reports that another program listens on the port.
type PortTakenError struct{ Port int }

func (e *PortTakenError) Error() string {
	return fmt.Sprintf("port %d is in use by another program", e.Port)
}

// NewLocalServer starts to listen; port 0 selects a free one.
func NewLocalServer(port int) (*LocalServer, error) {
	listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, &PortTakenError{port}
	}
	if err != nil {
		return nil, err
	}
	port = listener.Addr().(*net.TCPAddr).Port
	return &LocalServer{rand.Text(), listener, []string{fmt.Sprintf("127.0.0.1:%d", port), fmt.Sprintf("localhost:%d", port)}, usualTimeouts}, nil
}

// URL returns the address of the page.
func (s *LocalServer) URL() string { return "http://" + s.Hosts[0] + "/" + s.token + "/" }

// ServeHandler answers requests until ctx ends, and then returns nil. Accepted requests are passed
// to the handler without the token in their paths.
func (s *LocalServer) ServeHandler(ctx context.Context, inside http.Handler) error {
	behind := http.StripPrefix("/"+s.token, inside)
	server := &http.Server{ReadTimeout: s.timeouts.request, IdleTimeout: s.timeouts.idle, MaxHeaderBytes: 1 << 16, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.NewResponseController(w).SetWriteDeadline(time.Time{}) // that of the previous response
		w = &answerWriter{w, s.timeouts.take}
		h := w.Header()
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Cache-Control", "no-store")
		if status, why := s.refuses(r); status != 0 {
			http.Error(w, why, status)
			return
		}
		behind.ServeHTTP(w, r)
	})}
	stop := context.AfterFunc(ctx, func() { server.Close() })
	defer stop()
	err := server.Serve(s.listener)
	if errors.Is(err, http.ErrServerClosed) && ctx.Err() != nil {
		return nil
	}
	return err
}

// answerWriter limits the time in which a client must receive each part of a response.
type answerWriter struct {
	http.ResponseWriter
	take time.Duration
}

func (w *answerWriter) Write(p []byte) (int, error) {
	http.NewResponseController(w.ResponseWriter).SetWriteDeadline(time.Now().Add(w.take))
	return w.ResponseWriter.Write(p)
}

// refuses returns the reason why a request is not answered, and the status; 0 if it is answered.
func (s *LocalServer) refuses(r *http.Request) (status int, why string) {
	known := false
	for _, host := range s.Hosts {
		known = known || r.Host == host
	}
	token, _, under := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	origin := r.Header.Get("Origin")
	site := r.Header.Get("Sec-Fetch-Site")
	opened := r.Header.Get("Sec-Fetch-Mode") == "navigate" // opened by the user or by a link
	switch {
	case !known:
		return http.StatusForbidden, "this server does not accept the host name " + strconv.Quote(r.Host)
	case subtle.ConstantTimeCompare([]byte(token), []byte(s.token)) != 1 || !under:
		return http.StatusForbidden, "the address lacks the token that artifice printed"
	case origin != "" && origin != "http://"+r.Host, (site == "cross-site" || site == "same-site") && !opened:
		return http.StatusForbidden, "requests from other origins are rejected"
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		return http.StatusMethodNotAllowed, "only GET and HEAD are allowed"
	}
	return 0, ""
}
