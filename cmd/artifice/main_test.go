package main

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"artifice/cmd/internal/command"
	"artifice/internal/testdata"
)

// TestMain adds the program to the PATH of scripts and shell commands.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"artifice": main, "artifice-peak": peak, "artifice-ready": ready})
}

// TestScripts runs testdata/*.txtar, each of which is a session of a user.
func TestScripts(t *testing.T) {
	all, err := filepath.Glob(filepath.Join("testdata", "*.txtar"))
	if err != nil || len(all) < 30 {
		t.Fatalf("%d scripts, %v", len(all), err)
	}
	scripts := testdata.SomeUnlessNamed(t, all, 3)
	testscript.Run(t, testscript.Params{Files: scripts, Setup: func(env *testscript.Env) error {
		// Scripts have no HOME, where go tool has its cache. Without GOCACHE, it would build pprof
		// and its imports each time.
		if cache, err := exec.Command("go", "env", "GOCACHE").Output(); err == nil {
			env.Setenv("GOCACHE", strings.TrimSpace(string(cache)))
		}
		return nil
	}, Condition: func(name string) (bool, error) {
		switch name { // whether the process was started with the signal ignored
		case "hangup": // as by nohup
			return !signal.Ignored(syscall.SIGHUP), nil
		case "interrupt": // as by & in a script
			return !signal.Ignored(syscall.SIGINT), nil
		}
		return false, fmt.Errorf("no condition is called %q", name)
	}})
}

// ready runs the program, and creates the file READY when the program handles signals. With
// PATIENT, the grace period is unlimited, because results within a second depend on the load of the
// machine.
func ready() {
	if os.Getenv("PATIENT") != "" {
		grace = time.Hour
	}
	ctx := untilSignal()
	if err := os.WriteFile(os.Getenv("READY"), nil, 0o666); err != nil {
		panic(err)
	}
	os.Exit(run(ctx, os.Args[1:], command.Stdio{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
}
