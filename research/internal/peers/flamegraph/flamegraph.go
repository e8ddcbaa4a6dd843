// Package flamegraph runs Brendan Gregg's flamegraph.pl, as packaged by Debian with Devel::NYTProf,
// and parses the picture.
//
// It is for tests.
package flamegraph

import (
	"bytes"
	"fmt"
	"html"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"artifice/research/internal/browser"
)

// script is its path in Debian, which is not in PATH.
const script = "/usr/share/perl5/Devel/NYTProf/flamegraph.pl"

// Require skips a test if flamegraph.pl is not installed, and fails it with CI=true.
func Require(t testing.TB) {
	t.Helper()
	if _, err := os.Stat(script); err != nil {
		browser.Missing(t, "flamegraph.pl is not installed; on Debian: apt-get install libdevel-nytprof-perl")
	}
}

// Box is a frame of the picture: a function below its callers.
type Box struct {
	Depth   int // 0 of the outermost
	Name    string
	Samples int64 // inclusive
}

// The title of a frame, and its position: the frames of a depth share one height.
var box = regexp.MustCompile(`<title>(.*) \(([\d,]+) samples, [\d.]+%\)</title><rect x="[\d.]+" y="(\d+)"`)

// Draw draws a folded file and returns its frames, without the root frame and without those of no
// sample, which the script omits by default but not with any width allowed, as here. Output on its
// standard error is an error.
func Draw(file string) ([]Box, error) {
	cmd := exec.Command("perl", script, "--minwidth", "0", file)
	var out, errout bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errout
	if err := cmd.Run(); err != nil || errout.Len() > 0 {
		return nil, fmt.Errorf("flamegraph.pl: %v: %s", err, strings.TrimSpace(errout.String()))
	}
	var boxes []Box
	bottom := 0
	for _, m := range box.FindAllStringSubmatch(out.String(), -1) {
		y, _ := strconv.Atoi(m[3])
		samples, err := strconv.ParseInt(strings.ReplaceAll(m[2], ",", ""), 10, 64)
		if err != nil {
			return nil, err
		}
		if bottom = max(bottom, y); samples == 0 {
			continue // our files' line about the unit
		}
		boxes = append(boxes, Box{y, html.UnescapeString(m[1]), samples})
	}
	var frames []Box
	for _, b := range boxes {
		if b.Depth = (bottom-b.Depth)/16 - 1; b.Depth >= 0 { // each is 16 high; "all" is the lowest
			frames = append(frames, b)
		}
	}
	return frames, nil
}
