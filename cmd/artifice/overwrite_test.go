package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"artifice/cmd/internal/command"
	"artifice/internal/testdata"
)

// These are placeholders of flags that name an input, an output, or a value.
var (
	inputHolders  = []string{"FILE", "OBSERVED", "NEW", "OLD", "DEVICE", "DEVICES"}
	outputHolders = []string{"OUT"}
	valueHolders  = []string{"BY", "CATEGORIES", "CLOCK", "ENTRIES", "FORMAT", "FRAMES", "GOAL", "HZ", "ID", "INTERVAL", "INTERVALS", "KB", "KEY", "KIND", "KINDS",
		"METHOD", "METHODS", "MODE", "MODES", "N", "NAME", "NUMBER", "PATTERN", "PERCENT", "PERIOD", "PORT", "PROGRAM", "REGEXP", "ROW", "RULE", "RUNTIME", "SHELL", "SIZE", "STYLE",
		"TEST", "TIME", "TIMES", "TOOLS", "UNIT", "UNTIL", "URL", "VALUE", "VARIANTS", "VERSION", "WEIGHT", "WHEN", "WORKLOAD"}
)

// outputs are flags that name an output although they have the placeholder of an input.
var outputs = map[string]bool{"lab output": true, "view output": true, "calibrate output": true, "dmtracedump graph": true}

// notFiles are flags with the placeholder of an input that accept only built-in names.
var notFiles = map[string]bool{"list device": true}

// role reports whether a flag names an input or an output.
func role(t *testing.T, cmd *cobra.Command, f *pflag.Flag) (input, output bool) {
	placeholder, _ := pflag.UnquoteUsage(f)
	switch name := cmd.Name() + " " + f.Name; {
	case outputs[name], slices.Contains(outputHolders, placeholder):
		return false, true
	case notFiles[name]:
		return false, false
	case slices.Contains(inputHolders, placeholder):
		return true, false
	case f.Value.Type() != "string" && f.Value.Type() != "stringSlice", slices.Contains(valueHolders, placeholder):
		return false, false
	}
	t.Errorf("%s --%s: placeholder %s is unknown: add it to the inputs, outputs or values of this test", cmd.Name(), f.Name, placeholder)
	return false, false
}

// overwrites are the arguments with which each command writes a file. IN is its source, and ending
// is the extension of its output.
var overwrites = map[string]struct{ args, ending string }{
	"convert":     {"IN", ".txt"},
	"record":      {"IN --mode sample", ".txt"},
	"view":        {"IN", ".html"},
	"diff":        {"IN IN --to IN", ".html"},
	"bench":       {"IN --intervals 10ms --seeds 2", ".html"},
	"calibrate":   {"IN", ".yaml"},
	"plan":        {"IN --method BitmapFactory.nativeDecodeStream --change 20% --intervals 10ms", ".svg"},
	"report":      {"IN", ".dot"},
	"dmtracedump": {"IN", ".png"},
	"lab":         {"", ".html"},
}

// companions are valid files for flags that name an input other than a trace.
var companions = map[string]string{
	"mapping":      "a.B -> c:\n",
	"device":       "", // filled from list --device
	"method-names": "1,1,a.B.c()V\n",
}

// TestNoInputIsOverwritten runs every command with every flag that names an input, and uses that
// file, or a link to it, as each of the command's outputs. The file does not change.
func TestNoInputIsOverwritten(t *testing.T) {
	testdata.Seldom(t, 4)
	_, device, _ := artifice("list", "--device", "A")
	if !strings.Contains(device, "name:") {
		t.Fatal("no YAML of a device:", device)
	}
	scroll, err := os.ReadFile(filepath.Join(testdata.Root(), "testdata", "scroll.txt"))
	if err != nil {
		t.Fatal(err)
	}
	root, _ := newRoot(command.Stdio{}, commands)
	tried := 0
	for _, cmd := range root.Commands() {
		var ins, outs []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			switch in, out := role(t, cmd, f); {
			case in:
				ins = append(ins, f.Name)
			case out:
				outs = append(outs, f.Name)
			}
		})
		how, writes := overwrites[cmd.Name()]
		if writes != (len(outs) > 0) {
			t.Errorf("%s has the outputs %q, which the table of this test does not have", cmd.Name(), outs)
		}
		for _, out := range outs {
			if how.args != "" {
				overwrite(t, cmd.Name(), how.args, "", out, how.ending, scroll)
				tried++
			}
			for _, in := range ins {
				content, known := companions[in]
				switch {
				case !known:
					content = string(scroll)
				case content == "":
					content = device
				}
				overwrite(t, cmd.Name(), how.args, in, out, how.ending, []byte(content))
				tried++
			}
		}
	}
	if tried < 25 {
		t.Errorf("%d pairs of an input and an output were tried, want at least 25", tried)
	}
}

// numbered writes a trace with numbers instead of method names. It returns the trace's name and the
// text of the mapping.
func numbered(t *testing.T, dir string) (name string, names []byte) {
	name = filepath.Join(dir, "matrix", "numbered.txt")
	if err := os.Mkdir(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte("0,1048574,1,30\n1,1,1,20\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	return name, []byte("1,1,a.B c ()V\n")
}

// overwrite runs a command with one file both as the value of the input flag in (or as the source
// if in is empty) and as its output, by name, by a symbolic link and by a hard link.
func overwrite(t *testing.T, name, args, in, out, ending string, content []byte) {
	dir := t.TempDir()
	file := filepath.Join(dir, "input.yaml")
	if in == "" || !bytes.Contains(content, []byte("name:")) {
		file = filepath.Join(dir, "input"+ending)
	}
	source := filepath.Join(testdata.Root(), "testdata", "scroll.txt")
	if in == "" {
		source = file
	}
	if in == "method-names" {
		source, content = numbered(t, dir)
	}
	links := []string{file, filepath.Join(dir, "soft"+ending), filepath.Join(dir, "hard"+ending)}
	write := func() {
		for _, l := range links {
			os.Remove(l)
		}
		if err := errors.Join(os.WriteFile(file, content, 0o666), os.Symlink(file, links[1]), os.Link(file, links[2])); err != nil {
			t.Fatal(err)
		}
	}
	named := links
	if filepath.Ext(file) != ending { // the command rejects the name
		named = links[1:]
	}
	if in == "to" {
		args, in = "IN --to "+file, ""
	}
	for _, link := range named {
		write()
		line := []string{name}
		for _, arg := range strings.Fields(args) {
			if arg == "IN" {
				arg = source
			}
			line = append(line, arg)
		}
		if in != "" {
			line = append(line, "--"+in, file)
		}
		line = append(line, "--"+out, link)
		if name == "view" && in == "device" {
			line = append(line, "--sample", "10ms")
		}
		var stdout, stderr bytes.Buffer
		status := run(context.Background(), line, command.Stdio{In: strings.NewReader(""), Out: &stdout, Err: &stderr})
		for _, l := range links {
			if got, err := os.ReadFile(l); err != nil || !bytes.Equal(got, content) {
				t.Errorf("artifice %s: %s was replaced (status %d)\n%s", strings.Join(line, " "), filepath.Base(l), status, &stderr)
				break
			}
		}
		if name == "dmtracedump" && in == "diff" { // with --diff it draws no graph
			continue
		}
		if status != exitUsage || !strings.Contains(stderr.String(), "this command reads") {
			t.Errorf("artifice %s: status %d, want %d\n%s", strings.Join(line, " "), status, exitUsage, &stderr)
		}
		if left, _ := filepath.Glob(filepath.Join(dir, ".*")); len(left) > 0 {
			t.Errorf("artifice %s: files remain: %q", strings.Join(line, " "), left)
		}
	}
}
