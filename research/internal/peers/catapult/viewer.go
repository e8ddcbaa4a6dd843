package catapult

import (
	_ "embed" // viewer.js
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"artifice/research/internal/browser"
)

//go:embed viewer.js
var viewerScript string

// viewerPage is a page with Catapult's viewer, which is an HTML import: browsers need a polyfill
// for it.
const viewerPage = `<!DOCTYPE html><script src="/webcomponents.min.js"></script><link rel="import" href="/trace_viewer_full.html">`

// Viewer is Catapult's whole trace viewer, with the importer of ftrace text and of systrace's
// pages, in a browser. The Go toolchain contains it, for go tool trace.
type Viewer struct {
	browser *browser.Browser
	static  string
}

// InstallViewer finds the viewer and a browser. If something is missing, the test is skipped; with
// CI=true it fails.
func InstallViewer(t testing.TB) *Viewer {
	t.Helper()
	b := browser.Install(t)
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	static := filepath.Join(strings.TrimSpace(string(root)), "src", "internal", "trace", "traceviewer", "static")
	if _, err := os.Stat(filepath.Join(static, "trace_viewer_full.html")); err != nil {
		browser.Missing(t, "the Go toolchain has no trace viewer: "+err.Error())
	}
	return &Viewer{b, static}
}

// State is the total time of a thread in a scheduler state, with the viewer's name for it.
type State struct {
	TID   int
	Name  string
	N     int
	Total float64 // ms
}

// Import imports a file. It returns the threads' calls, from their marks, and their scheduler
// states, ordered by thread and name.
func (v *Viewer) Import(t testing.TB, file string) (trace Trace, states []State) {
	t.Helper()
	files := http.FileServer(http.Dir(v.static))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/":
			w.Header().Set("Content-Type", "text/html")
			w.Write([]byte(viewerPage))
		case "/favicon.ico":
		case "/trace":
			w.Header().Set("Content-Type", "text/plain")
			http.ServeFile(w, r, file)
		default:
			files.ServeHTTP(w, r)
		}
	}))
	defer server.Close()
	var result struct {
		Trace
		States []State
	}
	v.browser.Run(t, server.URL, browser.Desk, viewerScript, &result)
	return result.Trace, result.States
}
