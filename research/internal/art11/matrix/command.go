package matrix

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"

	tracetext "artifice/format/text"
	"artifice/internal/testdata"
	"artifice/research/internal/art11"
	"artifice/trace"
)

// Command is the artifice program, built from this tree. Its Emulate is an [Emulator] that uses
// "artifice record" as a user does: with the truth as a text file and the costs as a device file.
// [Command.Takes] reports which cells it supports.
type Command struct{ folder string }

// NewCommand builds the program. Remove it when it is no longer needed.
func NewCommand() (*Command, error) {
	folder, err := os.MkdirTemp("", "artifice")
	if err != nil {
		return nil, err
	}
	c := &Command{folder}
	if _, err := testdata.Build(folder); err != nil {
		c.Remove()
		return nil, err
	}
	return c, nil
}

func (c *Command) program() string { return filepath.Join(c.folder, "artifice") }

// Remove deletes the program.
func (c *Command) Remove() { os.RemoveAll(c.folder) }

// Takes reports whether the program supports a recording as defined by the matrix. It does not if
// no sample is due: it refuses to write a trace without samples, and ART writes it. Nor if samples,
// or events of a synthetic app, cost time: the program delays each thread individually, while ART's
// virtual clock is shared. [Emulate] supports these cells.
func (c *Command) Takes(truth *art11.Truth, w art11.Way) bool {
	if truth.Recorded() && !w.Sampled {
		return true
	}
	return w.Costs == (art11.Costs{}) && (!w.Sampled || w.Interval <= truth.Elapsed())
}

// Emulate is an [Emulator].
func (c *Command) Emulate(truth *trace.Recording, w art11.Way) ([]byte, error) {
	folder, err := os.MkdirTemp(c.folder, "cell")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	source, device, out := filepath.Join(folder, "truth.txt"), filepath.Join(folder, "device.yaml"), filepath.Join(folder, "out.trace")
	var text, costs bytes.Buffer
	writer := tracetext.NewWriter(&text, truth)
	_, err = trace.Copy(writer, truth.Events)
	if err := errors.Join(err, writer.Close(), deviceOf(w).WriteYAML(&costs)); err != nil {
		return nil, err
	}
	for path, b := range map[string][]byte{source: text.Bytes(), device: costs.Bytes()} {
		if err := os.WriteFile(path, b, 0o600); err != nil {
			return nil, err
		}
	}
	args := append(flags(w), "--device", device, "-o", out, source)
	if said, err := exec.Command(c.program(), append([]string{"record", "-q", "--runtime", "art11"}, args...)...).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("artifice record: %w\n%s", err, said)
	}
	return os.ReadFile(out)
}

// flags returns the flags of artifice record for tracing options.
func flags(w art11.Way) []string {
	args := []string{"--mode", modeOf(w), "--clock", w.Clock.String(), "--seed", strconv.FormatUint(w.Costs.Seed, 10)}
	if w.Sampled {
		args = append(args, "--interval", w.Interval.String())
	} else if !w.Debuggable {
		args = append(args, "--release-build")
	}
	if w.Count {
		args = append(args, "--count-allocs")
	}
	if w.Again {
		args = append(args, "--again")
	}
	if w.Streaming {
		args = append(args, "--streaming")
	} else if w.Buffer > 0 {
		args = append(args, "--buffer", strconv.FormatInt(w.Buffer, 10))
	}
	return args
}
