package view

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Server serves one page to the user of this machine: it listens on the loopback
// interface alone, every path begins with a token that nobody can guess, and it
// answers no page of another origin, nor one that found it by another name (DNS
// rebinding). Who can see the address, as other users of the machine see the
// arguments of programs, can see the page.
type Server struct {
	page     *frame
	data     []byte // packed
	etc      ServerConfig
	token    string
	listener net.Listener
	hosts    []string   // by which it may be asked
	ranges   sync.Mutex // one at a time: each reads a file
}

// ServerConfig is what a server can do beyond showing the page. The zero value listens
// on a free port.
type ServerConfig struct {
	Port int // 0: a free one

	// Range writes, as JSON, what a part of the recording with that index tells; nil
	// where that is not known. Its errors are shown on the page.
	Range func(ctx context.Context, w io.Writer, recording int, from, to time.Duration) error

	// Changed returns why a range would not be of what the page shows, nil as long as
	// its files are what they were.
	Changed func() error
}

// PortTakenError is that another program listens on the port.
type PortTakenError struct{ Port int }

func (e *PortTakenError) Error() string {
	return fmt.Sprintf("port %d is taken by another program", e.Port)
}

// Listen begins to listen for a page. [Server.Serve] answers.
func Listen(p *Page, cfg ServerConfig) (*Server, error) {
	if cfg.Range != nil {
		p.rangePath = "range"
	}
	s := &Server{etc: cfg, token: rand.Text()}
	var err error
	if s.page, err = newFrame(p.Title, true); err != nil {
		return nil, err
	}
	var packed bytes.Buffer
	if err := p.writePacked(&packed, gzip.BestSpeed); err != nil {
		return nil, err
	}
	s.data = packed.Bytes()
	s.listener, err = net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", cfg.Port))
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, &PortTakenError{cfg.Port}
	}
	if err != nil {
		return nil, err
	}
	port := s.listener.Addr().(*net.TCPAddr).Port
	s.hosts = []string{fmt.Sprintf("127.0.0.1:%d", port), fmt.Sprintf("localhost:%d", port)}
	return s, nil
}

// URL returns the address of the page.
func (s *Server) URL() string { return "http://" + s.hosts[0] + "/" + s.token + "/" }

// Serve answers until ctx ends, and returns nil then.
func (s *Server) Serve(ctx context.Context) error {
	server := &http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second, MaxHeaderBytes: 1 << 16}
	stop := context.AfterFunc(ctx, func() { server.Close() })
	defer stop()
	err := server.Serve(s.listener)
	if errors.Is(err, http.ErrServerClosed) && ctx.Err() != nil {
		return nil
	}
	return err
}

// ServeHTTP implements [http.Handler].
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", s.page.policy)
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	if status, why := s.refuses(r); status != 0 {
		http.Error(w, why, status)
		return
	}
	switch strings.TrimPrefix(r.URL.Path, "/"+s.token+"/") {
	case "":
		h.Set("Content-Type", "text/html; charset=utf-8")
		io.WriteString(w, s.page.before)
		io.WriteString(w, s.page.after)
	case "data":
		h.Set("Content-Type", "application/octet-stream") // the page unpacks it
		h.Set("Content-Length", strconv.Itoa(len(s.data)))
		w.Write(s.data)
	case "range":
		s.serveRange(w, r)
	default:
		http.NotFound(w, r)
	}
}

// refuses returns why a request is not answered, and the status that says so; 0: it
// is.
func (s *Server) refuses(r *http.Request) (status int, why string) {
	known := false
	for _, host := range s.hosts {
		known = known || r.Host == host
	}
	token, _, under := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	origin := r.Header.Get("Origin")
	site := r.Header.Get("Sec-Fetch-Site")
	opened := r.Header.Get("Sec-Fetch-Mode") == "navigate" // by the user, or a link
	switch {
	case !known:
		return http.StatusForbidden, "this server does not answer to the name " + strconv.Quote(r.Host)
	case subtle.ConstantTimeCompare([]byte(token), []byte(s.token)) != 1 || !under:
		return http.StatusForbidden, "the address lacks the token that artifice printed"
	case origin != "" && origin != "http://"+r.Host, (site == "cross-site" || site == "same-site") && !opened:
		return http.StatusForbidden, "pages of other origins get no answer"
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		return http.StatusMethodNotAllowed, "there is nothing to change here"
	}
	return 0, ""
}

// serveRange answers what a part of a recording tells.
func (s *Server) serveRange(w http.ResponseWriter, r *http.Request) {
	if s.etc.Range == nil {
		http.NotFound(w, r)
		return
	}
	recording, from, to, err := rangeOf(r.URL.Query())
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if s.etc.Changed != nil {
		if err := s.etc.Changed(); err != nil {
			http.Error(w, err.Error(), http.StatusConflict)
			return
		}
	}
	s.ranges.Lock()
	defer s.ranges.Unlock()
	if r.Context().Err() != nil {
		return // another range is looked at by now
	}
	var answer bytes.Buffer
	if err := s.etc.Range(r.Context(), &answer, recording, from, to); err != nil {
		http.Error(w, err.Error(), http.StatusUnprocessableEntity)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Write(answer.Bytes())
}

// rangeOf reads the query from=NS&to=NS&recording=INDEX, of which recording may be
// absent: 0.
func rangeOf(q url.Values) (recording int, from, to time.Duration, err error) {
	number := func(name string) int64 {
		n, bad := strconv.ParseInt(q.Get(name), 10, 64)
		if bad != nil || n < 0 {
			err = fmt.Errorf("%s=%q: want a number that is not below 0", name, q.Get(name))
		}
		return n
	}
	from, to = time.Duration(number("from")), time.Duration(number("to"))
	if q.Has("recording") {
		recording = int(number("recording"))
	}
	if err == nil && to <= from {
		err = fmt.Errorf("the range from %s to %s is empty", from, to)
	}
	return recording, from, to, err
}
