package timeline_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"artifice/timeline"
)

// TestChromeForms: however a program writes the same events in JSON, with white space,
// escapes, exponents and more members or in another order, they are read as the same calls.
// Lines are long enough for what is read many bytes at a time.
func TestChromeForms(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var events []map[string]any // no time is halfway between two ns, as one with an exponent is rounded as a float64
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
		return read(t, "["+strings.Join(texts, ",\n")+"]", "chrome", timeline.Config{})
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

// members writes an object, with each member as format says.
func members(e map[string]any, format string, value func(any) string) string {
	text := "{"
	for _, key := range []string{"ph", "name", "pid", "tid", "ts", "dur", "tts", "args"} {
		if v, ok := e[key]; ok {
			text += fmt.Sprintf(format, key, value(v))
		}
	}
	return strings.TrimRight(text, ", ") + "}"
}

func quoted(v any) string {
	text, _ := json.Marshal(v)
	return string(text)
}

// escaped writes texts with each character as its number, and times with an exponent.
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

// TestChromeSamples: files with samples instead of calls are refused with what to do.
func TestChromeSamples(t *testing.T) {
	for name, c := range map[string]struct{ file, want string }{
		"chunks":  {`{"traceEvents":[{"ph":"P","name":"ProfileChunk","pid":1,"tid":2,"ts":5,"args":{"data":{"cpuProfile":{"nodes":[],"samples":[1]}}}}]}`, "no begin or end of a call; it has samples of V8's profiler (events of phase P), which are not read: let node --cpu-prof"},
		"samples": {`{"stackFrames":{"1":{"name":"f"}},"samples":[{"cpu":0,"tid":1,"ts":1,"name":"x","sf":1,"weight":1}],"ph":"traceEvents"}`, "samples and stackFrames alone are not read: save what V8's profiler saw as .cpuprofile"},
	} {
		_, err := timeline.Read(strings.NewReader(c.file), "in", int64(len(c.file)), format(t, []byte(c.file)), timeline.Config{})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
