package cli

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestCopyToTemp checks that an input that can be read only once is copied to a file, which can be
// read again.
func TestCopyToTemp(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	name, remove, err := CopyToTemp(strings.NewReader("text"))
	if err != nil || content(t, name) != "text" {
		t.Fatal(err)
	}
	remove()
	if _, err := os.Stat(name); err == nil {
		t.Error("the file still exists after remove")
	}
	if _, _, err := CopyToTemp(failing{}); err != syscall.EIO {
		t.Errorf("error %v", err)
	}
	if got := list(t, os.TempDir()); got != "" {
		t.Errorf("the folder has %s", got)
	}
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, syscall.EIO }

// TestTempFilesOfKilledProgramsAreRemoved checks that a program removes temporary files of killed
// programs, but neither those of running programs nor files with similar names.
func TestTempFilesOfKilledProgramsAreRemoved(t *testing.T) {
	if os.Getenv("CLI_TEST_TEMP") != "" {
		useTemp(t)
		return
	}
	if !canLock {
		t.Skip("no locks on this system")
	}
	dir := t.TempDir()
	for _, file := range []string{".artifice-test.1", ".artifice-testing.0123456789"} {
		if err := os.WriteFile(filepath.Join(dir, file), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	killed, killedNames := startTemp(t, dir)
	_, liveNames := startTemp(t, dir)
	for _, name := range killedNames {
		if _, err := os.Lstat(name); err != nil {
			t.Errorf("a file that another program uses was removed: %v", err)
		}
	}
	killed.Process.Kill()
	killed.Wait()
	_, lastNames := startTemp(t, dir)
	want := map[string]bool{filepath.Join(dir, ".artifice-test.1"): true, filepath.Join(dir, ".artifice-testing.0123456789"): true}
	for _, name := range append(liveNames, lastNames...) {
		want[name] = true
	}
	entries, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(entries) != len(want) {
		t.Errorf("%d entries, want %d: %q, %v", len(entries), len(want), entries, err)
	}
	for _, name := range entries {
		if !want[name] {
			t.Errorf("%s was not removed", name)
		}
	}
}

// startTemp starts a process that creates a temporary folder and file in dir, and returns their
// names.
func startTemp(t *testing.T, dir string) (cmd *exec.Cmd, names []string) {
	t.Helper()
	cmd = exec.Command(os.Args[0], "-test.run=^TestTempFilesOfKilledProgramsAreRemoved$")
	cmd.Env = append(os.Environ(), "CLI_TEST_TEMP=1", "TMPDIR="+dir)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close(); cmd.Wait() })
	lines := bufio.NewScanner(out)
	for len(names) < 2 && lines.Scan() {
		names = append(names, lines.Text())
	}
	if len(names) < 2 || filepath.Dir(names[0]) != dir {
		t.Fatalf("the process printed %q", names)
	}
	return cmd, names
}

// useTemp is the main function of that process: it prints its temporary names and uses them until
// its input ends.
func useTemp(t *testing.T) {
	folder, removeFolder, err := TempFolder("artifice-test")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "file"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	file, removeFile, err := CopyToTemp(strings.NewReader("text"))
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(os.Stdout, folder+"\n"+file+"\n")
	io.Copy(io.Discard, os.Stdin)
	removeFolder()
	removeFile()
}
