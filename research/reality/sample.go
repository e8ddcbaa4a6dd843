package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"
)

// recorded is one run of the app, sampled.
type recorded struct {
	tasks   []*task
	samples []sample
	stops   []span // by sample: when the app was stopped for it
}

// sample is the result of one stop of the world.
type sample struct {
	span          // from before the world was stopped to after all stacks were walked
	stacks []byte // as printed by runtime.Stack
}

// textRoom is the buffer size for the stacks of one sample: five goroutines with about twenty
// frames of about a hundred bytes each.
const textRoom = 1 << 16

// record runs the app for a time and samples it as ART does: sleep, stop the world, walk all
// stacks. The garbage collector is disabled meanwhile.
func record(interval, length time.Duration, seed uint64) (*recorded, error) {
	runtime.GC()
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	r := &recorded{samples: make([]sample, 0, length/interval+1)}
	room := make([]byte, textRoom)
	r.tasks = newApp(length, seed)
	start := time.Now()
	wait := run(r.tasks, start)
	for {
		time.Sleep(interval)
		from := time.Since(start)
		if from > length {
			break
		}
		n := runtime.Stack(room, true)
		to := time.Since(start)
		if n == len(room) {
			return nil, fmt.Errorf("the stacks take %d bytes and more", n)
		}
		r.samples = append(r.samples, sample{span{from, to}, bytes.Clone(room[:n])})
	}
	wait()
	r.stops = stops(r.samples, r.gaps())
	return r, nil
}

// instant returns the time of a sample and for how long it stopped the app.
func (r *recorded) instant(i int) (at, stopped time.Duration) {
	if r.stops[i].length() == 0 {
		return r.samples[i].from, 1
	}
	return r.stops[i].from, r.stops[i].length()
}

// writeSamples writes the samples as the JSON lines of package stackdump.
func (r *recorded) writeSamples(w io.Writer) error {
	out := bufio.NewWriter(w)
	enc := json.NewEncoder(out)
	for i := range r.samples {
		s := &r.samples[i]
		at, stopped := r.instant(i)
		for text := range bytes.SplitSeq(s.stacks, []byte("\n\n")) {
			thread, frames := readStack(string(text))
			if thread < 0 {
				continue
			}
			line := struct {
				Time    float64  `json:"time_us"`
				Stopped float64  `json:"stopped_us"`
				Thread  string   `json:"thread"`
				TID     int      `json:"tid"`
				Frames  []string `json:"frames"`
			}{microseconds(at), microseconds(stopped), goroutines[thread].name, thread + 1, names(frames)}
			if err := enc.Encode(line); err != nil {
				return err
			}
		}
	}
	return out.Flush()
}

func microseconds(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }

// readStack returns the number of a stack's goroutine, -1 if it is not one of the app's, and its
// methods, innermost first. The text is that of runtime.Stack: a line for the goroutine, and two
// for each frame, function(arguments) and, indented, its place.
func readStack(text string) (thread int, methods []int) {
	thread = -1
	for line := range strings.Lines(text) {
		bracket := strings.LastIndexByte(line, '(')
		if bracket < 0 || line[0] == '	' {
			continue
		}
		name := inPackage(line[:bracket])
		if m, ok := methodOf(name); ok {
			methods = append(methods, m)
		}
		if i := rootOf(name); i >= 0 {
			thread = i
		}
	}
	return thread, methods
}

// methodOf returns the number of the method with a function name. Helpers of methods, body and
// spin, are not methods.
func methodOf(function string) (method int, ok bool) {
	for m := range methodCount + 1 {
		if function == methodFunction(m) {
			return m, true
		}
	}
	return 0, false
}

func methodFunction(method int) string {
	if method == idleMethod {
		return "(*task).idle"
	}
	return methodName(method)
}

// rootOf returns the goroutine that begins in a function, -1 for none.
func rootOf(function string) int {
	return slices.IndexFunc(goroutines, func(g goroutine) bool { return g.name == function })
}

// inPackage returns a function's name within its package: m01 for artifice/research/reality.m01.
func inPackage(function string) string {
	_, name, _ := strings.Cut(function[strings.LastIndexByte(function, '/')+1:], ".")
	return name
}

// names returns the names of methods as in a truth, in the same order.
func names(methods []int) []string {
	all := make([]string, 0, len(methods))
	for _, m := range methods {
		all = append(all, className+"."+methodName(m))
	}
	return all
}

const className = "App"

func methodName(method int) string {
	if method == idleMethod {
		return "idle"
	}
	return fmt.Sprintf("m%02d", method)
}
