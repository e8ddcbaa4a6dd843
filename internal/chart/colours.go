package chart

import (
	"fmt"
	"strings"
)

// colour is a class of SVG elements with a colour in a custom property of CSS: one value for light
// backgrounds, one for dark ones.
type colour struct{ name, light, dark string }

var (
	ground = colour{"ground", "#ffffff", "#16181c"}
	ink    = colour{"ink", "#222222", "#e6e6e6"}
	faint  = colour{"faint", "#dddddd", "#3a3d44"}
)

// series are the colours of Okabe and Ito, which are distinguishable with any kind of colour
// vision. Yellow is darker on white; dark colours are lighter on black.
var series = []colour{
	{"s0", "#0072b2", "#4ba3e3"},
	{"s1", "#d55e00", "#ff8a3d"},
	{"s2", "#009e73", "#2fc9a0"},
	{"s3", "#cc79a7", "#e39ac4"},
	{"s4", "#e69f00", "#f0b93a"},
	{"s5", "#56b4e9", "#8ccff5"},
	{"s6", "#000000", "#ffffff"},
	{"s7", "#8a7a00", "#f0e442"},
	{"s8", "#7d7d7d", "#9a9a9a"},
}

// inkOf returns the colour of a series.
func inkOf(i int) colour {
	if i < 0 {
		return ink
	}
	return series[i%len(series)]
}

// attributes returns the attributes of an element of this colour. Programs without support for
// custom properties draw it as on a light background.
func (c colour) attributes() string {
	return fmt.Sprintf(`class="%s" color="%s"`, c.name, c.light)
}

// Stylesheet returns the colours of a page with charts, or of a single chart, for light and dark
// mode. On paper the page is light.
func Stylesheet() string {
	all := append([]colour{ground, ink, faint}, series...)
	var light, dark, rules strings.Builder
	for _, c := range all {
		fmt.Fprintf(&light, "--%s:%s;", c.name, c.light)
		fmt.Fprintf(&dark, "--%s:%s;", c.name, c.dark)
		fmt.Fprintf(&rules, ".chart .%s{color:var(--%[1]s)}", c.name)
	}
	return ":root{" + light.String() + "}\n" +
		"@media screen and (prefers-color-scheme:dark){:root{" + dark.String() + "}}\n" +
		rules.String() + ".chart .hollow{fill:var(--ground)}\n"
}
