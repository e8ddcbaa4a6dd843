package view

import (
	"encoding/base64"
	"errors"
	"fmt"
	"html"
	"io"
	"strings"

	"artifice/trace/calltree"
)

// PageProgram is a program contained in a page, which runs it in a Web Worker.
type PageProgram struct {
	Packed  []byte // WebAssembly (GOOS=js GOARCH=wasm), compressed by gzip
	Support string // lib/wasm/wasm_exec.js, which must be from the toolchain that built Packed

	// Recording writes the recording about which the command artifice-ranges answers queries, in
	// the form of [ranges.Pack].
	Recording func(w io.Writer) error

	Until calltree.EndPolicy // end policy with which the page was made
}

// write writes the elements with the program and its recording.
func (p *PageProgram) write(w io.Writer) error {
	if err := writeProgram(w, p.Packed, p.Support); err != nil {
		return err
	}
	fmt.Fprintf(w, "\n<script id=\"recording\" type=\"application/octet-stream\" data-until=\"%s\">", html.EscapeString(p.Until.String()))
	text := base64.NewEncoder(base64.StdEncoding, w)
	if err := p.Recording(text); err != nil {
		return err
	}
	if err := text.Close(); err != nil {
		return err
	}
	_, err := io.WriteString(w, "</script>\n")
	return err
}

// writeProgram writes the elements with a compressed program and with the worker that runs it,
// including the support code of the toolchain that built the program.
func writeProgram(w io.Writer, packed []byte, support string) error {
	worker, err := script("worker.js")
	if err != nil {
		return err
	}
	worker += support
	if strings.Contains(strings.ToLower(worker), "</script") {
		return errors.New("the worker's script contains </script, which ends its element")
	}
	if _, err := io.WriteString(w, "<script id=\"worker\" type=\"text/plain\">"+worker+"</script>\n<script id=\"program\" type=\"application/octet-stream\">"); err != nil {
		return err
	}
	text := base64.NewEncoder(base64.StdEncoding, w)
	if _, err := text.Write(packed); err != nil {
		return err
	}
	if err := text.Close(); err != nil {
		return err
	}
	_, err = io.WriteString(w, "</script>")
	return err
}
