package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"artifice/fleet/corpus"
)

// traces are the generated files.
type traces struct{ Paths, Bad []string }

// making is the flag with which the trial starts itself to generate the traces.
const making = "make"

// listed is the name of the file that lists them.
const listed = "traces.json"

// madeElsewhere generates the traces in a separate process: on Linux, the memory of a process when
// it starts another counts for the peak of the new one (exec_mmap in fs/exec.c), and generating
// traces takes more memory than adding them up.
func (c config) madeElsewhere(dir string) (*traces, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(self, "--"+making, dir, "--small", fmt.Sprint(c.small), "--large", fmt.Sprint(c.large),
		"--size", fmt.Sprint(c.size), "--broken", fmt.Sprint(c.broken))
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("%s: %w", cmd, err)
	}
	list, err := os.ReadFile(filepath.Join(dir, listed))
	if err != nil {
		return nil, err
	}
	t := &traces{}
	return t, json.Unmarshal(list, t)
}

// make generates the traces in two folders below dir/traces, and lists them.
func (c config) make(dir string) error {
	large, err := c.frames(dir)
	if err != nil {
		return err
	}
	var all traces
	for _, kind := range []struct {
		name           string
		traces, frames int
	}{{"small", c.small, 20}, {"large", c.large, large}} {
		folder := filepath.Join(dir, "traces", kind.name)
		if err := os.MkdirAll(folder, 0o777); err != nil {
			return err
		}
		made, err := corpus.Write(folder, corpus.Config{Traces: kind.traces, Seed: 1, Frames: kind.frames, Broken: c.broken})
		if err != nil {
			return err
		}
		if err := os.Remove(made.Manifest); err != nil { // the folder is the list
			return err
		}
		fmt.Printf("%d %s traces, %.1f MB, %d broken\n", kind.traces, kind.name, float64(made.Bytes)/1e6, len(made.Bad))
		all.Paths, all.Bad = append(all.Paths, made.Paths...), append(all.Bad, made.Bad...)
	}
	list, _ := json.Marshal(all) // texts only: it never fails
	return os.WriteFile(filepath.Join(dir, listed), list, 0o666)
}

// frames returns the number of frames for a large trace.
func (c config) frames(dir string) (int, error) {
	folder := filepath.Join(dir, "probe")
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return 0, err
	}
	const formats, probe = 6, 200 // corpus rotates through this number of formats
	made, err := corpus.Write(folder, corpus.Config{Traces: formats, Seed: 1, Frames: probe})
	if err != nil {
		return 0, err
	}
	return max(1, int(c.size*formats*probe/made.Bytes)), os.RemoveAll(folder)
}
