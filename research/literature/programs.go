package main

import (
	"bufio"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"

	"artifice/internal/testdata"
	"artifice/trace"
)

//go:embed agent/calls.c
var agent []byte

// programs are real Java programs of the JDK; all their calls are the truth for bursts: the
// compiler, which is also in SPECjvm98, and two that analyze its output and Java's own classes.
var programs = [][]string{
	{"javac", "-d", "classes", "Logged.java"},
	{"javap", "-c", "-p", "-v", "java.lang.String"},
	{"jdeps", "--multi-release", "base", "-v", "classes"},
}

// javaHome returns the folder of the JDK of the first java in the path; it must contain the header
// for agents.
func javaHome() (string, error) {
	for _, command := range []string{"gcc", programs[0][0]} {
		if _, err := exec.LookPath(command); err != nil {
			return "", fmt.Errorf("there is no %s on this machine", command)
		}
	}
	javac, err := exec.LookPath(programs[0][0])
	if err == nil {
		javac, err = filepath.EvalSymlinks(javac)
	}
	if err != nil {
		return "", err
	}
	home := filepath.Dir(filepath.Dir(javac))
	if _, err := os.Stat(filepath.Join(home, "include", "jvmti.h")); err != nil {
		return "", errors.New("the JDK has no include/jvmti.h")
	}
	return home, nil
}

// eachProgram runs the programs under the agent, and passes all calls of each to do.
func eachProgram(do func(name string, calls *trace.Recording) error) error {
	home, err := javaHome()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "literature")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	source, err := os.ReadFile(filepath.Join(testdata.Root(), "research", "reality", "profilers", "programs", "Logged.java"))
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "Logged.java"), source, 0o666)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "calls.c"), agent, 0o666)
	}
	if err != nil {
		return err
	}
	include := filepath.Join(home, "include")
	if err := call(dir, "gcc", "-O2", "-shared", "-fPIC", "-I"+include, "-I"+filepath.Join(include, runtime.GOOS), "calls.c", "-o", "libcalls.so"); err != nil {
		return err
	}
	for _, p := range programs {
		log := filepath.Join(dir, p[0]+".calls")
		run := append([]string{filepath.Join(home, "bin", p[0]), "-J-agentpath:" + filepath.Join(dir, "libcalls.so") + "=" + log}, p[1:]...)
		if err := call(dir, run...); err != nil {
			return err
		}
		f, err := os.Open(log)
		if err != nil {
			return err
		}
		err = do(p[0], readCalls(f))
		f.Close()
		os.Remove(log)
		if err != nil {
			return fmt.Errorf("%s: %w", p[0], err)
		}
	}
	return nil
}

func call(dir string, command ...string) error {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%.1000s", command[0], err, out)
	}
	return nil
}

// readCalls reads the agent's output. The events of a thread are in time order; those of different
// threads are not. The names of methods are their numbers.
func readCalls(r io.Reader) *trace.Recording {
	c := &calls{in: bufio.NewReaderSize(r, 1<<20), symbols: &trace.Symbols{}, methods: map[uint64]trace.MethodID{}}
	return &trace.Recording{Info: trace.Info{Technique: trace.Truth, Clock: trace.Wall}, Symbols: c.symbols, Events: c}
}

// calls is a [trace.Reader] of the agent's output.
type calls struct {
	in      *bufio.Reader
	symbols *trace.Symbols
	methods map[uint64]trace.MethodID // by the agent's number
	thread  trace.ThreadID            // of the current block
	rest    uint32                    // unread records of the block
}

// ReadEvents implements [trace.Reader].
func (c *calls) ReadEvents(p []trace.Event) (n int, err error) {
	for ; n < len(p); n++ {
		if c.rest == 0 {
			if err := c.block(); err != nil {
				if n > 0 {
					return n, nil
				}
				return 0, err
			}
		}
		var record [2]uint64
		if err := c.numbers(record[:]); err != nil {
			return 0, noEOF(err)
		}
		c.rest--
		p[n] = trace.Event{Thread: c.thread, Method: c.method(record[1] >> 1), Wall: time.Duration(record[0])}
		if record[1]&1 == 1 {
			p[n].Action = trace.Exit
		}
	}
	return n, nil
}

// block reads the head of the next block that has records.
func (c *calls) block() error {
	var head [8]byte
	for c.rest == 0 {
		if _, err := io.ReadFull(c.in, head[:]); err != nil {
			return err
		}
		c.rest = binary.LittleEndian.Uint32(head[4:])
	}
	c.thread = trace.ThreadID(binary.LittleEndian.Uint32(head[:]))
	for len(c.symbols.Threads) <= int(c.thread) {
		if _, err := c.symbols.AddThread(trace.Thread{TID: uint32(len(c.symbols.Threads) + 1)}); err != nil {
			return err
		}
	}
	return nil
}

// numbers reads numbers of 8 bytes.
func (c *calls) numbers(all []uint64) error {
	var b [8]byte
	for i := range all {
		if _, err := io.ReadFull(c.in, b[:]); err != nil {
			return err
		}
		all[i] = binary.LittleEndian.Uint64(b[:])
	}
	return nil
}

// method returns the method with an agent's number.
func (c *calls) method(number uint64) trace.MethodID {
	id, known := c.methods[number]
	if !known {
		id = c.symbols.AddMethod(trace.Method{Name: fmt.Sprintf("%x", number)})
		c.methods[number] = id
	}
	return id
}

// noEOF returns an error for input that ends within a record.
func noEOF(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
