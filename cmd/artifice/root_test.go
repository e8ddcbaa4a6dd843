package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"artifice/cmd/internal/command"
	"artifice/internal/cli"
)

// panicking is an input that panics when read.
type panicking struct{}

func (panicking) Read([]byte) (int, error) { panic("index out of range") }

// TestPanicReport checks that a panic is a failure, not wrong usage: there is no output, and the
// message contains the text of a bug report without private arguments.
func TestPanicReport(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out.txt")
	var stdout, stderr bytes.Buffer
	args := []string{"convert", "-", "--input-format=folded", "--thread", "com.example.secret", "-o", out}
	if status := run(context.Background(), args, command.Stdio{In: panicking{}, Out: &stdout, Err: &stderr}); status != 1 {
		t.Errorf("status %d, want 1", status)
	}
	for _, want := range []string{
		"artifice: this is a bug in artifice: index out of range\n",
		"Please report it",
		"\nversion " + cli.Version() + ", go",
		"\nartifice convert - --input-format=ARG --thread ARG -o ARG\n",
		"goroutine ",
		"root_test.go:",
	} {
		if !strings.Contains(stderr.String(), want) {
			t.Errorf("%q is missing in:\n%s", want, stderr.String())
		}
	}
	if strings.Contains(stderr.String(), "com.example") {
		t.Error("the message contains an argument")
	}
	if _, err := os.Stat(out); err == nil || stdout.Len() > 0 {
		t.Error("an output file exists")
	}
}

// full is an output that accepts no bytes.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

// TestHelpIntoFullOutput checks that help that cannot be written is a failure, not wrong usage.
func TestHelpIntoFullOutput(t *testing.T) {
	for _, args := range []string{"--help", "help", "--version", "record --help", "help bench", "list", "completion bash"} {
		var stderr bytes.Buffer
		if status := run(context.Background(), strings.Fields(args), command.Stdio{In: strings.NewReader(""), Out: full{}, Err: &stderr}); status != 1 {
			t.Errorf("%s: status %d, want 1: %s", args, status, stderr.String())
		}
	}
}

// TestInterrupted checks that the exit status of an interrupted program is that of shells.
func TestInterrupted(t *testing.T) {
	for signal, want := range map[syscall.Signal]int{syscall.SIGINT: 130, syscall.SIGTERM: 143, syscall.SIGHUP: 129} {
		ctx, stop := context.WithCancelCause(context.Background())
		stop(endedBy{signal})
		var stdout, stderr bytes.Buffer
		status := run(ctx, []string{"record", "w3-on-off", "-o", "-", "--format", "text"}, command.Stdio{In: strings.NewReader(""), Out: &stdout, Err: &stderr})
		if status != want || stderr.String() != "artifice: interrupted\n" {
			t.Errorf("%s: status %d, want %d: %s", signal, status, want, stderr.String())
		}
	}
}

// TestCommandsFor checks that each command is found by its name.
func TestCommandsFor(t *testing.T) {
	std := command.Stdio{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard}
	for _, c := range commands {
		if got := c.Add(std).Name(); got != c.Name {
			t.Errorf("%s is listed as %s", got, c.Name)
		}
		if found := commandsFor([]string{c.Name, "--help"}); len(found) != 1 || found[0].Name != c.Name {
			t.Errorf("%s: %d commands", c.Name, len(found))
		}
	}
	for args, want := range map[string]int{"--version": 0, "": len(commands), "--help": len(commands), "-q info x": len(commands), "nosuch": len(commands), "help info": len(commands), "__complete info": len(commands)} {
		if got := commandsFor(strings.Fields(args)); len(got) != want {
			t.Errorf("%q: %d commands, want %d", args, len(got), want)
		}
	}
}
