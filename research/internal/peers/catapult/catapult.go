// Package catapult runs the importer of Catapult, which chrome://tracing uses, so that tests can
// check how it interprets our Chrome JSON.
//
// It is for tests. The npm registry has it as a part of an old release of Lighthouse, of 2017,
// without the importer of ftrace text; the version is pinned.
package catapult

import (
	_ "embed" // serve.js
	"path/filepath"
	"strings"
	"testing"

	"artifice/research/internal/browser"
	"artifice/research/internal/peers/node"
)

const (
	owner, version = "lighthouse", "1.6.5"
	folder         = "lighthouse-core/third_party/traceviewer-js"
)

//go:embed serve.js
var serve string

// Importer is a running importer. It must not be used concurrently.
type Importer struct{ server *node.Server }

// Install installs the importer and starts it; it runs until the test ends. If something is
// missing, the test is skipped; with CI=true it fails.
func Install(t testing.TB) *Importer {
	t.Helper()
	dir := browser.Unpack(t, owner, version, func(path string) bool { return strings.HasPrefix(path, folder+"/") })
	return &Importer{node.Start(t, serve, filepath.Join(dir, filepath.FromSlash(folder)))}
}

// Trace is the contents of a file.
type Trace struct {
	Threads  []Thread
	Warnings []string // the importer's
}

// Thread is a thread with its calls.
type Thread struct {
	PID, TID int
	Name     string
	Calls    []Call
}

// Call is the sum over the calls of a function at a depth.
type Call struct {
	Depth int // 0 of the outermost
	Name  string
	N     int64
	Total float64 // wall time in ms
	CPU   float64 // thread CPU time in ms
}

// Import imports a file. The error is the importer's.
func (i *Importer) Import(file string) (t Trace, err error) { return t, i.server.Ask(file, &t) }
