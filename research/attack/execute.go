package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"artifice/internal/testdata"
)

// limits end a run.
type limits struct {
	memory int64         // bytes of address space
	cpu    time.Duration // whole seconds
	file   int64         // bytes of a file that is written
}

// outcome is the outcome of a run.
type outcome struct {
	status         int // -1: a signal ended it
	stdout, stderr string
	memory         int64 // peak
	cpu            time.Duration
	overtime       bool // a limit of time ended it
}

// maxText is the number of bytes of an output that are kept.
const maxText = 1 << 20

// head keeps the first bytes that are written to it.
type head struct{ bytes.Buffer }

// Write implements io.Writer.
func (h *head) Write(p []byte) (int, error) {
	h.Buffer.Write(p[:min(len(p), max(0, maxText-h.Len()))])
	return len(p), nil
}

// execute runs the program in dir, with its temporary files in dir/tmp. A shell sets the limits.
func execute(program, dir string, args []string, l limits) (ran outcome, err error) {
	script := fmt.Sprintf(`ulimit -c 0; ulimit -v %d; ulimit -t %d; ulimit -f %d; exec "$@"`, l.memory>>10, int(l.cpu.Seconds()), l.file>>9)
	cmd := exec.Command("sh", append([]string{"-c", script, "sh", program}, args...)...)
	cmd.Dir = dir
	cmd.Env = environment(filepath.Join(dir, "tmp"))
	var stdout, stderr head
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Start(); err != nil {
		return ran, err
	}
	// A run that waits forever uses no CPU time.
	waiting := time.AfterFunc(10*l.cpu+time.Minute, func() { cmd.Process.Kill() })
	err = cmd.Wait()
	stopped := !waiting.Stop()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return ran, err
	}
	ran = outcome{
		status: cmd.ProcessState.ExitCode(), stdout: stdout.String(), stderr: stderr.String(),
		memory: testdata.ProcessMemory(cmd.ProcessState), cpu: testdata.ProcessCPU(cmd.ProcessState),
	}
	// The kernel counts a limit in other units than the time that it reports.
	ran.overtime = stopped || ran.cpu >= l.cpu*8/10 && (ran.status < 0 || strings.Contains(ran.stderr, "SIGXCPU"))
	return ran, nil
}

// environment returns that of this process without variables that change the program's memory or
// language.
func environment(tmp string) []string {
	var list []string
	for _, entry := range os.Environ() {
		switch name, _, _ := strings.Cut(entry, "="); name {
		case "GOGC", "GOMEMLIMIT", "GODEBUG", "GOTRACEBACK", "TMPDIR":
		default:
			list = append(list, entry)
		}
	}
	return append(list, "TMPDIR="+tmp)
}
