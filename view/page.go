package view

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html"
	"io"
	"io/fs"
	"strings"

	"github.com/klauspost/compress/gzip"

	"artifice/report/dumps"
	"artifice/view/internal/dumppage"
)

// Page is a page with its recordings.
type Page struct {
	Title      string
	Version    string // version of the program, for the page's footer
	Recordings []*Recording

	// first is the index, among the recordings with a comparison, of the recording shown first.
	first int

	// Dumps is the content of a page of thread dumps, which has no recordings; nil for other pages.
	Dumps *Dumps

	// Difference is the difference between the first two recordings; nil if they are not compared.
	Difference *Difference

	// Program answers queries about parts of a sampled recording in a page that is a file; nil:
	// there are no answers. A served page asks its [Server] instead.
	Program *PageProgram

	// Ftrace writes the recording as ftrace text; nil: the page does not contain it. The text has
	// the same position as in systrace's pages, so that other programs can open the page as a
	// trace.
	Ftrace func(w io.Writer) error

	rangePath string // see header
}

// Dumps is the content of a page of thread dumps.
type Dumps = dumppage.Content

// NewDumps returns the content of a page that shows the main thread first, if there is one.
func NewDumps(s *dumps.Summary) *Dumps { return dumppage.New(s) }

// files contains the code of the pages: index.html (the frame), style.css, and JavaScript modules.
// The files of the laboratory are in the folder lab.
//
//go:embed page/index.html page/style.css page/dumps.css page/*.js page/lab/*
var files embed.FS

// frame is the page without its data.
type frame struct {
	before, after string // the parts before and after the data
	policy        string // Content-Security-Policy
	script, style string // hashes in the policy
}

// Placeholders in index.html.
const (
	titlePlace  = "<title>artifice</title>"
	stylePlace  = `<link rel="stylesheet" href="style.css">`
	dataPlace   = "<!--DATA-->"
	scriptPlace = `<script type="module" src="main.js"></script>`
)

// pageKind is the origin of a page, on which its policy depends.
type pageKind uint8

const (
	inFile      pageKind = iota // a file with its data
	withProgram                 // a file with its data and a program
	served                      // a page that gets the data from the server
)

// newFrame fills the frame.
func newFrame(title string, kind pageKind) (*frame, error) {
	index, err := files.ReadFile("page/index.html")
	if err != nil {
		return nil, err
	}
	style, err := files.ReadFile("page/style.css")
	if err != nil {
		return nil, err
	}
	script, err := script("main.js")
	if err != nil {
		return nil, err
	}
	f := &frame{script: hashOf(script), style: hashOf(string(style))}
	f.policy = fmt.Sprintf("default-src 'none'; script-src '%s'; style-src '%s'; base-uri 'none'; form-action 'none'", f.script, f.style)
	head, data := "", `<meta name="data" content="data">`
	if kind == withProgram {
		f.policy = strings.Replace(f.policy, "; style-src", " 'wasm-unsafe-eval'; worker-src blob:; style-src", 1)
	}
	if kind == served {
		f.policy += "; connect-src 'self'; frame-ancestors 'none'"
	} else {
		head = `<meta http-equiv="Content-Security-Policy" content="` + html.EscapeString(f.policy) + "\">\n"
		data = ""
	}
	front, end, ok := strings.Cut(string(index), scriptPlace)
	if !ok {
		return nil, fmt.Errorf("page/index.html has no %s", scriptPlace)
	}
	front = strings.Replace(front, stylePlace, "<style>"+string(style)+"</style>", 1)
	front = strings.Replace(front, titlePlace, head+"<title>"+html.EscapeString(title)+"</title>", 1)
	before, after, ok := strings.Cut(front, dataPlace)
	if !ok {
		return nil, fmt.Errorf("page/index.html has no %s before its script", dataPlace)
	}
	f.before, f.after = before+data, after+"<script id=\"page\">"+script+"</script>"+end
	return f, nil
}

// dumpsStyle returns the style sheet for pages of thread dumps.
func dumpsStyle() (string, error) {
	style := ""
	for _, name := range []string{"page/style.css", "page/dumps.css"} {
		data, err := files.ReadFile(name)
		if err != nil {
			return "", err
		}
		style += string(data)
	}
	return style, nil
}

// dumpsFrame returns the page of thread dumps. It has no data, so the whole page is in before.
func (p *Page) dumpsFrame(kind pageKind) (*frame, error) {
	style, err := dumpsStyle()
	if err != nil {
		return nil, err
	}
	f := &frame{style: hashOf(style)}
	f.policy = fmt.Sprintf("default-src 'none'; style-src '%s'; base-uri 'none'; form-action 'none'", f.style)
	head := ""
	if kind == served {
		f.policy += "; frame-ancestors 'none'"
	} else {
		head = `<meta http-equiv="Content-Security-Policy" content="` + html.EscapeString(f.policy) + "\">\n"
	}
	f.before = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n" + head +
		"<title>" + html.EscapeString(p.Title) + " – artifice</title>\n<style>" + style + "</style>\n</head>\n<body>\n" + p.Dumps.HTML(p.Title) +
		"<footer><p>" + html.EscapeString(p.Version) + "</p></footer>\n</body>\n</html>\n"
	return f, nil
}

// script returns the code of a page's main module and of the modules that it imports.
func script(main string) (string, error) {
	pages, err := fs.Sub(files, "page")
	if err != nil {
		return "", err
	}
	return bundle(pages, main)
}

// hashOf returns the source expression of a script or style for the policy.
func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// dataBegin is the begin of the element with the data.
const dataBegin = `<script id="data" type="application/octet-stream">`

// WriteHTML writes the page as one self-contained file. The same page gives the same bytes.
func (p *Page) WriteHTML(w io.Writer) error {
	if p.Dumps != nil {
		f, err := p.dumpsFrame(inFile)
		if err == nil {
			_, err = io.WriteString(w, f.before)
		}
		return err
	}
	kind := inFile
	if p.Program != nil {
		kind = withProgram
	}
	f, err := newFrame(p.Title, kind)
	if err != nil {
		return err
	}
	if _, err := io.WriteString(w, f.before); err != nil {
		return err
	}
	if _, err := io.WriteString(w, dataBegin); err != nil {
		return err
	}
	text := base64.NewEncoder(base64.StdEncoding, w)
	if err := p.writePacked(text, gzip.DefaultCompression); err != nil {
		return err
	}
	if err := text.Close(); err != nil {
		return err
	}
	if _, err := io.WriteString(w, "</script>"); err != nil {
		return err
	}
	if p.Program != nil {
		if err := p.Program.write(w); err != nil {
			return err
		}
	}
	front, end, ok := strings.Cut(f.after, bodyEnd)
	if !ok || p.Ftrace == nil {
		_, err = io.WriteString(w, f.after)
		return err
	}
	if _, err := io.WriteString(w, front); err != nil {
		return err
	}
	if err := p.writeFtrace(w); err != nil {
		return err
	}
	_, err = io.WriteString(w, bodyEnd+end)
	return err
}
