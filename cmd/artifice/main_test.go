package main

import (
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain puts the program on the PATH of scripts and of shell commands.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"artifice": main, "artifice-peak": peak})
}

// TestScripts runs testdata/*.txtar, each a session of a user.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{Dir: "testdata"})
}
