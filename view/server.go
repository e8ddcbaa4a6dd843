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

	"artifice/trace"
	"artifice/view/internal/ranges"
)

// Server serves one page to the user of this machine: its address contains a secret token.
type Server struct {
	*LocalServer
	page    *frame
	data    []byte // compressed
	parts   PartSource
	request sync.Mutex // serializes queries about parts, because each reads a file
}

// PartQuery describes a part of a recording: a range of time, or some threads.
type PartQuery = ranges.Query

// PartSource answers the page's queries about parts of its recordings. The page shows its errors.
type PartSource interface {
	// WritePart writes the methods of a part, in the form of artifice report --json.
	WritePart(ctx context.Context, w io.Writer, part PartQuery) error

	// Changed returns an error if the recordings' files have changed since the page was made.
	Changed() error
}

// PackRecording reads a recording to its end and writes it in the form of [PageProgram].
func PackRecording(w io.Writer, rec *trace.Recording) error { return ranges.Pack(w, rec) }

// Listen starts to listen on a port; 0 selects a free one. parts is nil if the page cannot query
// parts. [Server.Serve] answers the requests.
func Listen(p *Page, port int, parts PartSource) (*Server, error) {
	if parts != nil {
		p.rangePath = "range"
	}
	s := &Server{parts: parts}
	if err := s.prepare(p); err != nil {
		return nil, err
	}
	var err error
	s.LocalServer, err = NewLocalServer(port)
	return s, err
}

// prepare builds the page and its data. A page of thread dumps has no data.
func (s *Server) prepare(p *Page) (err error) {
	if p.Dumps != nil {
		s.page, err = p.dumpsFrame(served)
		return err
	}
	if s.page, err = newFrame(p.Title, served); err != nil {
		return err
	}
	var packed bytes.Buffer
	err = p.writePacked(&packed, gzip.BestSpeed)
	s.data = packed.Bytes()
	return err
}

// Serve answers requests until ctx ends, and then returns nil.
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
		if s.data == nil { // a page of thread dumps is complete
			http.NotFound(w, r)
			return
		}
		h.Set("Content-Type", "application/octet-stream") // the page decompresses it
		h.Set("Content-Length", strconv.Itoa(len(s.data)))
		w.Write(s.data)
	case "/range":
		s.servePart(w, r)
	default:
		http.NotFound(w, r)
	}
}

// servePart answers a query about a part of a recording.
func (s *Server) servePart(w http.ResponseWriter, r *http.Request) {
	if s.parts == nil {
		http.NotFound(w, r)
		return
	}
	part, err := ranges.Parse(r.URL.RawQuery)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if err := s.parts.Changed(); err != nil {
		http.Error(w, err.Error(), http.StatusConflict)
		return
	}
	s.request.Lock()
	defer s.request.Unlock()
	if r.Context().Err() != nil {
		return // the page has requested another part since
	}
	var answer bytes.Buffer
	if err := s.parts.WritePart(r.Context(), &answer, part); err != nil {
		http.Error(w, err.Error(), http.StatusUnprocessableEntity)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Write(answer.Bytes())
}
