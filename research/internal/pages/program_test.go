// Package pages contains only tests, which open the product's pages in browsers. The tests of
// package view and of the program check the pages' data and servers without a browser.
package pages

import (
	"bufio"
	"os"
	"strings"
	"sync"
	"testing"

	"artifice/internal/testdata"
)

func TestMain(m *testing.M) {
	status := m.Run()
	if folder != "" {
		os.RemoveAll(folder)
	}
	os.Exit(status)
}

// folder contains the built program.
var folder string

// built builds artifice and returns its path.
var built = sync.OnceValues(func() (path string, err error) {
	if folder, err = os.MkdirTemp("", "artifice-pages-"); err != nil {
		return "", err
	}
	return testdata.Build(folder)
})

// program is artifice, which runs in its own folder.
type program struct{ testdata.Program }

// build returns the program, built by the first call, with an empty folder.
func build(t *testing.T) *program {
	t.Helper()
	path, err := built()
	if err != nil {
		t.Fatal(err)
	}
	return &program{testdata.Program{Path: path, Dir: t.TempDir()}}
}

// serve starts a command that serves a page until the test ends, and returns the page's address,
// the first line of the command's output.
func (p *program) serve(t *testing.T, env []string, args ...string) (url string) {
	t.Helper()
	server := p.Command(args...)
	server.Env = append(os.Environ(), env...)
	out, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		server.Process.Kill()
		server.Wait()
	})
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(address)
}

// ready waits until a page shows its data, and defines helpers for scripts.
const ready = `
await tab.waitForFunction(() => ["ready", "failed"].includes(document.body.dataset.state), {timeout: 0, polling: 50});
const frame = () => tab.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))));
const value = (id, text) => tab.$eval(id, (field, text) => { field.value = text; field.dispatchEvent(new Event("change")); }, text);
const click = async (id) => { await tab.click(id); await frame(); };
const press = async (...keys) => { for (const k of keys) { await tab.keyboard.press(k); await frame(); } };
const text = (id) => tab.$eval(id, e => e.textContent);
const cells = (n) => tab.$$eval("#panel tbody tr", (rows, n) => rows.map(r => r.cells[n].textContent), n);
`
