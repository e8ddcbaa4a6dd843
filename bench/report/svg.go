package report

import (
	"bytes"
	"html"
	"regexp"
)

var (
	prolog = regexp.MustCompile(`(?s)^.*?<svg `)
	size   = regexp.MustCompile(`^<svg width="[^"]*" height="[^"]*"`)
	family = regexp.MustCompile(`font-family:[^;"]*`)
)

// fluid turns an SVG file into an element of a page: without prolog and fixed
// size, with a title, and in the reader's own sans-serif font.
func fluid(svg []byte, title string) []byte {
	svg = prolog.ReplaceAll(svg, []byte("<svg "))
	svg = size.ReplaceAll(svg, []byte(`<svg width="100%" role="img" aria-label="`+html.EscapeString(title)+`"`))
	return bytes.TrimSpace(family.ReplaceAll(svg, []byte("font-family:system-ui,Arial,sans-serif")))
}
