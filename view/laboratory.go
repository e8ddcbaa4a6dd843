package view

import (
	"fmt"
	"html"
	"io"
	"strings"
)

// Laboratory is a page that contains the program itself and runs it in a Web Worker: see package
// lab. It opens from a file and makes no connections.
type Laboratory struct {
	Version string // version of the program, for the page's footer

	// Program is the command artifice-lab as WebAssembly (GOOS=js GOARCH=wasm), compressed by gzip.
	Program []byte

	// Support is Go's own code for browsers, lib/wasm/wasm_exec.js. It must be from the toolchain
	// that built Program.
	Support string
}

const (
	programPlace = "<!--PROGRAM-->"
	versionPlace = `<span id="version"></span>`
)

// WriteHTML writes the page as one file. The same program gives the same bytes.
func (l *Laboratory) WriteHTML(w io.Writer) error {
	before, after, err := l.frame()
	if err != nil {
		return err
	}
	if _, err := io.WriteString(w, before); err != nil {
		return err
	}
	if err := writeProgram(w, l.Program, l.Support); err != nil {
		return err
	}
	_, err = io.WriteString(w, after)
	return err
}

// frame returns the text before and after the program.
func (l *Laboratory) frame() (before, after string, err error) {
	var texts [3]string
	for i, name := range []string{"page/lab/index.html", "page/style.css", "page/lab/lab.css"} {
		data, err := files.ReadFile(name)
		if err != nil {
			return "", "", err
		}
		texts[i] = string(data)
	}
	index, style := texts[0], texts[1]+texts[2]
	main, err := script("lab/main.js")
	if err != nil {
		return "", "", err
	}
	policy, err := l.policy(main, style)
	if err != nil {
		return "", "", err
	}
	index = strings.Replace(index, stylePlace, "<meta http-equiv=\"Content-Security-Policy\" content=\""+html.EscapeString(policy)+"\">\n<style>"+style+"</style>", 1)
	index = strings.Replace(index, versionPlace, `<span id="version">`+html.EscapeString(l.Version)+`</span>`, 1)
	index = strings.Replace(index, scriptPlace, "<script id=\"page\">"+main+"</script>", 1)
	before, after, ok := strings.Cut(index, programPlace)
	if !ok {
		return "", "", fmt.Errorf("page/lab/index.html has no %s", programPlace)
	}
	return before, after, nil
}

// policy allows the page's own code, the worker that it creates from a text, WebAssembly, and pages
// of the viewer in a frame, which also have their own policies. It allows no connections.
func (l *Laboratory) policy(main, style string) (string, error) {
	viewer, err := newFrame("", inFile)
	if err != nil {
		return "", err
	}
	dumps, err := dumpsStyle()
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("default-src 'none'; script-src '%s' '%s' 'wasm-unsafe-eval'; style-src '%s' '%s' '%s'; worker-src blob:; frame-src blob:; connect-src 'none'; base-uri 'none'; form-action 'none'",
		hashOf(main), viewer.script, hashOf(style), viewer.style, hashOf(dumps)), nil
}
