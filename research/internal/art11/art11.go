package art11

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"
)

// ART is the runtime, ready to start.
type ART struct {
	name      string // used in errors
	command   Command
	launcher  string
	classpath []string // at the start: the core library and the truth's methods
	folders   string   // folders that ART requires
	patience  time.Duration
}

// Command returns the process that runs a script of the launcher: a program with the launcher's
// output that keeps its temporary files in the folder data.
type Command func(ctx context.Context, script string, w *Way, data string) *exec.Cmd

// Other returns another version of ART, started by command. It has no [ART.Methods], and cannot run
// a [Program].
func Other(name string, command Command) *ART {
	return &ART{name: name, command: command, patience: patience}
}

// Methods returns the file of the classes that represent a truth's methods.
func (a *ART) Methods() string { return a.classpath[1] }

// patience is the time limit of a run. Most take a second.
const patience = 60 * time.Second

// Result is the result of a run.
type Result struct {
	File    []byte // written by ART
	Methods []int  // the truth's methods, ordered by address
}

// Record replays truth in a new process and returns ART's file.
func (a *ART) Record(truth *Truth, w Way) (*Result, error) {
	if err := w.check(); err != nil {
		return nil, err
	}
	if n := len(truth.methods); n > maxMethods {
		return nil, fmt.Errorf("the truth has %d methods, and there are classes for %d", n, maxMethods)
	}
	folder, err := os.MkdirTemp("", "art11")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	script, out := filepath.Join(folder, "script"), filepath.Join(folder, "out")
	f, err := os.Create(script)
	if err != nil {
		return nil, err
	}
	err = errors.Join(truth.write(f, &w, out), f.Close())
	if err != nil {
		return nil, err
	}
	printed, err := a.run(script, &w, folder)
	if err != nil {
		return nil, fmt.Errorf("%s, %s: %w", a.name, w, err)
	}
	r := &Result{}
	if r.Methods, err = ascending(printed, len(truth.methods)); err != nil {
		return nil, err
	}
	r.File, err = os.ReadFile(out)
	return r, err
}

// run starts the launcher and returns its output.
func (a *ART) run(script string, w *Way, data string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), a.patience)
	defer cancel()
	cmd := a.command(ctx, script, w, data)
	cmd.WaitDelay = time.Second
	var said bytes.Buffer
	cmd.Stderr = &said
	printed, err := cmd.Output()
	if ctx.Err() != nil {
		return nil, fmt.Errorf("it hung, and was ended after %s", a.patience)
	}
	if err != nil {
		return nil, fmt.Errorf("%w\n%s", err, lastLines(said.Bytes(), 5))
	}
	return printed, nil
}

// NoSpinning is an option of ART: threads wait at once for a monitor, and do not yield the core
// first, 50 times. The director holds the monitors for which the app's threads wait.
const NoSpinning = "-XX:MaxSpinsBeforeThinLockInflation=0"

// eleven is the [Command] of ART 11.
func (a *ART) eleven(ctx context.Context, script string, w *Way, data string) *exec.Cmd {
	classes := a.classpath[0]
	for _, jar := range a.classpath[1:] {
		classes += ":" + jar
	}
	args := []string{
		script, "-Xbootclasspath:" + classes, "-Xbootclasspath-locations:" + classes,
		"-Ximage:/nonexistent/boot.art", "-Xnoimage-dex2oat", // no image exists
		"-Xint", "-Xusejit:false", "-XjdwpProvider:none", NoSpinning, "-Xverify:none",
	}
	if w.Plain {
		args[len(args)-1] = "-Xverify:softfail" // nterp does not run unverified methods
	}
	cmd := exec.CommandContext(ctx, a.launcher, args...)
	cmd.Env = a.environment(data)
	return cmd
}

// environment returns the environment variables with ART's folders. ART writes only to data.
func (a *ART) environment(data string) []string {
	return []string{
		"ANDROID_ROOT=" + filepath.Join(a.folders, "system"), "ANDROID_ART_ROOT=" + filepath.Join(a.folders, "art"),
		"ANDROID_I18N_ROOT=" + filepath.Join(a.folders, "i18n"), "ANDROID_DATA=" + data,
	}
}

// lastLines returns the last n lines of a text.
func lastLines(text []byte, n int) []byte {
	lines := bytes.Split(bytes.TrimSpace(text), []byte("\n"))
	return bytes.Join(lines[max(0, len(lines)-n):], []byte("\n"))
}

// ascending returns the n methods ordered by address, from the launcher's output of one address per
// line.
func ascending(printed []byte, n int) ([]int, error) {
	type method struct {
		address uint64
		id      int
	}
	var all []method
	for line := range bytes.Lines(printed) {
		var m method
		if _, err := fmt.Sscanf(string(line), "%v %d", &m.address, &m.id); err != nil {
			return nil, fmt.Errorf("what the launcher prints is not the address of a method: %q", line)
		}
		all = append(all, m)
	}
	if len(all) != n {
		return nil, fmt.Errorf("the launcher prints the addresses of %d methods of %d", len(all), n)
	}
	slices.SortFunc(all, func(a, b method) int { return cmp.Compare(a.address, b.address) })
	ids := make([]int, n)
	for i, m := range all {
		ids[i] = m.id
	}
	return ids, nil
}
