package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// document is a JSON format: a text around a list of items.
type document struct {
	name, ending  string
	begin, finish string
	item          string // N is a number, NAME a name; a comma follows but for the last
}

// documents are the JSON formats.
var documents = []document{
	{"chrome", ".json", `{"displayTimeUnit":"ns","traceEvents":[`, `]}`, `{"ph":"B","name":"NAME","pid":1,"tid":1,"ts":N,"args":{"x":[N]}}`},
	{"chrome-complete", ".json", `[`, `]`, `{"ph":"X","name":"NAME","pid":1,"tid":N,"ts":N,"dur":N,"tts":N,"tdur":1}`},
	{"speedscope", ".speedscope.json", `{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":[{"name":"a"},{"name":"b"}]},"profiles":[{"type":"evented","name":"main","unit":"nanoseconds","startValue":0,"endValue":N,"events":[`,
		`]}]}`, `{"type":"O","frame":1,"at":N}`},
	{"speedscope-samples", ".speedscope.json", `{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":[{"name":"a"},{"name":"b"}]},"profiles":[{"type":"sampled","name":"main","unit":"nanoseconds","startValue":0,"endValue":N,"weights":[1],"samples":[`,
		`]}]}`, `[0,1,0,N]`},
	{"speedscope-frames", ".speedscope.json", `{"$schema":"https://www.speedscope.app/file-format-schema.json","profiles":[{"type":"sampled","name":"main","unit":"nanoseconds","startValue":0,"endValue":2,"weights":[1],"samples":[[0,1]]}],"shared":{"frames":[`,
		`]}}`, `{"name":"NAME","line":N}`},
	{"firefox", ".json", `{"meta":{"version":29,"preprocessedProfileVersion":48,"interval":1,"startTime":0,"product":"x","categories":[{"name":"Other","color":"grey","subcategories":["Other"]}]},"libs":[],"threads":[{"name":"main","isMainThread":true,"pid":"1","tid":1,"stringArray":["a"],"samples":{"length":1,"stack":[0],"time":[N]},"frameTable":{"length":1,"func":[0]},"funcTable":{"length":1,"name":[0]},"stackTable":{"length":1,"frame":[0],"prefix":[`,
		`]}}]}`, `N`},
	{"cpuprofile", ".cpuprofile", `{"startTime":1,"endTime":2,"samples":[2],"timeDeltas":[N],"nodes":[{"id":1,"callFrame":{"functionName":"(root)"},"children":[2]}`,
		`]}`, `{"id":N,"callFrame":{"functionName":"NAME","url":"x.js","lineNumber":N},"children":[N]}`},
	{"jfr", ".json", `{"recording":{"events":[`, `]}}`,
		`{"type":"jdk.ExecutionSample","values":{"startTime":"2026-01-01T00:00:00.1Z","sampledThread":{"osName":"m","osThreadId":N,"javaName":"NAME","javaThreadId":1},"stackTrace":{"truncated":false,"frames":[{"method":{"type":{"name":"a.B"},"name":"NAME","descriptor":"()V"},"lineNumber":N,"type":"Inlined"}]},"state":"STATE_RUNNABLE"}}`},
	{"jfr-frames", ".json", `{"recording":{"events":[{"type":"jdk.ExecutionSample","values":{"startTime":"2026-01-01T00:00:00.1Z","sampledThread":{"osName":"m","osThreadId":1,"javaName":"m","javaThreadId":1},"state":"STATE_RUNNABLE","stackTrace":{"truncated":false,"frames":[`,
		`]}}}]}}`, `{"method":{"type":{"name":"a.B"},"name":"NAME","descriptor":"()V"},"lineNumber":N,"type":"Inlined"}`},
	{"jvm-json", ".json", `{"threadDump":{"processId":"1","time":"2025-06-10T00:49:22.146091Z","runtimeVersion":"21","threadContainers":[{"container":"<root>","parent":null,"owner":null,"threads":[{"tid":"1","name":"m","stack":[`,
		`]}]}]}}`, `"a.B.NAME(B.java:1)"`},
	{"blockinfo", ".blockInfo", `{"sampleInterval":50,"stackTraceSamples":[{"time":1,"stackTraceElements":[`, `]}]}`, `{"declaringClass":"a.B","methodName":"NAME","fileName":"B.java","lineNumber":N}`},
	{"matrix-json", ".json", `{"machine":"HIGH","cpu_app":0.012,"tag":"Trace_EvilMethod","process":"p","time":1,"cost":1400,"stack":"`, `","stackKey":"8\n"}`, `1,N,1,2\n`},
	{"otlp", ".json", `{"resourceProfiles":[{"scopeProfiles":[{"profiles":[`, `]}]}],"dictionary":{"stringTable":["","a"],"stackTable":[{}]}}`, `{"timeUnixNano":"N","samples":[{"stackIndex":N,"values":["N"]}]}`},
}

// jsonClasses are the formats in all shapes.
var jsonClasses = func() (list []class) {
	for i := range documents {
		d := &documents[i]
		for _, s := range []struct {
			name string
			make func(d *document, r *rand.Rand, size int) []byte
		}{{"many", (*document).many}, {"nested", (*document).nested}, {"numbers", (*document).numbers}, {"strings", (*document).strings}} {
			list = append(list, plain(d.name+"-"+s.name, d.ending, recording, func(r *rand.Rand, size int) []byte { return s.make(d, r, size) }))
		}
	}
	return list
}()

// of returns a document of items.
func (d *document) of(size int, item func(i int) string) []byte {
	var b strings.Builder
	b.WriteString(strings.ReplaceAll(d.begin, ":N", ":1000"))
	for i := 0; i == 0 || b.Len() < size; i++ {
		if i > 0 && d.item[0] != '1' || strings.HasSuffix(d.begin, "}") {
			b.WriteByte(',')
		}
		b.WriteString(item(i))
	}
	b.WriteString(d.finish)
	return []byte(b.String())
}

// many has many items, with few names or many.
func (d *document) many(r *rand.Rand, size int) []byte {
	names := pick(r, 1, 100, size)
	return d.of(size, func(i int) string { return fill(d.item, i, fmt.Sprint("f", i%names)) })
}

// nested has values below thousands of brackets: as an item, as an unknown member, or in the first
// place.
func (d *document) nested(r *rand.Rand, size int) []byte {
	open := pick(r, "[", `{"a":`, `[{"x":[`, `{"children":[`, `{"args":{"a":[`)
	deep := strings.Repeat(open, size/len(open))
	if r.IntN(2) == 0 { // with its ends
		var ends strings.Builder
		for i := len(open) - 1; i >= 0; i-- {
			switch open[i] {
			case '[':
				ends.WriteByte(']')
			case '{':
				ends.WriteByte('}')
			}
		}
		deep = strings.Repeat(open, size/len(open)/2) + "1" + strings.Repeat(ends.String(), size/len(open)/2)
	}
	switch r.IntN(3) {
	case 0:
		return []byte(strings.Replace(d.begin, "{", `{"unknown":`+deep+`,`, 1) + fill(d.item, 1, "f") + d.finish)
	case 1:
		return d.of(size/100, func(i int) string {
			if i == 1 {
				return deep
			}
			return fill(d.item, i, "f")
		})
	}
	return []byte(deep)
}

// numbers has numbers that are too large or too long, also where text belongs.
func (d *document) numbers(r *rand.Rand, size int) []byte {
	length := pick(r, 20, 1000, size/3)
	b := d.of(size, func(i int) string {
		item := strings.ReplaceAll(d.item, "NAME", "f")
		for strings.Contains(item, "N") {
			item = strings.Replace(item, "N", strings.ReplaceAll(number(r, length), "N", "n"), 1)
		}
		return item
	})
	return b
}

// strings has long names, escapes and members that repeat.
func (d *document) strings(r *rand.Rand, size int) []byte {
	length := pick(r, 10, 1000, size/2)
	part := pick(r, "x", `\u0000`, `\ud800`, `\\`, `\"`, "\xff", "é", `\n`, "\x01", "</script>")
	name := strings.Repeat(part, length/len(part)+1)
	return d.of(size, func(i int) string {
		item := fill(d.item, i, name)
		if r.IntN(4) == 0 {
			item = strings.Replace(item, "{", `{"`+name+`":"`+name+`",`, 1)
		}
		return item
	})
}
