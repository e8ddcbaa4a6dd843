// Package firefoxprofiler loads traces with the importer of the Firefox
// Profiler, through its command-line client of the npm registry, so that tests
// see what profiler.firefox.com makes of our files.
//
// It is for tests. It needs node and npm; the client itself is installed into a
// temporary folder, and its version is pinned: it asks for Node 24 and was seen
// to work on Node 20.
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

// serve takes the place of the client's last statement. The client as it is starts Node
// anew for each file and for each question about it, which takes longer than to load most
// files.
//
//go:embed serve.js
var serve string

// lastStatement starts the client; querier is its class that loads a file.
var (
	lastStatement = regexp.MustCompile(`\w+\(\)\.catch\(e=>\{console\.error\(`)
	querier       = regexp.MustCompile(`this\.querier=await (\w+)\.load\(`)
)

// Client is an installed client that runs. It is for one goroutine.
type Client struct {
	server *node.Server
	files  *httptest.Server
	file   string // that it serves
}

// Install installs the client and starts it; it runs until the test ends. The test
// is skipped where something is missing, and fails there with CI=true.
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
	// The script looks for its WebAssembly beside itself.
	head := fmt.Sprintf("__dirname = %q; __filename = __dirname + \"/profiler-cli.js\";\n", dir)
	c := &Client{}
	c.server = node.Start(t, head+fmt.Sprintf("%s\nconst Querier = %s;\n%s", strings.TrimPrefix(string(script[:last[0]]), "#!/usr/bin/env node\n"), class[1], serve))
	// The client gets files from a server: one of less than 4 KiB that it reads from
	// disk it takes from the wrong place of the block that Node has put several small
	// files into.
	c.files = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/octet-stream")
		http.ServeFile(w, r, c.file)
	}))
	t.Cleanup(c.files.Close)
	return c
}

// Limit sets how long an answer may take; 0, which it is at first, is for ever. The error
// of one that takes longer wraps [node.ErrHangs].
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

// Weights are what a thread has besides the functions that are listed.
type Weights struct {
	Name, TID string
	Stacks    []Stack
	Marked    []Markers
}

// Stack is the weight of a stack: milliseconds where the profile has times, else samples.
type Stack struct {
	Frames []string // outermost first
	Weight float64
	Count  int64 // of its samples
}

// Markers are those of a name, with the milliseconds from start to end of all of them
// together.
type Markers struct {
	Name  string
	N     int64
	Total float64
}

// Stacks returns the threads of the file that was loaded last.
func (c *Client) Stacks() (list []Weights, err error) {
	return list, c.server.Ask(map[string]bool{"stacks": true}, &list)
}
