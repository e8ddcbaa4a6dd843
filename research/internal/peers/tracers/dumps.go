package tracers

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"artifice/research/internal/peers/seen"
)

// epoch is the begin of dumps with a date.
var epoch = time.Date(2025, 6, 10, 0, 49, 22, 0, time.UTC)

// blockInfo writes BlockCanaryX's report: the stacks of the main thread, in ms.
func blockInfo(t *seen.Trace) ([]File, *seen.Trace) {
	type frame struct {
		Class  string `json:"declaringClass"`
		Method string `json:"methodName"`
		File   string `json:"fileName"`
		Line   int    `json:"lineNumber"`
	}
	type stack struct {
		Time   int64   `json:"time"`
		Frames []frame `json:"stackTraceElements"`
	}
	var stacks []stack
	var samples []sample
	for _, s := range sampled(mainAlone(t)) {
		s.at = s.at.Truncate(time.Millisecond)
		samples = append(samples, s)
		seen := stack{Time: epoch.Add(s.at).UnixMilli()}
		for _, name := range slices.Backward(s.frames) {
			dot := strings.LastIndex(name, ".")
			seen.Frames = append(seen.Frames, frame{name[:dot], name[dot+1:], "A.java", 1})
		}
		stacks = append(stacks, seen)
	}
	b, err := json.Marshal(map[string]any{"dispatchFinish": true, "sampleInterval": interval / time.Millisecond, "stackTraceSamples": stacks})
	if err != nil {
		panic(err) // impossible for strings and numbers
	}
	held := alone(samples)
	held.Threads = map[int]string{1: "main"}
	return []File{{"report.blockInfo", b}}, held
}

// dumps calls f for the samples of each instant.
func dumps(samples []sample, f func(at time.Duration, threads []sample)) {
	for len(samples) > 0 {
		n := 1
		for n < len(samples) && samples[n].at == samples[0].at {
			n++
		}
		f(samples[0].at, samples[:n])
		samples = samples[n:]
	}
}

// jvmText writes a sequence of dumps by jcmd Thread.dump_to_file.
func jvmText(t *seen.Trace) ([]File, *seen.Trace) {
	samples := sampled(t)
	var b bytes.Buffer
	dumps(samples, func(at time.Duration, threads []sample) {
		fmt.Fprintf(&b, "4711\n%s\n21+35-LTS\n\n", epoch.Add(at).Format(time.RFC3339Nano))
		for _, s := range threads {
			fmt.Fprintf(&b, "#%d %q\n", s.thread, t.Threads[s.thread])
			for _, frame := range slices.Backward(s.frames) {
				fmt.Fprintf(&b, "      %s(A.java:1)\n", frame)
			}
			b.WriteString("\n")
		}
	})
	held := together(samples)
	held.Threads = t.Threads
	return []File{{"dump.txt", b.Bytes()}}, held
}

// javacores writes a sequence of dumps of OpenJ9.
func javacores(t *seen.Trace) ([]File, *seen.Trace) {
	samples := sampled(t)
	var b bytes.Buffer
	dumps(samples, func(at time.Duration, threads []sample) {
		date := epoch.Add(at)
		fmt.Fprintf(&b, "0SECTION       TITLE subcomponent dump routine\n1TIDATETIME    Date: %s:%03d\n1CIPROCESSID   Process ID: 4711 (0x1267)\n0SECTION       THREADS subcomponent dump routine\n",
			date.Format("2006/01/02 at 15:04:05"), date.Nanosecond()/1e6)
		for _, s := range threads {
			fmt.Fprintf(&b, "3XMTHREADINFO      %q J9VMThread:0x%08X, omrthread_t:0x7F00, java/lang/Thread:0xFF, state:R, prio=5\n", t.Threads[s.thread], s.thread)
			fmt.Fprintf(&b, "3XMTHREADINFO1            (native thread ID:0x%X, native priority:0x5, native policy:UNKNOWN, vmstate:R, vm thread flags:0x181)\n", s.thread)
			for _, frame := range slices.Backward(s.frames) {
				class, method := frame, ""
				if dot := strings.LastIndexByte(frame, '.'); dot >= 0 {
					class, method = frame[:dot], frame[dot:]
				}
				fmt.Fprintf(&b, "4XESTACKTRACE                at %s%s(A.java:1(Compiled Code))\n", strings.ReplaceAll(class, ".", "/"), method)
			}
		}
		b.WriteString("0SECTION       CLASSES subcomponent dump routine\n")
	})
	held := together(samples)
	held.Threads = t.Threads
	return []File{{"javacore.txt", b.Bytes()}}, held
}

// tombstones writes a sequence of dumps of debuggerd.
func tombstones(t *seen.Trace) ([]File, *seen.Trace) {
	samples := sampled(t)
	var b bytes.Buffer
	dumps(samples, func(at time.Duration, threads []sample) {
		fmt.Fprintf(&b, "*** *** ***\nTimestamp: %s\n", epoch.Add(at).Format("2006-01-02 15:04:05.000000000-0700"))
		for _, s := range threads {
			fmt.Fprintf(&b, "pid: 4711, tid: %d, name: %s  >>> app <<<\nbacktrace:\n", s.thread, t.Threads[s.thread])
			for i, frame := range slices.Backward(s.frames) {
				fmt.Fprintf(&b, "      #%02d pc 0000000000001234  /data/app/liba.so (%s+4)\n", len(s.frames)-1-i, frame)
			}
		}
	})
	held := together(samples)
	held.Threads = t.Threads
	return []File{{"tombstone.txt", b.Bytes()}}, held
}

// jvmJSON writes the same with -format=json.
func jvmJSON(t *seen.Trace) ([]File, *seen.Trace) {
	samples := sampled(t)
	var b bytes.Buffer
	dumps(samples, func(at time.Duration, threads []sample) {
		var list []any
		for _, s := range threads {
			var stack []string
			for _, frame := range slices.Backward(s.frames) {
				stack = append(stack, frame+"(A.java:1)")
			}
			list = append(list, map[string]any{"tid": fmt.Sprint(s.thread), "name": t.Threads[s.thread], "stack": stack})
		}
		json.NewEncoder(&b).Encode(map[string]any{"threadDump": map[string]any{
			"processId": "4711", "time": epoch.Add(at).Format(time.RFC3339Nano), "runtimeVersion": "21+35-LTS",
			"threadContainers": []any{map[string]any{"container": "<root>", "threads": list}},
		}}) // impossible: strings and maps, into memory
	})
	held := together(samples)
	held.Threads = t.Threads
	return []File{{"dump.json", b.Bytes()}}, held
}
