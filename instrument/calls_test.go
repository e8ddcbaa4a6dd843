package instrument

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"artifice/trace"
)

// happens returns a truth of one thread: +a enters a, -a leaves it, !a leaves it by an exception,
// and a number is a time in µs.
func happens(text string) *trace.Recording {
	rec := &trace.Recording{Info: trace.Info{Technique: trace.Truth}, Symbols: &trace.Symbols{}}
	rec.Symbols.AddThread(trace.Thread{TID: 1, Name: "main"})
	ids := map[string]trace.MethodID{}
	var events []trace.Event
	var now time.Duration
	for word := range strings.FieldsSeq(text) {
		if at, err := time.ParseDuration(word + "us"); err == nil {
			now = at
			continue
		}
		action := map[byte]trace.Action{'+': trace.Enter, '-': trace.Exit, '!': trace.Unwind}[word[0]]
		name := word[1:]
		if _, ok := ids[name]; !ok {
			m := trace.Method{Class: "app.C", Name: name}
			if name == "dispatch" {
				m = trace.Method{Class: "android.os.Handler", Name: "dispatchMessage"}
			}
			ids[name] = rec.Symbols.AddMethod(m)
		}
		events = append(events, trace.Event{Wall: now, CPU: now, Method: ids[name], Action: action})
	}
	rec.Info.Elapsed = now
	rec.Events = trace.NewSliceReader(events)
	return rec
}

// asText returns the record in the notation of happens, without repeated times.
func asText(t *testing.T, truth *trace.Recording, cfg CallsConfig) string {
	t.Helper()
	rec, err := RecordCalls(truth, cfg)
	if err != nil {
		t.Fatal(err)
	}
	var words []string
	last := time.Duration(-1)
	for e, err := range trace.All(rec.Events) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Wall != last {
			words = append(words, fmt.Sprint(float64(e.Wall)/1e3))
			last = e.Wall
		}
		words = append(words, string("+-!"[e.Action])+strings.TrimSuffix(rec.Symbols.Method(e.Method).Name, "Message"))
	}
	return strings.Join(words, " ")
}

// TestCalls compares small cases with the results of the tools' own decoders. Those of markers are
// the output of RheaTrace's shipped repair. The last five and those of rings follow from its code.
// dispatchMessage belongs to Android and has no markers.
func TestCalls(t *testing.T) {
	markers := CallsConfig{MainOnly: true, Exceptions: ExceptionsRepaired, Sees: func(m *trace.Method) bool { return m.Name != "dispatchMessage" }}
	records := CallsConfig{AtExit: true, Exceptions: ExceptionsDrop}
	beat := CallsConfig{MainOnly: true, Exceptions: ExceptionsDrop, Updated: 5 * time.Millisecond}
	ring := markers
	ring.Ring = 3
	four, fourOfAll := markers, CallsConfig{MainOnly: true, Ring: 4}
	four.Ring = 4
	fiveOfAll := CallsConfig{MainOnly: true, Ring: 5}
	few := CallsConfig{MaxEntries: 3}
	for _, c := range []struct {
		what, truth string
		cfg         CallsConfig
		want        string
	}{
		{"B a, B b, B c, E a", "1 +a 2 +b 3 +c 4 +dispatch 5 !dispatch !c !b 9 -a", markers, "1 +a 2 +b 3 +c 9 -c -b -a"},
		{"B a, B b, E b, end of file", "1 +a 2 +b 3 -b 4", markers, "1 +a -a 2 +b 3 -b"},
		{"B a, B b, B c, B d, E d, E a", "1 +a 2 +b 3 +c +dispatch !dispatch !c !b 4 +d 5 -d 6 -a", markers, "1 +a 2 +b -b 3 +c -c 4 +d 5 -d 6 -a"},
		{"all at one time", "1 +a +b -b -a 2", markers, "1 +b -b +a -a"},
		{"exits of passed calls are missing, but not the throw", "1 +a 2 +b 3 +c 4 +d 5 !d !c !b 9 -a", markers, "1 +a 2 +b -b 3 +c -c 4 +d 5 -d 9 -a"},
		{"a caller's begin in the same time as its callee's", "1 +a +b 2 -b 3 -a", markers, "1 +b +a 2 -a 3 -b"},
		{"recursion of three", "1 +a 2 +a 3 +a 4 -a 5 -a 6 -a", markers, "1 +a -a 2 +a 3 +a 5 -a 6 -a"},
		{"a throw of its own ends", "1 +a 2 +b 3 !b 9 -a", markers, "1 +a 2 +b 3 -b 9 -a"},
		{"recursion", "1 +a 2 +a 3 -a 4 -a", markers, "1 +a 2 +a 3 -a 4 -a"},
		{"begins within one us of the clock", "1.2 +a 1.7 +b 2 -b 3 -a", markers, "1 +b +a 2 -a 3 -b"},
		{"a throw before another call is no end", "1 +a 2 +b 3 !b 4 +c 5 -c 6 -a", markers, "1 +a 2 +b -b 4 +c 5 -c 6 -a"},
		{"an exit whose enter the ring has lost", "1 +a 2 +b 3 -b 4 +c 5 -c 6 -a", ring, "4 +c 5 -c"},
		{"the first entry that the ring keeps is an exit", "1 +a 2 +b 3 -b 4 +c 5 -c 6 -a", four, "4 +c 5 -c"},
		{"the same without a repair", "1 +a 2 +b 3 -b 4 +c 5 -c 6 -a", fourOfAll, "4 +c 5 -c"},
		{"the first entry that the ring keeps is an enter", "1 +a 2 +b 3 -b 4 +c 5 -c 6 -a", fiveOfAll, "2 +b 3 -b 4 +c 5 -c"},
		{"records of calls that ended", "1 +a 2 +b 3 +c 4 !c !b 5 +e 6 -e 9", records, "3 +c 4 -c 5 +e 6 -e"},
		{"a record of no length", "1 +a 2 +b -b 3 -a", records, "1 +a 3 -a"},
		{"a full buffer", "1 +a 2 +b 3 -b 4 +c 5 -c 6 -a", few, "1 +a 2 +b 3 -b"},
		{"Matrix's clock: at the message, and 5 ms later", "1300 +dispatch 1400 +a 6100 -a 6300 +b 6400 -b 6450 -dispatch 9000 +c 9999 -c",
			beat, "1000 +dispatch +a -a 6000 +b -b -dispatch +c -c"},
		{"Matrix loses what an exception passes; a ends 5 ms after the message began", "0 +dispatch +a +b +c 100 !c !b 7000 -a -dispatch", beat, "0 +dispatch +a +c -c 5000 -a 7000 -dispatch"},
	} {
		if got := asText(t, happens(c.truth), c.cfg); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.what, got, c.want)
		}
	}
}

// TestCallsInfo checks that a recording of calls has neither the source's sampling interval nor its
// clock overhead.
func TestCallsInfo(t *testing.T) {
	truth := happens("1 +a 2 -a")
	truth.Info.Technique, truth.Info.Interval, truth.Info.ClockOverhead = trace.Truth, time.Millisecond, 100
	rec, err := RecordCalls(truth, CallsConfig{})
	if err != nil {
		t.Fatal(err)
	}
	if i := rec.Info; i.Technique != trace.Instrumented || i.Interval != 0 || i.ClockOverhead != 0 {
		t.Errorf("technique %v, interval %v, clock overhead %v", i.Technique, i.Interval, i.ClockOverhead)
	}
}

// TestCallsCost checks that a thread is slowed by the cost of its calls: 1 + (enter + exit) n/L. A
// call is longer by the cost of its own enter and by that of all nested calls.
func TestCallsCost(t *testing.T) {
	const us = time.Microsecond
	cfg := CallsConfig{Enter: 2 * us, Exit: us, CPU: true}
	if got, want := asText(t, happens("0 +a 10 +b 20 -b 30 -a"), cfg), "0 +a 12 +b 24 -b 35 -a"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	truth := happens("0 +a 10 +b 20 -b 30 -a 50 +a 60 -a")
	rec, err := RecordCalls(truth, cfg)
	if err == nil {
		_, err = trace.Copy(trace.Discard, rec.Events)
	}
	if want := 60*us + 3*3*us; err != nil || rec.Info.Elapsed != want {
		t.Errorf("elapsed %s, want %s (%v)", rec.Info.Elapsed, want, err)
	}
}

// TestCallsRefused checks that invalid configurations are rejected with an explanation.
func TestCallsRefused(t *testing.T) {
	read := func(truth *trace.Recording, cfg CallsConfig) error {
		rec, err := RecordCalls(truth, cfg)
		if err == nil {
			_, err = trace.Copy(trace.Discard, rec.Events)
		}
		return err
	}
	nameless := happens("1 +a")
	nameless.Events = trace.NewSliceReader([]trace.Event{{Method: 7}})
	late := happens("1 +a")
	late.Events = trace.NewSliceReader([]trace.Event{{Wall: 1 << 62}})
	cpuOnly := happens("1 +a")
	cpuOnly.Info.Clock = trace.ThreadCPU
	for want, err := range map[string]error{
		"negative":                      read(happens("1 +a"), CallsConfig{Exit: -1}),
		"more than a sec":               read(happens("1 +a"), CallsConfig{Enter: time.Hour}),
		"requires the main thread only": read(happens("1 +a"), CallsConfig{Ring: 7}),
		"the truth has":                 read(nameless, CallsConfig{}),
		"can be traced":                 read(late, CallsConfig{}),
		"thread CPU time":               read(cpuOnly, CallsConfig{}),
		"rule 9 for excep":              read(happens("1 +a"), CallsConfig{Exceptions: 9}),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v", want, err)
		}
	}
}

// TestCallsConfig: each limit is accepted, and the next value is an error.
func TestCallsConfig(t *testing.T) {
	truth := &trace.Recording{Info: trace.Info{Clock: trace.Wall}}
	for _, c := range []struct {
		cfg  CallsConfig
		want string // "" for a valid configuration
	}{
		{CallsConfig{}, ""},
		{CallsConfig{Enter: time.Second, Exit: time.Second, Updated: time.Second}, ""},
		{CallsConfig{Enter: -1}, "is negative"}, {CallsConfig{Exit: -1}, "is negative"}, {CallsConfig{Updated: -1}, "is negative"},
		{CallsConfig{Enter: time.Second + 1}, "is more than a second"}, {CallsConfig{Exit: time.Second + 1}, "is more than a second"}, {CallsConfig{Updated: time.Second + 1}, "is more than a second"},
		{CallsConfig{Ring: 1, MainOnly: true}, ""},
		{CallsConfig{Ring: 1, Exceptions: ExceptionsRepaired}, ""},
		{CallsConfig{Ring: 1}, "a ring buffer of 1 entries, a limit of 0 entries"},
		{CallsConfig{Ring: -1, MainOnly: true}, "a ring buffer of -1 entries"},
		{CallsConfig{MaxEntries: 1}, ""},
		{CallsConfig{MaxEntries: -1}, "a limit of -1 entries"},
		{CallsConfig{Exceptions: ExceptionsRepaired}, ""},
		{CallsConfig{Exceptions: ExceptionsRepaired, AtExit: true}, "RheaTrace's repair applies only to begins and ends"},
		{CallsConfig{Exceptions: ExceptionsRepaired, MaxEntries: 1}, "RheaTrace's repair"},
		{CallsConfig{Exceptions: ExceptionsRepaired, Updated: 1}, "RheaTrace's repair"},
		{CallsConfig{Exceptions: ExceptionsRepaired, CPU: true}, "RheaTrace's repair"},
		{CallsConfig{Exceptions: ExceptionsDrop, AtExit: true, MaxEntries: 1, Updated: 1, CPU: true}, ""},
		{CallsConfig{Exceptions: ExceptionsDrop + 1}, "unknown rule"},
	} {
		err := c.cfg.check(truth)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%+v: error %v, want %q", c.cfg, err, c.want)
		}
	}
	truth.Info.Clock = trace.ThreadCPU
	if err := (&CallsConfig{}).check(truth); err == nil || !strings.HasPrefix(err.Error(), "the truth has only thread CPU time") {
		t.Errorf("without a wall clock: %v", err)
	}
}
