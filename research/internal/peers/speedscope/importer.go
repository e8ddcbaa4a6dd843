package speedscope

import (
	_ "embed" // serve.js
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"artifice/research/internal/peers/node"
)

// serve replaces the page: it imports files as the page does.
//
//go:embed serve.js
var serve string

// lastStatement builds the page; importer is its function for importing a file.
var (
	lastStatement = regexp.MustCompile("console\\.log\\(`speedscope v\\$\\{")
	importer      = regexp.MustCompile(`async function (\w+)\(\w+,\w+\)\{return\(await \w+\)\.importProfilesFromArrayBuffer\(`)
)

// Importer is speedscope's importer without its page. It is for one goroutine.
type Importer struct{ server *node.Server }

// InstallImporter installs speedscope and starts its importer, which runs until the test
// ends. The test is skipped where something is missing, and fails there with CI=true.
func InstallImporter(t testing.TB) *Importer {
	t.Helper()
	scripts, err := filepath.Glob(filepath.Join(unpack(t), "speedscope-*.js"))
	if err != nil || len(scripts) != 1 {
		t.Fatalf("speedscope is not as it was: scripts %q (%v)", scripts, err)
	}
	script, err := os.ReadFile(scripts[0])
	if err != nil {
		t.Fatal(err)
	}
	name, last := importer.FindSubmatch(script), lastStatement.FindIndex(script)
	if name == nil || last == nil {
		t.Fatal("speedscope is not as it was: no importer, or no last statement")
	}
	page := "globalThis.window = globalThis; globalThis.location = {protocol: 'file:', hash: '', search: ''};\n" +
		"globalThis.document = {createElement: () => ({style: {}}), addEventListener() {}};\n" +
		"globalThis.addEventListener = () => {}; globalThis.alert = globalThis.confirm = () => false;\n" +
		"globalThis.matchMedia = () => ({addEventListener() {}, addListener() {}});\n"
	return &Importer{node.Start(t, page+string(script[:last[0]])+";globalThis.importFile = "+string(name[1])+"})();\n"+serve)}
}

// Profile is one of the profiles of a file.
type Profile struct {
	Name  string
	Unit  string // of Total and the calls' weights
	Total float64
	Calls []Call
	Stack []Stack
}

// Call is what the calls of a function at a depth have together.
type Call struct {
	Depth int // 0 of the outermost
	Name  string
	N     int64
	Total float64 // from open to close
}

// Stack is the weight that a stack has.
type Stack struct {
	Frames []string // outermost first
	Weight float64
	N      int64 // samples
}

// Import imports a file and returns its profiles.
func (i *Importer) Import(file string) (profiles []Profile, err error) {
	return profiles, i.server.Ask(file, &profiles)
}
