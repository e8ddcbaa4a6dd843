package art11

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"
)

// Program is a run of this package's program (folder program) on ART in real time, with the real
// clock. Its threads compute, sleep, wait for a lock, call themselves, throw and catch, and log
// when they enter and leave each method. It is interpreted: Debian's package has no compiler
// (libart-compiler.so).
type Program struct {
	Interval time.Duration // of samples, in whole microseconds; 0: instrumented
	Length   time.Duration // in whole seconds
	Seed     uint16

	// Cores pins the program to core 0, where one of its threads computes at a time, and the
	// sampling thread to core 1. Otherwise three threads compute all the time on any free core, and
	// the sampling thread competes with them.
	Cores bool
}

// ProgramClass is the class of the program's methods; the log contains their numbers.
const ProgramClass = "p.App"

// ProgramMethods are the names of the program's methods, by number.
var ProgramMethods = [...]string{"run", "turn", "work", "mid", "deep", "throwing", "catches", "tiny", "leafA", "leafB", "nap", "finish"}

// Mark is the entry or exit of a method of the program.
type Mark struct {
	At     time.Duration // by the monotonic clock
	Method int           // in ProgramMethods
	Enter  bool
}

// Ran is the result of a run of a program.
type Ran struct {
	File   []byte            // written by ART
	Log    map[uint32][]Mark // by tid
	Sleeps []Sleep           // of the sampling thread
}

// Sleep is one sleep of the sampling thread, by the monotonic clock. Between two sleeps it stops
// the program's threads and walks their stacks.
type Sleep struct{ From, To time.Duration }

// Run runs the program.
func (a *ART) Run(p Program) (*Ran, error) {
	folder, err := os.MkdirTemp("", "art11")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	out, log := filepath.Join(folder, "out"), filepath.Join(folder, "log")
	classes := a.classpath[0] + ":" + filepath.Join(a.folders, "program.jar")
	threads, busy := 4, 1
	if !p.Cores {
		busy = 3
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience+p.Length)
	defer cancel()
	cmd := exec.CommandContext(ctx, filepath.Join(a.folders, "real"), out, log, strconv.FormatInt(p.Interval.Microseconds(), 10), strconv.Itoa(bit(p.Cores)),
		strconv.Itoa(threads), strconv.Itoa(busy), strconv.Itoa(int(p.Length/time.Second)), strconv.Itoa(int(p.Seed)),
		"-Xbootclasspath:"+classes, "-Xbootclasspath-locations:"+classes, "-Ximage:/nonexistent/boot.art", "-Xnoimage-dex2oat",
		"-Xint", "-Xusejit:false", "-XjdwpProvider:none", "-Xverify:none", "-Xms64m", "-Xmx256m")
	cmd.Env, cmd.WaitDelay = a.environment(folder), time.Second
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	err = cmd.Run()
	if ctx.Err() != nil {
		return nil, fmt.Errorf("the program hung, and was ended after %s", patience+p.Length)
	}
	if err != nil {
		return nil, fmt.Errorf("the program on ART 11: %w\n%s", err, lastLines(said.Bytes(), 5))
	}
	r := &Ran{}
	notes, err := os.ReadFile(log)
	if err == nil {
		r.Log, r.Sleeps, err = readLog(notes)
	}
	if err != nil {
		return nil, err
	}
	r.File, err = os.ReadFile(out)
	return r, err
}

// readLog reads the program's log: lists of a thread's tid, the number of its notes, and the notes,
// each 8 bytes. A note is nanoseconds << 8 | method << 1 | left; those of tid 0 are the begins and
// ends of sleeps.
func readLog(b []byte) (log map[uint32][]Mark, sleeps []Sleep, err error) {
	log = map[uint32][]Mark{}
	number := func(i int) int64 { return int64(binary.LittleEndian.Uint64(b[8*i:])) }
	for len(b) >= 16 {
		tid, n := uint32(number(0)), int(number(1))
		b = b[16:]
		if n < 0 || n > len(b)/8 {
			break
		}
		for i := range n {
			if tid != 0 {
				x := number(i)
				log[tid] = append(log[tid], Mark{time.Duration(x >> 8), int(x >> 1 & 0x7f), x&1 == 0})
			} else if i%2 == 1 {
				sleeps = append(sleeps, Sleep{time.Duration(number(i - 1)), time.Duration(number(i))})
			}
		}
		b = b[8*n:]
	}
	if len(b) > 0 || len(log) == 0 {
		return nil, nil, errors.New("the program's log is not whole")
	}
	return log, sleeps, nil
}
