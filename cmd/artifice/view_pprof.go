package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/google/pprof/driver"
	"github.com/google/pprof/profile"

	"artifice/view"
)

// pprofServer shows a profile in the web interface of google/pprof.
type pprofServer struct {
	*view.LocalServer
	profile *profile.Profile
	stderr  io.Writer // for messages of pprof
}

// listenPprof starts to listen for a profile in pprof's format; port 0 selects a free port.
// Messages of pprof go to stderr.
func listenPprof(packed io.Reader, port int, stderr io.Writer) (*pprofServer, error) {
	p, err := profile.Parse(packed)
	if err != nil {
		return nil, err
	}
	d, err := view.NewLocalServer(port)
	if err != nil {
		return nil, err
	}
	return &pprofServer{d, p, stderr}, nil
}

// Serve answers requests until ctx ends, and then returns nil. Only one server runs at a time,
// because pprof keeps its settings in package variables.
func (s *pprofServer) Serve(ctx context.Context) error {
	return driver.PProf(&driver.Options{
		Fetch:      s,
		Flagset:    &pprofFlags{FlagSet: flag.NewFlagSet("pprof", flag.ContinueOnError), args: []string{"-http=" + s.Hosts[0], "-no_browser", "-symbolize=none", "profile"}},
		UI:         (*pprofUI)(s),
		HTTPServer: func(args *driver.HTTPServerArgs) error { return s.ServeHandler(ctx, pprofPages(args.Handlers)) },
	})
}

// pprofShown are the pages of pprof that are served. The pages of sources and disassembly would
// open files that the profile names, and the settings are a file of the user.
var pprofShown = []string{"/", "/flamegraph", "/top", "/graph", "/peek", "/download"}

// pprofPolicy allows pprof's inline scripts, styles and pictures. Nothing is loaded from, sent to
// or framed by other hosts.
const pprofPolicy = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// pprofHides hides links to pages that are not served.
const pprofHides = "<style>#list, #disasm, #config, #action-source, #action-source-tab { display: none !important }</style></head>"

// pprofPages serves the pages of pprofShown.
func pprofPages(pages map[string]http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		page := pages[r.URL.Path]
		if page == nil || !slices.Contains(pprofShown, r.URL.Path) {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Security-Policy", pprofPolicy)
		page.ServeHTTP(&pprofWriter{w}, r)
	})
}

// pprofWriter adds pprofHides to a page.
type pprofWriter struct{ http.ResponseWriter }

// Write writes a page, which pprof writes at once, or part of a file.
func (w *pprofWriter) Write(p []byte) (int, error) {
	if w.Header().Get("Content-Type") != "text/html" {
		return w.ResponseWriter.Write(p)
	}
	if _, err := w.ResponseWriter.Write(bytes.Replace(p, []byte("</head>"), []byte(pprofHides), 1)); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Fetch implements [driver.Fetcher].
func (s *pprofServer) Fetch(string, time.Duration, time.Duration) (*profile.Profile, string, error) {
	return s.profile, "", nil
}

// pprofFlags are the flags that pprof runs with. It implements [driver.FlagSet].
type pprofFlags struct {
	*flag.FlagSet
	args []string
}

func (f *pprofFlags) StringList(name, def, usage string) *[]*string {
	return &[]*string{f.String(name, def, usage)}
}

func (f *pprofFlags) ExtraUsage() string   { return "" }
func (f *pprofFlags) AddExtraUsage(string) {}

func (f *pprofFlags) Parse(func()) []string {
	f.FlagSet.Parse(f.args) // these flags are our own: no error
	return f.Args()
}

// pprofUI is the user interface that pprof prints to. It implements [driver.UI].
type pprofUI pprofServer

func (u *pprofUI) ReadLine(string) (string, error) { return "", io.EOF }
func (u *pprofUI) Print(...any)                    {} // the address, which serve prints
func (u *pprofUI) PrintErr(text ...any) {
	fmt.Fprintf(u.stderr, "artifice: pprof: %s\n", strings.TrimSpace(fmt.Sprint(text...)))
}
func (u *pprofUI) IsTerminal() bool                    { return false }
func (u *pprofUI) WantBrowser() bool                   { return false } // the caller opens the page
func (u *pprofUI) SetAutoComplete(func(string) string) {}
