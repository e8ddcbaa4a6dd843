package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"
)

// Peak memory that every command may use: fixed, and for each unpacked byte of its input.
const (
	fixedMemory = 64 << 20
	byteMemory  = 64
)

// allowance returns the peak memory that a command may use for input of n unpacked bytes, which it
// reads as often as its line names the file.
func (c *command) allowance(n int64) int64 {
	return fixedMemory + c.extra + byteMemory*n*int64(strings.Count(c.line, "FILE"))
}

// Bytes that an output may have: fixed, and for each unpacked byte of the input. Samples may enter
// and exit 4,194,304 frames, plus 8 for each byte (docs/speed.md), and text of an event takes some
// 128 bytes.
const (
	fixedOutput = 4 << 20 * 128
	byteOutput  = 8 * 128
)

// maxCPU returns the CPU time that a command may use for input of n unpacked bytes.
func (c *command) maxCPU(n int64) time.Duration {
	return 5*time.Second + time.Duration(n)*10*time.Microsecond
}

// check runs a command on an input and returns what is wrong.
func (a *attack) check(c *class, cmd *command, in *input) (ran outcome, wrong []string, err error) {
	dir := filepath.Join(a.folder, "run")
	if err := os.RemoveAll(dir); err != nil {
		return ran, nil, err
	}
	for _, name := range []string{"in", "out", "tmp"} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o777); err != nil {
			return ran, nil, err
		}
	}
	inside := filepath.Join("in", "hostile"+c.ending)
	file := filepath.Join(dir, inside)
	if err := os.WriteFile(file, in.data, 0o666); err != nil {
		return ran, nil, err
	}
	if cmd.companion != nil {
		if err := cmd.companion.write(filepath.Join(dir, "in")); err != nil {
			return ran, nil, err
		}
	}
	most := cmd.allowance(in.unpacked)
	// Much more address space than memory, so that the excess is measured before it ends the run.
	l := limits{
		memory: 2<<30 + 2*most,
		cpu:    cmd.maxCPU(in.unpacked).Truncate(time.Second),
		file:   fixedOutput + byteOutput*in.unpacked,
	}
	if !a.timing { // only runs that hardly end are wrong
		l.cpu *= 10
	}
	if ran, err = a.exec(dir, cmd.args(inside, filepath.Join("out", "out")), l); err != nil {
		return ran, nil, err
	}
	wrong = ran.wrong(filepath.Base(file), l.cpu)
	if ran.memory > most {
		wrong = append(wrong, fmt.Sprintf("peak memory %s, allowed are %s for %d bytes", mebibytes(ran.memory), mebibytes(most), in.unpacked))
	}
	after, err := os.ReadFile(file)
	if err != nil || !bytes.Equal(after, in.data) {
		wrong = append(wrong, "the input has changed")
	}
	if ran.status == 0 {
		return ran, wrong, nil
	}
	left, err := leftovers(dir, ran.status < 0 || ran.overtime || ran.crashed())
	return ran, append(wrong, left...), err
}

// leftovers reports the files that a failed run has left. A run that was killed cannot remove its
// temporary ones.
func leftovers(dir string, killed bool) (wrong []string, err error) {
	for _, folder := range []string{"out", "tmp"} {
		if killed && folder == "tmp" {
			continue
		}
		list, err := os.ReadDir(filepath.Join(dir, folder))
		if err != nil {
			return nil, err
		}
		for _, entry := range list {
			if killed && strings.HasPrefix(entry.Name(), ".") {
				continue // the unfinished output
			}
			wrong = append(wrong, fmt.Sprintf("a failed run leaves %s/%s", folder, entry.Name()))
		}
	}
	return wrong, nil
}

// crash matches the Go runtime's output for an abnormal end.
var crash = regexp.MustCompile(`(?m)^(panic: |fatal error: |runtime: |goroutine \d+ |SIG[A-Z]+: )|runtime error: |out of memory`)

// crashed reports whether the Go runtime ended the run.
func (o *outcome) crashed() bool { return crash.MatchString(o.stderr) }

// wrong returns what is wrong with status and messages of a run on a file.
func (o *outcome) wrong(file string, cpu time.Duration) (wrong []string) {
	switch {
	case o.overtime:
		return []string{fmt.Sprintf("not finished after %s of CPU time", cpu)}
	case o.crashed():
		return []string{"crash: " + abridged(firstMatch(o.stderr), 200)}
	case o.status < 0:
		return []string{"ended by a signal"}
	case strings.Contains(o.stderr, syscall.EFBIG.Error()):
		return []string{"the output exceeds its limit: " + abridged(o.stderr, 200)}
	case o.status > 2:
		return []string{fmt.Sprintf("exit status %d", o.status)}
	}
	for line := range strings.Lines(o.stderr) {
		if len(line) > maxLine {
			wrong = append(wrong, fmt.Sprintf("a message has %d bytes: %s", len(line), abridged(line, 100)))
			break
		}
	}
	if o.status == 0 {
		return wrong
	}
	errors := 0
	for line := range strings.Lines(o.stderr) {
		if strings.HasPrefix(line, "artifice: ") && !strings.HasPrefix(line, "artifice: warning: ") {
			errors++
		}
	}
	switch {
	case errors > 1:
		wrong = append(wrong, fmt.Sprintf("%d error messages: %s", errors, abridged(o.stderr, 300)))
	case o.stderr == "" && o.stdout == "":
		wrong = append(wrong, fmt.Sprintf("status %d without a message", o.status))
	case !strings.Contains(o.stderr, file) && !strings.Contains(o.stdout, file):
		wrong = append(wrong, "the message does not name the file: "+abridged(o.stderr, 300))
	}
	return wrong
}

// maxLine is the largest number of bytes of a line of a message.
const maxLine = 2000

// firstMatch returns the line of a crash.
func firstMatch(text string) string {
	at := crash.FindStringIndex(text)[0]
	line, _, _ := strings.Cut(text[at:], "\n")
	return line
}

// abridged returns at most n bytes of a text, on one line.
func abridged(text string, n int) string {
	text = strings.ReplaceAll(strings.TrimSpace(text), "\n", " | ")
	if len(text) > n {
		return text[:n] + "…"
	}
	return text
}

// mebibytes formats a number of bytes.
func mebibytes(n int64) string { return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20)) }
