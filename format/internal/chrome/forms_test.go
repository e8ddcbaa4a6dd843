package chrome_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"artifice/format/internal/formattest"
	"artifice/format/internal/kind"
)

// TestChrome checks every kind of duration event, unsorted, with both forms of ids and of the
// document.
func TestChrome(t *testing.T) {
	const events = `{"ph":"M","name":"thread_name","pid":7,"tid":8,"args":{"name":"worker"}},
{"ph":"X","name":"outer","pid":7,"tid":8,"ts":100,"dur":50.5},
{"ph":"X","name":"a.B.late","pid":7,"tid":8,"ts":140,"dur":20},
{"ph":"X","name":"same","pid":7,"tid":8,"ts":100,"dur":10},
{"ph":"I","name":"instant","pid":7,"tid":8,"ts":101},
{"ph":"E","pid":7,"tid":"main","ts":130},
{"ph":"B","name":"b","pid":7,"tid":"main","ts":120.25},
{"ph":"E","pid":7,"tid":"main","ts":110}`
	want := "0 worker >outer, 0 worker >same, 10 worker <same, 10 main <(unknown), 20.25 main >b, 30 main <b, 40 worker >a.B.late, 50.5 worker <a.B.late, 50.5 worker <outer"
	formattest.Check(t, "object", formattest.Read(t, `{"displayTimeUnit":"ms","x":[{"y":1}],"traceEvents":[`+events+`]}`, "chrome", kind.Config{}), want)
	formattest.Check(t, "array without end", formattest.Read(t, "["+events, "chrome", kind.Config{}), want)
	named := `[{"ph":"E","name":"a.B.began","pid":1,"tid":1,"ts":5},{"ph":"E","pid":1,"tid":1,"ts":6},{"ph":"B","name":"f","pid":1,"tid":1,"ts":7}]`
	formattest.Check(t, "ends without a begin", formattest.Read(t, named, "chrome", kind.Config{}), "0 thread-1 <a.B.began, 1 thread-1 <(unknown), 2 thread-1 >f")
	mixed := `[{"ph":"B","name":"b","pid":1,"tid":1,"ts":0},{"ph":"X","name":"x","pid":1,"tid":1,"ts":2,"dur":10},{"ph":"B","name":"c","pid":1,"tid":1,"ts":3},
{"ph":"E","pid":1,"tid":1,"ts":5},{"ph":"B","name":"d","pid":1,"tid":1,"ts":6},{"ph":"X","name":"y","pid":1,"tid":1,"ts":7,"dur":20},{"ph":"E","pid":1,"tid":1,"ts":14},{"ph":"E","pid":1,"tid":1,"ts":15}]`
	// Call x ends while d, its callee, is open, and y is clipped to x. The end at 14 is that of d.
	formattest.Check(t, "mixed", formattest.Read(t, mixed, "chrome", kind.Config{}),
		"0 thread-1 >b, 2 thread-1 >x, 3 thread-1 >c, 5 thread-1 <c, 6 thread-1 >d, 7 thread-1 >y, 12 thread-1 <y, 12 thread-1 <d, 12 thread-1 <x, 15 thread-1 <b")
	bare := `[{"ph":"B","name":"f","pid":7,"ts":10},{"ph":"B","name":"g","pid":8,"ts":11},{"ph":"E","pid":8,"ts":12},{"ph":"E","pid":7,"ts":13,"tid":null}]`
	formattest.Check(t, "without tid", formattest.Read(t, bare, "chrome", kind.Config{}), "0 thread-7 >f, 1 thread-8 >g, 2 thread-8 <g, 3 thread-7 <f")
	dual := `[{"ph":"B","name":"f","pid":1,"tid":1,"ts":10,"tts":3},{"ph":"E","pid":1,"tid":1,"ts":20,"tts":9},{"ph":"X","name":"g","pid":1,"tid":1,"ts":30,"dur":5,"tts":10,"tdur":4}]`
	formattest.Check(t, "dual", formattest.Read(t, dual, "chrome", kind.Config{}), "0 thread-1 >f cpu 3, 10 thread-1 <f cpu 9, 20 thread-1 >g cpu 10, 25 thread-1 <g cpu 14")
}

// TestChromeForms checks that the JSON form of events does not change the calls: white space,
// escapes, exponents, additional members and their order. Lines are long enough for the reader's
// fast path, which processes many bytes at a time.
func TestChromeForms(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var events []map[string]any // no time is halfway between two ns: times with an exponent are rounded as float64
	names := []string{"a.B.m", "x", "", "ä.ö", "a\\b", "a\b", "quote\"", "com.example.LongerThanSixteen.method", "com.example.LongerThanSixteen.methods"}
	for i := range 3000 {
		e := map[string]any{"ph": string("BEXMi"[r.IntN(5)]), "name": names[r.IntN(len(names))], "pid": 13705, "tid": r.IntN(3) + 9_999_998,
			"ts": json.Number(fmt.Sprintf("%d.%0*d", 140277+i, 1+r.IntN(5), r.IntN(5))), "tts": i, "dur": r.IntN(9), "args": map[string]any{"name": "thread"}}
		for key := range e {
			if key != "ph" && key != "pid" && key != "ts" && r.IntN(10) == 0 {
				delete(e, key)
			}
		}
		events = append(events, e)
	}
	read := func(form func(map[string]any) string) []string {
		var texts []string
		for _, e := range events {
			texts = append(texts, form(e))
		}
		return formattest.Read(t, "["+strings.Join(texts, ",\n")+"]", "chrome", kind.Config{})
	}
	want := read(func(e map[string]any) string { return members(e, "%q:%s,", quoted) })
	for name, form := range map[string]func(map[string]any) string{
		"blanks":  func(e map[string]any) string { return members(e, "%q: %s, ", quoted) },
		"lines":   func(e map[string]any) string { return members(e, "\n\t\t%q : %s,", quoted) },
		"escapes": func(e map[string]any) string { return members(e, "%q:%s,", escaped) },
		"mixed": func(e map[string]any) string {
			return members(e, "%q:%s,", []func(any) string{quoted, escaped}[r.IntN(2)])
		},
		"more": func(e map[string]any) string {
			return `{"cat":"]},{",` + members(e, `%q:%s,"other":[{"ph":"}"}],`, quoted)[1:]
		},
		"any order": func(e map[string]any) string {
			parts := strings.Split(members(e, "%q:%s\x00", quoted), "\x00")
			parts[0] = parts[0][1:]
			parts = parts[:len(parts)-1]
			r.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
			return "{" + strings.Join(parts, ",") + "}"
		},
	} {
		if got := read(form); !slices.Equal(got, want) {
			for i := range min(len(got), len(want)) {
				if got[i] != want[i] {
					t.Errorf("%s: event %d of %d is %s, want %s", name, i, len(got), got[i], want[i])
					break
				}
			}
		}
	}
	for _, name := range []string{"a\\b", "a\b", "quote\"", "ä.ö"} {
		if !slices.ContainsFunc(want, func(line string) bool { return strings.Contains(line, ">"+name) }) {
			t.Errorf("no call of %q", name)
		}
	}
}

// members formats an object; form is the format of a member.
func members(e map[string]any, form string, value func(any) string) string {
	text := "{"
	for _, key := range []string{"ph", "name", "pid", "tid", "ts", "dur", "tts", "args"} {
		if v, ok := e[key]; ok {
			text += fmt.Sprintf(form, key, value(v))
		}
	}
	return strings.TrimRight(text, ", ") + "}"
}

func quoted(v any) string {
	text, _ := json.Marshal(v)
	return string(text)
}

// escaped formats text with each character as its number, and times with an exponent.
func escaped(v any) string {
	switch v := v.(type) {
	case string:
		text := `"`
		for _, c := range v {
			text += fmt.Sprintf(`\u%04x`, c)
		}
		return text + `"`
	case json.Number:
		return v.String() + "e0"
	}
	return quoted(v)
}

// TestChromeSamples checks that the error for files with samples instead of calls states the
// remedy.
func TestChromeSamples(t *testing.T) {
	for name, c := range map[string]struct{ file, want string }{
		"chunks":  {`{"traceEvents":[{"ph":"P","name":"ProfileChunk","pid":1,"tid":2,"ts":5,"args":{"data":{"cpuProfile":{"nodes":[],"samples":[1]}}}}]}`, "no begin or end of a call; it has samples of V8's profiler: --input-format chrome-samples reads them"},
		"samples": {`{"stackFrames":{"1":{"name":"f"}},"samples":[{"cpu":0,"tid":1,"ts":1,"name":"x","sf":1,"weight":1}],"ph":"traceEvents"}`, "--input-format chrome-samples reads samples with stackFrames"},
	} {
		if got := formattest.Refused(t, []byte(c.file), "in"); !strings.Contains(got, c.want) {
			t.Errorf("%s: %s", name, got)
		}
	}
}
