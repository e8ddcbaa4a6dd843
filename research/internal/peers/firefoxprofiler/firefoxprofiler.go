// Package firefoxprofiler loads traces with the importer of the Firefox Profiler, through its
// command-line client of the npm registry, so that tests can check how profiler.firefox.com
// interprets our files.
//
// It is for tests. It needs node and npm; the client itself is installed into a temporary folder,
// and its version is pinned. The client requires Node 24, but works on Node 20.
package firefoxprofiler

import (
	_ "embed" // serve.js
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"artifice/research/internal/browser"
	"artifice/research/internal/peers/node"
)

// client is the npm package.
const client, version = "@firefox-devtools/profiler-cli", "0.10.0"

// serve replaces the client's last statement. The original client starts Node for each file and for
// each query about it, which takes longer than to load most files.
//
//go:embed serve.js
var serve string

// lastStatement starts the client; querier is its class that loads a file.
var (
	lastStatement = regexp.MustCompile(`\w+\(\)\.catch\(e=>\{console\.error\(`)
	querier       = regexp.MustCompile(`this\.querier=await (\w+)\.load\(`)
)

// Client is a running client. It must not be used concurrently.
type Client struct {
	server *node.Server
	files  *httptest.Server
	file   string // the served file
}

// Install installs the client and starts it; it runs until the test ends. If something is missing,
// the test is skipped; with CI=true it fails.
func Install(t testing.TB) *Client {
	t.Helper()
	dir := browser.Unpack(t, client, version, func(path string) bool { return strings.HasPrefix(path, "dist/") })
	dir = filepath.Join(dir, "dist")
	script, err := os.ReadFile(filepath.Join(dir, "profiler-cli.js"))
	if err != nil {
		t.Fatal(err)
	}
	class, last := querier.FindSubmatch(script), lastStatement.FindIndex(script)
	if class == nil || last == nil {
		t.Fatalf("%s is not as it was: no class that loads, or no last statement", client)
	}
	// The script looks for its WebAssembly in its own folder.
	head := fmt.Sprintf("__dirname = %q; __filename = __dirname + \"/profiler-cli.js\";\n", dir)
	c := &Client{}
	c.server = node.Start(t, head+fmt.Sprintf("%s\nconst Querier = %s;\n%s", strings.TrimPrefix(string(script[:last[0]]), "#!/usr/bin/env node\n"), class[1], serve))
	// The client gets files from a server. From disk it reads files of less than 4 KiB from the
	// wrong offset of the buffer that Node shares between small files.
	c.files = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/octet-stream")
		http.ServeFile(w, r, c.file)
	}))
	t.Cleanup(c.files.Close)
	return c
}

// Limit sets the maximum duration of an answer; 0, the default, is unlimited. The error of one that
// takes longer wraps [node.ErrHangs].
func (c *Client) Limit(d time.Duration) { c.server.Limit = d }

// Load loads a file and returns its threads as the Firefox Profiler shows them. The
// error is the importer's.
func (c *Client) Load(file string) (threads []Thread, err error) {
	c.file = file
	return threads, c.server.Ask(map[string]string{"load": c.files.URL + "/some.trace"}, &threads)
}

// Thread is a thread as the Firefox Profiler shows it.
type Thread struct {
	Handle string `json:"threadHandle"`
	Name   string `json:"name"`
}

// Weights contains the rest of a thread's data.
type Weights struct {
	Name, TID string
	Stacks    []Stack
	Marked    []Markers
}

// Stack is the weight of a stack: in milliseconds if the profile has times, else in samples.
type Stack struct {
	Frames []string // outermost first
	Weight float64
	Count  int64 // of its samples
}

// Markers are the markers with one name, and their total time in milliseconds.
type Markers struct {
	Name  string
	N     int64
	Total float64
}

// Stacks returns the threads of the loaded file.
func (c *Client) Stacks() (list []Weights, err error) {
	return list, c.server.Ask(map[string]bool{"stacks": true}, &list)
}
