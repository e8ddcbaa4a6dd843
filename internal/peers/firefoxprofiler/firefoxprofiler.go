// Package firefoxprofiler loads traces with the importer of the Firefox
// Profiler, through its command-line client of the npm registry, so that tests
// see what profiler.firefox.com makes of our files.
//
// It is for tests. It needs node and npm; the client itself is installed into a
// temporary folder, and its version is pinned: it asks for Node 24 and was seen
// to work on Node 20.
package firefoxprofiler

import (
	"bufio"
	_ "embed" // serve.js
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"artifice/internal/peers/npm"
)

// client is the npm package.
const client, version = "@firefox-devtools/profiler-cli", "0.10.0"

// serve takes the place of the client's last statement: it loads files in turn for
// as long as its input lasts. The client as it is starts Node anew for each file
// and for each question about it, which takes longer than to load most files.
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
	server   *httptest.Server
	file     string // the server's
	requests *json.Encoder
	answers  *json.Decoder
}

// Install installs the client and starts it; it runs until the test ends. The test
// is skipped where something is missing, and fails there with CI=true.
func Install(t testing.TB) *Client {
	t.Helper()
	c := &Client{}
	if err := c.start(t, filepath.Join(npm.Install(t, client, version), "dist")); err != nil {
		t.Fatal(err)
	}
	return c
}

// start starts Node on a copy of the client that serves requests.
func (c *Client) start(t testing.TB, dir string) error {
	script, err := os.ReadFile(filepath.Join(dir, "profiler-cli.js"))
	if err != nil {
		return err
	}
	class, last := querier.FindSubmatch(script), lastStatement.FindIndex(script)
	if class == nil || last == nil {
		return fmt.Errorf("%s is not as it was: no class that loads, or no last statement", client)
	}
	name := filepath.Join(dir, "serve.js")
	if err := os.WriteFile(name, fmt.Appendf(script[:last[0]], "const Querier = %s;\n%s", class[1], serve), 0o600); err != nil {
		return err
	}
	node := exec.Command("node", name)
	node.Stderr = io.Discard // what the importer prints
	in, err := node.StdinPipe()
	if err != nil {
		return err
	}
	out, err := node.StdoutPipe()
	if err != nil {
		return err
	}
	if err := node.Start(); err != nil {
		return err
	}
	// The client gets files from a server: one of less than 4 KiB that it reads from
	// disk it takes from the wrong place of the block that Node has put several small
	// files into.
	c.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/octet-stream")
		http.ServeFile(w, r, c.file)
	}))
	t.Cleanup(func() {
		in.Close()
		node.Process.Kill()
		node.Wait()
		c.server.Close()
	})
	c.requests, c.answers = json.NewEncoder(in), json.NewDecoder(bufio.NewReader(out))
	return nil
}

// Load loads a file and returns its threads as the Firefox Profiler shows them. The
// error is the importer's.
func (c *Client) Load(file string) (threads []Thread, err error) {
	c.file = file
	return threads, c.ask(map[string]string{"load": c.server.URL + "/some.trace"}, &threads)
}

// Thread is a thread as the Firefox Profiler shows it.
type Thread struct {
	Handle string `json:"threadHandle"`
	Name   string `json:"name"`
}

// Function is a function's share of a thread.
type Function struct {
	Name  string  `json:"name"`
	Self  float64 `json:"selfPercentage"`  // of the thread's samples with a stack
	Total float64 `json:"totalPercentage"` // the same
}

// Functions returns the functions of a thread of the file that was loaded last.
func (c *Client) Functions(t Thread) (list []Function, err error) {
	return list, c.ask(map[string]string{"functions": t.Handle}, &list)
}

// ask sends a request and decodes its result.
func (c *Client) ask(request, result any) error {
	if err := c.requests.Encode(request); err != nil {
		return err
	}
	var answer struct {
		Error  string
		Result json.RawMessage
	}
	if err := c.answers.Decode(&answer); err != nil {
		return fmt.Errorf("the client does not answer: %w", err)
	}
	if answer.Error != "" {
		return errors.New(answer.Error)
	}
	return json.Unmarshal(answer.Result, result)
}
