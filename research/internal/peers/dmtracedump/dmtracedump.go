// Package dmtracedump runs Android's dmtracedump, as packaged by Debian, and parses its text
// report, so that tests can compare figures and files with a third-party reader.
//
// It is for tests and for the scripts that compare speed; no command needs dmtracedump.
package dmtracedump

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// Report is dmtracedump's report of a trace. It uses one clock: the first of each record, which is
// thread CPU time in a trace with two.
type Report struct {
	Total   time.Duration // "Total cycles": last minus first event, summed over the threads
	Methods []Method      // by index
	Edges   []Edge        // calls of a method that was not on the stack, by callee, as listed
}

// Method is a row of the report.
type Method struct {
	Index     int    // rank by inclusive time, from 0; the reference between the sections
	Name      string // class.method signature, or its substitute
	Exclusive time.Duration
	Inclusive time.Duration // of outermost activations
	Calls     int64         // while not on the stack
	Recursive int64         // while on it
}

// Edge contains the calls of a method from another.
type Edge struct {
	Caller, Callee int           // Method.Index of each
	Calls          int64         // calls of the callee while it was not on the stack
	Inclusive      time.Duration // of these calls
}

// Run returns dmtracedump's report of a file, and its stderr. It returns an error if dmtracedump
// cannot run, if its exit status is not 0, or if its report is invalid.
func Run(file string) (r *Report, stderr string, err error) {
	cmd := exec.Command("dmtracedump", file)
	var stdout, errout bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &errout
	if err := cmd.Run(); err != nil {
		return nil, errout.String(), fmt.Errorf("dmtracedump %s: %w: %s", file, err, strings.TrimSpace(errout.String()))
	}
	r, err = Parse(stdout.String())
	if err != nil {
		err = fmt.Errorf("report of dmtracedump %s: %w", file, err)
	}
	return r, errout.String(), err
}

// Require skips a test if dmtracedump is not installed; with CI=true it fails the test instead.
func Require(t testing.TB) {
	t.Helper()
	if _, err := exec.LookPath("dmtracedump"); err == nil {
		return
	}
	const hint = "dmtracedump is not installed; on Debian: apt-get install dmtracedump"
	if os.Getenv("CI") == "true" {
		t.Fatal(hint)
	}
	t.Skip(hint)
}

// RealFiles are the shared traces that dmtracedump reads, in the folder traces.
var RealFiles = []string{
	"sampled-art-file.trace", "sampled-host-file.trace", "instrumented-art-file.trace",
	"tiny-basic.trace", "tiny-basic-api10.trace", "tiny-exception.trace", "tiny-mismatched.trace",
}
