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
	held := alone(samples, 0)
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
