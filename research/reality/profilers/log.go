package profilers

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"artifice/internal/words"
	"artifice/trace"
)

// truth is the log of one run of the program.
type truth struct {
	pid       int
	monotonic time.Duration // CLOCK_MONOTONIC at time 0
	unix      time.Duration // the same of CLOCK_REALTIME
	clock     trace.Clock   // Dual if the log contains the threads' CPU time
	symbols   *trace.Symbols
	threads   []threadLog
	events    []trace.Event // of all threads, in time order
	length    time.Duration
}

// threadLog is a thread of the run.
type threadLog struct {
	tid    int64
	name   string
	events []trace.Event
}

// Kinds of log records; programs/README.md describes the format.
const (
	kindEnter = iota
	kindLeave
	kindOff
	kindCPU
)

// waits are the methods of the program that wait.
var waits = map[string]trace.Wait{"doSleep": trace.Sleep, "doLock": trace.Lock}

// readLog reads the log of a run.
func readLog(name string) (*truth, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	t, err := parseLog(bufio.NewReader(f))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return t, nil
}

func parseLog(in *bufio.Reader) (*truth, error) {
	t := &truth{symbols: &trace.Symbols{}, clock: trace.Wall}
	records, err := t.head(in)
	if err != nil {
		return nil, err
	}
	for i := range t.threads {
		th := &t.threads[i]
		if err := t.body(in, trace.ThreadID(i), records[i]); err != nil {
			return nil, fmt.Errorf("thread %s: %w", th.name, err)
		}
		t.events = append(t.events, th.events...)
		t.length = max(t.length, th.events[len(th.events)-1].Wall)
	}
	slices.SortStableFunc(t.events, func(a, b trace.Event) int { return cmp.Compare(a.Wall, b.Wall) })
	return t, nil
}

// head reads the lines, and returns the number of records of each thread.
func (t *truth) head(in *bufio.Reader) (records []int, err error) {
	for number := 1; ; number++ {
		line, err := in.ReadString('\n')
		if err != nil {
			return nil, fmt.Errorf("line %d: it ends before its records", number)
		}
		words := strings.Fields(line)
		if number == 1 && line != "logged 1\n" {
			return nil, fmt.Errorf("the first line is %.40q, and not \"logged 1\": it is no log of the logged program", line)
		}
		if len(words) == 0 {
			break
		}
		switch words[0] {
		case "logged":
		case "pid":
			_, err = fmt.Sscan(words[1], &t.pid)
		case "monotonic":
			_, err = fmt.Sscan(words[1], (*int64)(&t.monotonic))
		case "unix":
			_, err = fmt.Sscan(words[1], (*int64)(&t.unix))
		case "methods":
			for _, name := range words[1:] {
				t.symbols.AddMethod(trace.Method{Class: "logged", Name: name, Wait: waits[name]})
			}
		case "thread":
			var n int
			th := threadLog{}
			if _, err = fmt.Sscanf(line, "thread %d %s %d", &th.tid, &th.name, &n); err == nil && n < 1 {
				err = errors.New("a thread without records")
			}
			if err == nil {
				_, err = t.symbols.AddThread(trace.Thread{TID: uint32(th.tid), Name: th.name})
			}
			t.threads, records = append(t.threads, th), append(records, n)
		default:
			err = fmt.Errorf("unknown word %q", words[0])
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
	}
	if len(t.threads) == 0 {
		return nil, errors.New("it has no thread")
	}
	return records, nil
}

// body reads the records of a thread.
func (t *truth) body(in io.Reader, id trace.ThreadID, records int) error {
	th := &t.threads[id]
	all := make([]uint64, records)
	if err := binary.Read(in, binary.LittleEndian, all); err != nil {
		return fmt.Errorf("it has fewer than the %d records that its line states", records)
	}
	var stack []trace.MethodID
	var last, cpu, off time.Duration
	used := time.Duration(-1) // CPU time of a waiting call
	for i, w := range all {
		method, kind, value := trace.MethodID(w&31), w>>5&7, time.Duration(w>>8)
		switch kind {
		case kindOff:
			off += value
			t.clock = trace.Dual
			continue
		case kindCPU:
			used = value
			t.clock = trace.Dual
			continue
		case kindEnter, kindLeave:
		default:
			return fmt.Errorf("record %d: unknown kind %d", i, kind)
		}
		if int(method) >= len(t.symbols.Methods) {
			return fmt.Errorf("record %d: method %d, of %d", i, method, len(t.symbols.Methods))
		}
		if value < last {
			return fmt.Errorf("record %d: time goes back from %s to %s", i, last, value)
		}
		ran := value - last
		if used >= 0 {
			ran, used = min(ran, used), -1
		} else { // off can exceed the time since the previous record; the rest counts for later ones
			skipped := min(ran, off)
			ran, off = ran-skipped, off-skipped
		}
		last, cpu = value, cpu+ran
		e := trace.Event{Wall: value, CPU: cpu, Thread: id, Method: method}
		if kind == kindEnter {
			stack = append(stack, method)
		} else {
			n := len(stack)
			if n == 0 || stack[n-1] != method {
				return fmt.Errorf("record %d: %s is left, which is not the innermost method", i, t.symbols.Method(method).Name)
			}
			e.Action, stack = trace.Exit, stack[:n-1]
		}
		th.events = append(th.events, e)
	}
	if n := len(stack); n > 0 {
		return fmt.Errorf("it ends in %s, with %s open: the program was ended, or its log was full", t.symbols.Method(stack[n-1]).Name, words.Count(int64(n), "method"))
	}
	if len(th.events) == 0 {
		return errors.New("it enters no method")
	}
	return nil
}

// recording returns the run as a truth.
func (t *truth) recording() *trace.Recording {
	return &trace.Recording{
		Info:    trace.Info{Technique: trace.Truth, Clock: t.clock, Elapsed: t.length, PID: t.pid},
		Symbols: t.symbols, Events: trace.NewSliceReader(t.events),
	}
}

// selfTimes sums the self time of each method of the program: CPU time, or wall time in methods
// that do not wait.
func (t *truth) selfTimes(c counts) map[string]time.Duration {
	times := map[string]time.Duration{}
	for _, th := range t.threads {
		var stack []trace.MethodID
		var last time.Duration
		for _, e := range th.events {
			at := e.Wall
			if c == cpuTime {
				at = e.CPU
			}
			if n := len(stack); n > 0 {
				if m := t.symbols.Method(stack[n-1]); c != runningTime || !m.Waits() {
					times[m.Name] += at - last
				}
			}
			last = at
			if e.Action == trace.Enter {
				stack = append(stack, e.Method)
			} else {
				stack = stack[:len(stack)-1]
			}
		}
	}
	return times
}

// stackAt returns the stack of a thread at a time, outermost first. It is valid until the next
// call, which must not have an earlier time.
type stackAt struct {
	t     *truth
	rest  []trace.Event
	stack []string
}

func (t *truth) stacks(tid int64) *stackAt {
	for _, th := range t.threads {
		if th.tid == tid {
			return &stackAt{t: t, rest: th.events}
		}
	}
	return nil
}

func (s *stackAt) at(time time.Duration) []string {
	for len(s.rest) > 0 && s.rest[0].Wall <= time {
		if e := s.rest[0]; e.Action == trace.Enter {
			s.stack = append(s.stack, s.t.symbols.Method(e.Method).Name)
		} else {
			s.stack = s.stack[:len(s.stack)-1]
		}
		s.rest = s.rest[1:]
	}
	return s.stack
}
