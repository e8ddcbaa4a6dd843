package main

import (
	"bytes"
	"os/exec"
	"syscall"
	"time"
)

// runGroup runs a command in a process group of its own, which is killed when the command has ended
// or the limit has passed, as a test that fails may leave programs running.
func runGroup(cmd *exec.Cmd, limit time.Duration) ([]byte, error) {
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.WaitDelay = 10 * time.Second // for programs that keep the output open
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	kill := func() { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	timer := time.AfterFunc(limit, kill)
	err := cmd.Wait()
	timer.Stop()
	kill()
	return out.Bytes(), err
}
