//go:build !inpage

package view

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"time"

	"github.com/klauspost/compress/gzip"
)

// Server serves one page to the user of this machine, and to nobody who does not have
// its address.
type Server struct {
	*localServer
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
	Range func(ctx context.Context, w io.Writer, part RangeQuery) error

	// Changed returns why a range would not be of what the page shows, nil as long as
	// its files are what they were.
	Changed func() error
}

// RangeQuery is the part of a recording that the page asks about.
type RangeQuery struct {
	Recording int // its index
	From, To  time.Duration
	Threads   []string // tids in digits; none: all
}

// Listen begins to listen for a page. [Server.Serve] answers.
func Listen(p *Page, cfg ServerConfig) (*Server, error) {
	if cfg.Range != nil {
		p.rangePath = "range"
	}
	s := &Server{etc: cfg}
	var err error
	if s.page, err = newFrame(p.Title, true); err != nil {
		return nil, err
	}
	var packed bytes.Buffer
	if err := p.writePacked(&packed, gzip.BestSpeed); err != nil {
		return nil, err
	}
	s.data = packed.Bytes()
	s.localServer, err = newLocalServer(cfg.Port)
	return s, err
}

// Serve answers until ctx ends, and returns nil then.
func (s *Server) Serve(ctx context.Context) error { return s.serve(ctx, http.HandlerFunc(s.answer)) }

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
	part, err := rangeOf(r.URL.Query())
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

// rangeOf reads the query from=NS&to=NS&recording=INDEX&thread=TID, of which recording may be
// absent, 0, and thread, too, or be there several times.
func rangeOf(q url.Values) (part RangeQuery, err error) {
	number := func(name, text string) int64 {
		n, bad := strconv.ParseInt(text, 10, 64)
		if bad != nil || n < 0 {
			err = fmt.Errorf("%s=%q: want a number that is not below 0", name, text)
		}
		return n
	}
	part.From, part.To = time.Duration(number("from", q.Get("from"))), time.Duration(number("to", q.Get("to")))
	if q.Has("recording") {
		part.Recording = int(number("recording", q.Get("recording")))
	}
	for _, tid := range q["thread"] {
		number("thread", tid)
	}
	part.Threads = q["thread"]
	if err == nil && part.To <= part.From {
		err = fmt.Errorf("the range from %s to %s is empty", part.From, part.To)
	}
	return part, err
}
