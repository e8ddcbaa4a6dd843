//go:build !inpage

package view

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strconv"
	"sync"

	"github.com/klauspost/compress/gzip"

	"artifice/view/ranges"
)

// Server serves one page to the user of this machine, and to nobody who does not have
// its address.
type Server struct {
	*LocalServer
	page   *frame
	data   []byte // packed
	etc    ServerConfig
	ranges sync.Mutex // one at a time: each reads a file
}

// ServerConfig is what a server can do beyond showing the page. The zero value listens
// on a free port.
type ServerConfig struct {
	Port int // 0: a free one

	// Range writes, as JSON, what a part of a recording tells; nil where that is not known.
	// Its errors are shown on the page.
	Range func(ctx context.Context, w io.Writer, part ranges.Query) error

	// Changed returns why a range would not be of what the page shows, nil as long as
	// its files are what they were.
	Changed func() error
}

// Listen begins to listen for a page. [Server.Serve] answers.
func Listen(p *Page, cfg ServerConfig) (*Server, error) {
	if cfg.Range != nil {
		p.rangePath = "range"
	}
	s := &Server{etc: cfg}
	var err error
	if s.page, err = newFrame(p.Title, served); err != nil {
		return nil, err
	}
	var packed bytes.Buffer
	if err := p.writePacked(&packed, gzip.BestSpeed); err != nil {
		return nil, err
	}
	s.data = packed.Bytes()
	s.LocalServer, err = NewLocalServer(cfg.Port)
	return s, err
}

// Serve answers until ctx ends, and returns nil then.
func (s *Server) Serve(ctx context.Context) error {
	return s.ServeHandler(ctx, http.HandlerFunc(s.answer))
}

func (s *Server) answer(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", s.page.policy)
	switch r.URL.Path {
	case "/":
		h.Set("Content-Type", "text/html; charset=utf-8")
		io.WriteString(w, s.page.before)
		io.WriteString(w, s.page.after)
	case "/data":
		h.Set("Content-Type", "application/octet-stream") // the page unpacks it
		h.Set("Content-Length", strconv.Itoa(len(s.data)))
		w.Write(s.data)
	case "/range":
		s.serveRange(w, r)
	default:
		http.NotFound(w, r)
	}
}

// serveRange answers what a part of a recording tells.
func (s *Server) serveRange(w http.ResponseWriter, r *http.Request) {
	if s.etc.Range == nil {
		http.NotFound(w, r)
		return
	}
	part, err := ranges.Parse(r.URL.RawQuery)
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
	if err := s.etc.Range(r.Context(), &answer, part); err != nil {
		http.Error(w, err.Error(), http.StatusUnprocessableEntity)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Write(answer.Bytes())
}
