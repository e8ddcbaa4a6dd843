package profilers

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"strings"
	"testing"
	"time"

	"artifice/trace"
)

// logOf returns a log of one thread with the methods root, work and doSleep.
func logOf(records ...uint64) *bufio.Reader {
	return headed("logged 1\npid 7\nmonotonic 100\nunix 200\nmethods root work doSleep\nthread 8 worker0 "+string(rune('0'+len(records)))+"\n\n", records...)
}

func headed(head string, records ...uint64) *bufio.Reader {
	var b bytes.Buffer
	b.WriteString(head)
	binary.Write(&b, binary.LittleEndian, records)
	return bufio.NewReader(&b)
}

// record returns a record of the log in the format of programs/README.md.
func record(at time.Duration, kind, method uint64) uint64 { return uint64(at)<<8 | kind<<5 | method }

// TestLog: root works from 0 to 10 ms; work from 1 to 5 ms, including 1.5 ms in which the thread
// was off its core; doSleep from 6 to 9 ms used 0.2 ms. So work used 2.5 ms, and root 1 + 1 + 1 ms.
func TestLog(t *testing.T) {
	const ms = time.Millisecond
	log, err := parseLog(logOf(record(0, kindEnter, 0), record(ms, kindEnter, 1), record(1500*time.Microsecond, kindOff, 0), record(5*ms, kindLeave, 1),
		record(6*ms, kindEnter, 2), record(200*time.Microsecond, kindCPU, 2), record(9*ms, kindLeave, 2), record(10*ms, kindLeave, 0)))
	if err != nil {
		t.Fatal(err)
	}
	if log.pid != 7 || log.monotonic != 100 || log.unix != 200 || log.length != 10*ms || log.clock != trace.Dual || log.threads[0].tid != 8 {
		t.Errorf("%+v", log)
	}
	for _, c := range []struct {
		of    counts
		times [3]time.Duration // root, work, doSleep
	}{
		{cpuTime, [3]time.Duration{3 * ms, 2500 * time.Microsecond, 200 * time.Microsecond}},
		{wallTime, [3]time.Duration{3 * ms, 4 * ms, 3 * ms}},
		{runningTime, [3]time.Duration{3 * ms, 4 * ms, 0}},
	} {
		got := log.selfTimes(c.of)
		if have := [3]time.Duration{got["root"], got["work"], got["doSleep"]}; have != c.times {
			t.Errorf("counting %d: %v, want %v", c.of, have, c.times)
		}
	}
	at := log.stacks(8)
	for when, want := range []string{"root", "root work", "root work", "root work", "root work", "root", "root doSleep"} {
		if got := strings.Join(at.at(time.Duration(when)*ms), " "); got != want {
			t.Errorf("at %d ms: %q, want %q", when, got, want)
		}
	}
}

// TestBadLog: the error for an invalid log describes the fault and the record.
func TestBadLog(t *testing.T) {
	const ms = time.Millisecond
	for want, log := range map[string]*bufio.Reader{
		"record 1: time goes back from 2ms to 1ms":           logOf(record(2*ms, kindEnter, 0), record(ms, kindEnter, 1)),
		"it ends in work, with 2 methods open":               logOf(record(0, kindEnter, 0), record(ms, kindEnter, 1)),
		"record 2: root is left, which is not the innermost": logOf(record(0, kindEnter, 0), record(ms, kindEnter, 1), record(ms, kindLeave, 0)),
		"record 0: method 9, of 3":                           logOf(record(0, kindEnter, 9)),
		"record 0: unknown kind 6":                           logOf(record(0, 6, 0)),
		"fewer than the 2 records":                           headed("logged 1\nmethods root\nthread 8 worker0 2\n\n", record(0, kindEnter, 0)),
		"it has no thread":                                   headed("logged 1\nmethods root\n\n"),
		"line 2: a thread without records":                   headed("logged 1\nthread 8 worker0 0\n\n"),
		"line 3: unknown word \"colour\"":                    headed("logged 1\npid 3\ncolour blue\n\n"),
		"it is no log of the logged program":                 headed("SLOW\x00\x03\n"),
		"line 2: it ends before its records":                 headed("logged 1\n"),
	} {
		if _, err := parseLog(log); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}
